/// \file
/// What a bundle says about itself: DIR/bundle.json.
#pragma once

#include "Budget/Kinds.h"
#include "Verify/Tolerance.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace pipeline_rewrite {

/// What a bundle was made for.
enum class BundleMode { Verify, Bench, Tune };

/// One way to rewrite the file.
struct BundleVersion {
  std::string Name; ///< "ldg-predicate-2"; a file name's characters only.
  std::string File; ///< Its source in the bundle; empty: it was rejected.
  Wish Asked;       ///< What it was made with.
  std::string Reason, Message; ///< Id and sentence, of a rejected one.
  std::string Overlap;         ///< What its machine code showed; may be empty.
};

struct Manifest {
  std::string Tool; ///< Its version.
  BundleMode Mode = BundleMode::Verify;
  std::string Source;   ///< As the user wrote it.
  std::string Original; ///< Its copy in the bundle.
  std::string Arch;     ///< Budgeted for, "sm_90".
  bool HasLaunchFile = false;
  std::string Launch; ///< The copy of the launch file, or empty.
  std::string Key;    ///< Of all that a measurement depends on but the card.
  std::vector<std::string> Arguments; ///< nvcc's, for the tree in the bundle.
  /// The options of the run, for a parse of the copy later on.
  llvm::json::Object Settings;
  std::vector<BundleVersion> Versions; ///< Without the original.
};

llvm::json::Value toJson(const Manifest &M);

/// Reads DIR/bundle.json. No bundle, or one of another schema, is an error that
/// says so.
llvm::Expected<Manifest> readManifest(llvm::StringRef Dir);

const char *toString(BundleMode Mode);

} // namespace pipeline_rewrite
