#include "Registers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

/// Compiles of rewritten text that one file may cost.
constexpr unsigned MaxAttempts = 4;

bool wanted(const Options &Opts) {
  // Where variants are timed the clock decides.
  if (Opts.Registers == RegisterSource::Auto)
    return Opts.DryRun ||
           (!Opts.Verify.empty() && !Opts.Bench && !Opts.Tune);
  return Opts.Registers == RegisterSource::Compiler;
}

/// nvcc of the toolkit that the file was parsed against; empty: none.
std::string findNvcc(const ParsedUnit &Unit) {
  SmallString<256> Path(Unit.Toolkit.Root);
  sys::path::append(Path, "bin", "nvcc");
  return Unit.Toolkit.Real && sys::fs::can_execute(Path) ? Path.str().str() : "";
}

std::string perThread(uint64_t Count, StringRef What) {
  return (Twine(Count) + " " + What + " a thread").str();
}

/// What else could be tried for a plan that takes too many registers, the
/// likeliest first.
std::vector<Attempt> othersFor(const Attempt &First) {
  std::vector<Attempt> Others = {{First.Kind, First.Shape}};
  switch (First.Kind) {
  case Variant::CpAsync:
    Others.insert(Others.end(), {{First.Kind, Form::Ring},
                                 {First.Kind, Form::Predicate},
                                 {First.Kind, Form::Peel},
                                 {Variant::Ldg, Form::Predicate}});
    break;
  case Variant::Ldg:
    Others.insert(Others.end(), {{First.Kind, Form::Predicate},
                                 {First.Kind, Form::Peel},
                                 {Variant::CpAsync, Form::Ring},
                                 {Variant::CpAsync, Form::Peel}});
    break;
  case Variant::RegisterPrefetch:
    Others.insert(Others.end(), {{First.Kind, Form::Predicate}, {First.Kind, Form::Peel}});
    break;
  }
  return Others;
}

} // namespace

Expected<RegisterCheck> RegisterCheck::create(const Options &Opts,
                                              const ParsedUnit &Unit,
                                              StringRef Input, StringRef Text) {
  RegisterCheck Check(Opts);
  if (!wanted(Opts))
    return Check;
  Check.Request.Nvcc = findNvcc(Unit);
  if (Check.Request.Nvcc.empty()) {
    if (Opts.Registers == RegisterSource::Compiler)
      return createStringError(
          std::make_error_code(std::errc::invalid_argument),
          "--registers=compiler: there is no nvcc (--cuda-path tells where)");
    return Check;
  }
  Check.Request.Path = Input.str();
  Check.Request.Text = Text.str();
  Check.Request.Arch = Unit.BudgetArch;
  Check.Request.Args = codeOptions(Unit.LanguageArgs, Unit.NvccArgs);
  Expected<CompilerReport> Report = askCompiler(Check.Request);
  if (Report)
    Check.Before = std::move(*Report);
  else
    Check.Note = Input.str() + ": registers are estimated, nvcc does not compile "
                               "the file for " +
                 Unit.BudgetArch + ": " + toString(Report.takeError());
  return Check;
}

unsigned RegisterCheck::registersBefore(const LoopFacts &Facts) const {
  auto Known = Before.find(Facts.Symbol);
  return Known == Before.end() ? 0 : Known->second.Registers;
}

Expected<CompilerReport>
RegisterCheck::ask(const std::vector<RewrittenFile> &Files) {
  CompilerRequest Rewritten = Request;
  SmallString<256> Folder(Request.Path);
  sys::fs::make_absolute(Folder);
  sys::path::remove_filename(Folder);
  for (const RewrittenFile &File : Files) {
    if (File.IsInput)
      Rewritten.Text = File.Rewritten;
    if (File.IsInput || File.Original == File.Rewritten)
      continue;
    SmallString<256> Header(File.Path);
    sys::fs::make_absolute(Header);
    sys::path::remove_dots(Header, /*remove_dot_dot=*/true);
    if (!StringRef(Header).starts_with(Folder))
      return createStringError(inconvertibleErrorCode(),
                               File.Path + " is rewritten and lies outside the "
                                           "folder of the file");
    Rewritten.Headers.push_back(
        {Header.substr(Folder.size()).ltrim("/").str(), File.Rewritten});
  }
  return askCompiler(Rewritten);
}

