/// \file
/// The proof as the command line asks for it.
#pragma once

#include "Report/Result.h"
#include "Session.h"
#include "Support/InstallPaths.h"
#include "Verify/Prove.h"

namespace pipeline_rewrite {

/// Proves \p File's rewrite and enters the result into each rewritten loop.
/// \returns the exit code: 0 proved, 4 failed, 5 could not be run.
int proveRewrite(const Options &Opts, const FileOutcome &Outcome,
                 RewrittenFile &File);

/// `--compare=ORIGINAL`: proves the given file against its original.
int proveComparison(const Options &Opts);

/// What the options say of a proof; paths and texts are left open.
ProofRequest requestFor(const Options &Opts, const InstallPaths &Paths);

/// Prints a proof's verdict, failures and notes; \p Name tells versions apart.
void printProof(const Options &Opts, llvm::StringRef Path,
                llvm::StringRef Name, const ProofResult &Result);

/// Enters the proof into each rewritten loop of \p File.
void attachProof(const ProofResult &Result, FileResult &File);

int exitCodeOf(ProofStatus Status);

} // namespace pipeline_rewrite
