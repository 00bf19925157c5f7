/// \file
/// Which objects an lvalue or a pointer can name, within one function.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace pipeline_rewrite {

/// One object: a variable, or what a pointer parameter (or a pointer member of
/// one) points to.
struct Root {
  enum class Kind { Private, Shared, Global, Constant, Unknown };
  Kind Where = Kind::Unknown;
  const clang::ValueDecl *Decl = nullptr; ///< null for Unknown
  std::string Field;     ///< pointer member that was followed, if any
  bool Pointee = false;  ///< what Decl points to, not Decl itself
  bool operator==(const Root &Other) const {
    return Where == Other.Where && Decl == Other.Decl && Field == Other.Field &&
           Pointee == Other.Pointee;
  }
};
using RootSet = llvm::SmallVector<Root, 2>;

/// Adds what is not there yet.
void addRoots(RootSet &To, const RootSet &From);

/// True for threadIdx, blockIdx and their like.
bool isBuiltinIndex(const clang::ValueDecl *D);

/// True for a constant of namespace or class scope: a value, not memory.
bool isNamedConstant(const clang::ValueDecl *D);

/// The structured binding that \p E names, whatever stands around it, or null.
const clang::BindingDecl *namedBinding(const clang::Expr *E);

/// True for a reference to a temporary that lives as long as it does: no other
/// name leads there, so that it is a variable like others.
bool ownsTemporary(const clang::ValueDecl *D);

/// \p D, or of a structured binding the hidden variable that it is a part of.
const clang::ValueDecl *storageOf(const clang::ValueDecl *D);

/// `x` for the `{x}` that a number or a pointer is initialised with, else \p E.
const clang::Expr *withoutBraces(const clang::Expr *E);

/// Strips parentheses and casts of every kind. The name of a structured binding
/// stands for the element or member that it is bound to.
const clang::Expr *stripCasts(const clang::Expr *E);

/// May the type of \p E, an expression of a template, differ between the
/// template's instantiations? An element of what is a plain pointer or array has
/// its type, whatever the index is.
bool isOpenType(const clang::Expr *E);

/// Flow-insensitive points-to sets: a local pointer may name whatever any of
/// its assignments in the function may name.
class MemoryModel {
public:
  MemoryModel(const clang::ASTContext &Context, const clang::FunctionDecl *F);

  RootSet lvalueRoots(const clang::Expr *E);
  RootSet pointerRoots(const clang::Expr *E);
  Root variableRoot(const clang::ValueDecl *D) const;
  /// What the pointer \p D may point to at any time.
  RootSet variablePointees(const clang::ValueDecl *D);

  /// From now on \p D names (an extern array) or points to (a pointer) the object
  /// given for it, and nothing else.
  void setParts(llvm::DenseMap<const clang::ValueDecl *, Root> NewParts) {
    Parts = std::move(NewParts);
  }

  /// Every expression that \p D is initialised or assigned from.
  llvm::ArrayRef<const clang::Expr *> sources(const clang::ValueDecl *D) const;
  /// True if \p D is assigned, incremented or bound after its declaration.
  bool isModified(const clang::ValueDecl *D) const {
    return Modified.contains(D);
  }
  /// True if a reference, a pointer or a lambda may change \p D unseen.
  bool isAddressTaken(const clang::ValueDecl *D) const {
    return AddressTaken.contains(D);
  }
  /// True if the template that \p E was instantiated from leaves its type open.
  bool isTypeOpen(const clang::Expr *E) const {
    return E->isTypeDependent() ||
           OpenTypes.contains({E->getBeginLoc().getRawEncoding(),
                               E->getEndLoc().getRawEncoding()});
  }
  const clang::FunctionDecl *function() const { return F; }

private:
  friend class SourceCollector;
  RootSet memberPointees(const clang::Expr *Base, llvm::StringRef Field);
  RootSet returnedRoots(const clang::FunctionDecl *Callee);
  RootSet callRoots(const clang::CallExpr *Call);

  const clang::ASTContext &Context;
  const clang::FunctionDecl *F;
  llvm::DenseMap<const clang::ValueDecl *,
                 llvm::SmallVector<const clang::Expr *, 2>>
      Sources;
  llvm::DenseMap<const clang::ValueDecl *, Root> Parts;
  llvm::DenseSet<const clang::ValueDecl *> Modified;
  llvm::DenseSet<std::pair<unsigned, unsigned>> OpenTypes;
  llvm::DenseSet<const clang::ValueDecl *> AddressTaken;
  llvm::DenseSet<const clang::ValueDecl *> InProgress;
};

} // namespace pipeline_rewrite
