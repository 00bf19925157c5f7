#include "Sass.h"
#include "Sass/Build.h"
#include "Sass/Excerpt.h"
#include "Sass/LineMap.h"
#include "Sass/Names.h"
#include "Support/InstallPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

constexpr int Checked = 0, CouldNotRun = 5;

std::string absolute(StringRef Path) {
  SmallString<128> Result(Path);
  sys::fs::make_absolute(Result);
  sys::path::remove_dots(Result, /*remove_dot_dot=*/true);
  return Result.str().str();
}

/// Compares one loop of one file in two builds.
class LoopChecker {
public:
  LoopChecker(const SassBuild &Before, const SassBuild &After, size_t Source,
              const RewrittenFile &File)
      : Before(Before), After(After), FileBefore(Before.Files[Source]),
        FileAfter(After.Files[Source]), File(File),
        Lines(File.Original, File.Rewritten) {}

  SassReport run(const LoopResult &Loop) const;

private:
  std::vector<size_t> functionsOf(const SassListing &Listing,
                                  const LoopResult &Loop,
                                  const SassLines &Where) const;
  SassKernel compare(const SassFunction &F, const LoopResult &Loop,
                     const SassLines &LinesBefore, const SassLines &LinesAfter,
                     SteadyLoop Steady) const;

  const SassBuild &Before, &After;
  const std::string &FileBefore, &FileAfter;
  const RewrittenFile &File;
  LineMap Lines;
};

/// Kernels by name; of a device function that was inlined everywhere those that
/// hold its lines.
std::vector<size_t> LoopChecker::functionsOf(const SassListing &Listing,
                                             const LoopResult &Loop,
                                             const SassLines &Where) const {
  std::vector<size_t> Found =
      functionsNamed(Listing, Loop.Kernel, Loop.Instantiation);
  if (!Found.empty() || Where.File.empty())
    return Found;
  for (size_t I = 0; I < Listing.Functions.size(); ++I)
    if (any_of(Listing.Functions[I].Code, [&](const SassInstruction &Code) {
          return any_of(Code.Places, [&](const SassPlace &P) {
            return P.File == Where.File && Where.contain(P.Line);
          });
        }))
      Found.push_back(I);
  return Found;
}

SassKernel LoopChecker::compare(const SassFunction &F, const LoopResult &Loop,
                                const SassLines &LinesBefore,
                                const SassLines &LinesAfter,
                                SteadyLoop Steady) const {
  SassKernel K;
  K.Name = readableName(F.Name);
  K.LocalAfter = localMemoryOf(F);
  if (auto R = After.Resources.find(F.Name); R != After.Resources.end())
    K.ResourcesAfter = R->second;
  const SassFunction *Original = nullptr;
  for (const SassFunction &Other : Before.Listing.Functions)
    if (Other.Name == F.Name)
      Original = &Other;
  if (Original) {
    K.LocalBefore = localMemoryOf(*Original);
    if (auto R = Before.Resources.find(F.Name); R != Before.Resources.end())
      K.ResourcesBefore = R->second;
    std::vector<SteadyLoop> Found = findSteadyLoops(*Original, LinesBefore);
    auto Busiest = std::max_element(
        Found.begin(), Found.end(), [](const SteadyLoop &A, const SteadyLoop &B) {
          return A.Math < B.Math;
        });
    if (Busiest != Found.end())
      K.Before = std::move(*Busiest);
  }
  SassExpectation Expected;
  Expected.Stages = Loop.Stages;
  Expected.Async = any_of(Loop.Tiles, [](const TileResult &T) {
    return T.Transport == "cp-async";
  });
  if (Steady.Kind != SassMath::None) {
    ExcerptOptions Options;
    Options.Lines = LinesAfter;
    Options.Source = File.Rewritten;
    K.Excerpt = excerptOf(F, Steady, Options);
    K.After = std::move(Steady);
  }
  judgeSass(K, Expected);
  return K;
}

