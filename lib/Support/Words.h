/// \file
/// Spelled expressions as parts of others.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <string>

namespace pipeline_rewrite {

/// Is \p Text a name or a number, which nothing beside it can tear apart?
inline bool isWord(llvm::StringRef Text) {
  return llvm::all_of(Text, [](char C) { return llvm::isAlnum(C) || C == '_'; });
}

/// \p Text, in parentheses unless it is a word.
inline std::string parenthesised(llvm::StringRef Text) {
  return isWord(Text) ? Text.str() : "(" + Text.str() + ")";
}

} // namespace pipeline_rewrite
