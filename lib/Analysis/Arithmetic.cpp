#include "Analysis/Arithmetic.h"
#include "Analysis/CountedLoops.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Regex.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

constexpr unsigned WarpSize = 32;
/// Calls that are followed into their bodies.
constexpr unsigned MaxCallDepth = 6;

/// The multiply-adds of one place in the source.
struct Site {
  double Count = 0;    ///< per thread, each time it runs
  std::string Spelled; ///< "4", "16*16*16/32"; empty: one
  MathKind Unit = MathKind::Fp32;
};

/// Elements of a small vector type: 4 for float4, 2 for half2, 1 otherwise.
unsigned lanesOf(QualType Type) {
  if (const auto *Vector = Type->getAs<VectorType>())
    return Vector->getNumElements();
  const auto *Record = Type->getAsCXXRecordDecl();
  if (!Record || !Record->getDeclName().isIdentifier())
    return 1;
  llvm::StringRef Name = Record->getName();
  if (Name == "__half2" || Name == "__nv_bfloat162")
    return 2;
  return !Name.empty() && Name.back() >= '2' && Name.back() <= '4'
             ? Name.back() - '0'
             : 1;
}

MathKind unitOf(QualType Type) {
  return Type->isSpecificBuiltinType(BuiltinType::Double) ? MathKind::Fp64
                                                          : MathKind::Fp32;
}

bool isProduct(const Expr *E) {
  E = stripCasts(E);
  if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E))
    return Call->getOperator() == OO_Star && Call->getNumArgs() == 2;
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op || Op->getOpcode() != BO_Mul)
    return false;
  auto IsElement = [](const Expr *Factor) {
    return isa<ArraySubscriptExpr>(stripCasts(Factor));
  };
  return E->getType()->isFloatingType() || IsElement(Op->getLHS()) ||
         IsElement(Op->getRHS());
}

/// Walks statements with the number of times each one runs.
class ArithmeticCounter {
public:
  explicit ArithmeticCounter(const TreeContext &Tree) : Tree(Tree) {}

  void visit(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return;
    if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
      return visit(Attributed->getSubStmt());
    if (const auto *For = dyn_cast<ForStmt>(S))
      return visitRepeated(For->getBody(), tripsOf(For));
    if (isa<WhileStmt, DoStmt, CXXForRangeStmt>(S)) {
      for (const Stmt *Child : S->children())
        visitRepeated(Child, std::nullopt);
      return;
    }
    if (const auto *Asm = dyn_cast<GCCAsmStmt>(S))
      return visitAssembly(Asm->getAsmString()->getString());
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(S))
      return visit(Subscript->getBase());
    if (const auto *E = dyn_cast<Expr>(S)) {
      add(multiplyAdds(E));
      if (const auto *Call = dyn_cast<CallExpr>(E))
        visitCallee(Call);
    }
    for (const Stmt *Child : S->children())
      visit(Child);
  }

  double sum() const {
    double Sum = 0;
    for (const auto &[Unit, Count] : ByUnit)
      Sum += Count;
    return Sum;
  }
  /// The unit that does most of the work.
  MathKind unit() const {
    auto Most = std::max_element(
        ByUnit.begin(), ByUnit.end(),
        [](const auto &A, const auto &B) { return A.second < B.second; });
    return Most == ByUnit.end() ? MathKind::Fp32 : Most->first;
  }
  /// "8*8*8", "2*4*16*16*16/32 + 3": trips from the outside in, then the site's
  /// own; the same product from several sites once, with their number.
  std::string spelled() const {
    std::vector<std::string> Terms;
    for (const auto &[Product, Number] : Products)
      Terms.push_back(Number == 1 ? Product
                                  : std::to_string(Number) +
                                        (Product == "1" ? "" : "*" + Product));
    return llvm::join(Terms, " + ");
  }
  bool Known = true, TensorCore = false;

