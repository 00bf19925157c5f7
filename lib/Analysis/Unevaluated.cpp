#include "Analysis/LoopText.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

struct Mention {
  const DeclRefExpr *Name;
  bool OfType;   ///< asks what it is declared as: a reference is none
  bool InClass;  ///< in a member of a local class, which sees no reference
  bool InValue;  ///< in an initialiser, which other text may be made of
  bool InArgument; ///< of a template, for which no slot is constant enough
  bool InLambda; ///< in one that does not capture by reference whatever it names
};

/// Where a variable is named without being evaluated there.
class MentionFinder : public RecursiveASTVisitor<MentionFinder> {
public:
  explicit MentionFinder(const Decl *Tile) : Tile(Tile->getCanonicalDecl()) {}
  std::vector<Mention> Found;

  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *E) {
    bool Before = OfType;
    OfType |= E->getKind() != UETT_SizeOf;
    bool Result = inside(Unevaluated, [&] {
      return RecursiveASTVisitor::TraverseUnaryExprOrTypeTraitExpr(E);
    });
    OfType = Before;
    return Result;
  }
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc Loc) {
    bool Before = OfType;
    OfType |= isa<DeclRefExpr>(Loc.getUnderlyingExpr());
    bool Result = inside(Unevaluated, [&] {
      return RecursiveASTVisitor::TraverseDecltypeTypeLoc(Loc);
    });
    OfType = Before;
    return Result;
  }
  bool TraverseTypeOfExprTypeLoc(TypeOfExprTypeLoc Loc) {
    return inside(Unevaluated, [&] {
      return RecursiveASTVisitor::TraverseTypeOfExprTypeLoc(Loc);
    });
  }
  bool TraverseStaticAssertDecl(StaticAssertDecl *D) {
    return inside(Unevaluated, [&] {
      return RecursiveASTVisitor::TraverseStaticAssertDecl(D);
    });
  }
  bool TraverseRequiresExpr(RequiresExpr *E) {
    return inside(Unevaluated, [&] {
      return RecursiveASTVisitor::TraverseRequiresExpr(E);
    });
  }
  bool TraverseVarDecl(VarDecl *D) {
    return inside(Values, [&] { return RecursiveASTVisitor::TraverseVarDecl(D); });
  }
  bool TraverseCXXRecordDecl(CXXRecordDecl *D) {
    return inside(Classes, [&] {
      return RecursiveASTVisitor::TraverseCXXRecordDecl(D);
    });
  }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &Argument) {
    return inside(Arguments, [&] {
      return RecursiveASTVisitor::TraverseTemplateArgumentLoc(Argument);
    });
  }
  bool TraverseLambdaExpr(LambdaExpr *E) {
    auto Traverse = [&] { return RecursiveASTVisitor::TraverseLambdaExpr(E); };
    return E->getCaptureDefault() == LCD_ByRef ? Traverse() : inside(Lambdas, Traverse);
  }
  /// What a capture is initialised with is no part of the lambda.
  bool TraverseLambdaCapture(LambdaExpr *E, const LambdaCapture *Capture, Expr *Init) {
    unsigned Inside = E->getCaptureDefault() != LCD_ByRef;
    Lambdas -= Inside;
    bool Result = RecursiveASTVisitor::TraverseLambdaCapture(E, Capture, Init);
    Lambdas += Inside;
    return Result;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    if (Ref->getDecl()->getCanonicalDecl() == Tile &&
        (Unevaluated || Classes || Arguments || Lambdas))
      Found.push_back({Ref, OfType, Classes && !Unevaluated, Values != 0,
                       Arguments && !Unevaluated, Lambdas && !Unevaluated});
    return true;
  }

private:
  template <typename Callback> bool inside(unsigned &Depth, Callback &&Traverse) {
    ++Depth;
    bool Result = Traverse();
    --Depth;
    return Result;
  }

  const Decl *Tile;
  unsigned Unevaluated = 0, Classes = 0, Values = 0, Arguments = 0, Lambdas = 0;
  bool OfType = false;
};

