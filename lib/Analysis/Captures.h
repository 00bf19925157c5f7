/// \file
/// Which variables a lambda reaches by reference, and what it does to them.
#pragma once

#include "clang/AST/DeclCXX.h"
#include <vector>

namespace pipeline_rewrite {

/// A variable that somebody who holds a lambda can read, and maybe write.
struct ReachedVariable {
  const clang::ValueDecl *Variable = nullptr;
  const clang::CXXRecordDecl *Lambda = nullptr; ///< that captured it
  bool MayWrite = true;
};

/// What an object of \p Type reaches through the lambdas in it: their captures by
/// reference, and those of the lambdas that they captured.
std::vector<ReachedVariable> reachedVariables(clang::QualType Type);

/// Is there a lambda in \p Type, or behind a pointer in it?
bool holdsLambda(clang::QualType Type);

/// Can an object of \p Type hold the address of another one?
bool holdsAddresses(clang::QualType Type);

/// Does the body of \p Lambda use \p Captured for its value alone?
bool onlyReads(const clang::CXXRecordDecl *Lambda, const clang::ValueDecl *Captured);

} // namespace pipeline_rewrite
