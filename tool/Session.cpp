#include "Session.h"
#include "Expansion.h"
#include "Growth.h"
#include "Analysis/Analysis.h"
#include "Legality/Verdict.h"
#include "LaunchRows.h"
#include "Output.h"
#include "Registers.h"
#include "SourceLoop.h"
#include "Strides.h"
#include "Support/File.h"
#include "clang/Basic/FileManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"
#include <functional>
#include <map>

using namespace llvm;

namespace pipeline_rewrite {

namespace {

/// Do both keep the same addresses, in the same words?
bool keepsTheSame(const LoopPlan &A, const LoopPlan &B) {
  return std::equal(A.Kept.begin(), A.Kept.end(), B.Kept.begin(), B.Kept.end(),
                    [](const KeptAddress &X, const KeptAddress &Y) {
                      return X.Range.Begin == Y.Range.Begin && X.Type == Y.Type &&
                             X.Advance == Y.Advance &&
                             X.Array.declare(X.Type, X.indexed()) ==
                                 Y.Array.declare(Y.Type, Y.indexed());
                    });
}

/// The tiles that some instantiation pads, and to what: one text serves all.
std::map<std::string, unsigned> paddedTiles(const std::vector<PlanResult> &Plans) {
  std::map<std::string, unsigned> Padded;
  for (const PlanResult &R : Plans)
    for (const TilePlan &T : R.Plan ? R.Plan->Tiles : std::vector<TilePlan>())
      if (T.PadTo)
        Padded[T.Name] = std::max(Padded[T.Name], T.PadTo);
  return Padded;
}

/// What `--assume` and `--block` tell as numbers.
std::map<std::string, int64_t> assumedValues(const Options &Opts) {
  std::map<std::string, int64_t> Values;
  const char *const Names[] = {"blockDim.x", "blockDim.y", "blockDim.z"};
  for (size_t I = 0; I < 3 && Opts.BlockThreads; ++I)
    Values[Names[I]] = Opts.Block[I];
  for (const auto &[Name, Text] : Opts.Assume) {
    int64_t Value = 0;
    if (!StringRef(Text).getAsInteger(0, Value))
      Values[Name] = Value;
  }
  return Values;
}

class FileSession {
public:
  FileSession(const SessionContext &Context, const ParsedUnit &Unit,
              const pipeline_rewrite::Arch &Machine)
      : Opts(Context.Opts), Context(Context), Unit(Unit), Machine(Machine) {}

  Error run(StringRef Input, FileOutcome &Outcome);

private:
  LoopsByFile group();
  void decideAll(LoopsByFile &ByFile);
  Error rewriteAll(LoopsByFile &ByFile, StringRef Input, FileOutcome &Outcome);
  void decide(SourceLoop &Loop, StringRef Buffer);
  RegisterResult registersOf(const SourceLoop &Loop) const;
  void planAll(SourceLoop &Loop, StringRef Buffer, PlanOptions P);
  void spellStride(SourceLoop &Loop, StringRef Buffer, PlanOptions &P);
  static bool isBoundBefore(const SourceLoop &Loop, StringRef Name);
  void settleSharedTiles(std::vector<SourceLoop> &Loops);
  void addRemedy(SourceLoop &Loop) const;
  LoopResult describe(const SourceLoop &Loop) const;
  bool hasHoles(const LoopFacts &Facts) const;
  void attachEdits(const std::vector<PlannedLoop> &Planned,
                   const std::vector<SourceLoop> &Loops,
                   const std::vector<GrownKernel> &Grown, StringRef Buffer,
                   RewrittenFile &File) const;
  Expected<RewrittenFile> rewrite(StringRef Path,
                                  const std::vector<SourceLoop> &Loops,
                                  const std::vector<GrownKernel> &Grown,
                                  std::string &Dump) const;
  void addDump(const SourceLoop &Loop, std::string &Dump) const;
  StringRef bufferOf(StringRef Path) const;

