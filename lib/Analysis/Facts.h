/// \file
/// Facts: what the analysis read from the AST about one K loop, as plain
/// values. No Clang type appears here, so that legality, planning and
/// rewriting can be tested on hand-written facts. Positions are byte offsets
/// into the file that holds the loop.
#pragma once

#include "Analysis/LaunchFacts.h"
#include "Analysis/PlaceForm.h"
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// Half-open range of bytes in the dynamic block of shared memory.
struct ByteRange {
  uint64_t Begin = 0;
  uint64_t End = 0;
};

/// Index into LoopFacts::Variables.
using VarId = unsigned;
/// Index into LoopFacts::Objects.
using ObjectId = unsigned;

/// Where a variable lives relative to the K loop.
enum class VarScope {
  Outside, ///< declared before the loop (parameters included)
  Header,  ///< declared in the loop's own init statement
  Body     ///< declared inside the body
};

/// A private (per-thread) variable: local, parameter, or local array.
struct Variable {
  std::string Name;
  std::string Type; ///< as it would be spelled in a declaration
  VarScope Scope = VarScope::Outside;
  bool IsPointer = false;
  bool IsScalar = true; ///< false for arrays and class types
  bool IsReference = false;
  bool ReadAfterLoop = false;
  bool ThreadDependent = false; ///< may differ between threads of a block
  bool NonNegative = false;     ///< proved >= 0 in every iteration
  /// An outer loop gives it another value each time this loop is entered.
  bool OuterVariant = false;
  /// The address is kept somewhere, so that writes may go unseen.
  bool AddressKept = false;
  std::string InitText; ///< spelled initialiser of a Header variable
};

/// One mention of a private variable.
struct VarRef {
  VarId Var = 0;
  TextRange Range;
  bool Read = false;
  bool Write = false;
  bool Partial = false; ///< writes only an element or a member
  bool InMacro = false; ///< spelled in a macro body: cannot be renamed
  /// Through a lambda that is declared outside of the loop: always this variable.
  bool Captured = false;
};

enum class Space { Shared, Global, Constant, Unknown };

/// A memory object that more than one thread can see.
struct MemoryObject {
  std::string Name;
  Space Where = Space::Unknown;
  bool IsParameter = false; ///< what a pointer or reference parameter points to
  bool OfKernel = true;     ///< not handed to a __device__ function
  bool Restrict = false;    ///< reached through a __restrict__ parameter
  bool ConstObject = false; ///< the object itself can never be written
};

enum class EffectKind { Read, Write, Atomic, Barrier, AsyncCopy, Opaque };

/// What a statement does beyond private variables.
struct Effect {
  EffectKind Kind = EffectKind::Read;
  std::optional<ObjectId> Object; ///< none for Barrier, AsyncCopy and Opaque
  TextRange Range;
  unsigned Line = 0, Column = 0;
  std::string What;             ///< for Opaque: what it is, in words
  std::vector<VarId> IndexVars; ///< variables in the subscripts
  unsigned Alignment = 0; ///< that the access relies on, bytes; 0 if unknown
  bool NonCoherent = false;     ///< __ldg: the object is read-only meanwhile
};

/// How far the address of a load moves from one iteration of the K loop to the
/// next, where it depends on the loop's counter and else on nothing that changes.
struct AddressStep {
  TextRange Element;       ///< what is pointed at: `A[row * n + k]`, `A + k`, `&A[k]`
  bool IsPointer = false;  ///< Element is an address already
  std::string ElementType; ///< of what it points to: `const half`
  std::string Elements;    ///< that it moves by: `BK`, `ptrdiff_t(BK) * n`
  VarId Counter = 0;
  std::vector<VarId> Uses; ///< what else it depends on: right where none changes
};

/// A read of global memory that is a value of its own.
struct GlobalLoad {
  TextRange Range;       ///< the whole expression, edit-safe
  TextRange Address;     ///< the lvalue (what & would be taken of)
  bool Addressable = true; ///< false for calls such as __ldg(p) or helpers
  bool RangeIsEditable = true;
  std::string Type; ///< unqualified, as spelled in a declaration; empty if it
                    ///< depends on the template and has no name of its own
  bool TypeOpen = false; ///< differs between instantiations
  bool TypeOfLoop = false; ///< declared in the loop: no name before it
  bool Assignable = true; ///< `T t; t = load;` can be written
  bool EmptyInit = true;  ///< so can `T t = {};`
  unsigned Bytes = 0; ///< 0 if unknown (dependent)
  bool Volatile = false;
  bool TriviallyCopyable = true;
  std::vector<ObjectId> Objects;
  std::vector<VarRef> Refs; ///< variables the address needs
  std::optional<AddressStep> Step;
  /// Conditions of the ?: operators that the load stands under.
  std::vector<TextRange> Conditions;
  std::vector<bool> ConditionPolarity;
};

