#include "Analysis/ThreadRun.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// Calls within calls that are followed.
constexpr unsigned MostNestedCalls = 8;

/// The part of a matrix that a wmma fragment holds, as it lies in memory.
struct FragmentShape {
  uint64_t Lines = 0; ///< rows or columns, whichever lie apart
  uint64_t Length = 0; ///< elements next to each other
  uint64_t ElementBytes = 0;
};

std::optional<uint64_t> integerArgument(const TemplateArgument &A) {
  if (A.getKind() != TemplateArgument::Integral)
    return std::nullopt;
  return A.getAsIntegral().getZExtValue();
}

std::string nameOf(const TemplateArgument &A) {
  if (A.getKind() != TemplateArgument::Type)
    return "";
  const auto *Class = A.getAsType()->getAsCXXRecordDecl();
  return Class ? Class->getNameAsString() : "";
}

/// `fragment<matrix_a, M, N, K, T, row_major>`. Where the layout is not in the
/// type, \p RowMajor tells.
std::optional<FragmentShape> shapeOf(QualType Fragment, QualType Element,
                                     std::optional<bool> RowMajor,
                                     const ASTContext &Context) {
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Fragment.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Class || Class->getName() != "fragment" ||
      Class->getTemplateArgs().size() < 6)
    return std::nullopt;
  const TemplateArgumentList &Arguments = Class->getTemplateArgs();
  // Parts of a byte lie otherwise than their pointer says.
  bool Plain = Arguments[4].getKind() == TemplateArgument::Type &&
               (Context.hasSameUnqualifiedType(Arguments[4].getAsType(), Element) ||
                (nameOf(Arguments[4]) == "tf32" && Element->isFloatingType()));
  if (!Plain)
    return std::nullopt;
  auto M = integerArgument(Arguments[1]), N = integerArgument(Arguments[2]),
       K = integerArgument(Arguments[3]);
  if (!M || !N || !K)
    return std::nullopt;
  std::string Use = nameOf(Arguments[0]), Layout = nameOf(Arguments[5]);
  if (Layout == "row_major" || Layout == "col_major")
    RowMajor = Layout == "row_major";
  if (!RowMajor)
    return std::nullopt;
  uint64_t Rows = Use == "matrix_b" ? *K : *M;
  uint64_t Columns = Use == "matrix_a" ? *K : *N;
  FragmentShape Shape;
  Shape.Lines = *RowMajor ? Rows : Columns;
  Shape.Length = *RowMajor ? Columns : Rows;
  Shape.ElementBytes = Context.getTypeSizeInChars(Element).getQuantity();
  return Shape;
}

} // namespace

void ThreadRun::escapeArguments(const CallExpr *Call) {
  for (const Expr *Argument : Call->arguments())
    escape(evaluate(Argument), Argument, "is handed to a function that is not followed");
}

/// load_matrix_sync(fragment, pointer, stride[, layout]) and its inverse.
void ThreadRun::matrixAccess(const CallExpr *Call, bool Write) {
  const Expr *Fragment = Call->getArg(Write ? 1 : 0);
  const Expr *Pointer = Call->getArg(Write ? 0 : 1);
  ThreadValue At = evaluate(Pointer);
  ThreadValue Stride = evaluate(Call->getArg(2));
  if (!At.isAddress())
    return;
  std::optional<bool> RowMajor;
  if (Call->getNumArgs() > 3)
    if (std::optional<int64_t> Layout = constant(Call->getArg(3)))
      RowMajor = *Layout == 0; // mem_row_major
  const Expr *Plain = stripCasts(Pointer);
  QualType Element = Plain->getType()->isPointerType()
                         ? Pointer->getType()->getPointeeType()
                         : Context.getBaseElementType(Plain->getType());
  std::optional<FragmentShape> Shape =
      shapeOf(Fragment->getType(), Element, RowMajor, Context);
  if (!Shape || !Stride.isInteger() || !At.Known)
    return Log.lose(Call->getBeginLoc(),
                    "which elements this matrix access touches is not bounded by "
                    "constants and the block size");
  for (uint64_t Line = 0; Line < Shape->Lines; ++Line) {
    ThreadValue Row = At;
    Row.Number += Line * Stride.Number * Shape->ElementBytes;
    touch(Row, Shape->Length * Shape->ElementBytes, Write, Call);
  }
}

ThreadValue ThreadRun::evaluateAtomic(const CallExpr *Call) {
  ThreadValue At = evaluate(Call->getArg(0));
  for (unsigned I = 1; I < Call->getNumArgs(); ++I)
    escape(evaluate(Call->getArg(I)), Call->getArg(I), "is stored in memory");
  QualType Type = Call->getArg(0)->getType();
  if (std::optional<uint64_t> Bytes =
          Type->isPointerType() ? bytesOf(Type->getPointeeType()) : std::nullopt) {
    touch(At, *Bytes, false, Call);
    touch(At, *Bytes, true, Call);
  } else
    escape(At, Call, "is handed to a function that is not followed");
  return {};
}

