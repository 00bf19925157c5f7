#include "Growth.h"
#include "Analysis/LocalConstants.h"
#include "Legality/LaunchChecks.h"
#include "Plan/SharedLayout.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace pipeline_rewrite {

bool GrownKernel::spansFiles() const {
  return any_of(Edits, [&](const FileEdit &E) { return E.File != File; });
}

namespace {

/// The plans of all readings of \p Loop.
std::vector<const LoopPlan *> plansOf(const SourceLoop &Loop) {
  std::vector<const LoopPlan *> Result;
  for (const PlanResult &P : Loop.Plans)
    if (P.Plan)
      Result.push_back(&*P.Plan);
  return Result;
}

std::optional<Reason> whyNot(const SourceLoop &Loop) {
  const LoopFacts &Facts = Loop.facts();
  if (std::optional<Reason> Unseen = checkLaunches(Facts))
    return Unseen;
  for (const LoopPlan *Plan : plansOf(Loop)) {
    if (!Plan->Dynamic)
      continue;
    bool Spelled = !Plan->Dynamic->Spelled.empty() &&
                   constantsFor(Facts.Uses, Plan->Dynamic->Spelled);
    if (!Spelled && (Facts.IsTemplate || !Plan->Dynamic->Bytes))
      return Reason{ReasonId::LaunchNotVisible, Facts.Line, Facts.Column,
                    "the launches cannot be given the bytes, which are made of "
                    "names that only '" +
                        Facts.Function + "' has"};
  }
  return std::nullopt;
}

/// Enters \p Text unless it is there; of numbers, the largest stays.
void noteText(std::vector<std::string> &Texts, const std::string &Text) {
  uint64_t Number = 0, Known = 0;
  if (is_contained(Texts, Text))
    return;
  if (!StringRef(Text).getAsInteger(10, Number))
    for (std::string &Other : Texts)
      if (!StringRef(Other).getAsInteger(10, Known)) {
        Other = std::to_string(std::max(Number, Known));
        return;
      }
  Texts.push_back(Text);
}

/// What loops of a kernel, and its instantiations, need together.
DynamicNeed largest(const std::vector<DynamicNeed> &Needs) {
  DynamicNeed Result = Needs.front();
  std::vector<std::string> Texts;
  for (const DynamicNeed &Need : Needs) {
    noteText(Texts, Need.Spelled);
    Result.Bytes = Result.Bytes && Need.Bytes ? std::max(Result.Bytes, Need.Bytes) : 0;
    Result.Covers = std::min(Result.Covers, Need.Covers);
    Result.KeepsGiven |= Need.KeepsGiven;
  }
  Result.Spelled = Texts.front();
  for (const std::string &Text : drop_begin(Texts)) {
    std::string Before = "(" + Result.Spelled + ")", Next = "(" + Text + ")";
    Result.Spelled = Before + " > " + Next + " ? " + Before + " : " + Next;
  }
  return Result;
}

void add(GrownKernel &Kernel, const SourceLoop &Loop) {
  for (const LoopPlan *Plan : plansOf(Loop)) {
    if (!Plan->Dynamic)
      continue;
    Kernel.Needs.push_back(*Plan->Dynamic);
    Kernel.Growth.Facts = &Loop.facts();
    if (Plan->ToDynamic)
      Kernel.Moved.emplace();
  }
  // In an instantiation whose launches give enough, the function may give less.
  Kernel.Needs.back().KeepsGiven |= any_of(plansOf(Loop), [](const LoopPlan *Plan) {
    return !Plan->Dynamic && Plan->Block && !Plan->Block->Spelled.empty();
  });
  Kernel.Growth.Need = largest(Kernel.Needs);
  const StageChoice &Budget = Loop.Plans[Loop.Chosen].Budget;
  uint64_t Static = Budget.SharedAfter - std::min(Budget.SharedAfter,
                                                  Kernel.Growth.Need.Bytes);
  Kernel.Growth.StaticBytes = std::max(Kernel.Growth.StaticBytes, Static);
}

bool asksForMore(const SourceLoop &Loop) {
  return Loop.planned() && any_of(plansOf(Loop), [](const LoopPlan *Plan) {
           return Plan->Dynamic.has_value();
         });
}

using Readings = std::vector<std::pair<const LoopFacts *, const LoopPlan *>>;

/// The planned loops of one kernel, instantiation by instantiation.
std::map<std::string, Readings> readingsOf(const GrownKernel &Kernel,
                                           const std::vector<SourceLoop> &Loops) {
  std::map<std::string, Readings> Result;
  for (const SourceLoop &Loop : Loops)
    for (size_t I = 0; Loop.planned() && I < Loop.Plans.size(); ++I)
      if (Kernel.holds(Loop.facts()) && Loop.Plans[I].Plan)
        Result[Loop.Readings[I].Instantiation].push_back(
            {&Loop.Readings[I], &*Loop.Plans[I].Plan});
  return Result;
}

/// All loops of a kernel share the block that its arrays move to.
void layOut(GrownKernel &Kernel, const std::vector<SourceLoop> &Loops,
            uint64_t StaticLimit) {
  std::map<std::string, Readings> All = readingsOf(Kernel, Loops);
  for (const auto &[Name, Plans] : All)
    for (const LayoutPart &Part : layOutShared(Plans, false).Parts)
      Kernel.Moved->Round |= Part.Rounded;
  // Without a template the text can round where it is needed, part by part.
  Kernel.Moved->Round &= Kernel.Growth.Facts->IsTemplate;
  std::vector<DynamicNeed> Needs;
  for (const auto &[Name, Plans] : All) {
    SharedLayout Layout = layOutShared(Plans, Kernel.Moved->Round);
    Needs.push_back({Layout.Bytes, Layout.Spelled, true, Layout.Bytes, false});
  }
  Kernel.Growth.Need = largest(Needs);
  // Functions that the kernel calls may have static arrays of their own.
  Kernel.Growth.StaticBytes = StaticLimit;
}

/// Bytes of static arrays with the slots of all planned loops of the function
/// that \p Loop stands in.
uint64_t staticTotal(const SourceLoop &Loop, const std::vector<SourceLoop> &Loops) {
  std::map<std::string, uint64_t> Extra;
  for (const SourceLoop &Other : Loops) {
    if (!Other.planned() ||
        Other.facts().FunctionRange.Begin != Loop.facts().FunctionRange.Begin)
      continue;
    const LoopPlan &Plan = *Other.Plans[Other.Chosen].Plan;
    for (const SharedVariable &S : Other.facts().Shared)
      if (const TilePlan *Tile = Plan.tile(S.Object); Tile && S.IsStaticArray)
        Extra[S.Name] = std::max(Extra[S.Name],
                                 Plan.Stages * Tile->padded(Tile->Bytes) - Tile->Bytes);
  }
  uint64_t Total = Loop.facts().StaticSharedBytes;
  for (const auto &[Name, Bytes] : Extra)
    Total += Bytes;
  return Total;
}

} // namespace

