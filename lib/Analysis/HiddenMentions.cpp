#include "Analysis/HiddenMentions.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// A token: its file, and the offset there.
using Place = std::pair<const FileEntry *, unsigned>;

/// The places from which the syntax tree has names.
class KnownPlaces : public RecursiveASTVisitor<KnownPlaces> {
  using Base = RecursiveASTVisitor<KnownPlaces>;

public:
  explicit KnownPlaces(const ASTContext &Context)
      : SM(Context.getSourceManager()) {}

  bool contains(const Place &P) const { return Places.count(P) != 0; }

  bool TraverseDecl(Decl *D) {
    if (!D || (D->getLocation().isValid() &&
               SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation()))))
      return true;
    return Base::TraverseDecl(D);
  }
  bool VisitNamedDecl(NamedDecl *D) { return note(D->getLocation()); }
  bool VisitUsingDirectiveDecl(UsingDirectiveDecl *D) {
    return note(D->getIdentLocation());
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) { return note(E->getLocation()); }
  bool VisitOverloadExpr(OverloadExpr *E) { return note(E->getNameLoc()); }
  bool VisitMemberExpr(MemberExpr *E) { return note(E->getMemberLoc()); }
  bool VisitDependentScopeDeclRefExpr(DependentScopeDeclRefExpr *E) {
    return note(E->getLocation());
  }
  bool VisitCXXDependentScopeMemberExpr(CXXDependentScopeMemberExpr *E) {
    return note(E->getMemberLoc());
  }
  bool VisitSizeOfPackExpr(SizeOfPackExpr *E) { return note(E->getPackLoc()); }
  bool VisitLambdaExpr(LambdaExpr *E) {
    for (const LambdaCapture &Capture : E->captures())
      note(Capture.getLocation());
    return true;
  }
  bool VisitLabelStmt(LabelStmt *S) { return note(S->getIdentLoc()); }
  bool VisitGotoStmt(GotoStmt *S) { return note(S->getLabelLoc()); }
  bool VisitOffsetOfExpr(OffsetOfExpr *E) {
    for (unsigned I = 0; I < E->getNumComponents(); ++I)
      note(E->getComponent(I).getEndLoc());
    return true;
  }
  bool VisitDesignatedInitExpr(DesignatedInitExpr *E) {
    for (const auto &D : E->designators())
      if (D.isFieldDesignator())
        note(D.getFieldLoc());
    return true;
  }
  bool VisitTypeLoc(TypeLoc T) {
    if (auto Template = T.getAs<TemplateSpecializationTypeLoc>())
      note(Template.getTemplateNameLoc());
    else if (auto Dependent = T.getAs<DependentTemplateSpecializationTypeLoc>())
      note(Dependent.getTemplateNameLoc());
    else if (auto Name = T.getAs<DependentNameTypeLoc>())
      note(Name.getNameLoc());
    else if (auto Spec = T.getAs<TypeSpecTypeLoc>())
      note(Spec.getNameLoc());
    return true;
  }
  bool TraverseConstructorInitializer(CXXCtorInitializer *I) {
    note(I->getSourceLocation());
    return Base::TraverseConstructorInitializer(I);
  }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc N) {
    if (N)
      note(N.getLocalBeginLoc());
    return Base::TraverseNestedNameSpecifierLoc(N);
  }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &A) {
    if (A.getArgument().getKind() == TemplateArgument::Template)
      note(A.getTemplateNameLoc());
    return Base::TraverseTemplateArgumentLoc(A);
  }

private:
  /// The token itself, and the names of the macros that it comes through.
  bool note(SourceLocation Loc) {
    if (Loc.isInvalid() || !Seen.insert(Loc).second)
      return true;
    if (Loc.isFileID()) {
      auto [File, Offset] = SM.getDecomposedLoc(Loc);
      Places.insert({SM.getFileEntryForID(File), Offset});
      return true;
    }
    note(SM.getImmediateSpellingLoc(Loc));
    return note(SM.getImmediateExpansionRange(Loc).getBegin());
  }

  const SourceManager &SM;
  std::set<SourceLocation> Seen;
  std::set<Place> Places;
};

/// The identifiers of files, as they are spelled.
class Spellings {
public:
  struct File {
    std::string Path;
    const FileEntry *Entry;
    llvm::StringRef Text;
  };
  struct Mention {
    const File *In;
    unsigned At;
  };

