/// \file
/// One run over one file: facts, verdicts, plans, edits.
#pragma once

#include "Budget/Arch.h"
#include "Budget/Variants.h"
#include "Frontend/CompileCommands.h"
#include "Frontend/Frontend.h"
#include "Options.h"
#include "Report/Result.h"
#include "Rewrite/Edits.h"
#include "Verify/Prove.h"
#include <map>

namespace pipeline_rewrite {

/// One file that loops were found in (the input or a header of its).
struct RewrittenFile {
  std::string Path;
  std::string Original, Rewritten;
  std::vector<SourceEdit> Edits;
  FileResult Result;
  bool IsInput = false;
  /// All of its loops stand in templates that the input file never instantiates.
  bool Uninstantiated = false;
  std::string Messages; ///< what the user is told about its loops
  /// Launches were edited along with kernels in another file: both or neither.
  bool Linked = false;
  std::vector<GrownShared> Grown; ///< of kernels whose launches changed
};

/// A call in the loop at a place that may be written out there.
struct WantedExpansion {
  std::string File;
  unsigned Line = 0, Column = 0; ///< of the loop
  CallExpansion Call;
};

struct FileOutcome {
  std::vector<RewrittenFile> Files;
  bool HadErrors = false;
  bool UsedToolkit = false;
  bool ArchAssumed = false;
  std::string Arch;
  const pipeline_rewrite::Arch *Machine = nullptr;
  std::vector<std::string> Notes;
  std::vector<std::string> LanguageArgs;
  std::vector<std::string> NvccArgs; ///< the user's own, for builds with nvcc
  std::string ToolkitRoot;           ///< of the CUDA toolkit; empty: none
  std::string Dump;
  std::vector<WantedExpansion> Expansions;
};

/// Additions to the text of one loop against a compiler that moves its loads
/// down to where they are used.
struct LoopRemedy {
  bool UnrollOnce = false, Fence = false;
};
using LoopPlace = std::pair<std::string, unsigned>; ///< file, line

/// What every file of a run shares.
struct SessionContext {
  const Options &Opts;
  const ArchTable &Archs;
  const VariantRules &Rules;
  const CompileDatabase *Database = nullptr; ///< of -p; null: looked for
  std::map<LoopPlace, LoopRemedy> Remedies = {};
};

/// Parses and processes \p Path. Prints nothing, and several calls may run at
/// the same time: what the compiler says goes to \p Messages, and what there is
/// to say about loops to their RewrittenFile. Errors are those of parseCudaFile,
/// or an architecture that no rule knows.
llvm::Expected<FileOutcome> processFile(llvm::StringRef Path,
                                        const SessionContext &Context,
                                        std::string &Messages);

} // namespace pipeline_rewrite
