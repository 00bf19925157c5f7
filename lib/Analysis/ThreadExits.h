/// \file
/// Threads of a block that do not come as far as a loop.
#pragma once

#include "Analysis/LoopFinder.h"
#include "Analysis/StatementTree.h"

namespace pipeline_rewrite {

/// Where some threads of the block may leave and others go on to a K loop: returns
/// under conditions that differ between threads, and such conditions around the
/// loop itself.
class ThreadExits {
public:
  ThreadExits(const BarrierLoop &Loop, const TreeContext &Tree);

  /// May a thread that was at \p Offset of the file not take part in the loop, or
  /// in it when an outer loop comes to it again?
  bool mayFollow(unsigned Offset) const;

private:
  void visit(const clang::Stmt *S, bool Divergent, bool Repeats);

  const BarrierLoop &Loop;
  const TreeContext &Tree;
  std::vector<unsigned> Before; ///< offsets, in front of the loop
  bool InOuterLoop = false;     ///< one stands in a loop around it
};

} // namespace pipeline_rewrite