SassReport LoopChecker::run(const LoopResult &Loop) const {
  SassReport Report;
  if (FileAfter.empty() && After.HasLines) {
    Report.Message = "nothing instantiates '" + Loop.Instantiation +
                     "', or the compiler read another copy of the file: there is "
                     "no machine code with lines of it";
    return Report;
  }
  SassLines Was{FileBefore, Loop.Line, std::max(Loop.Line, Loop.EndLine)};
  auto [First, Last] = Lines.after(Was.First, Was.Last);
  SassLines Is{FileAfter, First, Last};
  std::vector<size_t> Functions = functionsOf(After.Listing, Loop, Is);
  if (Functions.empty()) {
    Report.Message = "nothing instantiates '" + Loop.Instantiation +
                     "' in this file: there is no machine code of it";
    return Report;
  }
  Report.Checked = true;
  for (size_t I : Functions) {
    const SassFunction &F = After.Listing.Functions[I];
    std::vector<SteadyLoop> Found = findSteadyLoops(F, Is);
    if (Found.empty())
      Found.emplace_back();
    for (SteadyLoop &Steady : Found)
      Report.Kernels.push_back(compare(F, Loop, Was, Is, std::move(Steady)));
  }
  return Report;
}

bool isSubject(const RewrittenFile &File, const LoopResult &Loop) {
  return File.Original != File.Rewritten &&
         (Loop.Status == LoopStatus::Rewritten ||
          Loop.Status == LoopStatus::Eligible);
}

/// Every loop that would have been checked gets the reason why it was not.
int giveUp(FileOutcome &Outcome, Error Why) {
  std::string Message = toString(std::move(Why));
  errs() << "pipeline-rewrite: error: --sass could not be run: " << Message
         << "\n";
  for (RewrittenFile &File : Outcome.Files)
    for (LoopResult &Loop : File.Result.Loops)
      if (isSubject(File, Loop)) {
        Loop.Sass.emplace();
        Loop.Sass->Message = Message;
      }
  return CouldNotRun;
}

Expected<SassBuild> build(const SassTools &Tools, const FileOutcome &Outcome,
                          const Options &Opts, bool Rewritten) {
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
  Request.TimeoutSeconds = std::max(Opts.Timeout, 1u);
  return buildSass(Tools, Request);
}

void print(StringRef Path, const LoopResult &Loop, bool Quiet) {
  const SassReport &Report = *Loop.Sass;
  std::string Where = Path.str() + ":" + std::to_string(Loop.Line) + ":" +
                      std::to_string(Loop.Column) + ": ";
  if (!Report.Checked) {
    errs() << Where << "warning: machine code not checked: " << Report.Message
           << "\n";
    return;
  }
  for (const SassKernel &K : Report.Kernels) {
    bool Good = K.Verdict == SassVerdict::Overlapped;
    if (Good && Quiet)
      continue;
    errs() << Where << (Good ? "remark: " : "warning: ") << "machine code of '"
           << K.Name << "': " << K.Summary << " [" << toString(K.Verdict) << "]\n";
    for (const SassCheck &C : K.Checks)
      errs() << "    " << left_justify(toString(C.Status), 8)
             << left_justify(C.Id, 15) << C.Message << "\n";
    for (const std::string &Line : K.Excerpt)
      errs() << "    | " << Line << "\n";
  }
}

/// scripts/setup puts the disassemblers there where the toolkit lacks them.
std::string privateBin() {
  SmallString<128> Path(sys::path::parent_path(runningProgram()));
  sys::path::append(Path, "..", "..", ".tools", "bin");
  return Path.str().str();
}

} // namespace

int checkSass(const Options &Opts, FileOutcome &Outcome) {
  auto Subjects = [](const RewrittenFile &File) {
    return any_of(File.Result.Loops,
                  [&](const LoopResult &L) { return isSubject(File, L); });
  };
  if (none_of(Outcome.Files, Subjects))
    return Checked;
  Expected<SassTools> Tools = findSassTools(Outcome.ToolkitRoot, privateBin());
  if (!Tools)
    return giveUp(Outcome, Tools.takeError());
  Expected<SassBuild> Before = build(*Tools, Outcome, Opts, false);
  if (!Before)
    return giveUp(Outcome, Before.takeError());
  Expected<SassBuild> After = build(*Tools, Outcome, Opts, true);
  if (!After)
    return giveUp(Outcome, After.takeError());
  bool AnyChecked = false;
  // The order of the sources in both builds: the input, then changed headers.
  size_t NextHeader = 1;
  for (RewrittenFile &File : Outcome.Files) {
    if (!Subjects(File))
      continue;
    LoopChecker Checker(*Before, *After, File.IsInput ? 0 : NextHeader++, File);
    for (LoopResult &Loop : File.Result.Loops) {
      if (!isSubject(File, Loop))
        continue;
      Loop.Sass = Checker.run(Loop);
      AnyChecked |= Loop.Sass->Checked;
      print(File.Path, Loop, Opts.Quiet);
    }
  }
  return AnyChecked ? Checked : CouldNotRun;
}

} // namespace pipeline_rewrite
