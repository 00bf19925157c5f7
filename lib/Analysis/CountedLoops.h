/// \file
/// Inner copy loops whose trip count a compiler knows.
#pragma once

#include "Analysis/StatementTree.h"
#include "clang/AST/Stmt.h"

namespace pipeline_rewrite {

/// Recognises `v += Step`, `v = v + Step`, `++v` and `v++` where no wrapping
/// hides in the sum: v is signed or as wide as a pointer, and so is the sum.
std::optional<LoopCounter> loopCounter(const clang::ForStmt *For,
                                       const clang::ASTContext &Context);

/// Is \p Type an integer whose arithmetic carries over to addresses: signed of
/// 32 bits at least (which must not overflow), or as wide as a pointer?
bool isAddressInteger(clang::QualType Type, const clang::ASTContext &Context);

/// Recognises `for (T v = Init; v < Bound; v += Step)` where the body does not
/// write v, and what does the same by `while` or `do`.
std::optional<CountedLoop> recogniseCountedLoop(const clang::Stmt *Loop,
                                                const TreeContext &Tree);

/// Recognises a K loop `for (T v = First; v < Bound; v += Step)` whose Bound stays
/// the same, whose Step is a positive constant and whose First is not below zero:
/// in it Bound - v cannot overflow. That the body does not write v is not looked
/// at.
std::optional<TilesLeft> tilesLeft(const clang::ForStmt *For, const TreeContext &Tree);

} // namespace pipeline_rewrite