bool RegisterCheck::reconsider(const std::vector<RewrittenFile> &Files,
                               std::vector<SourceLoop *> Loops,
                               const Arch &Machine) {
  bool Again = false;
  for (SourceLoop *Loop : Loops)
    if (Loop->Instead && !Loop->planned() && !Loop->OverBudget) {
      chooseOther(*Loop); // the alternative is not possible here
      Again = true;
    }
  erase_if(Loops, [](SourceLoop *Loop) { return !Loop->planned(); });
  if (Again || Loops.empty() || !active())
    return Again;
  Expected<CompilerReport> After = ask(Files);
  if (!After) {
    Note = Request.Path + ": registers of the rewrite are estimated, nvcc does "
                          "not compile it: " +
           toString(After.takeError());
    return false;
  }
  ++Attempts;
  for (SourceLoop *Loop : Loops) {
    std::string Worse = holdAgainst(*Loop, *After, Machine);
    if (Worse.empty())
      continue;
    const LoopPlan &Plan = *Loop->Plans[Loop->Chosen].Plan;
    Loop->Rejected.push_back({Plan.Kind, Plan.Shape, Plan.Unroll > 1});
    if (Loop->WhyRejected.empty())
      Loop->WhyRejected = std::string(toString(Plan.Kind)) + " (" +
                          toString(Plan.Shape) + "): nvcc says that " + Worse;
    chooseOther(*Loop);
    Again = true;
  }
  return Again;
}

/// \returns what is worse in the rewrite, empty: nothing.
std::string RegisterCheck::holdAgainst(SourceLoop &Loop,
                                       const CompilerReport &After,
                                       const Arch &Machine) const {
  std::string Worse;
  Loop.Registers.resize(Loop.Readings.size());
  for (size_t I = 0; I < Loop.Readings.size(); ++I) {
    auto Old = Before.find(Loop.Readings[I].Symbol);
    auto New = After.find(Loop.Readings[I].Symbol);
    PlanResult &Plan = Loop.Plans[I];
    if (Old == Before.end() || New == After.end() || !Plan.Plan)
      continue;
    const KernelReport &Was = Old->second, &Is = New->second;
    Loop.Registers[I] = {Was.Registers, Is.Registers, Was.SpillBytes,
                         Is.SpillBytes, true, true, ""};
    BlockResources Block;
    Block.Threads = Plan.Threads;
    Block.RegistersPerThread = Is.Registers;
    Block.DynamicShared = Plan.Budget.SharedAfter;
    Plan.Budget.After = computeOccupancy(Machine, Block);
    unsigned Blocks = Plan.Budget.After.BlocksPerSM,
             BlocksBefore = Plan.Budget.Before.BlocksPerSM;
    if (!Worse.empty())
      continue;
    if (Is.SpillBytes > Was.SpillBytes)
      Worse = "it spills " + perThread(Is.SpillBytes, "bytes") + " (" +
              std::to_string(Was.SpillBytes) + " before)";
    // With a block size that was made up the residency is made up, too.
    else if (Blocks < BlocksBefore && !Plan.ThreadsAssumed && !Opts.AllowCliff &&
             Plan.Budget.After.Limit == OccupancyLimit::Registers)
      Worse = "it takes " + perThread(Is.Registers, "registers") + " (" +
              std::to_string(Was.Registers) + " before), and " +
              std::to_string(Blocks) + " of " + std::to_string(BlocksBefore) +
              " resident blocks are left";
  }
  return Worse;
}

/// Gives \p Loop something else to try or, where nothing is left, its refusal.
void RegisterCheck::chooseOther(SourceLoop &Loop) {
  for (const Attempt &Next : othersFor(Loop.Rejected.front())) {
    bool Free = (!Opts.Kind || Next.Kind == *Opts.Kind) &&
                (!Opts.Shape || Next.Shape == *Opts.Shape) &&
                (Next.Kind != Variant::Ldg || Opts.Stages <= 2) &&
                !is_contained(Loop.Rejected, Next);
    if (!Free || Attempts >= MaxAttempts)
      continue;
    Loop.Rejected.push_back(Next); // not twice, whatever comes of it
    Loop.Instead = Next;
    return;
  }
  Loop.OverBudget = Reason{ReasonId::Budget, Loop.facts().Line,
                           Loop.facts().Column, Loop.WhyRejected};
}

} // namespace pipeline_rewrite
