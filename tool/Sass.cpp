#include "Sass.h"
#include "SassLoops.h"
#include "SassRemedies.h"
#include "Support/InstallPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

constexpr int Checked = 0, CouldNotRun = 5;

/// Every loop that would have been checked gets the reason why it was not.
int giveUp(FileOutcome &Outcome, Error Why) {
  std::string Message = toString(std::move(Why));
  errs() << "pipeline-rewrite: error: --sass could not be run: " << Message
         << "\n";
  for (RewrittenFile &File : Outcome.Files)
    for (LoopResult &Loop : File.Result.Loops)
      if (isSassSubject(File, Loop)) {
        Loop.Sass.emplace();
        Loop.Sass->Message = Message;
      }
  return CouldNotRun;
}

void printKernel(const SassKernel &K, StringRef Where) {
  bool Good = K.Verdict == SassVerdict::Overlapped;
  errs() << Where << (Good ? "remark: " : "warning: ") << "machine code of '"
         << K.Name << "': " << K.Summary << " [" << toString(K.Verdict) << "]\n";
  for (const SassCheck &C : K.Checks)
    errs() << "    " << left_justify(toString(C.Status), 8)
           << left_justify(C.Id, 15) << C.Message << "\n";
  for (const std::string &Line : K.Excerpt)
    errs() << "    | " << Line << "\n";
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
  for (const SassKernel &K : Report.Kernels)
    if (!Quiet || K.Verdict != SassVerdict::Overlapped)
      printKernel(K, Where);
  if (!Report.Remedy.empty())
    errs() << Where << "remark: kept against the loads moving down: "
           << Report.Remedy << "\n";
  if (!Report.Message.empty() && !Quiet)
    errs() << Where << "note: " << Report.Message << "\n";
}

/// scripts/setup puts the disassemblers there where the toolkit lacks them.
std::string privateBin() {
  SmallString<128> Path(sys::path::parent_path(runningProgram()));
  sys::path::append(Path, "..", "..", ".tools", "bin");
  return Path.str().str();
}

template <typename Action> void forEachSubject(FileOutcome &Outcome, Action Do) {
  for (RewrittenFile &File : Outcome.Files)
    for (LoopResult &Loop : File.Result.Loops)
      if (isSassSubject(File, Loop))
        Do(File, Loop);
}

} // namespace

int checkSass(const SessionContext &Context, StringRef Path,
              FileOutcome &Outcome) {
  bool Any = false;
  forEachSubject(Outcome, [&](RewrittenFile &, LoopResult &) { Any = true; });
  if (!Any)
    return Checked;
  Expected<SassTools> Tools = findSassTools(Outcome.ToolkitRoot, privateBin());
  if (!Tools)
    return giveUp(Outcome, Tools.takeError());
  SassWorkbench Bench(*Tools, Context.Opts.Timeout);
  if (Error Failed = Bench.check(Outcome))
    return giveUp(Outcome, std::move(Failed));
  if (Error Failed = tryRemedies(Bench, Context, Path, Outcome))
    return giveUp(Outcome, std::move(Failed));
  bool AnyChecked = false;
  forEachSubject(Outcome, [&](RewrittenFile &File, LoopResult &Loop) {
    AnyChecked |= Loop.Sass->Checked;
    print(File.Path, Loop, Context.Opts.Quiet);
  });
  return AnyChecked ? Checked : CouldNotRun;
}

} // namespace pipeline_rewrite
