/// \file
/// facts + verdict + budget -> plan: everything the rewriter needs to know
/// about one loop, decided.
#pragma once

#include "Budget/CostModel.h"
#include "Budget/Stages.h"
#include "Budget/Variants.h"
#include "Legality/CopySlice.h"
#include "Plan/CopyArray.h"
#include <map>

namespace pipeline_rewrite {

enum class Transport { Ldg, CpAsync };

/// A pointer that is rebound to the slot at hand.
struct TileName {
  std::string Name;
  std::string SlotsName; ///< where it points in slot 0
};

/// Slots of tiles that lie in the dynamic block: slot i of each lies i * Stride
/// bytes behind the tile as written.
struct BlockSlots {
  uint64_t Stride = 0;
  uint64_t Bytes = 0; ///< that the block has to hold at least
  std::string Spelled; ///< Stride in the author's names; empty: as a number
  /// Where Spelled is not empty: Times strides and what lies before them hold all
  /// slots.
  std::string Before; ///< spelled; empty: nothing
  uint64_t BeforeBytes = 0;
  unsigned Times = 0;
  /// All slots' bytes, with \p StrideText for the stride.
  std::string spellBytes(const std::string &StrideText) const;
  uint64_t spelledBytes() const { return BeforeBytes + Times * Stride; }
};

/// One tile and how it travels.
struct TilePlan {
  ObjectId Tile = 0;
  std::string Name;
  std::string SlotsName; ///< the storage with a slot dimension
  uint64_t Bytes = 0;    ///< of the tile; 0 if symbolic
  std::string SymbolicBytes;
  Transport How = Transport::Ldg;
  unsigned CopyBytes = 0;  ///< smallest asynchronous copy, 0 for ldg
  unsigned Alignment = 0;  ///< to be declared explicitly, 0: as written
  unsigned SlotAlignment = 1; ///< that each slot has to have, bytes
  std::vector<TileName> Names; ///< in dynamic memory: what is rebound to a slot
  bool CheckSlotSize = false; ///< size unknown: assert the slot's alignment
  /// Each slot is a class of its own, which pads the tile to a multiple of that many
  /// bytes; 0: slots are the tile's own bytes.
  unsigned PadTo = 0;
  std::string SlotType; ///< name of that class
  std::string WhyLdg;      ///< why it cannot be cp-async
  /// \p TileBytes with what a slot adds to them.
  uint64_t padded(uint64_t TileBytes) const;
  /// The tile in a slot: `As_slots[slot]`.
  std::string inSlot(const std::string &Slot) const;
};

/// One load of the copy phase that is held in registers meanwhile.
struct StagedLoad {
  TextRange Load;
  std::string Register; ///< name of the variable
  std::string Type;
  CopyArray Array; ///< what the register is made of
  unsigned Bytes = 0; ///< of one element, 0 unknown
  bool EmptyInit = true; ///< it can be declared with `= {}`
  /// How an element is named: `As_next[o / strideA]`.
  std::string indexed() const { return Register + Array.Index; }
};

/// An address that a thread keeps instead of working it out for each tile.
struct KeptAddress {
  TextRange Range;         ///< what the pointer stands for, in a load or a store
  bool IsPointer = false;  ///< Range is an address, not what lies there
  std::string Pointer;     ///< name of the variable
  std::string Type;        ///< of the variable: `const half *`
  CopyArray Array;
  std::string Advance;     ///< what the next tile adds; empty: a place in slot 0
  ObjectId Tile = 0;
  const Node *Leaf = nullptr; ///< the copy that goes on from it
  std::string indexed() const { return Pointer + Array.Index; }
};

/// Where each statement of the copy phase goes. Keys are leaf statements.
struct Placement {
  std::set<const Node *> Early; ///< run ahead: addresses, loads, async copies
  std::set<const Node *> Late;  ///< the store half of ldg, after the compute
  std::set<const Node *> Whole; ///< the undivided copy of the prologue
  std::set<const Node *> Current; ///< needed by the compute phase itself
  std::set<const Node *> Point; ///< what kept addresses are worked out with, once
  std::set<VarId> Cloned;       ///< ahead and current state both live
  std::set<size_t> MovedUpdates; ///< updates that leave the compute phase
  std::vector<Reason> Failures;
};

/// What the kernel's dynamic shared block must hold after the rewrite.
struct DynamicNeed {
  uint64_t Bytes = 0;  ///< 0 unknown
  std::string Spelled; ///< a constant expression in the kernel's own names
  /// The block holds the larger of this and what the launch gave it before, in
  /// the same bytes; else it holds this behind what the launch gave it.
  bool Largest = true;
  /// In no instantiation it is less than this: a launch that gave no more needs
  /// no comparison.
  uint64_t Covers = 0;
  /// What the launch gave before serves more than the first slot, and is kept as
  /// the author spells it: it may grow when constants change.
  bool KeepsGiven = false;
};

struct LoopPlan {
  Variant Kind = Variant::Ldg;
  Form Shape = Form::Peel;
  unsigned Stages = 2; ///< slots; 1 for register-prefetch
  std::vector<TilePlan> Tiles;
  std::vector<StagedLoad> Staged;
  Addressing Addresses = Addressing::Indexed;
  std::vector<KeptAddress> Kept; ///< empty where Addresses is Indexed
  std::optional<BlockSlots> Block; ///< for tiles in dynamic memory
  std::string StrideName; ///< the constant that holds the stride, bytes
  CopySlice Slice;
  Placement Places;
  std::map<VarId, std::string> AheadNames;
  std::string SlotName, MoreName;
  std::string FilledName; ///< of three slots and more: the prologue's counter
  bool KeepTrailingBarrier = false; ///< the statements behind it need it
  bool BarrierAfterLoop = false;    ///< memory is used again afterwards
  bool BarrierBeforeLoop = false;   ///< tiles are loaded before the loop's own
                                    ///< barriers order what was written earlier
  Issue When = Issue::First; ///< Last: a ring of three or more, or a predicated
                             ///< loop whose tiles all travel through registers
  unsigned Unroll = 0; ///< of the steady state; 0: the compiler's choice
  /// Predicated, Last: the store half runs in the last iteration as well, and
  /// fills a slot that nobody reads.
  bool StoresAlways = false;
  /// Whether the tile exists that an iteration sends off, by the loop's own counter:
  /// `K - k0 > 2 * BK`. Empty: by a counter that runs ahead.
  std::string OneMore;
  bool Fence = false;  ///< against a compiler that moves the loads down
  std::set<ObjectId> BindBefore; ///< tiles mentioned before the loop
  /// All static arrays of the kernel become parts of one dynamic block.
  bool ToDynamic = false;
  std::optional<DynamicNeed> Dynamic; ///< every launch must give at least this
  std::set<ObjectId> BindAfter;  ///< tiles used after it: bound to the last slot
  bool HasAsync() const;
  /// A ring whose steady state is unrolled by its slots: each copy of the body
  /// has a slot of its own, which is a constant there.
  bool hasConstantSlots() const { return Shape == Form::Ring && Unroll == Stages; }
  /// Does \p Range, of a mention, lie in a load that registers hold meanwhile?
  bool isStaged(TextRange Range) const;
  const TilePlan *tile(ObjectId Id) const;
};

/// Why there is no plan, or the plan and what should be said about it.
struct PlanResult {
  std::optional<LoopPlan> Plan;
  std::vector<Reason> Refusals;
  std::vector<Reason> Remarks;
  StageChoice Budget;
  std::optional<double> Ratio;
  std::string RatioSource = "unknown"; ///< computed | given | unknown
  std::string RatioDerivation;
  std::optional<TileWork> Work; ///< of a block and iteration
  std::vector<Candidate> Candidates; ///< predicted, the best first
  unsigned Threads = 0;
  bool ThreadsAssumed = false;
  bool SizesKnown = false; ///< of everything shared, by --assume where need be
  RegisterEstimate RegistersBefore, RegistersAfter; ///< per thread
  std::string Because; ///< why this variant
  std::set<std::string> Names; ///< every name this plan makes up
};

struct PlanOptions : Wish {
  std::optional<double> Ratio;
  unsigned BlockThreads = 0; ///< --block, 0 unknown
  unsigned Registers = 0; ///< a thread of the original, from nvcc; 0 unknown
  bool AllowCliff = false;
  uint64_t SlotStride = 0; ///< of slots in dynamic memory, at least; bytes
  std::string StrideText;  ///< how it is to be spelled, where that serves
  bool MoveArrays = false; ///< another instantiation's arrays become dynamic
  /// Tiles whose slots another instantiation has to pad, and to what.
  std::map<std::string, unsigned> PadTo;
  unsigned CudaMajor = 0;
  std::set<std::string> TakenNames; ///< given to other loops of the function
};

PlanResult makePlan(const LoopFacts &Facts, const Verdict &V,
                    const PlanOptions &Options, const Arch &Machine,
                    const VariantRules &Rules, llvm::StringRef Buffer);

/// The plan as indented text, for `--dump=plan`.
std::string dumpPlan(const LoopFacts &Facts, const LoopPlan &Plan);

} // namespace pipeline_rewrite
