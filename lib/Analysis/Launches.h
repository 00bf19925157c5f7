/// \file
/// AST -> every use of every kernel of a translation unit.
#pragma once

#include "Analysis/AttributePlaces.h"
#include "Analysis/Facts.h"
#include "Analysis/HiddenMentions.h"
#include "Analysis/HostPass.h"
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
  void describe(const clang::FunctionDecl *F, LoopFacts &Facts);
  /// The other compilation of the unit, which has the launches.
  const HostPass &host() const { return Host; }

private:
  struct Entry {
    LaunchSite Site;
    const clang::FunctionDecl *Kernel; ///< the instantiation, or the pattern
    bool Dependent = false; ///< read from a template as it is written
    std::optional<unsigned> Early; ///< above the definition: see placeAbove()
    unsigned Call = 0; ///< the call in the text, the same in all instantiations
  };
  friend class UseCollector;
  static constexpr const char *TooEarly = "stands before the kernel's definition";

  void dropPatterns();
  void findConflicts();
  void findOtherUses();
  void findSplitStatements();
  void placeFunction(const clang::FunctionDecl *F, LoopFacts &Facts);
  void noteHidden(const clang::FunctionDecl *F, KernelUses &Uses);

  clang::ASTContext &Context;
  std::map<const clang::FunctionDecl *, std::vector<Entry>> Sites;
  std::map<const clang::FunctionDecl *, std::vector<KernelEscape>> Escapes;
  std::map<const clang::FunctionDecl *, std::vector<SoughtName>> AliasNames;
  AttributeLosses Losses;
  HostPass Host;
  std::unique_ptr<HiddenMentions> Hidden; ///< once a kernel asked for it
};

} // namespace pipeline_rewrite
