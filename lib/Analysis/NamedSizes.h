/// \file
/// The author's own constants, as material for sizes that are to be spelled.
#pragma once

#include "Analysis/Facts.h"
#include "Analysis/HostPass.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace pipeline_rewrite {

/// Fills LoopFacts::Constants with constant expressions of \p F's text and of the
/// constants declared around it: those that mean the same at \p Loop, above the
/// kernel, and where their text stands. The parts of the block and the uses of the
/// kernel have to be described already.
void describeConstants(LoopFacts &Facts, const clang::FunctionDecl *F,
                       const clang::Stmt *Loop,
                       const clang::ASTContext &Context, const HostPass &Host);

} // namespace pipeline_rewrite
