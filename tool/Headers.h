/// \file
/// Headers that several input files include.
#pragma once

#include "Session.h"
#include "llvm/Support/FileSystem.h"
#include <map>

namespace pipeline_rewrite {

/// All files of a run, each once, however many input files include it. A header
/// is edited only if every file that includes it leads to the same text.
class FileLedger {
public:
  explicit FileLedger(const Options &Opts) : Opts(Opts) {}

  /// Enters what \p Source, an input file, led to.
  void add(llvm::StringRef Source, std::vector<RewrittenFile> Files);

  /// After the last add: takes conflicting edits back, each with one warning,
  /// and prints what there is to say about the loops in headers.
  void settle();

  std::vector<RewrittenFile> Files; ///< in the order of their first mention

private:
  struct Entry {
    size_t Index = 0;              ///< into Files
    std::string Decided;           ///< the input file that led to its text
    std::vector<std::string> Also; ///< two that disagree
  };

  void merge(Entry &Known, llvm::StringRef Source, RewrittenFile File);

  const Options &Opts;
  std::map<llvm::sys::fs::UniqueID, Entry> ByFile;
};

} // namespace pipeline_rewrite
