/// \file
/// Where files name a kernel in text that the compiler skips: a branch of `#if`
/// that was not taken, an argument that its macro drops, a macro that is used there.
#pragma once

#include "Analysis/TextRange.h"
#include "clang/AST/ASTContext.h"
#include <memory>
#include <string>
#include <vector>

namespace pipeline_rewrite {

struct HiddenMention {
  std::string File;
  unsigned Line = 0, Column = 0;
};

/// A name, where it stands for what is looked for.
struct SoughtName {
  std::string Name;
  std::string File; ///< empty: everywhere; else in Scope of this file
  TextRange Scope;
};

/// The identifiers of a translation unit's own files that no part of the syntax
/// tree comes from. System headers, comments, strings, explicit instantiations
/// and directives other than `#define` do not count; files that are included in
/// skipped text do. A name that a macro glues together of its arguments alone is
/// not seen.
class HiddenMentions {
public:
  explicit HiddenMentions(clang::ASTContext &Context);
  ~HiddenMentions();

  /// Those that spell one of \p Names, or a macro that may expand to one.
  std::vector<HiddenMention> of(const std::vector<SoughtName> &Names) const;

private:
  struct State;
  std::unique_ptr<State> S;
};

} // namespace pipeline_rewrite