  const Options &Opts;
  const SessionContext &Context;
  const ParsedUnit &Unit;
  const pipeline_rewrite::Arch &Machine;
  /// By function (its position in the current file): names given there.
  std::map<unsigned, std::set<std::string>> TakenNames;
  RegisterCheck *Registers = nullptr;
};

LoopsByFile FileSession::group() {
  AnalysisOptions Analysis;
  Analysis.KernelRegex = Opts.Kernel;
  Analysis.Assumed = assumedValues(Opts);
  LoopsByFile ByFile;
  for (LoopFacts &Facts : findKLoops(Unit.AST->getASTContext(),
                                     Unit.AST->getPreprocessor(), Analysis)) {
    std::vector<SourceLoop> &Loops = ByFile[Facts.File];
    bool Same = !Loops.empty() && Loops.back().Readings.front().LoopText.Begin ==
                                      Facts.LoopText.Begin;
    if (!Same)
      Loops.emplace_back();
    Loops.back().Readings.push_back(std::move(Facts));
  }
  return ByFile;
}

StringRef FileSession::bufferOf(StringRef Path) const {
  const clang::SourceManager &SM = Unit.AST->getSourceManager();
  auto File = Unit.AST->getFileManager().getFileRef(Path);
  if (!File) {
    consumeError(File.takeError());
    return "";
  }
  clang::FileID Id = SM.translateFile(*File);
  return Id.isValid() ? SM.getBufferData(Id) : StringRef();
}

/// One text serves all instantiations: a barrier that one of them needs stands
/// in all.
static void shareBarriers(std::vector<PlanResult> &Plans) {
  for (bool LoopPlan::*Barrier :
       {&LoopPlan::KeepTrailingBarrier, &LoopPlan::BarrierAfterLoop,
        &LoopPlan::BarrierBeforeLoop}) {
    bool Needed = llvm::any_of(Plans, [&](const PlanResult &P) {
      return P.Plan && (*P.Plan).*Barrier;
    });
    for (PlanResult &P : Plans)
      if (P.Plan)
        (*P.Plan).*Barrier = Needed;
  }
}

/// Where they test for one more tile in different words, the words of none serve all.
static void shareTests(std::vector<PlanResult> &Plans) {
  std::set<std::string> Texts;
  for (const PlanResult &P : Plans)
    if (P.Plan)
      Texts.insert(P.Plan->OneMore);
  for (PlanResult &P : Plans)
    if (P.Plan && Texts.size() > 1)
      P.Plan->OneMore.clear();
}

void FileSession::planAll(SourceLoop &Loop, StringRef Buffer, PlanOptions P) {
  Loop.Plans.clear();
  Loop.Chosen = 0;
  for (size_t I = 0; I < Loop.Readings.size(); ++I) {
    P.Registers = Registers->registersBefore(Loop.Readings[I]);
    Loop.Plans.push_back(makePlan(Loop.Readings[I], Loop.Verdicts[I], P, Machine,
                                  Context.Rules, Buffer));
    const PlanResult &Now = Loop.Plans.back();
    const PlanResult &Best = Loop.Plans[Loop.Chosen];
    if (!Now.Refusals.empty() ? Best.Refusals.empty()
                              : Best.Refusals.empty() &&
                                    Now.Budget.SharedAfter > Best.Budget.SharedAfter)
      Loop.Chosen = I;
  }
  shareBarriers(Loop.Plans);
  shareTests(Loop.Plans);
}

/// Takes the stride of slots in the author's names, unless that costs anything.
void FileSession::spellStride(SourceLoop &Loop, StringRef Buffer, PlanOptions &P) {
  P.StrideText = commonStride(Loop);
  if (P.StrideText.empty())
    return;
  std::vector<PlanResult> Plain = Loop.Plans;
  planAll(Loop, Buffer, P);
  if (!costsMore(Loop.Plans, Plain))
    return;
  P.StrideText.clear();
  planAll(Loop, Buffer, P);
}

void FileSession::decide(SourceLoop &Loop, StringRef Buffer) {
  if (Loop.OverBudget) {
    Loop.Refusals.push_back(*Loop.OverBudget);
    return;
  }
  LegalityOptions Legality;
  Legality.AssumeNoAlias = Opts.AssumeNoAlias;
  for (size_t I = 0; I < Loop.Readings.size(); ++I) {
    Loop.Verdicts.push_back(judge(Loop.Readings[I], Legality));
    if (!Loop.Verdicts.back().legal() && Loop.Refusals.empty()) {
      Loop.Refusals = Loop.Verdicts.back().Reasons;
      Loop.Chosen = I;
    }
  }
  if (!Loop.Refusals.empty())
    return;
  PlanOptions P;
  static_cast<Wish &>(P) = Opts;
  if (Loop.Instead) {
    P.Kind = Loop.Instead->Kind;
    P.Shape = Loop.Instead->Shape;
    if (!Loop.Instead->Unrolled && !P.Unroll)
      P.Unroll = 0;
  }
  P.Ratio = Opts.Ratio;
  P.BlockThreads = Opts.BlockThreads;
  P.AllowCliff = Opts.AllowCliff;
  P.TakenNames = TakenNames[Loop.Readings.front().FunctionRange.Begin];
  P.CudaMajor = Unit.Toolkit.Real ? Unit.Toolkit.Major : 0;
  planAll(Loop, Buffer, P);
  spellStride(Loop, Buffer, P);
  // One text serves all instantiations: they have to agree on everything.
  auto Agree = [&] {
    const LoopPlan *First = nullptr;
    for (const PlanResult &R : Loop.Plans) {
      if (!R.Plan)
        return true; // refused anyway
      if (!First)
        First = &*R.Plan;
      if (R.Plan->Kind != First->Kind || R.Plan->Shape != First->Shape ||
          R.Plan->Stages != First->Stages || R.Plan->When != First->When ||
          R.Plan->StoresAlways != First->StoresAlways ||
          R.Plan->Unroll != First->Unroll ||
          !keepsTheSame(*R.Plan, *First) ||
          R.Plan->ToDynamic != First->ToDynamic ||
          !sameStride(*R.Plan, *First) ||
          !std::equal(R.Plan->Tiles.begin(), R.Plan->Tiles.end(),
                      First->Tiles.begin(), First->Tiles.end(),
                      [](const TilePlan &A, const TilePlan &B) {
                        return A.How == B.How && A.Alignment == B.Alignment &&
                               A.PadTo == B.PadTo;
                      }))
        return false;
    }
    return true;
  };
  P.PadTo = paddedTiles(Loop.Plans);
  if (!P.PadTo.empty() && !Agree())
    planAll(Loop, Buffer, P);
  // Slots in dynamic memory lie as far apart as the largest reading needs.
  while (!stridesAgree(Loop) && P.SlotStride < largestStride(Loop)) {
    P.StrideText.clear();
    P.SlotStride = largestStride(Loop);
    planAll(Loop, Buffer, P);
  }
  if (!Agree() && !P.Unroll) {
    P.Unroll = 0;
    planAll(Loop, Buffer, P);
  }
  if (!Agree() && P.Addresses != Addressing::Indexed) {
    P.Addresses = Addressing::Indexed;
    planAll(Loop, Buffer, P);
  }
  if (!Agree() && !P.When) {
    P.When = Issue::First;
    planAll(Loop, Buffer, P);
  }
  if (!Agree()) {
    P.MoveArrays = true;
    planAll(Loop, Buffer, P);
    P.MoveArrays = false;
  }
  for (Variant Kind : {Variant::Ldg, Variant::RegisterPrefetch}) {
    if (Agree())
      break;
    P.Kind = Kind;
    P.Shape = P.Shape ? P.Shape : Form::Predicate;
    P.Stages = 0;
    planAll(Loop, Buffer, P);
  }
  Loop.Refusals = Loop.Plans[Loop.Chosen].Refusals;
  TakenNames[Loop.Readings.front().FunctionRange.Begin] =
      Loop.Plans[Loop.Chosen].Names;
}

/// Does \p Loop want the tile's name bound at its declaration?
bool FileSession::isBoundBefore(const SourceLoop &Loop, StringRef Name) {
  const LoopPlan &Plan = *Loop.Plans[Loop.Chosen].Plan;
  return llvm::any_of(Plan.BindBefore, [&](ObjectId Tile) {
    return Plan.tile(Tile) && Plan.tile(Tile)->Name == Name;
  });
}

/// Loops that share a tile get their slots together or not at all.
void FileSession::settleSharedTiles(std::vector<SourceLoop> &Loops) {
  auto Find = [&](unsigned Begin) -> SourceLoop * {
    for (SourceLoop &L : Loops)
      if (L.facts().LoopText.Begin == Begin)
        return &L;
    return nullptr;
  };
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (SourceLoop &Loop : Loops) {
      if (!Loop.planned() || Loop.Plans[Loop.Chosen].Plan->Stages < 2)
        continue;
      const LoopPlan &Plan = *Loop.Plans[Loop.Chosen].Plan;
      for (const SharedVariable &S : Loop.facts().Shared) {
        if (!Plan.tile(S.Object) || Changed)
          continue;
        for (unsigned Begin : S.OtherLoops) {
          SourceLoop *Other = Find(Begin);
          bool Fine = Other && Other->planned() &&
                      Other->Plans[Other->Chosen].Plan->Stages == Plan.Stages &&
                      !(Plan.BindAfter.count(S.Object) &&
                        isBoundBefore(*Other, S.Name));
          if (Fine || Changed)
            continue;
          unsigned Line = Other ? Other->facts().Line : Loop.facts().Line;
          Loop.Refusals.push_back(
              {ReasonId::TileLiveOutside, Line, 1,
               "'" + S.Name + "' is also used by the loop at line " +
                   std::to_string(Line) + ", which stands in the way of slots"});
          Changed = true;
        }
      }
    }
  }
}

void FileSession::addRemedy(SourceLoop &Loop) const {
  auto Found = Context.Remedies.find({Loop.facts().File, Loop.facts().Line});
  if (!Loop.planned() || Found == Context.Remedies.end())
    return;
  if (Found->second.UnrollOnce)
    Loop.Plans[Loop.Chosen].Plan->Unroll = 1;
  Loop.Plans[Loop.Chosen].Plan->Fence = Found->second.Fence;
}

LoopResult FileSession::describe(const SourceLoop &Loop) const {
  const LoopFacts &Facts = Loop.facts();
  LoopResult R;
  R.Kernel = Facts.Function;
  R.Instantiation = Facts.Instantiation;
  R.Line = Facts.Line;
  R.Column = Facts.Column;
  R.StaticLimit = Machine.SharedStaticMax;
  R.OptinLimit = Machine.SharedOptin;
  R.TripCount = Facts.TripCount;
  R.Reasons = Loop.Refusals;
  if (Loop.Skipped) {
    R.Status = LoopStatus::Skipped;
    R.Reasons.clear();
    return R;
  }
  R.Status = Loop.planned() ? (Opts.DryRun ? LoopStatus::Eligible
                                           : LoopStatus::Rewritten)
                            : LoopStatus::Refused;
  if (Loop.Plans.empty())
    return R;
  const PlanResult &P = Loop.Plans[Loop.Chosen];
  R.Remarks = P.Remarks;
  if (Unit.ArchAssumed)
    R.Remarks.push_back({ReasonId::AssumedArch, Facts.Line, Facts.Column,
                         "no architecture was given; " + Unit.BudgetArch +
                             " is assumed (--arch=sm_XX tells)"});
  R.Budget = P.Budget;
  R.SizesKnown = Facts.StaticSharedKnown || P.SizesKnown;
  R.Threads = P.Threads;
  R.Ratio = P.Ratio;
  R.RatioSource = P.RatioSource;
  R.RatioDerivation = P.RatioDerivation;
  R.Work = P.Work;
  R.Candidates = P.Candidates;
  R.Because = Loop.Instead ? "instead of " + Loop.WhyRejected : P.Because;
  R.Registers = registersOf(Loop);
  R.Launches = launchRows(Loop, Machine);
  for (const LaunchSite &L : Facts.Launches)
    if (L.DynamicShared)
      R.DynamicBefore = R.DynamicAfter = std::max(R.DynamicBefore, *L.DynamicShared);
  if (!Loop.planned())
    return R;
  if (const std::optional<DynamicNeed> &Need = P.Plan->Dynamic)
    R.DynamicAfter = Need->Largest ? std::max(R.DynamicBefore, Need->Bytes)
                                   : R.DynamicBefore + Need->Bytes;
  R.Kind = P.Plan->Kind;
  R.Shape = P.Plan->Shape;
  R.When = P.Plan->When;
  R.Addresses = P.Plan->Addresses;
  R.Unroll = P.Plan->Unroll;
  R.Stages = P.Plan->Stages;
  for (const TilePlan &T : P.Plan->Tiles)
    R.Tiles.push_back({T.Name, T.Bytes, T.SymbolicBytes,
                       T.How == Transport::CpAsync ? "cp-async" : "ldg",
                       T.CopyBytes, P.Plan->Stages > 1 ? T.padded(T.Bytes) : T.Bytes});
  return R;
}

RegisterResult FileSession::registersOf(const SourceLoop &Loop) const {
  if (Loop.Chosen < Loop.Registers.size() &&
      Loop.Registers[Loop.Chosen].AfterReported)
    return Loop.Registers[Loop.Chosen];
  const PlanResult &P = Loop.Plans[Loop.Chosen];
  RegisterResult R;
  R.Before = P.RegistersBefore.Registers;
  R.BeforeReported = !P.RegistersBefore.Estimated;
  R.Derivation = P.RegistersBefore.Derivation;
  if (!Loop.planned())
    return R;
  R.After = P.RegistersAfter.Registers;
  R.Derivation = P.RegistersAfter.Derivation;
  return R;
}

/// A function that did not parse as a whole must be left alone.
bool FileSession::hasHoles(const LoopFacts &Facts) const {
  const clang::SourceManager &SM = Unit.AST->getSourceManager();
  return llvm::any_of(Unit.ErrorLocations, [&](clang::SourceLocation Loc) {
    clang::SourceLocation At = SM.getExpansionLoc(Loc);
    unsigned Offset = SM.getFileOffset(At);
    return SM.getFilename(At) == Facts.File &&
           Facts.FunctionRange.contains({Offset, Offset});
  });
}

/// Gives each loop the edits that it would need if it were the only one.
void FileSession::attachEdits(const std::vector<PlannedLoop> &Planned,
                              const std::vector<SourceLoop> &Loops,
                              const std::vector<GrownKernel> &Grown,
                              StringRef Buffer, RewrittenFile &File) const {
  for (size_t I = 0; I < Loops.size(); ++I)
    for (const PlannedLoop &P : Planned) {
      if (P.Facts != &Loops[I].facts())
        continue;
      std::vector<EditResult> &Edits = File.Result.Loops[I].Edits;
      std::vector<SourceEdit> Own = emitEdits({P}, Buffer);
      for (const GrownKernel &Kernel : Grown)
        for (const FileEdit &E : Kernel.Edits)
          if (Kernel.holds(*P.Facts) && E.File == File.Path)
            Own.push_back(E.Edit);
          else if (Kernel.holds(*P.Facts))
            Edits.push_back({E.File, E.Edit.Offset, E.Edit.Length, E.Edit.Text});
      orderEdits(Own);
      for (const SourceEdit &E : Own)
        Edits.push_back({File.Path, E.Offset, E.Length, E.Text});
    }
}

void FileSession::addDump(const SourceLoop &Loop, std::string &Dump) const {
  for (size_t I = 0; I < Loop.Readings.size(); ++I) {
    if (Opts.Dump == "facts")
      Dump += dumpFacts(Loop.Readings[I]);
    if (Opts.Dump == "verdict" && I < Loop.Verdicts.size())
      Dump += dumpVerdict(Loop.Readings[I], Loop.Verdicts[I]);
    if (I >= Loop.Plans.size())
      continue;
    if (Opts.Dump == "plan" && Loop.Plans[I].Plan)
      Dump += dumpPlan(Loop.Readings[I], *Loop.Plans[I].Plan);
    if (Opts.Dump == "budget")
      Dump += "budget: loop in " + Loop.Readings[I].Instantiation + " at line " +
              std::to_string(Loop.Readings[I].Line) + ": " +
              Loop.Plans[I].Budget.Reason + "\n";
  }
}

void FileSession::decideAll(LoopsByFile &ByFile) {
  for (auto &Entry : ByFile) {
    std::vector<SourceLoop> &Loops = Entry.second;
    TakenNames.clear();
    for (SourceLoop &Loop : Loops) {
      Loop.reset();
      Loop.Skipped = (Opts.Loop && Loop.facts().Line != Opts.Loop) ||
                     hasHoles(Loop.facts());
      if (!Loop.Skipped)
        decide(Loop, bufferOf(Entry.first));
    }
    // A refusal changes what the other loops of its kernel need and share.
    auto Planned = [&] { return count_if(Loops, std::mem_fn(&SourceLoop::planned)); };
    for (auto Before = Planned() + 1; Before != Planned();) {
      Before = Planned();
      settleGrowth(Loops, Machine.SharedStaticMax);
      settleSharedTiles(Loops);
    }
    for (SourceLoop &Loop : Loops)
      addRemedy(Loop);
  }
}

Expected<RewrittenFile>
FileSession::rewrite(StringRef Path, const std::vector<SourceLoop> &Loops,
                     const std::vector<GrownKernel> &Grown,
                     std::string &Dump) const {
  RewrittenFile File;
  File.Path = Path.str();
  StringRef Buffer = bufferOf(Path);
  File.Original = Buffer.str();
  std::vector<PlannedLoop> Planned;
  for (const SourceLoop &Loop : Loops) {
    addDump(Loop, Dump);
    if (Loop.planned())
      Planned.push_back({&Loop.facts(), &Loop.Verdicts[Loop.Chosen],
                         &*Loop.Plans[Loop.Chosen].Plan, std::nullopt, ""});
    for (const GrownKernel &Kernel : Grown)
      if (Loop.planned() && Kernel.holds(Loop.facts())) {
        Planned.back().Moved = Kernel.Moved;
        Planned.back().BytesCall = sharedBytesCall(Kernel.Growth);
      }
  }
  File.Result.Loops.resize(Loops.size());
  File.Uninstantiated = !Loops.empty() && all_of(Loops, [](const SourceLoop &Loop) {
    return Loop.facts().IsDependent;
  });
  File.Result.Path = Path.str();
  File.Result.Text = File.Original;
  File.Edits = emitEdits(Planned, Buffer);
  for (const GrownKernel &Kernel : Grown)
    for (const FileEdit &E : Kernel.Edits)
      if (E.File == Path && !is_contained(File.Edits, E.Edit))
        File.Edits.push_back(E.Edit);
  orderEdits(File.Edits);
  File.Linked = any_of(Grown, [&](const GrownKernel &Kernel) {
    return Kernel.spansFiles() &&
           (Kernel.File == Path || any_of(Kernel.Edits, [&](const FileEdit &E) {
              return E.File == Path;
            }));
  });
  if (Opts.Dump == "edits")
    Dump += dumpEdits(File.Edits);
  std::string Style = Opts.FormatStyle == "auto" ? "file" : Opts.FormatStyle;
  Expected<std::string> Text = applyEdits(Path, Buffer, File.Edits, Style);
  if (!Text)
    return Text.takeError();
  File.Rewritten = std::move(*Text);
  attachEdits(Planned, Loops, Grown, Buffer, File);
  for (const GrownKernel &Kernel : Grown)
    File.Grown.push_back(Kernel.Proof);
  return File;
}

/// Decides on all loops and makes the edited files.
Error FileSession::rewriteAll(LoopsByFile &ByFile, StringRef Input,
                              FileOutcome &Outcome) {
  Outcome.Files.clear();
  Outcome.Dump.clear();
  decideAll(ByFile);
  Expected<std::vector<GrownKernel>> Grown =
      growKernels(ByFile, Machine.SharedStaticMax,
                  [&](StringRef Path) { return bufferOf(Path); });
  if (!Grown)
    return Grown.takeError();
  for (const GrownKernel &Kernel : *Grown)
    for (const FileEdit &E : Kernel.Edits)
      ByFile[E.File]; // a launch may stand where no loop does
  for (const auto &[Path, Loops] : ByFile) {
    Expected<RewrittenFile> File = rewrite(Path, Loops, *Grown, Outcome.Dump);
    if (!File)
      return File.takeError();
    File->IsInput = Path == Input;
    Outcome.Files.push_back(std::move(*File));
  }
  return Error::success();
}

Error FileSession::run(StringRef Input, FileOutcome &Outcome) {
  LoopsByFile ByFile = group();
  ByFile[Input.str()]; // the input has a result even without loops
  Expected<RegisterCheck> Check =
      RegisterCheck::create(Opts, Unit, Input, bufferOf(Input));
  if (!Check)
    return Check.takeError();
  Registers = &*Check;
  std::vector<SourceLoop *> All;
  for (auto &[Path, Loops] : ByFile)
    for (SourceLoop &Loop : Loops)
      All.push_back(&Loop);
  do {
    if (Error E = rewriteAll(ByFile, Input, Outcome))
      return E;
  } while (Check->reconsider(Outcome.Files, All, Machine));
  for (RewrittenFile &File : Outcome.Files)
    for (auto [Loop, Result] : llvm::zip(ByFile[File.Path], File.Result.Loops)) {
      LoopResult Described = describe(Loop);
      Described.Edits = std::move(Result.Edits);
      Described.EndLine = Loop.facts().EndLine;
      Result = std::move(Described);
    }
  for (const auto &[Path, Loops] : ByFile)
    for (const SourceLoop &Loop : Loops)
      append_range(Outcome.Expansions, wantedExpansions(Path, Loop));
  if (!Check->note().empty())
    Outcome.Notes.push_back(Check->note());
  return Error::success();
}

} // namespace