ThreadValue ThreadRun::evaluateKnown(const CallExpr *Call,
                                     const KnownFunction &Known) {
  switch (Known.Behaviour) {
  case KnownBehaviour::Barrier:
    escapeArguments(Call);
    Log.barrier();
    return {};
  case KnownBehaviour::MatrixLoad:
  case KnownBehaviour::MatrixStore:
    if (Call->getNumArgs() >= 3)
      matrixAccess(Call, Known.Behaviour == KnownBehaviour::MatrixStore);
    else
      escapeArguments(Call);
    return {};
  case KnownBehaviour::LoadPointer:
  case KnownBehaviour::LoadReadOnly: {
    ThreadValue At = evaluate(Call->getArg(0));
    if (std::optional<uint64_t> Bytes = bytesOf(Call->getType()))
      touch(At, *Bytes, false, Call);
    return {};
  }
  case KnownBehaviour::StorePointer: {
    ThreadValue At = evaluate(Call->getArg(0));
    escape(evaluate(Call->getArg(1)), Call, "is stored in memory");
    if (std::optional<uint64_t> Bytes = bytesOf(Call->getArg(1)->getType()))
      touch(At, *Bytes, true, Call);
    return {};
  }
  case KnownBehaviour::AtomicPointer:
    return evaluateAtomic(Call);
  case KnownBehaviour::Pure: {
    llvm::StringRef Name = Call->getDirectCallee()->getName();
    if ((Name == "min" || Name == "max") && Call->getNumArgs() == 2) {
      ThreadValue A = evaluate(Call->getArg(0)), B = evaluate(Call->getArg(1));
      if (A.isInteger() && B.isInteger())
        return fit(Name == "min" ? std::min(A.Number, B.Number)
                                 : std::max(A.Number, B.Number),
                   Call->getType());
      return {};
    }
    escapeArguments(Call);
    return {};
  }
  case KnownBehaviour::MatrixMultiply:
    for (const Expr *Argument : Call->arguments())
      if (!Argument->isGLValue())
        evaluate(Argument);
    return {};
  default:
    escapeArguments(Call);
    return {};
  }
}

/// What the parameter of type \p Type is initialised with.
ThreadValue ThreadRun::pass(const Expr *Argument, QualType Type) {
  if (!Type->isReferenceType()) {
    ThreadValue Value = evaluate(Argument);
    if (!Type->isPointerType() && !Type->isIntegralOrEnumerationType())
      escape(Value, Argument, "is kept in an object");
    return Value;
  }
  if (!Argument->isGLValue()) {
    escape(evaluate(Argument), Argument, "is kept in a temporary");
    return {};
  }
  Lvalue Referred = lvalue(Argument);
  if (!Referred.Local)
    return Referred.Memory;
  if (Type.getNonReferenceType().isConstQualified() &&
      Referred.Local->getType()->isIntegralOrEnumerationType())
    return read(Referred.Local);
  release(Referred.Local);
  return {};
}

/// Interprets a function that the file defines. What `this` points to is taken
/// to be private: who keeps an address in an object, or an object in the block,
/// loses the block.
ThreadValue ThreadRun::enter(llvm::ArrayRef<const Expr *> Passed,
                             const FunctionDecl *Callee, const Expr *Site) {
  if (Calls.size() >= MostNestedCalls || llvm::is_contained(Calls, Callee)) {
    Log.lose(Site->getBeginLoc(), "calls are nested too deeply here");
    return {};
  }
  std::vector<ThreadValue> Arguments;
  for (unsigned I = 0; I < Callee->getNumParams() && I < Passed.size(); ++I)
    Arguments.push_back(pass(Passed[I], Callee->getParamDecl(I)->getType()));
  Calls.push_back(Callee);
  for (unsigned I = 0; I < Arguments.size(); ++I) {
    Released.erase(Callee->getParamDecl(I));
    Values[Callee->getParamDecl(I)] = Arguments[I];
  }
  unsigned Entered = Doubts;
  std::optional<ThreadValue> Outer;
  std::swap(Returned, Outer);
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Callee))
    for (const CXXCtorInitializer *Member : Constructor->inits())
      keep(Member->getInit());
  Relevance[Callee->getBody()] = true;
  execute(Callee->getBody());
  Doubts = Entered;
  Calls.pop_back();
  std::swap(Returned, Outer);
  return Outer.value_or(ThreadValue());
}

/// \p Init becomes part of an object, whose members are not followed.
void ThreadRun::keep(const Expr *Init) {
  if (Init->isGLValue()) {
    Lvalue Bound = lvalue(Init);
    if (Bound.Local)
      release(Bound.Local);
    return escape(Bound.Memory, Init, "is kept in an object");
  }
  escape(evaluate(Init), Init, "is kept in an object");
}

