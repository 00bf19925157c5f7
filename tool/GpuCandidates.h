/// \file
/// The versions that a measurement compares.
#pragma once

#include "Gpu/Bundle.h"
#include "Session.h"

namespace pipeline_rewrite {

/// Rewrites \p Path in each way that the mode asks for and the options allow: in
/// `Verify` the way that the plan chooses, in `Bench` each variant in the form
/// that it chooses for it, in `Tune` every variant, form and stage count. What
/// is refused, or has the text of another version, stays in the list with its
/// reason and without text.
/// \returns an error where the file cannot be processed at all.
llvm::Expected<std::vector<VersionText>>
makeVersions(BundleMode Mode, llvm::StringRef Path,
             const SessionContext &Context);

/// The options that a later parse of the bundle's copy needs, and back.
llvm::json::Object settingsOf(const Options &Opts);
void applySettings(const llvm::json::Object &Settings, Options &Opts);

/// The options that make one version.
void applyVersion(const BundleVersion &Version, Options &Opts);

} // namespace pipeline_rewrite
