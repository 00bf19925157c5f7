#include "Analysis/Launches.h"
#include "Analysis/EarlyLaunches.h"
#include "Analysis/LaunchConfig.h"
#include "Analysis/LaunchHelpers.h"
#include "Analysis/LaunchPlaces.h"
#include "Analysis/SourceText.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clang;

namespace pipeline_rewrite {

class UseCollector : public RecursiveASTVisitor<UseCollector> {
  using Base = RecursiveASTVisitor<UseCollector>;

public:
  explicit UseCollector(LaunchTable &Table)
      : Table(Table), Context(Table.Context), SM(Context.getSourceManager()),
        Checkers(Context) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl *D) {
    if (!D || (D->getLocation().isValid() &&
               SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation()))))
      return true;
    Path.push_back({nullptr, D});
    bool Go = Base::TraverseDecl(D);
    Path.pop_back();
    return Go;
  }

  bool TraverseStmt(Stmt *S) {
    if (!S)
      return true;
    Path.push_back({S, nullptr});
    bool Go = Base::TraverseStmt(S);
    Path.pop_back();
    return Go;
  }

  bool VisitStmt(Stmt *) {
    Table.Losses.note(Path);
    return true;
  }

  bool VisitCallExpr(CallExpr *Call) {
    Checkers.note(Call, Path);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    if (const auto *F = dyn_cast<FunctionDecl>(Ref->getDecl())) {
      if (F->hasAttr<CUDAGlobalAttr>())
        use(mention(Ref, F));
    } else if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl())) {
      auto Known = Aliases.find(Var->getCanonicalDecl());
      if (Known == Aliases.end())
        return true;
      Mention M = Known->second;
      M.Ref = Ref;
      M.IsAlias = true;
      use(M);
    }
    return true;
  }

  bool VisitUnresolvedLookupExpr(UnresolvedLookupExpr *Lookup) {
    for (const NamedDecl *D : Lookup->decls()) {
      D = D->getUnderlyingDecl();
      const FunctionDecl *F = dyn_cast<FunctionDecl>(D);
      if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D))
        F = Template->getTemplatedDecl();
      if (!F || !F->hasAttr<CUDAGlobalAttr>())
        continue;
      Mention M = mention(Lookup, F);
      if (Lookup->getNumDecls() > 1)
        escape(M, "has overloads, of which one is chosen in a template");
      else
        use(M);
    }
    return true;
  }

  /// Calls in templates that nobody instantiates.
  void addOpenCalls() {
    for (const OpenCall &C : OpenCalls)
      if (!InstantiatedCalls.count(C.Place))
        escape(C.Kernel, "it is handed to '" + C.Callee +
                             "', in a template that is not instantiated here");
  }

  /// The checkers are known once everything was seen.
  void addCheckers() {
    for (const Place &P : Places)
      Table.Sites[P.Kernel][P.Index].Site.Checker = Checkers.at(P.At, P.Around);
  }