/// Is there a body that the author wrote, or that consists of such?
const FunctionDecl *ThreadRun::ownBody(const FunctionDecl *Callee) const {
  const FunctionDecl *Definition = nullptr;
  const SourceManager &SM = Context.getSourceManager();
  bool Own = Callee && !Callee->isTrivial() && Callee->hasBody(Definition) &&
             !SM.isInSystemHeader(SM.getExpansionLoc(Definition->getLocation()));
  return Own ? Definition : nullptr;
}

/// Objects without state around a pointer, and the like.
ThreadValue ThreadRun::evaluateConstruction(const CXXConstructExpr *Construct) {
  const CXXConstructorDecl *Constructor = Construct->getConstructor();
  if (Construct->getType()->getAsCXXRecordDecl() &&
      !Construct->getType()->getAsCXXRecordDecl()->hasTrivialDestructor() &&
      !Context.getSourceManager().isInSystemHeader(Constructor->getLocation()))
    Log.lose(Construct->getBeginLoc(), "a destructor is not followed");
  std::vector<const Expr *> Arguments(Construct->arg_begin(), Construct->arg_end());
  if (const FunctionDecl *Definition = ownBody(Constructor)) {
    enter(Arguments, Definition, Construct);
    return {};
  }
  if (Arguments.size() == 1)
    // A copy reads the object that it is made of.
    return evaluate(Arguments.front());
  return evaluateChildren(Construct);
}

ThreadValue ThreadRun::evaluateOperator(const CXXOperatorCallExpr *Call) {
  if (const FunctionDecl *Definition = ownBody(Call->getDirectCallee())) {
    std::vector<const Expr *> Arguments(Call->arg_begin(), Call->arg_end());
    if (isa<CXXMethodDecl>(Definition)) {
      keep(Arguments.front());
      Arguments.erase(Arguments.begin());
    }
    return enter(Arguments, Definition, Call);
  }
  // Vector types are classes here; assigning one copies its bytes.
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
  if (Method && Call->getOperator() == OO_Equal && Call->getNumArgs() == 2 &&
      (Method->isTrivial() || Method->isDefaulted())) {
    escape(evaluate(Call->getArg(1)), Call->getArg(1), "is kept in an object");
    assign(lvalue(Call->getArg(0)), Call->getArg(0), {}, false);
    return {};
  }
  // Arithmetic on halves and vectors takes and gives values; what hands out part
  // of an object is not followed.
  bool HandsOut = (Call->isGLValue() || Call->getType()->isPointerType()) &&
                  !Call->isAssignmentOp();
  for (const Expr *Argument : Call->arguments()) {
    if (Argument->isGLValue()) {
      Lvalue At = lvalue(Argument);
      std::optional<uint64_t> Bytes = bytesOf(Argument->getType());
      if (At.Local)
        release(At.Local);
      else if (Bytes && At.Memory.isAddress()) {
        if (HandsOut)
          escape(At.Memory, Argument, "is handed out by an operator");
        touch(At.Memory, *Bytes, false, Argument);
        if (Call->isAssignmentOp() && Argument == Call->getArg(0))
          touch(At.Memory, *Bytes, true, Argument);
      }
      continue;
    }
    escape(evaluate(Argument), Argument, "is handed to a function that is not followed");
  }
  return {};
}

ThreadValue ThreadRun::evaluateCall(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const FunctionDecl *Definition = nullptr;
  if (Callee) {
    std::optional<KnownFunction> Known =
        lookUpFunction(Callee->getQualifiedNameAsString(), Call);
    if (Known && !isa<CXXOperatorCallExpr>(Call))
      return evaluateKnown(Call, *Known);
  }
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
      Operator && Operator->getOperator() != OO_Call)
    return evaluateOperator(Operator);
  bool Follow = Callee && Callee->hasBody(Definition) &&
                !isa<CXXMemberCallExpr>(Call) && !isa<CXXOperatorCallExpr>(Call);
  // SharedMemory<T>: an object without state that converts to a pointer.
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
      Member && Callee && Callee->hasBody(Definition) &&
      Member->getMethodDecl()->getParent()->isEmpty())
    Follow = true;
  if (!Follow) {
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
      const Expr *Object = Member->getImplicitObjectArgument();
      escape(Object->isGLValue() ? lvalue(Object).Memory : evaluate(Object), Object,
             "is handed to a method that is not followed");
    }
    escapeArguments(Call);
    // What the toolkit declares and builds in uses what it is handed.
    const SourceManager &SM = Context.getSourceManager();
    bool Foreign = Callee && !Callee->hasBody(Definition) &&
                   (Callee->getBuiltinID() ||
                    SM.isInSystemHeader(SM.getExpansionLoc(Callee->getLocation())));
    if (!Foreign)
      Log.lose(Call->getBeginLoc(), "a call here is not followed");
    return {};
  }
  std::vector<const Expr *> Arguments(Call->arg_begin(), Call->arg_end());
  return enter(Arguments, Definition, Call);
}

} // namespace pipeline_rewrite
