/// \file
/// Spelled expressions as parts of others.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <string>

namespace pipeline_rewrite {

inline bool isOfWord(char C) { return llvm::isAlnum(C) || C == '_'; }

/// Is \p Text a name or a number, which nothing beside it can tear apart?
inline bool isWord(llvm::StringRef Text) { return llvm::all_of(Text, isOfWord); }

/// Does one of the words of \p Text, comments and strings included, fit?
inline bool anyWord(llvm::StringRef Text, llvm::function_ref<bool(llvm::StringRef)> Fits) {
  while (!Text.empty()) {
    Text = Text.drop_until(isOfWord);
    llvm::StringRef Word = Text.take_while(isOfWord);
    Text = Text.drop_front(Word.size());
    if (!Word.empty() && Fits(Word))
      return true;
  }
  return false;
}

/// \p Text, in parentheses unless it is a word.
inline std::string parenthesised(llvm::StringRef Text) {
  return isWord(Text) ? Text.str() : "(" + Text.str() + ")";
}

} // namespace pipeline_rewrite