private:
  struct Mention {
    const FunctionDecl *Kernel = nullptr;
    const Expr *Ref = nullptr;
    bool IsAlias = false;
    std::string Qualifier, TemplateArguments, Obstacle;
  };

  template <typename RefExpr>
  Mention mention(const RefExpr *Ref, const FunctionDecl *F) {
    Mention M{F, Ref, false, "", "", ""};
    SourceText Text = textAt(Ref->getBeginLoc(), Context);
    if (SourceRange Written = Ref->getQualifierLoc().getSourceRange();
        Written.isValid())
      M.Qualifier = Text.text(Text.covering(Written)).str();
    else if (!isa<OverloadExpr>(Ref))
      M.Qualifier = neededQualifier(cast<DeclRefExpr>((const Expr *)Ref));
    const FunctionTemplateDecl *Template = F->getDescribedFunctionTemplate();
    if (!Template)
      Template = F->getPrimaryTemplate();
    if (!Template) {
      if (isOverloaded(Ref))
        M.Obstacle = "chooses one of several overloads";
      return M;
    }
    if (Ref->getLAngleLoc().isValid()) {
      std::optional<TextRange> Written =
          Text.editable({Ref->getLAngleLoc(), Ref->getRAngleLoc()});
      if (Written)
        M.TemplateArguments = Text.text(*Written).str();
      else
        M.Obstacle = "spells its template arguments in a macro";
      if (Ref->getNumTemplateArgs() >= Template->getTemplateParameters()->size())
        return M;
    }
    deduceArguments(M, *Template, Ref->getNumTemplateArgs());
    return M;
  }

  static bool isOverloaded(const DeclRefExpr *Ref) {
    return Ref->hadMultipleCandidates();
  }
  static bool isOverloaded(const UnresolvedLookupExpr *Lookup) {
    return Lookup->getNumDecls() > 1;
  }

  /// Template arguments that the reference leaves to deduction or defaults.
  void deduceArguments(Mention &M, const FunctionTemplateDecl &Template,
                       unsigned Written) {
    const TemplateParameterList *Parameters = Template.getTemplateParameters();
    bool Defaults = true;
    for (unsigned I = Written; I < Parameters->size(); ++I) {
      const NamedDecl *P = Parameters->getParam(I);
      if (const auto *Type = dyn_cast<TemplateTypeParmDecl>(P))
        Defaults &= Type->hasDefaultArgument() && !Type->defaultArgumentWasInherited();
      else if (const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(P))
        Defaults &= Value->hasDefaultArgument() && !Value->defaultArgumentWasInherited();
      else
        Defaults = false;
    }
    if (Defaults)
      return;
    const TemplateArgumentList *Known = M.Kernel->getTemplateSpecializationArgs();
    if (!Known || inTemplate()) {
      M.Obstacle = "leaves template arguments to deduction inside a template";
      return;
    }
    PrintingPolicy Policy(Context.getLangOpts());
    Policy.SuppressTagKeyword = true;
    llvm::raw_string_ostream OS(M.TemplateArguments = "");
    printTemplateArgumentList(OS, Known->asArray(), Policy);
  }

  bool inTemplate() const {
    return llvm::any_of(Path, [](const AstStep &Step) {
      const auto *F = dyn_cast_or_null<FunctionDecl>(Step.Declaration);
      const auto *R = dyn_cast_or_null<CXXRecordDecl>(Step.Declaration);
      return (F && (F->isDependentContext() || F->isTemplateInstantiation())) ||
             (R && (R->isDependentContext() || isa<ClassTemplateSpecializationDecl>(R)));
    });
  }

  /// `ns::` where the name alone does not find what is declared beside the
  /// kernel: it came by a using-declaration or as a template argument.
  std::string neededQualifier(const DeclRefExpr *Ref) const {
    bool Argument = llvm::any_of(Path, [](const AstStep &Step) {
      return isa_and_nonnull<SubstNonTypeTemplateParmExpr>(Step.Statement);
    });
    if (!Argument && !isa<UsingShadowDecl>(Ref->getFoundDecl()))
      return "";
    std::string Result;
    for (const DeclContext *At = Ref->getDecl()->getDeclContext();
         At && !At->isTranslationUnit(); At = At->getParent())
      if (const auto *Space = dyn_cast<NamespaceDecl>(At);
          Space && !Space->isAnonymousNamespace() && !Space->isInline())
        Result = Space->getNameAsString() + "::" + Result;
    return Result;
  }

  void use(const Mention &M) {
    size_t At = Path.size() - 1;
    auto IsWrapper = [&](const Stmt *S) {
      if (const auto *Unary = dyn_cast_or_null<UnaryOperator>(S))
        return !M.IsAlias && (Unary->getOpcode() == UO_AddrOf ||
                              Unary->getOpcode() == UO_Deref);
      return isa_and_nonnull<ParenExpr, CastExpr, ConstantExpr,
                             SubstNonTypeTemplateParmExpr>(S);
    };
    while (At > 0 && IsWrapper(Path[At - 1].Statement))
      --At;
    if (At == 0)
      return escape(M, "its address is taken");
    const auto *Whole = cast<Expr>(Path[At].Statement);
    const AstStep &Parent = Path[At - 1];
    if (const auto *Var = dyn_cast_or_null<VarDecl>(Parent.Declaration)) {
      if (Var->getType()->isDependentType() || Var->getType()->isPointerType() ||
          Var->getType()->isReferenceType())
        addAlias(Var, M);
      else
        escape(M, "its address is kept in '" + Var->getNameAsString() + "'");
      return;
    }
    if (const auto *Launch = dyn_cast_or_null<CUDAKernelCallExpr>(Parent.Statement))
      if (Launch->getCallee() == Whole)
        return brackets(M, Launch, At - 1);
    if (const auto *Call = dyn_cast_or_null<CallExpr>(Parent.Statement))
      return runtimeCall(M, Call, Whole, At - 1);
    // launch<kernel>(...): what the template does with it is seen there.
    const auto *Named = dyn_cast_or_null<DeclRefExpr>(Parent.Statement);
    if (Named && isa<FunctionDecl>(Named->getDecl()) &&
        cast<FunctionDecl>(Named->getDecl())->isDefined())
      return;
    if (isa_and_nonnull<UnresolvedLookupExpr>(Parent.Statement))
      return;
    escape(M, "its address is taken");
  }

  void addAlias(const VarDecl *Var, const Mention &M) {
    Aliases[Var->getCanonicalDecl()] = M;
    SoughtName Name{Var->getNameAsString(), "", {}};
    if (const Stmt *Body = Var->isFileVarDecl() ? nullptr : functionBody()) {
      Name.File = SM.getFilename(SM.getExpansionLoc(Var->getLocation())).str();
      Name.Scope = textAt(Body->getBeginLoc(), Context).covering(Body->getSourceRange());
    }
    Table.AliasNames[patternOf(M.Kernel)].push_back(std::move(Name));
  }

  void runtimeCall(const Mention &M, const CallExpr *Call, const Expr *Whole,
                   size_t Index) {
    using Does = KernelCall::Does;
    std::optional<KernelCall> Known = lookUpKernelCall(calleeName(Call));
    if (!Known || Known->Kernel >= Call->getNumArgs() ||
        Call->getArg(Known->Kernel) != Whole)
      return helperCall(M, Call, Whole, Index);
    if (Known->What == Does::Nothing)
      return;
    LaunchSite Site = begin(M, Call);
    if (Known->What == Does::LaunchByConfig) {
      Site.Kind = LaunchKind::Config;
      describePlace(Site, Path, Index, Context);
      readLaunchConfig(Site, Call->getArg(0), functionBody(), Context);
    } else {
      if (Known->What == Does::Query)
        Site.Kind = LaunchKind::Occupancy;
      if (Known->What == Does::Launch) {
        Site.Kind = LaunchKind::LaunchKernel;
        readDimensions(Site, Call->getArg(Known->Block), Context);
      }
      if (Known->What == Does::SetAttribute) {
        std::optional<bool> Shared = setsDynamicShared(Call);
        if (!Shared)
          escape(M, "an attribute of it is set that is no constant");
        if (!Shared.value_or(false))
          return;
        Site.Kind = LaunchKind::Attribute;
      }
      describePlace(Site, Path, Index, Context);
      llvm::SmallVector<const Expr *, 6> Arguments(Call->arguments());
      readBytes(Site, Arguments, Known->Bytes, Context);
    }
    add(M, std::move(Site), Call);
  }

  /// launch(kernel, grid, block, bytes, ...), a function of the author's.
  void helperCall(const Mention &M, const CallExpr *Call, const Expr *Whole,
                  size_t Index) {
    // Every instantiation of what this file has is seen.
    const FunctionDecl *Around = enclosingFunction();
    bool Open = Around && Around->isDependentContext();
    auto Place = std::make_pair(patternOf(M.Kernel), M.Ref->getBeginLoc());
    if (Open && SM.isInMainFile(SM.getExpansionLoc(Place.second))) {
      OpenCalls.push_back({M, helperName(Call), Place});
      return;
    }
    InstantiatedCalls.insert(Place);
    std::variant<HelperLaunch, std::string> Read = readHelper(Call, Whole, Context);
    const auto *Helper = std::get_if<HelperLaunch>(&Read);
    if (!Helper)
      return escape(M, "it is handed to '" + helperName(Call) + "', " +
                           std::get<std::string>(Read));
    LaunchSite Site = begin(M, Call);
    if (Helper->Block)
      readDimensions(Site, Helper->Block, Context);
    describePlace(Site, Path, Index, Context);
    llvm::SmallVector<const Expr *, 6> Arguments(Call->arguments());
    readBytes(Site, Arguments, Helper->Bytes, Context);
    add(M, std::move(Site), Call);
  }

  /// Of a lambda the variable that holds it.
  std::string helperName(const CallExpr *Call) const {
    std::string Name = calleeName(Call).str();
    if (!Name.empty())
      return Name;
    const Expr *Callee = isa<CXXOperatorCallExpr>(Call) ? Call->getArg(0) : Call->getCallee();
    return textAt(Callee->getBeginLoc(), Context).spelled(Callee->getSourceRange());
  }

  void brackets(const Mention &M, const CUDAKernelCallExpr *Call, size_t Index) {
    const CallExpr *Config = Call->getConfig();
    if (!Config || Config->getNumArgs() < 2)
      return escape(M, "its launch cannot be read");
    LaunchSite Site = begin(M, Call);
    readDimensions(Site, Config->getArg(1), Context);
    describePlace(Site, Path, Index, Context);
    llvm::SmallVector<const Expr *, 6> Arguments(Config->arguments());
    readBytes(Site, Arguments, 2, Context);
    // A comma more would be an argument more of the macro.
    bool Argument = Call->getBeginLoc().isMacroID();
    if (Argument && (Site.BytesText.empty() ||
                     llvm::StringRef(Site.TemplateArguments).contains(',')))
      Site.Obstacle = "stands in a macro";
    add(M, std::move(Site), Call);
  }

  LaunchSite begin(const Mention &M, const CallExpr *Call) const {
    LaunchSite Site;
    SourceText Text = textAt(Call->getBeginLoc(), Context);
    Site.File = SM.getFilename(SM.getExpansionLoc(Call->getBeginLoc())).str();
    std::tie(Site.Line, Site.Column) = Text.lineColumn(Call->getBeginLoc());
    Site.KernelText = Text.text(Text.covering(M.Ref->getSourceRange())).str();
    Site.Qualifier = M.Qualifier;
    Site.TemplateArguments = M.TemplateArguments;
    return Site;
  }

  void add(const Mention &M, LaunchSite Site, const CallExpr *Call) {
    if (!M.Obstacle.empty())
      Site.Obstacle = M.Obstacle;
    const FunctionDecl *Around = enclosingFunction();
    if (Around && (Around->hasAttr<CUDAGlobalAttr>() ||
                   (Around->hasAttr<CUDADeviceAttr>() &&
                    !Around->hasAttr<CUDAHostAttr>())))
      Site.Obstacle = "is made on the device";
    SourceLocation At = SM.getExpansionLoc(Call->getBeginLoc());
    const FunctionDecl *Definition = M.Kernel->getTemplateInstantiationPattern();
    if (!Definition && !M.Kernel->isDefined(Definition))
      Definition = M.Kernel;
    std::optional<unsigned> Early;
    if (SM.isBeforeInTranslationUnit(At, Definition->getLocation())) {
      Early = placeAbove(Path, Definition, Context);
      if (!Early)
        Site.Obstacle = LaunchTable::TooEarly;
    }
    const FunctionDecl *Key = patternOf(M.Kernel);
    auto &Sites = Table.Sites[Key];
    Places.push_back({Key, Sites.size(), At, functionAround(Path)});
    Sites.push_back({std::move(Site), M.Kernel->getCanonicalDecl(),
                     Around && Around->isDependentContext(), Early,
                     Call->getRParenLoc().getRawEncoding()});
  }

  void escape(const Mention &M, std::string What) {
    KernelEscape E;
    SourceText Text = textAt(M.Ref->getBeginLoc(), Context);
    E.File = SM.getFilename(SM.getExpansionLoc(M.Ref->getBeginLoc())).str();
    std::tie(E.Line, E.Column) = Text.lineColumn(M.Ref->getBeginLoc());
    E.What = std::move(What);
    Table.Escapes[patternOf(M.Kernel)].push_back(std::move(E));
  }

  const FunctionDecl *enclosingFunction() const {
    for (size_t I = Path.size(); I-- > 0;)
      if (const auto *F = dyn_cast_or_null<FunctionDecl>(Path[I].Declaration))
        return F;
    return nullptr;
  }
  const Stmt *functionBody() const {
    const FunctionDecl *F = enclosingFunction();
    return F ? F->getBody() : nullptr;
  }

  LaunchTable &Table;
  ASTContext &Context;
  const SourceManager &SM;
  ErrorCheckers Checkers;
  std::vector<AstStep> Path;
  std::map<const VarDecl *, Mention> Aliases;
  /// A site, and where a checker would be used.
  struct Place {
    const FunctionDecl *Kernel;
    size_t Index;
    SourceLocation At;
    const FunctionDecl *Around;
  };
  std::vector<Place> Places;
  /// A helper that a template hands a kernel, and where.
  using CallPlace = std::pair<const FunctionDecl *, SourceLocation>;
  struct OpenCall {
    Mention Kernel;
    std::string Callee;
    CallPlace Place;
  };
  std::vector<OpenCall> OpenCalls;
  std::set<CallPlace> InstantiatedCalls;
};

LaunchTable::LaunchTable(ASTContext &Context)
    : Context(Context), Losses(Context), Host(Context) {
  UseCollector Collector(*this);
  Collector.TraverseDecl(Context.getTranslationUnitDecl());
  Collector.addOpenCalls();
  Collector.addCheckers();
  dropPatterns();
  findConflicts();
  findOtherUses();
  findSplitStatements();
}

} // namespace pipeline_rewrite