private:
  std::optional<uint64_t> tripsOf(const ForStmt *For) {
    auto Fixed = [&](const VarDecl *Var) {
      return CallDepth == 0 && !Tree.Model.isModified(Var) &&
             !Tree.Model.isAddressTaken(Var);
    };
    if (CallDepth == 0) // the function's own variables are known to the tables
      if (std::optional<CountedLoop> Loop = recogniseCountedLoop(For, Tree))
        if (Loop->Trips)
          return Loop->Trips;
    return Tree.Values->tripsOf(For, Fixed);
  }

  /// Unknown trips matter only around something that counts.
  void visitRepeated(const Stmt *Body, std::optional<uint64_t> Count) {
    double Before = sum();
    Trips.push_back(Count.value_or(1));
    visit(Body);
    Trips.pop_back();
    Known &= Count.has_value() || sum() == Before;
  }

  void visitCallee(const CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    const Stmt *Body = Callee ? Callee->getBody() : nullptr;
    bool Library =
        Callee && Tree.Context.getSourceManager().isInSystemHeader(
                      Callee->getLocation());
    if (!Body || Library || isa<CXXOperatorCallExpr>(Call) ||
        CallDepth >= MaxCallDepth)
      return;
    ++CallDepth;
    visit(Body);
    --CallDepth;
  }

  void add(const Site &S) {
    if (S.Count <= 0)
      return;
    double Times = 1;
    std::vector<std::string> Factors;
    for (uint64_t Count : Trips) {
      Times *= Count;
      if (Count != 1)
        Factors.push_back(std::to_string(Count));
    }
    if (!S.Spelled.empty())
      Factors.push_back(S.Spelled);
    ByUnit[S.Unit] += Times * S.Count;
    if (Times > 0)
      ++Products[Factors.empty() ? "1" : llvm::join(Factors, "*")];
  }

  Site multiplyAdds(const Expr *E) {
    auto Lanes = [](QualType Type) {
      unsigned Count = lanesOf(Type);
      return Site{double(Count), Count == 1 ? "" : std::to_string(Count),
                  unitOf(Type)};
    };
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      bool Counts = Op->isAdditiveOp()
                        ? isProduct(Op->getLHS()) || isProduct(Op->getRHS())
                        : (Op->getOpcode() == BO_AddAssign ||
                           Op->getOpcode() == BO_SubAssign) &&
                              isProduct(Op->getRHS());
      return Counts ? Lanes(Op->getType()) : Site();
    }
    if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(E)) {
      OverloadedOperatorKind Kind = Op->getOperator();
      bool Sum = Kind == OO_Plus || Kind == OO_Minus || Kind == OO_PlusEqual ||
                 Kind == OO_MinusEqual;
      if (!Sum || Op->getNumArgs() != 2)
        return Site();
      bool Counts = isProduct(Op->getArg(1)) ||
                    ((Kind == OO_Plus || Kind == OO_Minus) &&
                     isProduct(Op->getArg(0)));
      return Counts ? Lanes(Op->getArg(0)->getType()) : Site();
    }
    const auto *Call = dyn_cast<CallExpr>(E);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee || !Callee->getDeclName().isIdentifier())
      return Site();
    if (Callee->getName() == "mma_sync" && Call->getNumArgs() > 1)
      return matrixMultiply(Call->getArg(0), Call->getArg(1));
    return llvm::StringSwitch<Site>(Callee->getName())
        .Cases("fmaf", "__fmaf_rn", "__hfma", {1, "", MathKind::Fp32})
        .Case("fma", {1, "", unitOf(Call->getType())})
        .Case("__fma_rn", {1, "", MathKind::Fp64})
        .Case("__hfma2", {2, "2", MathKind::Fp32})
        .Case("__dp4a", {4, "4", MathKind::Int8Dot})
        .Cases("__dp2a_lo", "__dp2a_hi", {2, "2", MathKind::Int8Dot})
        .Default(Site());
  }

  /// A warp's M*N*K multiply-adds, per thread.
  Site matrixMultiply(const Expr *Accumulator, const Expr *Operand) {
    TensorCore = true;
    auto Arguments = [](const Expr *E) -> llvm::ArrayRef<TemplateArgument> {
      const auto *Fragment = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
          E->getType()->getAsCXXRecordDecl());
      return Fragment ? Fragment->getTemplateArgs().asArray()
                      : llvm::ArrayRef<TemplateArgument>();
    };
    llvm::ArrayRef<TemplateArgument> Shape = Arguments(Accumulator);
    int64_t Extents[3] = {};
    for (unsigned I = 0; I < 3; ++I)
      if (Shape.size() > 3 && Shape[I + 1].getKind() == TemplateArgument::Integral)
        Extents[I] = Shape[I + 1].getAsIntegral().getLimitedValue();
    if (!Extents[0] || !Extents[1] || !Extents[2]) {
      Known = false;
      return Site();
    }
    llvm::ArrayRef<TemplateArgument> Types = Arguments(Operand);
    MathKind Unit = MathKind::Fp16Tensor;
    if (Types.size() > 4 && Types[4].getKind() == TemplateArgument::Type) {
      QualType Type = Types[4].getAsType();
      if (Type->isIntegralOrEnumerationType())
        Unit = MathKind::Int8Tensor;
      if (Type->isSpecificBuiltinType(BuiltinType::Double))
        Unit = MathKind::Fp64;
    }
    return tensorSite(Extents, Unit);
  }

  static Site tensorSite(const int64_t (&Extents)[3], MathKind Unit) {
    std::string Spelled;
    for (int64_t Extent : Extents)
      Spelled += (Spelled.empty() ? "" : "*") + std::to_string(Extent);
    return {double(Extents[0] * Extents[1] * Extents[2]) / WarpSize,
            Spelled + "/" + std::to_string(WarpSize), Unit};
  }

  /// The instructions of an inline assembly that multiply and add.
  void visitAssembly(llvm::StringRef Text) {
    llvm::SmallVector<llvm::StringRef> Instructions;
    Text.split(Instructions, ';');
    llvm::Regex Matrix("^(wmma\\.)?mma\\.(sync|sp)[^ \t]*\\.m([0-9]+)n([0-9]+)k([0-9]+)");
    llvm::Regex Wide("^(wgmma|tcgen05)\\.mma");
    for (llvm::StringRef One : Instructions) {
      One = One.ltrim(" \t\r\n{");
      llvm::SmallVector<llvm::StringRef, 6> Parts;
      if (Matrix.match(One, &Parts)) {
        int64_t Extents[3] = {};
        for (unsigned I = 0; I < 3; ++I)
          Parts[I + 3].getAsInteger(10, Extents[I]);
        llvm::StringRef Name = One.take_until([](char C) { return C == ' '; });
        bool Bytes = Name.contains(".s8") || Name.contains(".u8") ||
                     Name.contains(".s4") || Name.contains(".u4");
        TensorCore = true;
        add(tensorSite(Extents, Bytes               ? MathKind::Int8Tensor
                                : Name.contains(".f64") ? MathKind::Fp64
                                                        : MathKind::Fp16Tensor));
      } else if (Wide.match(One)) {
        TensorCore = true;
        Known = false; // its shape stands in a descriptor
      } else if (One.starts_with("fma.")) {
        add({One.contains("x2") ? 2.0 : 1.0, One.contains("x2") ? "2" : "",
             One.contains(".f64") ? MathKind::Fp64 : MathKind::Fp32});
      } else if (One.starts_with("dp4a.")) {
        add({4, "4", MathKind::Int8Dot});
      }
    }
  }

  const TreeContext &Tree;
  std::vector<uint64_t> Trips;
  unsigned CallDepth = 0;
  llvm::MapVector<MathKind, double> ByUnit;
  llvm::MapVector<std::string, unsigned,
                  std::map<std::string, unsigned>> Products;
};

