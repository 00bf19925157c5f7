/// \file
/// Inner copy loops whose trip count a compiler knows.
#pragma once

#include "Analysis/StatementTree.h"
#include "clang/AST/Stmt.h"

namespace pipeline_rewrite {

/// Recognises `for (T v = Init; v < Bound; v += Step)` where the body does not
/// write v.
std::optional<CountedLoop> recogniseCountedLoop(const clang::ForStmt *For,
                                                const TreeContext &Tree);

} // namespace pipeline_rewrite
