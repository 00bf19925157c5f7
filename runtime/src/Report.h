#pragma once

#include "Module.h"

#include <string>

namespace pr {

/// Writes what happened to the file that the caller named in PR_RESULT, one
/// JSON object a line. Every function may be called from any thread.
void reportFailure(const char *Version, const char *Check,
                   const std::string &Message, const std::string &Where);
/// While muted, failures are dropped.
void muteFailures(bool Muted);
/// The proof cannot go on for a reason that says nothing about the kernels.
void reportUnable(const std::string &Message,
                  const char *Check = "not-covered");
void reportTotals(uint64_t Runs, uint64_t Comparisons, uint64_t Blocks,
                  uint64_t BlocksSkipped);
/// What is being done, for somebody who waits; at most twice a second.
void reportProgress(uint64_t Runs);
/// Something a reader should know that is no failure.
void reportNote(const std::string &Message);
/// Which case of a sweep runs; part of each message that follows.
void setCase(const std::string &Text);

} // namespace pr