/// Is what stands at \p At printed where no slot is bound to the tile's name?
bool isSpelledElsewhere(const LoopFacts &Facts, TextRange At) {
  bool Found = false;
  for (const Node &N : Facts.Body)
    forEachNode(N, [&](const Node &Each) {
      Found |= Each.Kind == NodeKind::Loop && Each.Header.contains(At);
      // A step of the copy may leave its statement's place.
      Found |= Each.Effects.empty() && Each.Range.contains(At) &&
               llvm::any_of(Each.Refs, [&](const VarRef &R) {
                 return R.Write && Facts.Variables[R.Var].Scope != VarScope::Body;
               });
    });
  return Found;
}

/// Enters one mention of \p S.
void place(const Mention &M, SharedVariable &S, LoopFacts &Facts,
           llvm::ArrayRef<TextRange> Others, const SourceText &Text) {
  std::optional<TextRange> Token = Text.token(M.Name->getLocation());
  TextRange At = Token ? *Token : Text.covering(M.Name->getSourceRange());
  auto Holds = [&](TextRange Range) { return Range.contains(At); };
  bool InBody = Facts.BodyRange.contains(At);
  bool OfShared = llvm::any_of(Facts.Shared, [&](const SharedVariable &Other) {
    return Holds(Other.DeclRange);
  });
  if (InBody && Token && !M.InValue && !isSpelledElsewhere(Facts, At))
    return;
  bool Own = Holds(S.DeclRange);
  if (Own && (!Token || S.DeclaredInLoop)) {
    S.Escapes = true;
    S.EscapeWhat = "its own declaration names it";
  }
  bool Edit = Token && !InBody && !Holds(Facts.LoopText) && !llvm::any_of(Others, Holds);
  if (Edit && (Own || (!M.InValue && !OfShared))) {
    S.Unevaluated.push_back(At);
    if (!Own)
      return;
  }
  // A name for the first slot, from the declaration on.
  S.MentionedBefore = true;
  Facts.NeedsOwnScope |= S.DeclaredInLoop;
}

} // namespace

void describeUnevaluated(LoopFacts &Facts, const BarrierLoop &Loop,
                         llvm::ArrayRef<const Stmt *> OtherKLoops,
                         const TreeContext &Tree) {
  std::vector<TextRange> Others;
  for (const Stmt *Other : OtherKLoops)
    Others.push_back(Tree.Text.covering(Other->getSourceRange()));
  for (SharedVariable &S : Facts.Shared) {
    MentionFinder Finder(Tree.Tables.roots()[S.Object].Decl);
    Finder.TraverseStmt(Loop.Function->getBody());
    for (const Mention &M : Finder.Found) {
      bool Escapes = M.InArgument || M.InLambda;
      if (!S.IsStaticArray && !Escapes)
        continue;
      auto [Line, Column] = Tree.Text.lineColumn(M.Name->getLocation());
      if (!S.UseLine)
        std::tie(S.UseLine, S.UseColumn) = std::tie(Line, Column);
      bool Escaped = S.Escapes;
      if (Escapes) {
        S.Escapes = true;
        S.EscapeWhat = M.InArgument
                           ? "it is an argument of a template, where no slot can be named"
                           : "a lambda names it that does not capture by reference "
                             "whatever it names, as it would have to for a slot";
      } else if (M.OfType || M.InClass) {
        S.Escapes = true;
        S.EscapeWhat = M.OfType ? "its declared type is asked for, and would be a "
                                  "reference to a slot"
                                : "a local class uses it";
      } else {
        place(M, S, Facts, Others, Tree.Text);
      }
      if (S.Escapes && !Escaped)
        std::tie(S.EscapeLine, S.EscapeColumn) = std::tie(Line, Column);
    }
  }
}

} // namespace pipeline_rewrite
