/// \file
/// The proof as the command line asks for it.
#pragma once

#include "Report/Result.h"
#include "Session.h"

namespace pipeline_rewrite {

/// Proves \p File's rewrite and enters the result into each rewritten loop.
/// \returns the exit code: 0 proved, 4 failed, 5 could not be run.
int proveRewrite(const Options &Opts, const FileOutcome &Outcome,
                 RewrittenFile &File);

/// `--compare=ORIGINAL`: proves the given file against its original.
int proveComparison(const Options &Opts);

} // namespace pipeline_rewrite