/// Is \p Name declared in the file, by all its text shows: behind a type's name,
/// a '*' or a '&'?
static bool declaresName(StringRef Path, StringRef Name) {
  Expected<std::string> Text = readFile(Path);
  if (!Text) {
    consumeError(Text.takeError());
    return false;
  }
  return Regex("[A-Za-z_0-9>*&][ \t*&]+" + Name.str() + "[ \t]*[,)=;[{>]")
      .match(*Text);
}

/// Everything between a parsed file and its messages.
static Expected<FileOutcome> processUnit(const ParsedUnit &Unit, StringRef Path,
                                         const SessionContext &Context) {
  FileOutcome Outcome;
  Outcome.HadErrors = Unit.HadErrors;
  Outcome.UsedToolkit = Unit.Toolkit.Real;
  Outcome.ArchAssumed = Unit.ArchAssumed;
  Outcome.Arch = Unit.BudgetArch;
  Outcome.Notes = Unit.Notes;
  Outcome.LanguageArgs = Unit.LanguageArgs;
  Outcome.NvccArgs = Unit.NvccArgs;
  Outcome.ToolkitRoot = Unit.Toolkit.Real ? Unit.Toolkit.Root : "";
  Outcome.Machine = Context.Archs.find(Unit.BudgetArch);
  if (!Outcome.Machine)
    return createStringError(std::make_error_code(std::errc::invalid_argument),
                             "unknown architecture '" + Unit.BudgetArch +
                                 "' (--list-archs names the known ones)");
  if (!Unit.AST || (Unit.HadErrors && !Context.Opts.KeepGoing))
    return Outcome;
  if (Error Failed =
          FileSession(Context, Unit, *Outcome.Machine).run(Path, Outcome))
    return std::move(Failed);
  return Outcome;
}

