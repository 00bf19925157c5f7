/// \file
/// One rewritten loop in the machine code of both versions of its file.
#pragma once

#include "Sass/Build.h"
#include "Session.h"

namespace pipeline_rewrite {

/// Has \p Loop been rewritten (or would it be), so that there is something to
/// check?
bool isSassSubject(const RewrittenFile &File, const LoopResult &Loop);

/// Finds the kernels of \p Loop in both builds and compares its steady state.
/// \param Source which of the builds' sources \p File is.
SassReport compareLoop(const SassBuild &Before, const SassBuild &After,
                       size_t Source, const RewrittenFile &File,
                       const LoopResult &Loop);

} // namespace pipeline_rewrite