/// How the value of a store to a tile comes about.
enum class ValueKind {
  Load,        ///< exactly one global load, unchanged
  GuardedLoad, ///< cond ? load : zero
  Temporary,   ///< the unchanged value of a private variable
  Zero,        ///< all-zero bits
  Other
};

/// A write to shared memory in the copy phase.
struct TileStore {
  ObjectId Tile = 0;
  TextRange Destination; ///< the lvalue
  TextRange Value;
  std::vector<VarRef> DestinationRefs;
  ValueKind Kind = ValueKind::Other;
  bool Compound = false;         ///< += and the like
  bool Conditional = false; ///< in an arm of ?:, && or || of its statement
  std::string Place;        ///< the destination, spelled without spaces
  std::optional<PlaceForm> Form; ///< the destination as a sum, where it is one
  std::optional<VarId> Source;   ///< for Temporary
  TextRange Guard;               ///< for GuardedLoad: the condition
  bool GuardNegated = false;     ///< the load is the false arm
  unsigned Bytes = 0;            ///< 0 if unknown
  std::string Type;
  bool LocalType = false; ///< declared in the function: no name everywhere in it
  bool EditableDestination = true;
  bool ReadsShared = false; ///< the value comes from shared memory
  unsigned Line = 0, Column = 0;
};

/// `for (T v = Init; v < Bound; v += Step)` with nothing else to it, however it is
/// spelled.
struct CountedLoop {
  VarId Var = 0;
  std::vector<VarId> StartUses; ///< what Init is made of
  bool StartOpen = false; ///< and what else, so that it may differ each time
  std::string Init, Bound, Step; ///< spelled; Step is positive
  bool Inclusive = false;
  bool InitIsZero = false, StepIsOne = false;
  bool ConstantExtent = false; ///< Bound and Step are constant expressions,
                               ///< Init is constant or proved >= 0
  bool InitConstant = false;
  std::optional<uint64_t> Trips; ///< largest count, where known
  std::optional<int64_t> StepValue; ///< where known
  std::optional<int64_t> Least, Most; ///< v lies in between, where known
  bool HasUnrollPragma = false;
};

/// How the K loop can tell by its counter alone whether a later tile exists:
/// `Rest > n * Step`, where no sum can pass the counter's type.
struct TilesLeft {
  VarId Counter = 0;
  std::string Rest; ///< `K - k0`, spelled
  std::string Step; ///< spelled
  int64_t StepValue = 0; ///< positive
  bool Inclusive = false; ///< the loop runs while k0 <= K
};

/// A private variable that takes exactly one value, unchanged.
struct Definition {
  VarId Var = 0;
  ValueKind Kind = ValueKind::Other;
  TextRange Guard; ///< for GuardedLoad
  bool GuardNegated = false;
};

enum class NodeKind {
  Expression,
  Declaration,
  SharedDeclaration,
  Block,
  If,
  Loop,
  Barrier, ///< a statement that is a block barrier and nothing else
  Empty,
  Other ///< anything moved only as a whole
};

/// One statement of the loop body, with its children for control statements.
struct Node {
  NodeKind Kind = NodeKind::Other;
  TextRange Range; ///< first token to closing ';' or '}' and trailing comment
  TextRange Full;  ///< Range and the comments and pragmas before it
  unsigned Line = 0, Column = 0;
  std::vector<VarRef> Refs;     ///< of this node, without the children's
  std::vector<Effect> Effects;  ///< likewise
  std::vector<VarId> Declares;
  std::vector<GlobalLoad> Loads;  ///< likewise
  std::vector<TileStore> Stores;  ///< likewise
  std::vector<Definition> Definitions; ///< likewise
  std::vector<Node> Children; ///< If: then[, else]; Loop: body; Block: all
  bool NamesOwnBody = false; ///< SharedDeclaration: needs a name of the loop's body
  TextRange Header;           ///< If, Loop: the part in parentheses
  /// If, for loop: Header without spaces; Declaration: all of it. Else empty.
  std::string Spelled;
  bool HasElse = false;
  bool IsConstexprIf = false;
  bool HeaderPure = true;
  std::optional<CountedLoop> Counted;
  bool Jumps = false;       ///< break or continue of an inner loop
  bool LeavesLoop = false;  ///< break, continue, return or goto of the K loop
  bool HasLabel = false;
  std::string LeaveWord;
  bool MacroFused = false;  ///< a macro expands to more than this statement
  bool NestedBarrier = false;    ///< holds a barrier that is not its own
  bool DivergentBarrier = false; ///< ... under thread-dependent control
  bool ConditionalCall = false; ///< a callee may leave out some of its writes
  std::vector<VarId> CallDecides; ///< or these decide which it makes, and where
  bool WholeCall = false; ///< a call that itself fills tiles from global memory
};

