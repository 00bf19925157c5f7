#include "Sass/Excerpt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

class ExcerptWriter {
public:
  ExcerptWriter(const SassFunction &F, const SteadyLoop &Loop,
                const ExcerptOptions &Options)
      : F(F), Loop(Loop), Options(Options) {
    StringRef(Options.Source).split(SourceLines, '\n');
  }
  std::vector<std::string> run();

private:
  const SassInstruction &at(size_t I) const { return F.Code[Loop.Body[I]]; }
  std::string roleOf(size_t I) const;
  void show(size_t I, StringRef Role);
  void skip(size_t I);
  void closeRun();
  std::string sourceOf(size_t I) const;

  const SassFunction &F;
  const SteadyLoop &Loop;
  const ExcerptOptions &Options;
  SmallVector<StringRef, 0> SourceLines;
  std::map<std::string, unsigned> Skipped; ///< opcodes of the current run
  unsigned Cycles = 0;                     ///< of the current run
  std::vector<std::string> Lines;
};

/// Why an instruction is shown; empty: it is not.
std::string ExcerptWriter::roleOf(size_t I) const {
  const SassInstruction &Now = at(I);
  if (I == Loop.WorstWait && Loop.WorstWait != Loop.WorstLoad)
    return formatv("first wait for the load at {0:x4}",
                   at(Loop.WorstLoad).Address)
        .str();
  switch (kindOf(Now)) {
  case SassKind::GlobalLoad:
    return Loop.IsTileLoad[I] ? "load of the next tile" : "other load";
  case SassKind::AsyncCopy:
    return accessBytes(Now) ? "asynchronous copy of a tile to come"
                            : "zero fill of a tile to come";
  case SassKind::AsyncCommit:
    return "commit";
  case SassKind::AsyncWait:
    return "wait for copies";
  case SassKind::SharedStore:
    return Loop.IsTileStore[I] ? "store of the next tile" : "";
  case SassKind::Barrier:
    return "barrier";
  case SassKind::LocalLoad:
  case SassKind::LocalStore:
    return "local memory";
  case SassKind::SharedLoad:
  case SassKind::Other:
    break;
  }
  if (Now.base() == "BRA")
    return Now.Target == Loop.Header ? "back to the start" : "branch";
  // The ends of each run of arithmetic.
  if (Loop.IsMath[I]) {
    auto First = llvm::find(Loop.IsMath, true) - Loop.IsMath.begin();
    size_t Last = Loop.IsMath.size();
    while (Last > 0 && !Loop.IsMath[Last - 1])
      --Last;
    if (I == size_t(First))
      return "first of the arithmetic";
    if (I + 1 == Last)
      return "last of the arithmetic";
  }
  return "";
}

std::string ExcerptWriter::sourceOf(size_t I) const {
  unsigned Line = lineIn(at(I), Options.Lines);
  if (!Line)
    return "";
  std::string Text = "  ; line " + std::to_string(Line);
  if (Line <= SourceLines.size() && !Options.Source.empty())
    Text += ": " + SourceLines[Line - 1].trim().take_front(48).str();
  return Text;
}

void ExcerptWriter::closeRun() {
  if (Skipped.empty())
    return;
  std::vector<std::pair<unsigned, std::string>> ByCount;
  for (const auto &[Opcode, Count] : Skipped)
    ByCount.push_back({Count, Opcode});
  llvm::sort(ByCount, [](const auto &A, const auto &B) {
    return A.first != B.first ? A.first > B.first : A.second < B.second;
  });
  std::vector<std::string> Parts;
  for (const auto &[Count, Opcode] : ArrayRef(ByCount).take_front(5))
    Parts.push_back(std::to_string(Count) + " " + Opcode);
  if (ByCount.size() > 5)
    Parts.push_back("...");
  std::string Line = "      ...  " + join(Parts, ", ");
  if (Cycles)
    Line += " (" + std::to_string(Cycles) + " cycles)";
  Lines.push_back(Line);
  Skipped.clear();
  Cycles = 0;
}

void ExcerptWriter::skip(size_t I) {
  ++Skipped[at(I).base().str()];
  Cycles += at(I).Control ? at(I).Control->Stall : 0;
}

void ExcerptWriter::show(size_t I, StringRef Role) {
  closeRun();
  const SassInstruction &Now = at(I);
  std::string Control = Now.Control ? describe(*Now.Control) + "  " : "";
  std::string Text = Now.text();
  if (Text.size() > 52)
    Text = Text.substr(0, 49) + "...";
  Lines.push_back(StringRef(formatv("{0:x6}  {1}{2,-52} {3,-24}{4}", Now.Address,
                                    Control, Text, Role, sourceOf(I))
                                .str())
                      .rtrim()
                      .str());
}

std::vector<std::string> ExcerptWriter::run() {
  for (size_t I = 0; I < Loop.Body.size(); ++I) {
    std::string Role = roleOf(I);
    if (Role.empty())
      skip(I);
    else
      show(I, Role);
  }
  closeRun();
  return std::move(Lines);
}

} // namespace

std::vector<std::string> excerptOf(const SassFunction &F, const SteadyLoop &Loop,
                                   const ExcerptOptions &Options) {
  return ExcerptWriter(F, Loop, Options).run();
}

} // namespace pipeline_rewrite
