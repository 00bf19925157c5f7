/// \file
/// All input files of a run, several at a time.
#pragma once

#include "Session.h"

namespace pipeline_rewrite {

/// Processes Opts.Files, Opts.Jobs at a time, and writes sources and reports.
/// What is printed and written comes in the order of the command line, whatever
/// the number of jobs. A file that does not parse, or on which the program
/// itself fails, stops none of the others.
/// \returns the exit code.
int processFiles(const Options &Opts, const SessionContext &Context);

} // namespace pipeline_rewrite
