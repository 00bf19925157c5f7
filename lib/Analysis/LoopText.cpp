#include "Analysis/LoopText.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// Tokens of a file with their places.
class TokenReader {
public:
  TokenReader(llvm::StringRef Buffer, unsigned From, const LangOptions &Options)
      : Buffer(Buffer), Raw(SourceLocation(), Options, Buffer.begin(),
                            Buffer.begin() + From, Buffer.end()) {
    next();
  }

  Token T;
  unsigned Begin = 0, End = 0;

  void next() {
    Raw.LexFromRawLexer(T);
    End = Raw.getBufferLocation() - Buffer.begin();
    Begin = End - T.getLength();
  }
  bool atEnd() const { return T.is(tok::eof); }
  llvm::StringRef word() const {
    return T.is(tok::raw_identifier) ? T.getRawIdentifier() : llvm::StringRef();
  }

private:
  llvm::StringRef Buffer;
  Lexer Raw;
};

/// Reads past a directive. \returns where it ends, or nothing if it is no pragma.
std::optional<unsigned> pragmaDirective(TokenReader &Tokens) {
  Tokens.next();
  bool Pragma = Tokens.word() == "pragma" && !Tokens.T.isAtStartOfLine();
  unsigned End = Tokens.End;
  while (!Tokens.atEnd() && !Tokens.T.isAtStartOfLine()) {
    End = Tokens.End;
    Tokens.next();
  }
  return Pragma ? std::optional(End) : std::nullopt;
}

/// Reads past `NAME` or `NAME(...)`.
unsigned pragmaMacro(TokenReader &Tokens) {
  unsigned End = Tokens.End, Depth = 0;
  Tokens.next();
  while (!Tokens.atEnd() && (Depth || Tokens.T.is(tok::l_paren))) {
    Depth += Tokens.T.is(tok::l_paren);
    Depth -= Tokens.T.is(tok::r_paren);
    End = Tokens.End;
    Tokens.next();
    if (!Depth)
      break;
  }
  return End;
}

bool isPlaceWord(llvm::StringRef Word) {
  static constexpr llvm::StringRef Words[] = {
      "__LINE__",         "__COUNTER__",      "__FILE__",
      "__FILE_NAME__",    "__BASE_FILE__",    "__TIMESTAMP__",
      "__builtin_LINE",   "__builtin_COLUMN", "__builtin_FILE",
      "__builtin_FILE_NAME"};
  return llvm::is_contained(Words, Word);
}

/// Where a call is told where it stands, by itself or by a default argument.
SourceLocation findSourceLocation(const Stmt *S) {
  if (!S)
    return {};
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(S))
    return findSourceLocation(Default->getExpr()).isValid()
               ? Default->getUsedLocation()
               : SourceLocation();
  if (isa<SourceLocExpr>(S))
    return S->getBeginLoc();
  SourceLocation Found;
  if (const auto *Decls = dyn_cast<DeclStmt>(S))
    for (const Decl *D : Decls->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D); Var && Found.isInvalid())
        Found = findSourceLocation(Var->getInit());
  for (const Stmt *Child : S->children())
    if (Found.isInvalid())
      Found = findSourceLocation(Child);
  return Found;
}

class BodyNames : public RecursiveASTVisitor<BodyNames> {
public:
  BodyNames(TextRange Body, TextRange Own, const SourceText &Text)
      : Body(Body), Own(Own), Text(Text) {}
  bool Found = false;

  bool VisitDeclRefExpr(DeclRefExpr *Ref) { return note(Ref->getDecl()); }
  bool VisitTagTypeLoc(TagTypeLoc Loc) { return note(Loc.getDecl()); }
  bool VisitTypedefTypeLoc(TypedefTypeLoc Loc) {
    return note(Loc.getTypedefNameDecl());
  }

private:
  bool note(const Decl *D) {
    unsigned At = Text.offset(D->getLocation());
    Found |= Text.inFile(D->getLocation()) && Body.contains({At, At}) &&
             !Own.contains({At, At});
    return true;
  }

  TextRange Body, Own;
  const SourceText &Text;
};

} // namespace

TextRange pragmasBefore(const SourceText &Text, unsigned From, unsigned Loop,
                        const LangOptions &Options, const MacroTable &Macros) {
  TextRange Found;
  TokenReader Tokens(Text.buffer(), From, Options);
  while (!Tokens.atEnd() && Tokens.Begin < Loop) {
    unsigned Begin = Tokens.Begin;
    std::optional<unsigned> End;
    std::string Word = Tokens.word().str();
    if (Tokens.T.is(tok::hash) && Tokens.T.isAtStartOfLine())
      End = pragmaDirective(Tokens);
    else if (Word == "_Pragma" || Macros.expandsTo(Word, "_Pragma"))
      End = pragmaMacro(Tokens);
    else
      Tokens.next();
    if (!End)
      Found = {};
    else
      Found = {Found.empty() ? Begin : Found.Begin, *End};
  }
  return Found;
}

void describePlaceWords(LoopFacts &Facts, const Stmt *Loop, const SourceText &Text,
                        const LangOptions &Options, const MacroTable &Macros) {
  for (const Word &W : wordsOf(Text.text(Facts.LoopText), Options)) {
    std::set<std::string> Words{W.Text};
    Macros.addExpansions(Words);
    if (llvm::none_of(Words, [](const std::string &Each) {
          return isPlaceWord(Each);
        }))
      continue;
    llvm::StringRef Before = Text.buffer().take_front(Facts.LoopText.Begin + W.Offset);
    Facts.PlaceWord = W.Text;
    Facts.PlaceLine = Before.count('\n') + 1;
    Facts.PlaceColumn = Before.size() - (Before.rfind('\n') + 1) + 1;
    return;
  }
  SourceLocation Place = findSourceLocation(Loop);
  if (Place.isInvalid())
    return;
  Facts.PlaceWord = "__builtin_LINE";
  std::tie(Facts.PlaceLine, Facts.PlaceColumn) = Text.lineColumn(Place);
}

bool namesDeclarationsOf(const DeclStmt *S, TextRange Body, const SourceText &Text) {
  BodyNames Names(Body, Text.covering(S->getSourceRange()), Text);
  Names.TraverseStmt(const_cast<DeclStmt *>(S));
  return Names.Found;
}

} // namespace pipeline_rewrite