void settleGrowth(std::vector<SourceLoop> &Loops, uint64_t StaticLimit) {
  for (SourceLoop &Loop : Loops) {
    if (!asksForMore(Loop))
      continue;
    if (std::optional<Reason> Why = whyNot(Loop))
      Loop.Refusals.push_back(std::move(*Why));
  }
  auto Moves = [&](const SourceLoop &Loop, bool Wanted) {
    return any_of(Loops, [&](const SourceLoop &Other) {
      return asksForMore(Other) &&
             Other.facts().FunctionRange.Begin == Loop.facts().FunctionRange.Begin &&
             Other.Plans[Other.Chosen].Plan->ToDynamic == Wanted;
    });
  };
  for (SourceLoop &Loop : Loops) {
    const LoopFacts &Facts = Loop.facts();
    bool Mixed = asksForMore(Loop) && Loop.Plans[Loop.Chosen].Plan->ToDynamic &&
                 Moves(Loop, false);
    if (Mixed)
      Loop.Refusals.push_back(
          {ReasonId::Budget, Facts.Line, Facts.Column,
           "its static arrays would have to become dynamic, and another loop of "
           "the kernel grows what is dynamic already"});
    bool Slots = Loop.planned() && Loop.Plans[Loop.Chosen].Plan->Stages > 1;
    if (Slots && !Moves(Loop, true) && staticTotal(Loop, Loops) > StaticLimit)
      Loop.Refusals.push_back(
          {ReasonId::Budget, Facts.Line, Facts.Column,
           "the loops of '" + Facts.Function + "' together need " +
               std::to_string(staticTotal(Loop, Loops)) +
               " B of static shared memory, of which there are " +
               std::to_string(StaticLimit)});
  }
}

Expected<std::vector<GrownKernel>> growKernels(const LoopsByFile &ByFile,
                                               uint64_t StaticLimit,
                                               BufferOf Buffers) {
  std::vector<GrownKernel> Result;
  std::set<std::string> Taken;
  for (const auto &[Path, Loops] : ByFile)
    for (const SourceLoop &Loop : Loops) {
      if (!Loop.Plans.empty())
        Taken.insert(Loop.Plans[Loop.Chosen].Names.begin(),
                     Loop.Plans[Loop.Chosen].Names.end());
      if (!asksForMore(Loop))
        continue;
      auto Known = find_if(Result, [&](const GrownKernel &K) {
        return K.holds(Loop.facts());
      });
      if (Known == Result.end()) {
        Result.push_back({Path, Loop.facts().FunctionRange.Begin, {}, {}, {}, {}, {}});
        Known = std::prev(Result.end());
      }
      add(*Known, Loop);
    }
  for (GrownKernel &Kernel : Result) {
    KernelGrowth &Growth = Kernel.Growth;
    Growth.Function = sharedBytesName(*Growth.Facts, Taken, Buffers);
    Taken.insert(Growth.Function);
    if (Kernel.Moved) {
      layOut(Kernel, ByFile.at(Kernel.File), StaticLimit);
      Kernel.Moved->BytesCall = sharedBytesCall(Growth);
    }
    Expected<std::vector<FileEdit>> Edits = emitLaunchEdits(Growth, Buffers);
    if (!Edits)
      return Edits.takeError();
    Kernel.Edits = std::move(*Edits);
    Expected<std::string> Function = sharedBytesFunction(Growth, Buffers);
    if (!Function)
      return Function.takeError();
    Kernel.Proof = {Growth.Facts->Function, Growth.Function, std::move(*Function),
                    Growth.Facts->IsTemplate, Growth.Need.Largest};
  }
  return Result;
}

} // namespace pipeline_rewrite
