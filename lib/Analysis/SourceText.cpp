#include "Analysis/SourceText.h"
#include "Support/OriginalLines.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace pipeline_rewrite {

std::optional<TextRange> SourceText::editable(SourceRange Range) const {
  if (Range.isInvalid())
    return std::nullopt;
  CharSourceRange Chars = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(Range), SM, LO);
  if (Chars.isInvalid() || SM.getFileID(Chars.getBegin()) != File)
    return std::nullopt;
  return TextRange{SM.getFileOffset(Chars.getBegin()),
                   SM.getFileOffset(Chars.getEnd())};
}

TextRange SourceText::covering(SourceRange Range) const {
  if (std::optional<TextRange> Exact = editable(Range))
    return *Exact;
  CharSourceRange Expanded = SM.getExpansionRange(Range);
  if (Expanded.isInvalid() || SM.getFileID(Expanded.getBegin()) != File)
    return {};
  unsigned End = SM.getFileOffset(Expanded.getEnd());
  if (Expanded.isTokenRange())
    End += Lexer::MeasureTokenLength(Expanded.getEnd(), SM, LO);
  return {SM.getFileOffset(Expanded.getBegin()), End};
}

unsigned SourceText::pastTrailingComment(unsigned Offset) const {
  llvm::StringRef Rest = buffer().substr(Offset);
  size_t Skip = Rest.find_first_not_of(" \t");
  if (Skip == llvm::StringRef::npos)
    return Offset;
  llvm::StringRef Tail = Rest.substr(Skip);
  if (Tail.starts_with("//")) {
    size_t Length = Tail.find_first_of("\r\n");
    return Offset + Skip + (Length == llvm::StringRef::npos ? Tail.size() : Length);
  }
  if (Tail.starts_with("/*")) {
    size_t Close = Tail.find("*/");
    llvm::StringRef Comment = Tail.substr(0, Close + 2);
    if (Close != llvm::StringRef::npos && !Comment.contains('\n'))
      return Offset + Skip + Comment.size();
  }
  return Offset;
}

namespace {

/// The statement that the text of \p S ends with.
const Stmt *lastPart(const Stmt *S) {
  if (const auto *For = dyn_cast<ForStmt>(S))
    return lastPart(For->getBody());
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(S))
    return lastPart(Range->getBody());
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return lastPart(While->getBody());
  if (const auto *If = dyn_cast<IfStmt>(S))
    return lastPart(If->getElse() ? If->getElse() : If->getThen());
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return lastPart(Switch->getBody());
  if (const auto *Label = dyn_cast<LabelStmt>(S))
    return lastPart(Label->getSubStmt());
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    return lastPart(Attributed->getSubStmt());
  return S;
}

} // namespace

TextRange SourceText::statement(const Stmt *S) const {
  TextRange Range = covering(S->getSourceRange());
  if (Range.empty())
    return Range;
  // The AST leaves the ';' of expression statements out; declarations and
  // control statements have theirs already, and a further ';' is none of ours.
  const Stmt *Last = lastPart(S);
  if (isa<Expr>(Last) || isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt,
                             DoStmt, AsmStmt>(Last)) {
    Token Next;
    Lexer Raw(SourceLocation(), LO, buffer().begin(), buffer().begin() + Range.End,
              buffer().end());
    Raw.LexFromRawLexer(Next); // comments may stand before it
    if (Next.is(tok::semi))
      Range.End = Raw.getBufferLocation() - buffer().begin();
  }
  Range.End = pastTrailingComment(Range.End);
  return Range;
}

std::optional<TextRange> SourceText::token(SourceLocation Loc) const {
  return editable(SourceRange(Loc, Loc));
}

std::pair<unsigned, unsigned> SourceText::lineColumn(SourceLocation Loc) const {
  SourceLocation Expansion = SM.getExpansionLoc(Loc);
  PresumedLoc Noted = SM.getPresumedLoc(Expansion);
  if (Noted.isValid() && Noted.getFilename() == OriginalLines)
    return {Noted.getLine(), SM.getSpellingColumnNumber(Expansion)};
  return {SM.getSpellingLineNumber(Expansion),
          SM.getSpellingColumnNumber(Expansion)};
}

TextRange lineAround(llvm::StringRef Buffer, size_t Offset) {
  auto LineOf = [&](size_t At) { return Buffer.take_front(At).find_last_of('\n') + 1; };
  auto Continues = [&](size_t Begin, size_t End) {
    return Buffer.slice(Begin, End).rtrim("\r").ends_with("\\");
  };
  size_t Begin = LineOf(Offset);
  while (Begin > 0 && Continues(LineOf(Begin - 1), Begin - 1))
    Begin = LineOf(Begin - 1);
  size_t End = std::min(Buffer.find('\n', Offset), Buffer.size());
  while (End < Buffer.size() && Continues(LineOf(End), End))
    End = std::min(Buffer.find('\n', End + 1), Buffer.size());
  return {unsigned(Begin), unsigned(End)};
}

SourceText textAt(SourceLocation Loc, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return SourceText(SM, Context.getLangOpts(),
                    SM.getFileID(SM.getExpansionLoc(Loc)));
}

std::string withoutSpaces(llvm::StringRef Text) {
  std::string Result;
  llvm::copy_if(Text, std::back_inserter(Result),
                [](char C) { return !llvm::isSpace(C); });
  return Result;
}

} // namespace pipeline_rewrite
