#include "Session.h"
#include "Analysis/Analysis.h"
#include "Legality/Verdict.h"
#include "Output.h"
#include "Support/File.h"
#include "clang/Basic/FileManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"
#include <map>

using namespace llvm;

namespace pipeline_rewrite {

namespace {

/// All readings of one source loop: one, or one per instantiation.
struct SourceLoop {
  std::vector<LoopFacts> Readings;
  std::vector<Verdict> Verdicts;
  std::vector<PlanResult> Plans;
  size_t Chosen = 0; ///< the reading that decides the budget
  std::vector<Reason> Refusals;
  bool Skipped = false;

  const LoopFacts &facts() const { return Readings[Chosen]; }
  bool planned() const {
    return !Skipped && Refusals.empty() && !Plans.empty() &&
           Plans[Chosen].Plan.has_value();
  }
};

class FileSession {
public:
  FileSession(const SessionContext &Context, const ParsedUnit &Unit,
              const pipeline_rewrite::Arch &Machine)
      : Opts(Context.Opts), Context(Context), Unit(Unit), Machine(Machine) {}

  Expected<std::vector<RewrittenFile>> run(StringRef Input, std::string &Dump);

private:
  std::map<std::string, std::vector<SourceLoop>> group();
  void decide(SourceLoop &Loop, StringRef Buffer, std::optional<Variant> Force);
  void planAll(SourceLoop &Loop, StringRef Buffer, PlanOptions P);
  static bool isBoundBefore(const SourceLoop &Loop, StringRef Name);
  void settleSharedTiles(std::vector<SourceLoop> &Loops);
  void addRemedy(SourceLoop &Loop) const;
  LoopResult describe(const SourceLoop &Loop) const;
  bool hasHoles(const LoopFacts &Facts) const;
  void attachEdits(const std::vector<PlannedLoop> &Planned,
                   const std::vector<SourceLoop> &Loops, StringRef Buffer,
                   RewrittenFile &File) const;
  void addDump(const SourceLoop &Loop, std::string &Dump) const;
  StringRef bufferOf(StringRef Path) const;