  explicit Spellings(ASTContext &Context)
      : SM(Context.getSourceManager()), Options(Context.getLangOpts()) {
    for (unsigned I = 0; I < SM.local_sloc_entry_size(); ++I) {
      const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
      if (!Entry.isFile() ||
          SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()))
        continue;
      const SrcMgr::ContentCache &Content = Entry.getFile().getContentCache();
      if (!Content.OrigEntry)
        continue;
      FileID Id = SM.translateFile(*Content.OrigEntry);
      if (std::optional<llvm::StringRef> Text = SM.getBufferDataOrNone(Id))
        read(Content.OrigEntry->getName(), *Content.OrigEntry, *Text);
    }
    readIncluded();
  }

  /// What a macro is made of.
  struct Body {
    std::set<std::string> Names;
    bool Pastes = false; ///< glues names with `##`
    bool leadsTo(llvm::StringRef Name) const {
      return llvm::any_of(Names, [&](llvm::StringRef Part) {
        bool Glued = Pastes && Part.size() > 2 &&
                     (Name.starts_with(Part) || Name.ends_with(Part));
        return Glued || Part == Name;
      });
    }
  };

  /// The names and numbers among the arguments of the macro that is used at \p M.
  std::set<std::string> arguments(const Mention &M) const {
    std::set<std::string> Found;
    llvm::StringRef Text = M.In->Text;
    Lexer Lex(SourceLocation(), Options, Text.begin(), Text.begin() + M.At, Text.end());
    Token T;
    Lex.LexFromRawLexer(T);
    Lex.LexFromRawLexer(T);
    for (unsigned Depth = 0; T.isNot(tok::eof); Lex.LexFromRawLexer(T)) {
      Depth += T.is(tok::l_paren);
      Depth -= T.is(tok::r_paren) && Depth;
      if (Depth == 0)
        break;
      if (T.is(tok::raw_identifier))
        Found.insert(nameOf(T));
      else if (T.is(tok::numeric_constant))
        Found.insert(std::string(T.getLiteralData(), T.getLength()));
    }
    return Found;
  }

  std::map<std::string, std::vector<Mention>> Mentions; ///< by identifier
  std::map<std::string, Body> Macros;

private:
  /// In skipped text files are included that nobody opened.
  void readIncluded() {
    while (!Included.empty()) {
      std::string Path = std::move(Included.back());
      Included.pop_back();
      OptionalFileEntryRef Entry = SM.getFileManager().getOptionalFileRef(Path);
      if (!Entry || Read.count(&Entry->getFileEntry()))
        continue;
      auto Buffer = SM.getFileManager().getBufferForFile(*Entry);
      if (!Buffer)
        continue;
      Kept.push_back(std::move(*Buffer));
      read(Path, *Entry, Kept.back()->getBuffer());
    }
  }

  void read(llvm::StringRef Path, FileEntryRef Entry, llvm::StringRef Text) {
    if (!Read.insert(&Entry.getFileEntry()).second)
      return;
    Dead = 0;
    Files.push_back(std::make_unique<File>(
        File{Path.str(), &Entry.getFileEntry(), Text}));
    Lexer Lex(SourceLocation(), Options, Text.begin(), Text.begin(), Text.end());
    Token T;
    Lex.LexFromRawLexer(T);
    for (tok::TokenKind Last = tok::semi; T.isNot(tok::eof);) {
      if (T.is(tok::hash) && T.isAtStartOfLine()) {
        readDirective(Lex, T);
        continue;
      }
      bool Behind = Last == tok::period || Last == tok::arrow || Last == tok::coloncolon;
      Last = T.getKind();
      if (T.isNot(tok::raw_identifier)) {
        Lex.LexFromRawLexer(T);
        continue;
      }
      std::string Name = nameOf(T);
      unsigned At = Lex.getCurrentBufferOffset() - T.getLength();
      Lex.LexFromRawLexer(T);
      if (Name == "template" && !Behind && T.isNot(tok::less))
        skipInstantiation(Lex, T);
      else if (!Dead)
        Mentions[Name].push_back({Files.back().get(), At});
    }
  }

  /// An identifier may go on in the next line.
  static std::string nameOf(const Token &T) {
    std::string Name;
    for (char C : T.getRawIdentifier())
      if (C != '\\' && C != '\n' && C != '\r')
        Name += C;
    return Name;
  }

  /// `template __global__ void sum<64>(...);` is no use.
  static void skipInstantiation(Lexer &Lex, Token &T) {
    while (T.isNot(tok::eof) && T.isNot(tok::semi) && T.isNot(tok::l_brace) &&
           !(T.is(tok::hash) && T.isAtStartOfLine()))
      Lex.LexFromRawLexer(T);
  }

  /// From `#` to the first token of the next line that is no continuation.
  void readDirective(Lexer &Lex, Token &T) {
    std::vector<Token> Line;
    for (Lex.LexFromRawLexer(T); T.isNot(tok::eof) && !T.isAtStartOfLine();
         Lex.LexFromRawLexer(T))
      Line.push_back(T);
    if (Line.empty() || Line[0].isNot(tok::raw_identifier))
      return;
    llvm::StringRef Kind = Line[0].getRawIdentifier();
    noteBranch(Kind, Line);
    if (Dead || Line.size() < 2)
      return;
    if (Kind == "define" && Line[1].is(tok::raw_identifier)) {
      Body &Macro = Macros[nameOf(Line[1])];
      for (const Token &Part : llvm::drop_begin(Line, 2)) {
        Macro.Pastes |= Part.is(tok::hashhash);
        if (Part.is(tok::raw_identifier))
          Macro.Names.insert(nameOf(Part));
      }
    }
    if (Kind == "include" && Line[1].is(tok::string_literal)) {
      llvm::SmallString<128> Whole = llvm::sys::path::parent_path(Files.back()->Path);
      llvm::StringRef Name(Line[1].getLiteralData(), Line[1].getLength());
      llvm::sys::path::append(Whole, Name.trim('"'));
      Included.push_back(Whole.str().str());
    }
  }

  /// What stands in `#if 0` is compiled by nobody.
  void noteBranch(llvm::StringRef Kind, const std::vector<Token> &Line) {
    auto IsZero = [](const Token &T) {
      return T.is(tok::numeric_constant) &&
             llvm::StringRef(T.getLiteralData(), T.getLength()) == "0";
    };
    if (Kind == "endif")
      Dead -= Dead > 0;
    else if (Kind.starts_with("el"))
      Dead -= Dead == 1;
    else if (Kind.starts_with("if"))
      Dead += Dead > 0 || (Kind == "if" && Line.size() == 2 && IsZero(Line[1]));
  }

  SourceManager &SM;
  const LangOptions &Options;
  std::vector<std::unique_ptr<File>> Files;
  std::set<const FileEntry *> Read;
  unsigned Dead = 0; ///< how deep the text is in `#if 0`
  std::vector<std::string> Included;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> Kept;
};

