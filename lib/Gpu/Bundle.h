/// \file
/// A proof for a GPU as a folder that travels.
#pragma once

#include "Gpu/Manifest.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace pipeline_rewrite {

/// A version to put into a bundle.
struct VersionText {
  BundleVersion About;
  std::string Text;       ///< The whole rewritten file; empty: rejected.
  uint64_t DynamicAfter = 0; ///< Dynamic shared bytes a block; 0: as before.
};

struct BundleRequest {
  BundleMode Mode = BundleMode::Verify;
  std::string Path;         ///< Of the original.
  std::string OriginalText; ///< What the versions were made from.
  std::vector<VersionText> Versions;
  std::vector<std::string> NvccArgs; ///< The user's own, without input, output.
  /// Where those name no architecture: the one that was asked for, or empty for
  /// the card's own.
  std::string Arch;
  std::string BudgetArch;
  std::string LaunchFile; ///< Empty: the file's own main is run.
  uint64_t Seed = 1;
  std::string Tolerance; ///< As `readTolerance` takes it.
  unsigned TimeoutSeconds = 120;
  std::string RuntimeDir, RulesDir;
  llvm::json::Object Settings;
};

/// What a measurement depends on, but for the card and its compiler: sources,
/// flags, launch file, seed, the tool's version. Sixteen hexadecimal digits.
llvm::Expected<std::string> bundleKey(const BundleRequest &Request);

/// Writes the folder \p Dir: sources, generated programs, run.sh, a CMake
/// project, bundle.json. An existing bundle is replaced; with the same key its
/// results stay, so that an interrupted run goes on. A folder that is no bundle
/// and not empty is an error (std::errc::invalid_argument).
llvm::Error writeBundle(const BundleRequest &Request, llvm::StringRef Dir);

} // namespace pipeline_rewrite
