/// \file
/// Where the results of a run go.
#pragma once

#include "Session.h"

namespace pipeline_rewrite {

/// Prints the line of each loop in \p File (rewritten how, or refused why)
/// through the parser's diagnostics.
void printDiagnostics(const ParsedUnit &Unit, const RewrittenFile &File,
                      bool DryRun);

/// Writes the sources (stdout, -o, -i, --diff) as the options ask.
llvm::Error writeSources(const Options &Opts,
                         const std::vector<RewrittenFile> &Files);

/// Writes --json, --sarif, --html, --remarks, --export-fixes and, for
/// --dry-run, the table.
llvm::Error writeReports(const Options &Opts, const RunResult &Run);

} // namespace pipeline_rewrite