unsigned sizeOf(const ValueDecl *D, const ASTContext &Context) {
  QualType Type = D->getType();
  if (Type->isDependentType() || Type->isIncompleteType() ||
      Type->isReferenceType())
    return 0;
  return Context.getTypeSizeInChars(Type).getQuantity();
}

} // namespace

void countArithmetic(LoopFacts &Facts, const Stmt *Body,
                     const TreeContext &Tree) {
  ArithmeticCounter Counter(Tree);
  Counter.visit(Body);
  Facts.TensorCore = Counter.TensorCore;
  if (Counter.Known && Counter.sum() > 0) {
    Facts.MultiplyAdds = Counter.sum();
    Facts.MultiplyAddsText = Counter.spelled();
    Facts.Math = Counter.unit();
  }
  for (VarId Id = 0; Id < Facts.Variables.size(); ++Id) {
    const Variable &V = Facts.Variables[Id];
    if (V.IsPointer)
      ++Facts.PointerCount;
    else if (V.Scope == VarScope::Body)
      Facts.FragmentBytes += sizeOf(Tree.Tables.declarations()[Id], Tree.Context);
    else
      Facts.AccumulatorBytes +=
          sizeOf(Tree.Tables.declarations()[Id], Tree.Context);
  }
}

} // namespace pipeline_rewrite
