#include "Analysis/BlockLog.h"

using llvm::BitVector;

namespace pipeline_rewrite {

BlockLog::BlockLog() : Own(MaxBytes), Stored(MaxBytes), Twice(MaxBytes) {
  for (PlaceSets &S : Sets) {
    S.Touched.resize(MaxBytes);
    S.Written.resize(MaxBytes);
  }
}

void BlockLog::beginThread() {
  Segment = Iteration = 0;
  enter(Place::Before);
}

void BlockLog::enter(Place P) {
  Now = P;
  Own.reset();
  Stored.reset();
}

void BlockLog::lose(clang::SourceLocation Where, std::string Why) {
  if (!Loss)
    Loss = {Where, std::move(Why)};
}

void BlockLog::access(const ThreadValue &Address, uint64_t Bytes, bool Write,
                      bool Certain) {
  unsigned Begin = Address.Number, End = Begin + Bytes;
  PlaceSets &Here = sets(Now);
  Here.Touched.set(Begin, End);
  if (Now == Place::Loop) {
    BitVector &Mine = ByBase[Address.Base];
    Mine.resize(MaxBytes);
    Mine.set(Begin, End);
  }
  Interval &At = Here.Intervals[{Iteration, Segment}];
  At.SurelyWritten.resize(MaxBytes);
  At.OpenReads.resize(MaxBytes);
  if (Write) {
    Here.Written.set(Begin, End);
    for (unsigned Byte = Begin; Byte < End && Now == Place::Loop; ++Byte)
      if (Repeats || Stored.test(Byte))
        Twice.set(Byte);
    Stored.set(Begin, End);
    if (Certain) {
      At.SurelyWritten.set(Begin, End);
      Own.set(Begin, End);
    }
    return;
  }
  for (unsigned Byte = Begin; Byte < End; ++Byte)
    if (!Own.test(Byte))
      At.OpenReads.set(Byte);
}

BitVector BlockLog::uncovered(Place P) const {
  BitVector Result(MaxBytes), Written(MaxBytes);
  unsigned Last = 0;
  for (const auto &[Number, At] : sets(P).Intervals) {
    if (Number.first != Last)
      Written.reset();
    Last = Number.first;
    BitVector Open = At.OpenReads;
    Open.reset(Written);
    Result |= Open;
    Written |= At.SurelyWritten;
  }
  return Result;
}

} // namespace pipeline_rewrite
