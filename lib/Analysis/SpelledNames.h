/// \file
/// Expressions as text that is to stand elsewhere.
#pragma once

#include "Analysis/SourceText.h"

namespace pipeline_rewrite {

/// Does nothing beside \p E tear it apart: is it a name, a number, or in parentheses?
/// A macro's name may stand for a sum.
bool isAtom(const clang::Expr *E);

/// What an edit may replace of \p E, in parentheses where it looks like one word and is
/// more. Empty if there is no such text.
std::string spelledAtom(const clang::Expr *E, const SourceText &Text);

/// Do the names in \p E, and in what its constant variables were initialised with, mean
/// the same where \p At stands in \p F?
bool meansTheSameAt(const clang::Expr *E, const clang::Stmt *At,
                    const clang::FunctionDecl *F);

} // namespace pipeline_rewrite
