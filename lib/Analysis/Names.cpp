#include "Analysis/Names.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"

using namespace clang;

namespace pipeline_rewrite {

MacroTable::MacroTable(const Preprocessor &PP) {
  for (const auto &Entry : PP.macros()) {
    const IdentifierInfo *Name = Entry.first;
    std::set<std::string> &Body = Bodies[Name->getName().str()];
    if (const MacroDirective *Last = PP.getLocalMacroDirectiveHistory(Name))
      LastChanges[Name->getName().str()] = Last->getLocation();
    // What was defined once may have been expanded before it was undefined.
    for (const MacroDirective *D = PP.getLocalMacroDirectiveHistory(Name); D;
         D = D->getPrevious()) {
      const auto *Definition = dyn_cast<DefMacroDirective>(D);
      if (!Definition)
        continue;
      for (const Token &T : Definition->getInfo()->tokens()) {
        if (T.is(tok::hashhash))
          Pasting.insert(Name->getName().str());
        if (const IdentifierInfo *Word = T.getIdentifierInfo())
          Body.insert(Word->getName().str());
      }
    }
  }
}

void MacroTable::addNames(std::set<std::string> &Names) const {
  for (const auto &Entry : Bodies)
    Names.insert(Entry.first);
}

void MacroTable::addExpansions(std::set<std::string> &Words) const {
  std::vector<std::string> Open(Words.begin(), Words.end());
  while (!Open.empty()) {
    auto Found = Bodies.find(Open.back());
    Open.pop_back();
    if (Found == Bodies.end())
      continue;
    for (const std::string &Word : Found->second)
      if (Words.insert(Word).second)
        Open.push_back(Word);
  }
}

bool MacroTable::expandsTo(const std::string &Name, const std::string &Word) const {
  if (!Bodies.count(Name))
    return false;
  std::set<std::string> Words{Name};
  addExpansions(Words);
  return Words.count(Word) != 0;
}

bool MacroTable::isSteadyFrom(const std::string &Name, SourceLocation Loc,
                              const SourceManager &SM) const {
  auto Last = LastChanges.find(Name);
  return Last == LastChanges.end() || Last->second.isInvalid() ||
         SM.isBeforeInTranslationUnit(Last->second, Loc);
}

std::vector<Word> wordsOf(llvm::StringRef Text, const LangOptions &Options) {
  std::vector<Word> Words;
  // The lexer wants a zero at the end.
  std::string Copy = Text.str();
  const char *Begin = Copy.data(), *End = Begin + Copy.size();
  Lexer Raw(SourceLocation(), Options, Begin, Begin, End);
  Token T;
  for (Raw.LexFromRawLexer(T); T.isNot(tok::eof); Raw.LexFromRawLexer(T))
    if (T.is(tok::raw_identifier))
      Words.push_back({T.getRawIdentifier().str(),
                       unsigned(Raw.getBufferLocation() - Begin) - T.getLength()});
  return Words;
}

namespace {

/// Everything that a function declares or refers to, wherever it is spelled.
class NameCollector : public RecursiveASTVisitor<NameCollector> {
public:
  explicit NameCollector(std::set<std::string> &Names) : Names(Names) {}
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitNamedDecl(NamedDecl *D) { return add(D->getDeclName()); }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    return add(Ref->getDecl()->getDeclName());
  }
  bool VisitOverloadExpr(OverloadExpr *Lookup) { return add(Lookup->getName()); }
  bool VisitTagTypeLoc(TagTypeLoc Loc) {
    return add(Loc.getDecl()->getDeclName());
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc Loc) {
    return add(Loc.getTypedefNameDecl()->getDeclName());
  }
  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc Loc) {
    const TemplateDecl *D =
        Loc.getTypePtr()->getTemplateName().getAsTemplateDecl();
    return !D || add(D->getDeclName());
  }

private:
  bool add(DeclarationName Name) {
    if (Name.isIdentifier() && Name.getAsIdentifierInfo())
      Names.insert(Name.getAsIdentifierInfo()->getName().str());
    return true;
  }

  std::set<std::string> &Names;
};

} // namespace

std::vector<std::string> namesToAvoid(const FunctionDecl *F, llvm::StringRef File,
                                      const MacroTable &Macros) {
  const ASTContext &Context = F->getASTContext();
  std::set<std::string> Names;
  for (Word &W : wordsOf(File, Context.getLangOpts()))
    Names.insert(std::move(W.Text));
  Macros.addExpansions(Names);
  Macros.addNames(Names);
  NameCollector(Names).TraverseDecl(const_cast<FunctionDecl *>(F));
  // New functions at file scope are named after the kernel: a header may have
  // taken the name without the kernel referring to it.
  std::string Own = F->getNameAsString() + "_";
  for (const auto &Entry : Context.Idents)
    if (Entry.getKey().starts_with(Own))
      Names.insert(Entry.getKey().str());
  return {Names.begin(), Names.end()};
}

} // namespace pipeline_rewrite