/// Adds the macros whose bodies lead to \p Name.
void addMacros(const std::string &Name, const Spellings &Files,
               std::set<std::string> &Names) {
  for (const auto &[Macro, Body] : Files.Macros)
    if (Body.leadsTo(Name) && Names.insert(Macro).second)
      addMacros(Macro, Files, Names);
}

/// Adds what the macros among \p Parts are made of.
void expandParts(const Spellings &Files, std::set<std::string> &Parts) {
  for (std::vector<std::string> Open(Parts.begin(), Parts.end()); !Open.empty();) {
    auto Macro = Files.Macros.find(Open.back());
    Open.pop_back();
    if (Macro == Files.Macros.end())
      continue;
    for (const std::string &Name : Macro->second.Names)
      if (Parts.insert(Name).second)
        Open.push_back(Name);
  }
}

/// Is \p Name one of \p Parts behind another?
bool isGlued(llvm::StringRef Name, const std::set<std::string> &Parts) {
  std::vector<bool> Reached(Name.size() + 1);
  Reached[0] = true;
  for (size_t At = 0; At < Name.size(); ++At)
    for (const std::string &Part : Parts)
      if (Reached[At] && !Part.empty() && Name.drop_front(At).starts_with(Part))
        Reached[At + Part.size()] = true;
  return Reached[Name.size()];
}

/// Uses of macros that glue names, with arguments that make up \p Name.
std::vector<Spellings::Mention> gluedMentions(const std::string &Name,
                                              const Spellings &Files) {
  std::set<std::string> Gluing;
  for (const auto &[Macro, Body] : Files.Macros)
    if (Body.Pastes && Gluing.insert(Macro).second)
      addMacros(Macro, Files, Gluing);
  std::vector<Spellings::Mention> Found;
  for (const std::string &Macro : Gluing) {
    auto At = Files.Mentions.find(Macro);
    if (At == Files.Mentions.end())
      continue;
    for (const Spellings::Mention &M : At->second) {
      std::set<std::string> Parts = Files.arguments(M);
      if (Parts.empty())
        continue;
      Parts.insert(Macro);
      expandParts(Files, Parts);
      Parts.erase(Name); // spelled out it is found anyway
      if (isGlued(Name, Parts))
        Found.push_back(M);
    }
  }
  return Found;
}

} // namespace

struct HiddenMentions::State {
  explicit State(ASTContext &Context) : Files(Context), Known(Context) {
    Known.TraverseDecl(Context.getTranslationUnitDecl());
  }
  Spellings Files;
  KnownPlaces Known;
};

HiddenMentions::HiddenMentions(ASTContext &Context)
    : S(std::make_unique<State>(Context)) {}
HiddenMentions::~HiddenMentions() = default;

std::vector<HiddenMention>
HiddenMentions::of(const std::vector<SoughtName> &Names) const {
  std::vector<HiddenMention> Result;
  for (const SoughtName &Sought : Names) {
    std::set<std::string> Spelled = {Sought.Name};
    if (Sought.File.empty())
      addMacros(Sought.Name, S->Files, Spelled);
    std::vector<Spellings::Mention> Mentions;
    if (Sought.File.empty())
      Mentions = gluedMentions(Sought.Name, S->Files);
    for (const std::string &Name : Spelled)
      if (auto At = S->Files.Mentions.find(Name); At != S->Files.Mentions.end())
        Mentions.insert(Mentions.end(), At->second.begin(), At->second.end());
    for (const Spellings::Mention &M : Mentions) {
      bool Inside = Sought.File.empty() ||
                    (M.In->Path == Sought.File &&
                     Sought.Scope.contains({M.At, M.At + 1}));
      if (!Inside || S->Known.contains({M.In->Entry, M.At}))
        continue;
      llvm::StringRef Before = M.In->Text.take_front(M.At);
      Result.push_back({M.In->Path, unsigned(Before.count('\n')) + 1,
                        unsigned(M.At - (Before.rfind('\n') + 1)) + 1});
    }
  }
  return Result;
}

} // namespace pipeline_rewrite