  const Options &Opts;
  const SessionContext &Context;
  const ParsedUnit &Unit;
  const pipeline_rewrite::Arch &Machine;
  /// By function (its position in the current file): names given there.
  std::map<unsigned, std::set<std::string>> TakenNames;
};

std::map<std::string, std::vector<SourceLoop>> FileSession::group() {
  AnalysisOptions Analysis;
  Analysis.KernelRegex = Opts.Kernel;
  std::map<std::string, std::vector<SourceLoop>> ByFile;
  for (LoopFacts &Facts : findKLoops(Unit.AST->getASTContext(), Analysis)) {
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

void FileSession::planAll(SourceLoop &Loop, StringRef Buffer, PlanOptions P) {
  Loop.Plans.clear();
  Loop.Chosen = 0;
  for (size_t I = 0; I < Loop.Readings.size(); ++I) {
    Loop.Plans.push_back(makePlan(Loop.Readings[I], Loop.Verdicts[I], P, Machine,
                                  Context.Rules, Buffer));
    const PlanResult &Now = Loop.Plans.back();
    const PlanResult &Best = Loop.Plans[Loop.Chosen];
    if (!Now.Refusals.empty() ? Best.Refusals.empty()
                              : Best.Refusals.empty() &&
                                    Now.Budget.SharedAfter > Best.Budget.SharedAfter)
      Loop.Chosen = I;
  }
}

void FileSession::decide(SourceLoop &Loop, StringRef Buffer,
                         std::optional<Variant> Force) {
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
  P.Kind = Force ? Force : Opts.Kind;
  P.Shape = Opts.Shape;
  P.Stages = Opts.Stages;
  P.Ratio = Opts.Ratio;
  P.BlockThreads = Opts.BlockThreads;
  P.AllowCliff = Opts.AllowCliff;
  P.TakenNames = TakenNames[Loop.Readings.front().FunctionRange.Begin];
  P.CudaMajor = Unit.Toolkit.Real ? Unit.Toolkit.Major : 0;
  planAll(Loop, Buffer, P);
  // One text serves all instantiations: they have to agree on everything.
  auto Agree = [&] {
    const LoopPlan *First = nullptr;
    for (const PlanResult &R : Loop.Plans) {
      if (!R.Plan)
        return true; // refused anyway
      if (!First)
        First = &*R.Plan;
      if (R.Plan->Kind != First->Kind || R.Plan->Shape != First->Shape ||
          R.Plan->Stages != First->Stages ||
          !std::equal(R.Plan->Tiles.begin(), R.Plan->Tiles.end(),
                      First->Tiles.begin(), First->Tiles.end(),
                      [](const TilePlan &A, const TilePlan &B) {
                        return A.How == B.How && A.Alignment == B.Alignment;
                      }))
        return false;
    }
    return true;
  };
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
  Loop.Plans[Loop.Chosen].Plan->UnrollOnce = Found->second.UnrollOnce;
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
  R.SizesKnown = Facts.StaticSharedKnown;
  R.Threads = P.Threads;
  R.Ratio = P.Ratio;
  R.RatioSource = P.RatioSource;
  R.Because = P.Because;
  for (const Launch &L : Facts.Launches)
    if (L.DynamicShared)
      R.DynamicBefore = R.DynamicAfter = std::max(R.DynamicBefore, *L.DynamicShared);
  if (!Loop.planned())
    return R;
  R.Kind = P.Plan->Kind;
  R.Shape = P.Plan->Shape;
  R.Stages = P.Plan->Stages;
  for (const TilePlan &T : P.Plan->Tiles)
    R.Tiles.push_back({T.Name, T.Bytes, T.SymbolicBytes,
                       T.How == Transport::CpAsync ? "cp-async" : "ldg",
                       T.CopyBytes});
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
                              StringRef Buffer, RewrittenFile &File) const {
  for (size_t I = 0; I < Loops.size(); ++I)
    for (const PlannedLoop &P : Planned)
      if (P.Facts == &Loops[I].facts())
        for (const SourceEdit &E : emitEdits({P}, Buffer))
          File.Result.Loops[I].Edits.push_back(
              {File.Path, E.Offset, E.Length, E.Text});
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

Expected<std::vector<RewrittenFile>> FileSession::run(StringRef Input,
                                                      std::string &Dump) {
  std::vector<RewrittenFile> Result;
  std::map<std::string, std::vector<SourceLoop>> ByFile = group();
  ByFile[Input.str()]; // the input has a result even without loops
  for (auto &[Path, Loops] : ByFile) {
    RewrittenFile File;
    File.Path = Path;
    File.IsInput = Path == Input;
    StringRef Buffer = bufferOf(Path);
    TakenNames.clear();
    File.Original = Buffer.str();
    for (SourceLoop &Loop : Loops) {
      Loop.Skipped = (Opts.Loop && Loop.facts().Line != Opts.Loop) ||
                     hasHoles(Loop.facts());
      if (!Loop.Skipped)
        decide(Loop, Buffer, std::nullopt);
    }
    settleSharedTiles(Loops);
    std::vector<PlannedLoop> Planned;
    for (SourceLoop &Loop : Loops) {
      addDump(Loop, Dump);
      addRemedy(Loop);
      if (Loop.planned())
        Planned.push_back({&Loop.facts(), &Loop.Verdicts[Loop.Chosen],
                           &*Loop.Plans[Loop.Chosen].Plan});
      File.Result.Loops.push_back(describe(Loop));
      File.Result.Loops.back().EndLine =
          Loop.facts().Line +
          Buffer.slice(Loop.facts().LoopText.Begin, Loop.facts().LoopText.End)
              .count('\n');
    }
    File.Uninstantiated =
        !Loops.empty() && llvm::all_of(Loops, [](const SourceLoop &Loop) {
          return Loop.facts().IsDependent;
        });
    File.Result.Path = Path;
    File.Result.Text = File.Original;
    File.Edits = emitEdits(Planned, Buffer);
    if (Opts.Dump == "edits")
      Dump += dumpEdits(File.Edits);
    std::string Style = Opts.FormatStyle == "auto" ? "file" : Opts.FormatStyle;
    Expected<std::string> Text = applyEdits(Path, Buffer, File.Edits, Style);
    if (!Text)
      return Text.takeError();
    File.Rewritten = std::move(*Text);
    attachEdits(Planned, Loops, Buffer, File);
    Result.push_back(std::move(File));
  }
  return Result;
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
  return Regex("[A-Za-z_0-9>*&][ \t*&]+" + Name.str() + "[ \t]*[,)=;[{]")
      .match(*Text);
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
    if (!declaresName(Path, Name))
      Front.ExtraArgs.push_back("-D" + Name + "=" + Value);
  Expected<ParsedUnit> Unit = parseCudaFile(Path, Arguments, Front);
  if (!Unit)
    return Unit.takeError();
  FileOutcome Outcome;
  Outcome.HadErrors = Unit->HadErrors;
  Outcome.UsedToolkit = Unit->Toolkit.Real;
  Outcome.ArchAssumed = Unit->ArchAssumed;
  Outcome.Arch = Unit->BudgetArch;
  Outcome.Notes = Unit->Notes;
  Outcome.LanguageArgs = Unit->LanguageArgs;
  Outcome.NvccArgs = Unit->NvccArgs;
  Outcome.ToolkitRoot = Unit->Toolkit.Real ? Unit->Toolkit.Root : "";
  Outcome.Machine = Context.Archs.find(Unit->BudgetArch);
  if (!Outcome.Machine)
    return createStringError(std::make_error_code(std::errc::invalid_argument),
                             "unknown architecture '" + Unit->BudgetArch +
                                 "' (--list-archs names the known ones)");
  if (!Unit->AST || (Unit->HadErrors && !Opts.KeepGoing))
    return Outcome;
  Expected<std::vector<RewrittenFile>> Files =
      FileSession(Context, *Unit, *Outcome.Machine).run(Path, Outcome.Dump);
  if (!Files)
    return Files.takeError();
  Outcome.Files = std::move(*Files);
  if (Opts.Quiet)
    return Outcome;
  for (RewrittenFile &File : Outcome.Files) {
    // Each file's messages apart: a header's are shown once a run.
    size_t Before = Said.str().size();
    printDiagnostics(*Unit, File, Opts.DryRun);
    File.Messages = Said.str().substr(Before);
    Messages.resize(Before);
  }
  return Outcome;
}

} // namespace pipeline_rewrite
