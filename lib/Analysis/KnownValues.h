/// \file
/// Values of expressions, where the source or `--assume` tells them. For
/// figures in reports only: nothing that is legal or emitted depends on them.
#pragma once

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <optional>
#include <string>

namespace pipeline_rewrite {

class KnownValues {
public:
  /// \param Assumed by name: parameters, template parameters, `blockDim.x`.
  explicit KnownValues(const clang::ASTContext &Context,
                       std::map<std::string, int64_t> Assumed = {})
      : Context(Context), Assumed(std::move(Assumed)) {}

  /// Says of a local variable that it keeps the value it is initialised with;
  /// const and constexpr ones do anyway.
  using IsFixed = llvm::function_ref<bool(const clang::VarDecl *)>;

  /// An integer's value. What the source itself tells goes before an assumption.
  std::optional<int64_t> valueOf(const clang::Expr *E, IsFixed Fixed) const;

  /// Iterations of a loop over a counter that only its header changes.
  std::optional<uint64_t> tripsOf(const clang::ForStmt *For, IsFixed Fixed) const;

  /// Bytes of a type whose array extents are known.
  std::optional<uint64_t> bytesOf(clang::QualType Type) const;

private:
  std::optional<int64_t> named(const std::string &Name) const;
  std::optional<int64_t> variable(const clang::ValueDecl *D, IsFixed Fixed,
                                  unsigned Depth) const;
  std::optional<int64_t> value(const clang::Expr *E, IsFixed Fixed,
                               unsigned Depth) const;

  const clang::ASTContext &Context;
  std::map<std::string, int64_t> Assumed;
};

} // namespace pipeline_rewrite
