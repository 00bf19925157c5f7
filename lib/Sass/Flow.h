/// \file
/// Control flow of one function: its loops.
#pragma once

#include "Sass/Listing.h"

namespace pipeline_rewrite {

/// A natural loop: everything that can get back to the header without leaving
/// it. Loops with the same header are one.
struct SassLoop {
  uint64_t Header = 0; ///< address of its first instruction
  /// Indices into SassFunction::Code in an order in which one iteration can
  /// run: the header first; of two ways both, one behind the other.
  std::vector<size_t> Body;
  /// Index of the smallest loop around it.
  std::optional<size_t> Parent;
};

/// All loops of \p F that can be reached from its entry, outer ones first.
std::vector<SassLoop> findLoops(const SassFunction &F);

} // namespace pipeline_rewrite
