/// \file
/// What decides which elements a function writes, whatever it writes there.
#pragma once

#include "Analysis/MemoryModel.h"
#include <set>

namespace pipeline_rewrite {

class SummaryCache;

/// Two calls write the same elements if all of this is the same for both.
struct StoreShape {
  /// The function's own parameters, and variables that a lambda captures.
  std::set<const clang::VarDecl *> Uses;
  bool OfObject = false; ///< so does the object that a method is called on
  /// What memory holds, or what is not followed, decides about it too.
  bool Open = false;

  void add(const StoreShape &Other) {
    Uses.insert(Other.Uses.begin(), Other.Uses.end());
    Open |= Other.Open;
    OfObject |= Other.OfObject;
  }
  bool operator!=(const StoreShape &Other) const {
    return Uses != Other.Uses || Open != Other.Open || OfObject != Other.OfObject;
  }
};

/// The shape of what \p Definition stores to other than its own variables: the
/// conditions it stores under, and the places it stores to.
StoreShape storeShape(const clang::FunctionDecl *Definition,
                      MemoryModel &Model, SummaryCache &Summaries,
                      const clang::ASTContext &Context);

/// May \p Assignment, of a class, leave out some of the object that it assigns to?
/// (One of a library's does not.)
bool mayLeaveOut(const clang::FunctionDecl *Assignment,
                 const clang::ASTContext &Context);

} // namespace pipeline_rewrite
