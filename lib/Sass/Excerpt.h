/// \file
/// A loop in machine code as annotated lines for a person.
#pragma once

#include "Sass/SteadyState.h"
#include <map>

namespace pipeline_rewrite {

struct ExcerptOptions {
  SassLines Lines;    ///< of the loop
  std::string Source; ///< the file's text; empty: line numbers alone
};

/// The instructions that matter for the overlap (loads, waits, stores, barriers,
/// branches, the first and last of the arithmetic) with their control bits,
/// role and source line; runs of others are one line with counts.
std::vector<std::string> excerptOf(const SassFunction &F, const SteadyLoop &Loop,
                                   const ExcerptOptions &Options);

} // namespace pipeline_rewrite
