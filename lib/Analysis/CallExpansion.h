/// \file
/// A call that fills tiles, as the block that its callee's body makes at the place
/// of the call: only there its loads and stores can be told apart.
#pragma once

#include "Analysis/MemoryModel.h"
#include "Analysis/Names.h"
#include "Analysis/SourceText.h"

namespace pipeline_rewrite {

/// The block for each call of \p Caller's loop that fills a tile as a whole, or why
/// there is none. Parameters become what the call hands in where that means the
/// same, and variables of the block elsewhere.
/// \param Body of the loop. \param Nodes what was read of it.
std::vector<CallExpansion> expandCalls(const clang::Stmt *Body,
                                       const std::vector<Node> &Nodes,
                                       const clang::FunctionDecl *Caller,
                                       const MemoryModel &Model,
                                       const clang::ASTContext &Context,
                                       const SourceText &Text, const MacroTable &Macros);

} // namespace pipeline_rewrite
