/// \file
/// The dynamic block of shared memory, divided into the parts that a loop uses.
#pragma once

#include "Analysis/StatementTree.h"
#include "Analysis/ThreadRun.h"

namespace pipeline_rewrite {

/// What following the threads of one block tells about one loop.
struct BlockFacts {
  struct Part {
    std::vector<const clang::VarDecl *> Names; ///< the first one stands for all
    llvm::BitVector Bytes;                     ///< used in the loop
  };
  std::vector<Part> Parts;
  llvm::BitVector Before, BeforeWritten, After; ///< used there
  llvm::BitVector Twice; ///< bytes that one thread may store twice in an iteration
  llvm::BitVector OpenBefore, OpenInLoop, OpenAfter; ///< uncovered reads
  clang::SourceLocation LossAt;
  std::string Loss; ///< why nothing is known; empty if all is well
};

/// Follows each thread of a block of \p Shape through \p F, with \p Loop as one
/// arbitrary iteration, or where that does not tell enough in each of its own.
BlockFacts divideBlock(const clang::ASTContext &Context,
                       const clang::FunctionDecl *F, const clang::Stmt *Loop,
                       MemoryModel &Model, const Uniformity &Uniform,
                       SummaryCache &Summaries, BlockShape Shape);

/// The objects that stand for the parts, for MemoryModel::setParts. Where they
/// are not known, everything dynamic in \p F is one object.
llvm::DenseMap<const clang::ValueDecl *, Root>
partObjects(const BlockFacts &Block, const clang::FunctionDecl *F);

/// Enters what \p Block says into \p Facts, over what the outside uses of names
/// have said.
void describeBlock(LoopFacts &Facts, const BlockFacts &Block,
                   const TreeContext &Tree);

} // namespace pipeline_rewrite
