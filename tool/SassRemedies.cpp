#include "SassRemedies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace pipeline_rewrite {

static std::string absolute(StringRef Path) {
  SmallString<128> Result(Path);
  if (std::error_code Code = sys::fs::make_absolute(Result))
    return Path.str(); // no current folder: the compiler will say so
  sys::path::remove_dots(Result, /*remove_dot_dot=*/true);
  return Result.str().str();
}

Expected<SassBuild> SassWorkbench::build(const FileOutcome &Outcome,
                                         bool Rewritten) {
  SassBuildRequest Request;
  for (const RewrittenFile &File : Outcome.Files) {
    SassSource Source{absolute(File.Path),
                      Rewritten ? File.Rewritten : File.Original};
    if (File.IsInput)
      Request.Sources.insert(Request.Sources.begin(), std::move(Source));
    else if (File.Original != File.Rewritten)
      Request.Sources.push_back(std::move(Source));
  }
  Request.NvccArgs = Outcome.NvccArgs;
  Request.Arch = Outcome.Arch;
  Request.TimeoutSeconds = std::max(TimeoutSeconds, 1u);
  return buildSass(Tools, Request);
}

Error SassWorkbench::check(FileOutcome &Outcome) {
  if (!Before) {
    Expected<SassBuild> Original = build(Outcome, false);
    if (!Original)
      return Original.takeError();
    Before = std::move(*Original);
  }
  Expected<SassBuild> After = build(Outcome, true);
  if (!After)
    return After.takeError();
  // The order of the sources in both builds: the input, then changed headers.
  size_t NextHeader = 1;
  for (RewrittenFile &File : Outcome.Files) {
    if (!File.IsInput && File.Original == File.Rewritten)
      continue;
    size_t Source = File.IsInput ? 0 : NextHeader++;
    for (LoopResult &Loop : File.Result.Loops)
      if (isSassSubject(File, Loop))
        Loop.Sass = compareLoop(*Before, *After, Source, File, Loop);
  }
  return Error::success();
}

namespace {

using RemedyMap = std::map<LoopPlace, LoopRemedy>;

/// Share of the arithmetic in front of the last load from which on a remedy is
/// worth a compile.
constexpr double MovedDown = 0.1;
/// What a remedy has to add to the least overlap to be kept.
constexpr double Improvement = 0.1;

bool hasMovedLoads(const SassReport &Report) {
  return any_of(Report.Kernels, [](const SassKernel &K) {
    return K.After && (K.Verdict != SassVerdict::Overlapped ||
                       (K.After->MathBeforeLoads > MovedDown * K.After->Math &&
                        !K.After->staysInFlight()));
  });
}

double leastOverlap(const SassReport &Report) {
  double Least = 1;
  for (const SassKernel &K : Report.Kernels)
    Least = std::min(Least, K.After ? K.After->WorstOverlap : 0);
  return Least;
}

unsigned failures(const SassReport &Report) {
  unsigned Count = 0;
  for (const SassKernel &K : Report.Kernels)
    Count += count_if(K.Checks, [](const SassCheck &C) {
      return C.Status == SassStatus::Fail;
    });
  return Count;
}

bool helps(const SassReport &Now, const SassReport &Then) {
  return Now.Checked && leastOverlap(Now) >= leastOverlap(Then) + Improvement &&
         failures(Now) <= failures(Then);
}

template <typename Action> void forEachLoop(FileOutcome &Outcome, Action Do) {
  for (RewrittenFile &File : Outcome.Files)
    for (LoopResult &Loop : File.Result.Loops)
      if (Loop.Sass)
        Do(LoopPlace{File.Path, Loop.Line}, Loop);
}

/// The file rewritten with \p Remedies, built and checked.
Expected<FileOutcome> rewriteWith(const RemedyMap &Remedies, SassWorkbench &Bench,
                                  const SessionContext &Context, StringRef Path) {
  SessionContext Changed = Context;
  Changed.Remedies = Remedies;
  std::string Messages; // the same as in the first run
  Expected<FileOutcome> Outcome = processFile(Path, Changed, Messages);
  if (!Outcome)
    return Outcome.takeError();
  if (Error Failed = Bench.check(*Outcome))
    return Failed;
  return Outcome;
}

std::string remedyText(const LoopRemedy &Remedy) {
  std::vector<std::string> Parts;
  if (Remedy.UnrollOnce)
    Parts.push_back("#pragma unroll 1");
  if (Remedy.Fence)
    Parts.push_back("a compiler fence behind the loads");
  return join(Parts, ", ");
}

} // namespace

Error tryRemedies(SassWorkbench &Bench, const SessionContext &Context,
                  StringRef Path, FileOutcome &Outcome) {
  std::map<LoopPlace, SassReport> Best; // of the loops that need it
  forEachLoop(Outcome, [&](const LoopPlace &Place, LoopResult &Loop) {
    if (Loop.Sass->Checked && hasMovedLoads(*Loop.Sass))
      Best[Place] = *Loop.Sass;
  });
  if (Best.empty())
    return Error::success();
  RemedyMap Kept;
  for (bool LoopRemedy::*Part : {&LoopRemedy::UnrollOnce, &LoopRemedy::Fence}) {
    RemedyMap Trial = Kept;
    for (const auto &[Place, Report] : Best)
      Trial[Place].*Part = true;
    Expected<FileOutcome> Tried = rewriteWith(Trial, Bench, Context, Path);
    if (!Tried)
      return Tried.takeError();
    forEachLoop(*Tried, [&](const LoopPlace &Place, LoopResult &Loop) {
      auto Known = Best.find(Place);
      if (Known == Best.end() || !helps(*Loop.Sass, Known->second))
        return;
      Known->second = *Loop.Sass;
      Kept[Place].*Part = true;
    });
  }
  if (!Kept.empty()) {
    // Together they are another text than any that was tried.
    Expected<FileOutcome> Final = rewriteWith(Kept, Bench, Context, Path);
    if (!Final)
      return Final.takeError();
    for (size_t I = 0; I < Final->Files.size(); ++I)
      Final->Files[I].Messages = Outcome.Files[I].Messages;
    Outcome.Files = std::move(Final->Files);
  }
  forEachLoop(Outcome, [&](const LoopPlace &Place, LoopResult &Loop) {
    if (!Best.count(Place))
      return;
    auto Found = Kept.find(Place);
    if (Found != Kept.end())
      Loop.Sass->Remedy = remedyText(Found->second);
    else
      Loop.Sass->Message = "tried against the loads moving down, without effect: " +
                           remedyText({true, true});
  });
  return Error::success();
}

} // namespace pipeline_rewrite
