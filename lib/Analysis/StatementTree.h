/// \file
/// Statements of a loop body as Nodes.
#pragma once

#include "Analysis/Effects.h"
#include "Analysis/KnownValues.h"

namespace pipeline_rewrite {

/// What a statement tree is built with: one per analysed loop.
struct TreeContext {
  const clang::ASTContext &Context;
  MemoryModel &Model;
  const Uniformity &Uniform;
  const SourceText &Text;
  FactTables &Tables;
  SummaryCache &Summaries;
  const KnownValues *Values = nullptr; ///< never null where loops are described
};

/// The nodes of \p Body (its children if it is a compound statement), in
/// order, with the comments and pragmas before each one in Node::Full. Siblings
/// that one macro expands to are merged into one node with MacroFused set.
std::vector<Node> buildStatements(const clang::Stmt *Body,
                                  const TreeContext &Tree);

/// The effects of an expression that is no statement (a loop condition).
Node buildExpression(const clang::Expr *E, const TreeContext &Tree);

/// \p E split at its top-level commas, one node each.
std::vector<Node> buildIncrements(const clang::Expr *E, const TreeContext &Tree);

/// Calls \p Visit for \p N and everything below it, parents first.
template <typename Callback> void forEachNode(const Node &N, Callback &&Visit) {
  Visit(N);
  for (const Node &Child : N.Children)
    forEachNode(Child, Visit);
}

} // namespace pipeline_rewrite
