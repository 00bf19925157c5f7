/// \file
/// Where a launch stands: its statement, and how the file checks errors.
#pragma once

#include "Analysis/LaunchFacts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// One step from the translation unit down to a node: a statement or a
/// declaration.
struct AstStep {
  const clang::Stmt *Statement = nullptr;
  const clang::Decl *Declaration = nullptr;
};

/// The name of what \p Call calls, also where only the name is known yet.
llvm::StringRef calleeName(const clang::CallExpr *Call);

/// \p F as it is written: a template and its instantiations are one.
const clang::FunctionDecl *patternOf(const clang::FunctionDecl *F);

/// The function around the last step of \p Path, as it is written; or null.
const clang::FunctionDecl *functionAround(const std::vector<AstStep> &Path);

/// The author's ways of checking what a CUDA call returns.
class ErrorCheckers {
public:
  explicit ErrorCheckers(clang::ASTContext &Context) : Context(Context) {}

  /// Notes what stands around \p Call, the last step of \p Path.
  void note(const clang::CallExpr *Call, const std::vector<AstStep> &Path);

  /// The macro or function that the file of \p At uses most, of those that can be
  /// used there; empty if none.
  /// \p Around the function there: a macro that returns fits where it is used.
  std::string at(clang::SourceLocation At, const clang::FunctionDecl *Around) const;

private:
  struct Use {
    unsigned Count = 0;
    clang::SourceLocation First; ///< from where on it can be used
    bool Returns = false;        ///< leaves the function on an error
    std::set<const clang::FunctionDecl *> In; ///< where it is used
  };
  void noteMacro(const clang::CallExpr *Call, const clang::FunctionDecl *Around);

  clang::ASTContext &Context;
  Use &useOf(clang::SourceLocation At, llvm::StringRef Name);

  std::map<std::pair<clang::FileID, std::string>, Use> Uses;
};

/// Fills Statement, Block, Unconditional, Function and Loops of \p Site, whose
/// Kind is known and whose call is the step \p Index of \p Path. Sets Obstacle where there is no statement to edit.
void describePlace(LaunchSite &Site, const std::vector<AstStep> &Path,
                   size_t Index, const clang::ASTContext &Context);

} // namespace pipeline_rewrite
