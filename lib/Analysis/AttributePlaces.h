/// \file
/// Whether an attribute that was set at one place of a function still holds at
/// another: attributes belong to a device and end when it is reset.
#pragma once

#include "Analysis/LaunchFacts.h"
#include "Analysis/LaunchPlaces.h"
#include <map>

namespace pipeline_rewrite {

/// Does the step \p Index of \p Path run whenever its ancestor, the step
/// \p Statement, has run to its end?
bool surelyRuns(const std::vector<AstStep> &Path, size_t Statement, size_t Index,
                const clang::ASTContext &Context);

/// Fills Function and Loops of \p Site, the step \p Index of \p Path.
void describeSurroundings(LaunchSite &Site, const std::vector<AstStep> &Path,
                          size_t Index, const clang::ASTContext &Context);

/// Finds the places behind which an attribute may hold no longer.
class AttributeLosses {
public:
  explicit AttributeLosses(const clang::ASTContext &Context) : Context(Context) {}

  /// Notes the last step of \p Path, if it is one.
  void note(const std::vector<AstStep> &Path);

  /// Those in \p File between the ends of \p Function, each once.
  std::vector<AttributeLoss> in(const std::string &File, TextRange Function) const;

private:
  enum class Change { No, Unknown, Certain };
  friend class CallScan;

  Change changeBy(const clang::FunctionDecl *F);
  Change changeBy(const clang::Stmt *Call);

  const clang::ASTContext &Context;
  std::map<const clang::FunctionDecl *, Change> Known;
  std::map<std::string, std::map<unsigned, AttributeLoss>> Found; ///< by file
};

} // namespace pipeline_rewrite
