#include "Analysis/Branches.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using llvm::StringRef;

namespace pipeline_rewrite {

/// The directives of \p Text, without `#`. Those in a comment count as well.
static llvm::SmallVector<StringRef> directivesOf(StringRef Text) {
  llvm::SmallVector<StringRef> Lines, Result;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines) {
    Line = Line.ltrim();
    if (Line.consume_front("#"))
      Result.push_back(Line.ltrim());
  }
  return Result;
}

bool sameBranch(StringRef Between) {
  unsigned Depth = 0;
  for (StringRef Directive : directivesOf(Between)) {
    if (Directive.starts_with("if"))
      ++Depth;
    else if (Depth == 0 &&
             (Directive.starts_with("endif") || Directive.starts_with("el")))
      return false;
    else if (Directive.starts_with("endif"))
      --Depth;
  }
  return Depth == 0;
}

bool changesMacros(StringRef Text) {
  return llvm::any_of(directivesOf(Text), [](StringRef Directive) {
    return Directive.starts_with("define") || Directive.starts_with("undef") ||
           Directive.starts_with("include") || Directive.starts_with("pragma");
  });
}

} // namespace pipeline_rewrite
