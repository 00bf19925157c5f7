#include "SassLoops.h"
#include "Sass/Excerpt.h"
#include "Sass/LineMap.h"
#include "Sass/Names.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

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

} // namespace

bool isSassSubject(const RewrittenFile &File, const LoopResult &Loop) {
  return File.Original != File.Rewritten &&
         (Loop.Status == LoopStatus::Rewritten ||
          Loop.Status == LoopStatus::Eligible);
}

SassReport compareLoop(const SassBuild &Before, const SassBuild &After,
                       size_t Source, const RewrittenFile &File,
                       const LoopResult &Loop) {
  return LoopChecker(Before, After, Source, File).run(Loop);
}

} // namespace pipeline_rewrite
