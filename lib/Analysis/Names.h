/// \file
/// Names and words that stand in the text of a function or come out of its macros.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// The macros of a translation unit, by name.
class MacroTable {
public:
  explicit MacroTable(const clang::Preprocessor &PP);

  /// Adds the name of every macro.
  void addNames(std::set<std::string> &Names) const;
  /// Adds to \p Words what those of them that are macros expand to, and so on.
  void addExpansions(std::set<std::string> &Words) const;

  /// Is \p Name a macro whose text, all macros expanded, holds \p Word?
  bool expandsTo(const std::string &Name, const std::string &Word) const;

  /// Does \p Name stand for the same text, a macro's or its own, from \p Loc to the
  /// end of the file?
  bool isSteadyFrom(const std::string &Name, clang::SourceLocation Loc,
                    const clang::SourceManager &SM) const;

  /// Is \p Name a macro that makes names of parts of names (`##`)?
  bool pastes(const std::string &Name) const { return Pasting.count(Name) != 0; }

private:
  std::set<std::string> Pasting;
  /// Words of every body that the name ever had.
  std::map<std::string, std::set<std::string>> Bodies;
  /// Where the name was defined or undefined last; invalid: in no file.
  std::map<std::string, clang::SourceLocation> LastChanges;
};

/// A word of the source with its place in the text.
struct Word {
  std::string Text;
  unsigned Offset = 0;
};

/// The identifiers and keywords of \p Text, in order, comments left out.
std::vector<Word> wordsOf(llvm::StringRef Text, const clang::LangOptions &Options);

/// What no new name in \p F may be, sorted. A new name must not hide what the
/// function means, nor be hidden or replaced itself.
std::vector<std::string> namesToAvoid(const clang::FunctionDecl *F,
                                      llvm::StringRef File,
                                      const MacroTable &Macros);

} // namespace pipeline_rewrite
