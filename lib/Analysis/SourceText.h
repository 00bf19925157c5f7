/// \file
/// Clang source locations as byte ranges of one file.
#pragma once

#include "Analysis/Facts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include <optional>

namespace pipeline_rewrite {

/// The text of one file, addressed by AST nodes.
class SourceText {
public:
  SourceText(const clang::SourceManager &SM, const clang::LangOptions &LO,
             clang::FileID File)
      : SM(SM), LO(LO), File(File) {}

  /// The range an edit may replace, or none if \p Range starts or ends inside
  /// a macro body or lies in another file.
  std::optional<TextRange> editable(clang::SourceRange Range) const;

  /// Like editable(), but widened to the whole macro invocation where needed.
  TextRange covering(clang::SourceRange Range) const;

  /// covering() of a statement, with its semicolon and a comment that follows
  /// on the same line.
  TextRange statement(const clang::Stmt *S) const;

  /// The token at \p Loc if it is spelled in this file outside macro bodies.
  std::optional<TextRange> token(clang::SourceLocation Loc) const;

  /// The text of what an edit may replace; empty if there is none.
  std::string spelled(clang::SourceRange Range) const {
    std::optional<TextRange> Place = editable(Range);
    return Place ? text(*Place).str() : std::string();
  }

  llvm::StringRef text(TextRange Range) const {
    return buffer().substr(Range.Begin, Range.End - Range.Begin);
  }
  llvm::StringRef buffer() const { return SM.getBufferData(File); }
  std::pair<unsigned, unsigned> lineColumn(clang::SourceLocation Loc) const;
  unsigned offset(clang::SourceLocation Loc) const {
    return SM.getFileOffset(SM.getExpansionLoc(Loc));
  }
  bool inFile(clang::SourceLocation Loc) const {
    return SM.getFileID(SM.getExpansionLoc(Loc)) == File;
  }
  const clang::SourceManager &sourceManager() const { return SM; }

private:
  unsigned pastTrailingComment(unsigned Offset) const;

  const clang::SourceManager &SM;
  const clang::LangOptions &LO;
  clang::FileID File;
};

/// The text of the file that \p Loc is expanded in.
SourceText textAt(clang::SourceLocation Loc, const clang::ASTContext &Context);

/// The line of \p Buffer around \p Offset, with those that backslashes join to it.
TextRange lineAround(llvm::StringRef Buffer, size_t Offset);

/// \p Text as two people who format differently would agree on.
std::string withoutSpaces(llvm::StringRef Text);

} // namespace pipeline_rewrite
