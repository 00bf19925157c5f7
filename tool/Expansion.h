/// \file
/// Calls that fill tiles, written out where they stand, so that what they load can
/// be told from what they store.
#pragma once

#include "Session.h"
#include "SourceLoop.h"

namespace pipeline_rewrite {

/// The calls of \p Loop that a block may take the place of, in all its readings.
std::vector<WantedExpansion> wantedExpansions(llvm::StringRef File, const SourceLoop &Loop);

/// Reads a file with some texts replaced.
using Reader =
    llvm::function_ref<llvm::Expected<FileOutcome>(const std::vector<ReplacedText> &)>;

/// What comes of \p Outcome where its calls are written out, with edits of the files
/// as they are. Calls of a loop that is not pipelined that way stay; where nothing
/// is gained, or a loop would be lost, it is \p Outcome.
llvm::Expected<FileOutcome> withCallsExpanded(FileOutcome Outcome, Reader Read);

} // namespace pipeline_rewrite
