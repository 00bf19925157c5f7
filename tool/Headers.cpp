#include "Headers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pipeline_rewrite {

static void keepOriginal(RewrittenFile &File, LoopStatus Status) {
  File.Rewritten = File.Original;
  File.Edits.clear();
  for (LoopResult &Loop : File.Result.Loops)
    if (Loop.Status == LoopStatus::Rewritten ||
        Loop.Status == LoopStatus::Eligible) {
      Loop.Status = Status;
      Loop.Edits.clear();
    }
}

void FileLedger::add(StringRef Source, std::vector<RewrittenFile> New) {
  for (RewrittenFile &File : New) {
    sys::fs::UniqueID Id;
    if (sys::fs::getUniqueID(File.Path, Id)) {
      Files.push_back(std::move(File)); // gone meanwhile: nothing to share
      continue;
    }
    auto [At, IsNew] = ByFile.try_emplace(Id);
    if (!IsNew) {
      merge(At->second, Source, std::move(File));
      continue;
    }
    At->second.Index = Files.size();
    At->second.Decided = Source.str();
    Files.push_back(std::move(File));
  }
}

void FileLedger::merge(Entry &Known, StringRef Source, RewrittenFile File) {
  RewrittenFile &First = Files[Known.Index];
  if (File.IsInput) {
    First.IsInput = true;
    First.Messages.clear(); // they were printed as the input file's own
  }
  // A template that this file does not instantiate was judged without its
  // sizes: who instantiates it knows better.
  if (File.Uninstantiated && !First.Uninstantiated)
    return;
  if (First.Uninstantiated && !File.Uninstantiated) {
    File.IsInput |= First.IsInput;
    First = std::move(File);
    Known.Decided = Source.str();
    Known.Also.clear();
    return;
  }
  bool Same = First.Original == File.Original && First.Rewritten == File.Rewritten;
  if (!Same && Known.Also.empty())
    Known.Also = {Known.Decided, Source.str()};
}

/// Kernels and launches that were edited along with each other: where one of the
/// files stays as it is, so do the others.
static void keepLinked(std::vector<RewrittenFile> &Files, LoopStatus Status) {
  for (RewrittenFile &File : Files) {
    if (!File.Linked || File.Original == File.Rewritten)
      continue;
    errs() << "pipeline-rewrite: note: " << File.Path
           << " is left as it is: it launches kernels, or holds kernels that are "
              "launched, in a file that is not rewritten\n";
    keepOriginal(File, Status);
  }
}

void FileLedger::settle() {
  bool Unlinked = false;
  for (auto &[Id, Known] : ByFile) {
    RewrittenFile &File = Files[Known.Index];
    if (Known.Also.empty())
      continue;
    File.Messages = "pipeline-rewrite: warning: " + File.Path +
                    " is left as it is: the files that include it lead to "
                    "different rewrites (" +
                    Known.Also[0] + " and " + Known.Also[1] + ")\n";
    Unlinked |= File.Linked;
    keepOriginal(File, LoopStatus::Skipped);
  }
  if (Unlinked)
    keepLinked(Files, LoopStatus::Skipped);
  Unlinked = false;
  for (RewrittenFile &File : Files) {
    errs() << File.Messages;
    bool Edited = File.Original != File.Rewritten;
    if (!Edited || File.IsInput || Opts.InPlace || Opts.Diff || Opts.DryRun)
      continue;
    errs() << "pipeline-rewrite: note: the loops of " << File.Path
           << " can be pipelined; -i or --diff rewrites included files\n";
    Unlinked |= File.Linked;
    keepOriginal(File, LoopStatus::Eligible);
  }
  if (Unlinked)
    keepLinked(Files, LoopStatus::Eligible);
}

} // namespace pipeline_rewrite