Expected<FileOutcome> processFile(StringRef Path, const SessionContext &Context,
                                  std::string &Messages) {
  const Options &Opts = Context.Opts;
  raw_string_ostream Said(Messages);
  Said.enable_colors(sys::Process::StandardErrHasColors());
  FrontendOptions Front;
  Front.CudaPath = Opts.CudaPath;
  Front.ResourceDir = Opts.ResourceDir;
  Front.BudgetArch = Opts.Arch;
  Front.ExtraArgs = Opts.ExtraArgs;
  Front.KeepGoing = Opts.KeepGoing;
  Front.Messages = &Said;
  std::vector<std::string> Arguments = Opts.ExtraArgsBefore;
  if (Opts.HasCompilerFlags) {
    Arguments.insert(Arguments.end(), Opts.CompilerFlags.begin(),
                     Opts.CompilerFlags.end());
  } else {
    Expected<CompileCommandEntry> Entry = Context.Database
                                              ? Context.Database->find(Path)
                                              : findCompileCommand(Path, "");
    if (!Entry)
      return Entry.takeError();
    Arguments.insert(Arguments.end(), Entry->Arguments.begin(),
                     Entry->Arguments.end());
    Front.Directory = Entry->Directory;
    if (!Opts.Quiet && !Entry->Note.empty())
      Said << "pipeline-rewrite: note: " << Entry->Note << "\n";
  }
  // A name that the source leaves to the build is a macro; one that it declares
  // is none, and the file parses without.
  for (const auto &[Name, Value] : Opts.Assume)
    if (StringRef(Name).find('.') == StringRef::npos && !declaresName(Path, Name))
      Front.ExtraArgs.push_back("-D" + Name + "=" + Value);
  Expected<ParsedUnit> Unit = parseCudaFile(Path, Arguments, Front);
  if (!Unit)
    return Unit.takeError();
  Expected<FileOutcome> Outcome = processUnit(*Unit, Path, Context);
  if (!Outcome || !Unit->AST)
    return Outcome;
  Outcome = withCallsExpanded(
      std::move(*Outcome),
      [&](const std::vector<ReplacedText> &Texts) -> Expected<FileOutcome> {
        FrontendOptions Again = Front;
        Again.Messages = &nulls();
        Again.Replaced = Texts;
        Expected<ParsedUnit> Expanded = parseCudaFile(Path, Arguments, Again);
        if (!Expanded)
          return Expanded.takeError();
        return processUnit(*Expanded, Path, Context);
      });
  if (!Outcome || Opts.Quiet)
    return Outcome;
  for (RewrittenFile &File : Outcome->Files) {
    // Each file's messages apart: a header's are shown once a run.
    size_t Before = Said.str().size();
    printDiagnostics(*Unit, File, Opts.DryRun);
    File.Messages = Said.str().substr(Before);
    Messages.resize(Before);
  }
  return Outcome;
}

} // namespace pipeline_rewrite