/// A call that fills a tile as a whole, and the block that it may stand for.
struct CallExpansion {
  TextRange Call;     ///< with its semicolon
  std::string Block;  ///< the callee's statements in braces; empty: see WhyNot
  std::string WhyNot; ///< a clause about the callee
};

/// A variable that a part of the dynamic block is reached through.
struct BlockName {
  std::string Name;
  uint64_t ElementBytes = 1; ///< of what one step of the pointer passes over
  /// Its type, of a row the type in it, as the author spells it, and that type's
  /// size. Empty: in no plain way.
  std::string Type;
  uint64_t TypeBytes = 1;
};

/// A constant expression of the author's that means the same above the kernel,
/// at the loop, and where it is written.
struct NamedConstant {
  enum Shape { Word, Product, Sum, Other }; ///< Sum: of `+` or `-` at the top
  std::string Text;
  uint64_t Value = 0; ///< 0: not usable
  Shape Form = Other;
  bool Carves = false; ///< a step from one pointer to another
  /// Parts of the dynamic block that the smallest statement around it names.
  std::set<std::string> Near;
  std::set<std::string> Alone; ///< those of them that it names alone
};

/// What the loop uses of the dynamic block through some variables, and through
/// them alone: found by following every thread of a block.
struct BlockPart {
  ByteRange Bytes; ///< from the first one used to the last
  std::vector<BlockName> Names;
};

/// One shared variable that the loop may stream.
struct SharedVariable {
  ObjectId Object = 0;
  std::string Name;
  std::string ElementType;
  uint64_t Bytes = 0;          ///< largest over the instantiations; 0 unknown
  uint64_t AssumedBytes = 0; ///< with `--assume`, where Bytes is 0; for reports
  std::string SymbolicBytes;   ///< spelled, e.g. `BM * BK * sizeof(float)`
  uint64_t ElementBytes = 0;
  unsigned DeclaredAlignment = 0; ///< explicit __align__/alignas, else 0
  bool IsStaticArray = false;  ///< can be given a slot dimension
  bool IsExtern = false;
  std::optional<BlockPart> Part; ///< of the dynamic block, where known
  /// No thread stores a byte of it twice in an iteration: found by following each.
  bool StoredOnce = false;
  bool DeclaredInLoop = false;
  bool NameEditable = true;
  TextRange NameRange;      ///< the declared name
  TextRange DeclRange;      ///< the whole declaration statement
  unsigned DeclaratorCount = 1;
  /// The type as the member of a class has it, and all declarators of the
  /// statement, where a slot may become a class of its own; empty where not.
  std::string MemberType;
  std::vector<TextRange> Declarators;
  /// Strictest that accesses in the function rely on, bytes.
  unsigned AccessAlignment = 0;
  /// Uses in the function but outside this and every other K loop.
  bool ReadBefore = false, WrittenBefore = false;
  bool ReadAfter = false, WrittenAfter = false;
  /// Every write before goes to elements that the loop's own copies overwrite
  /// in each iteration (same destination, same control around it).
  bool WritesBeforeCovered = true;
  bool MentionedBefore = false, MentionedAfter = false;
  /// Where it is named and not evaluated (`sizeof(As)`), outside of all K loops.
  std::vector<TextRange> Unevaluated;
  /// Every mention after the loop lies in the block that holds the loop.
  bool AfterUsesInScope = true;
  /// Begin offsets of the other K loops of the function that use it.
  std::vector<unsigned> OtherLoops;
  bool Escapes = false;     ///< address kept in a variable or passed on
  std::string EscapeWhat;
  unsigned EscapeLine = 0, EscapeColumn = 0;
  unsigned UseLine = 0, UseColumn = 0; ///< the outside use to show
};

enum class LoopKind { For, While, Do };

/// The unit of a multiprocessor that does multiply-adds.
enum class MathKind { Fp32, Fp64, Fp16Tensor, Int8Tensor, Int8Dot };

