/// \file
/// AST -> every use of every kernel of a translation unit.
#pragma once

#include "Analysis/Facts.h"
#include "clang/AST/ASTContext.h"
#include <map>

namespace pipeline_rewrite {

/// Launches, attribute calls and other uses of kernels, found once for a unit.
/// A kernel template and all its instantiations share their uses, because they
/// share their text.
class LaunchTable {
public:
  explicit LaunchTable(clang::ASTContext &Context);

  /// Fills LoopFacts::Launches and LoopFacts::Uses of a loop in \p F.
  void describe(const clang::FunctionDecl *F, LoopFacts &Facts) const;

private:
  struct Entry {
    LaunchSite Site;
    const clang::FunctionDecl *Kernel; ///< the instantiation, or the pattern
    bool Dependent = false; ///< read from a template as it is written
  };
  friend class UseCollector;

  void dropPatterns();
  void findConflicts();

  clang::ASTContext &Context;
  std::map<const clang::FunctionDecl *, std::vector<Entry>> Sites;
  std::map<const clang::FunctionDecl *, std::vector<KernelEscape>> Escapes;
};

} // namespace pipeline_rewrite
