/// \file
/// What has to be known of a function's body before it may stand elsewhere.
#pragma once

#include "Analysis/Names.h"
#include "Analysis/SourceText.h"
#include "clang/AST/Decl.h"
#include <set>

namespace pipeline_rewrite {

/// A mention that something else takes the place of.
struct BodyMention {
  TextRange Range;
  std::string Name; ///< as it stands there
};

/// The body of a device function, read for one call.
struct CalleeText {
  std::string WhyNot; ///< why it may stand nowhere else; empty: it may
  TextRange Inner;    ///< what is between its braces
  std::vector<std::pair<const clang::ParmVarDecl *, BodyMention>> Parameters;
  /// Of template parameters, by their index.
  std::vector<std::pair<unsigned, BodyMention>> TemplateParameters;
  std::set<std::string> Words;    ///< of it and its parameters' types, macros expanded
  std::set<std::string> Declared; ///< names that it declares
  /// Parameters that it does more with than read their value ...
  std::set<const clang::ValueDecl *> Changed;
  std::set<const clang::ValueDecl *> Measured; ///< ... under sizeof and the like ...
  std::set<const clang::ValueDecl *> InCalls;  ///< ... as a call's argument
};

/// Reads the body of \p Callee (a definition) for a call in \p Caller: every name
/// in it must mean the same there.
CalleeText readCallee(const clang::FunctionDecl *Callee, const clang::FunctionDecl *Caller,
                      const clang::ASTContext &Context, const SourceText &Text,
                      const MacroTable &Macros);

} // namespace pipeline_rewrite