/// Everything known about one K loop of one function (or instantiation).
struct LoopFacts {
  std::string File;
  std::string Function;      ///< name without template arguments
  std::string Instantiation; ///< `sgemm<128, 128, 8>` or Function
  std::string Symbol; ///< the kernel's mangled name; empty: not instantiated
  bool IsKernel = false;
  bool IsTemplate = false;
  bool IsDependent = false; ///< read from a template that nothing instantiates
  unsigned Line = 0, Column = 0, EndLine = 0;
  LoopKind Kind = LoopKind::For;
  TextRange Range;      ///< the loop, with a `#pragma unroll` before it
  TextRange Pragmas;    ///< that pragma's text, may be empty
  TextRange LoopText;   ///< from the `for`/`while`/`do` token
  TextRange Init, Condition, BodyRange;
  bool InitIsDeclaration = false;
  std::vector<VarId> HeaderVars;
  Node ConditionNode; ///< Refs and effects of the condition
  std::vector<Node> Increments; ///< split at commas
  std::vector<Node> Body;
  std::vector<Variable> Variables;
  std::vector<MemoryObject> Objects;
  std::vector<SharedVariable> Shared;
  /// What no new name may be, sorted: identifiers of the file, what the function
  /// refers to in whatever file, macros, and what they expand to here.
  std::vector<std::string> NamesInFunction;
  bool ParentIsCompound = true;
  TextRange FunctionRange; ///< the whole definition
  TextRange ScopeRange; ///< the block that holds the loop
  bool NeedsOwnScope = false; ///< a name of the header is used beside the loop
  bool HeaderInMacro = false;
  bool InactivePreprocessor = false; ///< `#if` branches inside the loop
  unsigned PreprocessorLine = 0;
  std::string PlaceWord; ///< `__LINE__` or its like in the loop, if any
  unsigned PlaceLine = 0, PlaceColumn = 0;
  bool DivergentControl = false; ///< loop runs under thread-dependent control
  unsigned DivergentLine = 0, DivergentColumn = 0;
  std::string DivergentWhat;
  bool ConditionThreadDependent = false;
  bool InsideLoop = false; ///< nested in another loop
  /// What follows the loop touches memory that the loop touches too, so that
  /// threads must wait for each other between the two.
  bool MemoryTouchedAfter = true;
  /// What other threads may have written in front of the loop, with no barrier
  /// since, may be what it reads: only the first tile may be loaded without one.
  bool MemoryWrittenBefore = true;
  /// What launches this very kernel or instantiation: budget and block size.
  std::vector<LaunchSite> Launches;
  /// Every use of the kernel, whatever the instantiation: what must be edited
  /// where its dynamic shared memory grows.
  KernelUses Uses;
  std::optional<unsigned> MaxThreads; ///< __launch_bounds__
  uint64_t StaticSharedBytes = 0; ///< of the whole function, 0 if unknown
  bool StaticSharedKnown = true;
  bool UsesDynamicShared = false;
  /// Bytes of the dynamic block that slots have to stay clear of, besides the
  /// parts in Shared: used before the loop, or live across it.
  std::vector<ByteRange> BlockKept; ///< gaps below a kilobyte are included
  /// The same thread goes on to use the block, in whatever bytes, after the loop
  /// or in the next turn of a loop around it.
  bool BlockUsedAgain = false;
  uint64_t BlockBytes = 0; ///< the last byte used anywhere, plus one; 0 unknown
  std::vector<NamedConstant> Constants; ///< to spell sizes in it with
  std::string BlockLoss;   ///< why its parts are not known
  unsigned BlockLossLine = 0, BlockLossColumn = 0;
  /// Multiply-adds per thread and iteration on tile data, where countable, how
  /// they come about (`8*8*8`), and the unit that does most of them.
  std::optional<double> MultiplyAdds;
  std::string MultiplyAddsText;
  MathKind Math = MathKind::Fp32;
  /// Iterations, where the source and `--assume` tell; for reports only.
  std::optional<uint64_t> TripCount;
  std::optional<TilesLeft> Left;
  std::vector<CallExpansion> Expansions; ///< of its calls that fill tiles
  /// Static shared bytes with `--assume`, where StaticSharedKnown is false.
  uint64_t AssumedSharedBytes = 0;
  bool TensorCore = false;
  unsigned AccumulatorBytes = 0; ///< private data that lives through the loop
  unsigned FragmentBytes = 0;    ///< private data of one iteration
  unsigned PointerCount = 0;
  std::string ParameterTile; ///< a tile that is handed in as a pointer
  bool UsesManualSlots = false; ///< a slot index toggles from round to round
  unsigned SlotLine = 0, SlotColumn = 0;
};

/// Whether two objects of \p Facts may be the same memory and can change.
bool mayAlias(const LoopFacts &Facts, ObjectId First, ObjectId Second);

} // namespace pipeline_rewrite
