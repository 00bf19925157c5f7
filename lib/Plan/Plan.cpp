#include "Plan/Plan.h"
#include "Legality/LaunchChecks.h"
#include "Legality/Phases.h"
#include "Plan/KeptAddresses.h"
#include "Plan/Placement.h"
#include "Plan/Prediction.h"
#include "Plan/SharedLayout.h"
#include "Plan/SlotPlaces.h"
#include "Plan/Transports.h"
#include "Support/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

namespace pipeline_rewrite {

bool LoopPlan::HasAsync() const {
  return llvm::any_of(Tiles, [](const TilePlan &T) {
    return T.How == Transport::CpAsync;
  });
}

bool LoopPlan::isStaged(TextRange Range) const {
  return !Range.empty() && llvm::any_of(Staged, [&](const StagedLoad &S) {
    return S.Load.contains(Range);
  });
}

uint64_t TilePlan::padded(uint64_t TileBytes) const {
  return PadTo ? llvm::alignTo(TileBytes, PadTo) : TileBytes;
}

std::string TilePlan::inSlot(const std::string &Slot) const {
  return SlotsName + "[" + Slot + "]" + (PadTo ? "." + Name : "");
}

const TilePlan *LoopPlan::tile(ObjectId Id) const {
  for (const TilePlan &T : Tiles)
    if (T.Tile == Id)
      return &T;
  return nullptr;
}

namespace {

/// Registers a thread may spend on holding the next tile.
constexpr unsigned MaxStagedRegisters = 64;

class Planner {
public:
  Planner(const LoopFacts &Facts, const Verdict &V, const PlanOptions &Options,
          const Arch &Machine, const VariantRules &Rules,
          llvm::StringRef Buffer)
      : Facts(Facts), V(V), Options(Options), Machine(Machine), Rules(Rules),
        Buffer(Buffer), Names(Facts, Options.TakenNames) {}

  PlanResult run() {
    Slice = sliceCopies(Facts, V.Split, V.Tiles);
    Qualified = qualifyTiles(Facts, V, Options.PadTo, Buffer);
    decideThreads();
    Result.RegistersBefore = estimateRegisters(Machine, heldRegisters());
    decideRatio();
    chooseVariant();
    if (Result.Refusals.empty())
      tryVariant(Chosen.Kind);
    weigh();
    return std::move(Result);
  }

private:
  void refuse(ReasonId Id, std::string Message) {
    Result.Refusals.push_back({Id, Facts.Line, Facts.Column, std::move(Message)});
  }
  void remark(ReasonId Id, std::string Message) {
    Result.Remarks.push_back({Id, Facts.Line, Facts.Column, std::move(Message)});
  }

  void decideThreads() {
    Result.Threads = Options.BlockThreads;
    for (const LaunchSite &L : Facts.Launches)
      if (!Result.Threads && L.BlockX && L.BlockY && L.BlockZ)
        Result.Threads = *L.BlockX * *L.BlockY * *L.BlockZ;
    if (!Result.Threads && Facts.MaxThreads)
      Result.Threads = *Facts.MaxThreads;
    if (Result.Threads)
      return;
    Result.Threads = 256;
    Result.ThreadsAssumed = true;
    remark(ReasonId::AssumedBlockSize,
           "the block size is not visible here; 256 threads are assumed "
           "(--block=X,Y,Z tells)");
  }

  void decideRatio() {
    Computed = ratioOf(Facts, Qualified, Result.Threads);
    Result.RatioDerivation = Computed.Derivation;
    Result.Work = Computed.Work;
    if (Options.Ratio) {
      Result.Ratio = Options.Ratio;
      Result.RatioSource = "given";
      return;
    }
    Result.Ratio = Computed.Ratio;
    if (Result.Ratio)
      Result.RatioSource = "computed";
  }

  void chooseVariant() {
    DecisionInput Input;
    Input.Arch_ = &Machine;
    Input.CudaMajor = Options.CudaMajor;
    Input.Ratio = Result.Ratio;
    Input.TensorCore = Facts.TensorCore;
    Input.Copies = copiesOfThread();
    Input.EveryTileQualifies = true;
    for (const TilePlan &T : Qualified) {
      Input.EveryTileQualifies &= T.WhyLdg.empty();
      if (T.WhyLdg.empty())
        Input.CopyBytes = Input.CopyBytes ? std::min(Input.CopyBytes, T.CopyBytes)
                                          : T.CopyBytes;
    }
    Chosen = Rules.choose(Input);
    if (Facts.TensorCore && hasByteTiles()) {
      Chosen.Kind = Variant::Ldg;
      Chosen.Because = "8-bit tensor tiles are loaded faster through registers";
    }
    Result.Because = Chosen.Because;
    if (Options.Kind)
      Chosen.Kind = *Options.Kind;
    if (Chosen.HighRatio && Result.Ratio)
      remark(ReasonId::HighRatio,
             llvm::formatv("{0:F0} operations on each byte that is copied: the "
                           "copies are short beside them, and the gain is small",
                           *Result.Ratio)
                 .str());
    bool AnyAsync = Input.CopyBytes != 0;
    if (Options.Kind == Variant::CpAsync && (!AnyAsync || !hasAsync())) {
      std::string Why = hasAsync() ? "no tile qualifies" : Machine.Name +
                                         " has no asynchronous copy";
      for (const TilePlan &T : Qualified)
        if (hasAsync())
          Why += "; '" + T.Name + "': " + T.WhyLdg;
      return refuse(ReasonId::NoAsyncCopy, Why);
    }
    if (Chosen.Kind != Variant::CpAsync && Options.Stages > 2)
      remark(ReasonId::StageCountReduced,
             "stage counts above two need asynchronous copies");
  }

  /// Measured on one H200: int8 wmma 128x128x64 runs 1.07x by ldg and 0.71x by
  /// cp-async in a ring (bench/results).
  bool hasByteTiles() const {
    return llvm::any_of(Facts.Shared, [&](const SharedVariable &S) {
      return V.Tiles.count(S.Object) && S.ElementBytes == 1;
    });
  }

  bool hasAsync() const {
    return Machine.HasAsyncCopy &&
           (Options.CudaMajor == 0 || Options.CudaMajor >= Rules.minCuda());
  }

  /// Builds the plan for one variant, or falls back to the next best.
  void tryVariant(Variant Kind) {
    bool OneSlot = Kind == Variant::RegisterPrefetch;
    // Where dynamic memory cannot grow, how it is carved up does not matter.
    bool Dynamic = llvm::any_of(Facts.Shared, [&](const SharedVariable &S) {
      return V.Tiles.count(S.Object) && S.IsExtern;
    });
    std::vector<Reason> SlotReasons = slotReasons();
    bool OneSlotServes = Dynamic && !SlotReasons.empty() &&
                         llvm::all_of(SlotReasons, [](const Reason &R) {
      return R.Id == ReasonId::LaunchNotVisible ||
             R.Id == ReasonId::TileEscapes || R.Id == ReasonId::TileLiveOutside;
    });
    if (!OneSlot && OneSlotServes && !Options.Kind) {
      // The largest plan that leaves the launch alone.
      for (const Reason &R : SlotReasons)
        remark(ReasonId::StageCountReduced, R.Message + "; one slot is kept");
      Result.Because = "a second slot would have to be given at the launch";
      tryVariant(Variant::RegisterPrefetch);
      if (!Result.Plan)
        Result.Refusals = SlotReasons;
      return;
    }
    if (!OneSlot && !SlotReasons.empty()) {
      Result.Refusals.insert(Result.Refusals.end(), SlotReasons.begin(),
                             SlotReasons.end());
      return;
    }
    LoopPlan Plan;
    Plan.Kind = Kind;
    Plan.Tiles = Qualified;
    Plan.Slice = Slice;
    std::vector<Reason> Failures;
    if (!assignTransports(Plan, Failures)) {
      Result.Refusals.insert(Result.Refusals.end(), Failures.begin(),
                             Failures.end());
      return;
    }
    if (!decideStages(Plan))
      return;
    decideForm(Plan);
    decideIssue(Plan);
    decideUnroll(Plan);
    decideNames(Plan);
    decideAddresses(Plan);
    decideTest(Plan);
    decideBarriers(Plan);
    placeStatements(Facts, V, Buffer, Plan);
    if (!Plan.Places.Failures.empty()) {
      Result.Refusals = Plan.Places.Failures;
      return;
    }
    Plan.StoresAlways = Plan.Addresses == Addressing::Stepped && Plan.Stages >= 2 &&
                        Plan.Shape == Form::Predicate && Plan.When == Issue::Last &&
                        storesAnyTime(Facts, V, Plan) &&
                        llvm::all_of(Plan.Staged, [](const StagedLoad &S) {
                          return S.EmptyInit;
                        });
    if (Plan.ToDynamic) {
      SharedLayout Layout = layOutShared({{&Facts, &Plan}}, false);
      Plan.Dynamic = {Layout.Bytes, Layout.Spelled, true, Layout.Bytes, false};
    } else if (Plan.Block && Plan.Stages > 1 && !launchesGive(Facts, Plan.Block->Bytes)) {
      Plan.Dynamic = needOf(*Plan.Block, Plan.Stages);
    }
    Result.Names = Names.given();
    estimate(Plan);
    Result.Plan = std::move(Plan);
  }

  std::optional<BlockSlots> slotsFor(unsigned Stages) const {
    // For a launch that stays as it is, every byte counts.
    return placeSlots(Facts, V.Tiles, Stages,
                      {Options.SlotStride, checkLaunches(Facts) ? "" : Options.StrideText});
  }

  /// What the launches give already holds everything that is no slot.
  DynamicNeed needOf(const BlockSlots &Slots, unsigned Stages) const {
    if (Slots.Spelled.empty())
      return {Slots.Bytes, std::to_string(Slots.Bytes), true, Slots.Bytes, false};
    uint64_t OneSlot = Slots.spelledBytes() - (Stages - 1) * Slots.Stride;
    DynamicNeed Need = {Slots.spelledBytes(), Slots.spellBytes(Slots.Spelled), true,
                        Slots.spelledBytes(), Facts.BlockBytes > OneSlot};
    const NamedConstant *Given = Need.KeepsGiven ? givenByAll() : nullptr;
    if (!Given)
      return Need;
    Need.Spelled = Given->Text + " > " + Need.Spelled + " ? " + Given->Text + " : " +
                   Need.Spelled;
    Need.Bytes = Need.Covers = std::max(Need.Bytes, Given->Value);
    Need.KeepsGiven = false;
    return Need;
  }

  /// The constant beside the kernel that every launch gives as its bytes, if any.
  const NamedConstant *givenByAll() const {
    for (const NamedConstant &C : Facts.Constants)
      if (C.Value && C.Form == NamedConstant::Word &&
          llvm::all_of(Facts.Uses.Sites, [&](const LaunchSite &S) {
            return S.BytesText == C.Text && S.DynamicShared == C.Value;
          }))
        return &C;
    return nullptr;
  }

  /// The slots in the dynamic block for which no launch has to be edited that
  /// cannot be; as many as there may be where all can, or where there is no block.
  unsigned stagesOfLaunches() const {
    constexpr unsigned Most = 8;
    if (!checkLaunches(Facts) || checkLaunchesSeen(Facts))
      return Most;
    for (unsigned Stages = 2; Stages <= Most; ++Stages) {
      auto Slots = slotsFor(Stages);
      if (!Slots)
        return Most;
      if (!launchesGive(Facts, Slots->Bytes))
        return Stages - 1;
    }
    return Most;
  }

  /// Why there can be no second slot: the verdict's reasons, and launches that
  /// cannot be given the bytes.
  std::vector<Reason> slotReasons() const {
    std::vector<Reason> Reasons = V.SlotReasons;
    if (stagesOfLaunches() > 1)
      return Reasons;
    Reason Fixed = *checkLaunches(Facts);
    auto Part = llvm::find_if(Facts.Shared, [&](const SharedVariable &S) {
      return V.Tiles.count(S.Object) && S.Part;
    });
    if (Part != Facts.Shared.end())
      Fixed.Message = "'" + Part->Name + "' lies in dynamic shared memory; " + Fixed.Message;
    Reasons.insert(Reasons.begin(), std::move(Fixed));
    return Reasons;
  }

  /// \returns false, with the reasons, if a tile can travel in no way.
  bool assignTransports(LoopPlan &Plan, std::vector<Reason> &Failures) {
    for (TilePlan &T : Plan.Tiles)
      T.How = Plan.Kind == Variant::CpAsync && T.WhyLdg.empty()
                  ? Transport::CpAsync
                  : Transport::Ldg;
    std::vector<Reason> Hard;
    FreshNames Fresh = Names;
    Plan.Staged = stageLoads(Facts, V, Slice, Plan.Tiles, Buffer, Fresh, Hard);
    countRegisters(Plan, Hard);
    if (hasWholeCall() && Plan.Kind == Variant::RegisterPrefetch)
      Hard.push_back({ReasonId::Registers, Facts.Line, Facts.Column,
                      "the copy is a call, which cannot be held in registers"});
    bool Uneven = llvm::any_of(Plan.Staged, [](const StagedLoad &S) {
      return S.Array.Uneven;
    });
    bool CanRescue = Plan.Kind == Variant::Ldg && !Options.Kind && hasAsync() &&
                     (Uneven || !Hard.empty()) &&
                     llvm::any_of(Qualified, [](const TilePlan &T) {
                       return T.WhyLdg.empty();
                     });
    if (CanRescue) {
      Plan.Kind = Variant::CpAsync;
      Result.Because = Hard.empty()
                           ? "several copy loops depend on the thread, so that ldg "
                             "would hold the tile in local memory"
                           : "what ldg would hold in registers is not known at "
                             "compile time, and cp-async holds nothing there";
      return assignTransports(Plan, Failures);
    }
    if (!Hard.empty()) {
      Failures = Hard;
      return false;
    }
    Names = Fresh;
    for (const TilePlan &T : Plan.Tiles)
      if (Plan.Kind == Variant::CpAsync && T.How == Transport::Ldg)
        remark(ReasonId::TransportFallback,
               "'" + T.Name + "' travels by ldg: " + T.WhyLdg);
    return true;
  }

  bool hasWholeCall() const {
    return llvm::any_of(copyLeaves(Facts, V.Split), [](const CopyLeaf &L) {
      return L.Statement->WholeCall;
    });
  }

  /// Bytes that one thread holds in registers for the next tile.
  static uint64_t stagedBytes(const LoopPlan &Plan) {
    uint64_t Bytes = 0;
    for (const StagedLoad &S : Plan.Staged)
      Bytes += S.Array.Count.value_or(0) * S.Bytes;
    return Bytes;
  }

  void countRegisters(const LoopPlan &Plan, std::vector<Reason> &Hard) {
    unsigned Registers = (stagedBytes(Plan) + 3) / 4;
    if (Registers > MaxStagedRegisters)
      Hard.push_back({ReasonId::Registers, Facts.Line, Facts.Column,
                      "holding the next tile takes " + std::to_string(Registers) +
                          " registers per thread; " +
                          std::to_string(MaxStagedRegisters) +
                          " are the most that pays"});
  }

  const SharedVariable *variable(ObjectId Tile) const {
    for (const SharedVariable &S : Facts.Shared)
      if (S.Object == Tile)
        return &S;
    return nullptr;
  }

  /// Enters the bytes that slots add to the static arrays.
  void countSlots(StageRequest &Request, bool &Known) const {
    Known = Facts.StaticSharedKnown || Facts.AssumedSharedBytes;
    for (const TilePlan &T : Qualified) {
      const SharedVariable *S = variable(T.Tile);
      if (S && S->Part)
        continue;
      uint64_t Bytes = tileBytesOf(Facts, T);
      Known &= Bytes != 0;
      Request.BytesPerSlot += T.padded(Bytes);
      Request.FirstPadding += T.padded(Bytes) - Bytes;
    }
  }

  /// Dynamic bytes of the block with one to eight slots.
  std::vector<uint64_t> dynamicBytes(uint64_t AsLaunched) const {
    std::vector<uint64_t> Bytes;
    for (unsigned Stages = 1; Stages <= 8; ++Stages)
      if (auto Slots = slotsFor(Stages))
        Bytes.push_back(Stages == 1 ? std::max(AsLaunched, Facts.BlockBytes)
                                    : std::max(AsLaunched, Slots->Bytes));
    return Bytes;
  }

  bool decideStages(LoopPlan &Plan) {
    bool Known = false;
    StageRequest Request;
    Request.Machine = &Machine;
    countSlots(Request, Known);
    Request.OneSlot.Threads = Result.Threads;
    Request.OneSlot.RegistersPerThread = Options.Registers;
    Request.OneSlot.StaticShared = Facts.StaticSharedKnown
                                       ? Facts.StaticSharedBytes
                                       : Facts.AssumedSharedBytes;
    for (const LaunchSite &L : Facts.Launches)
      if (L.DynamicShared)
        Request.OneSlot.DynamicShared =
            std::max(Request.OneSlot.DynamicShared, *L.DynamicShared);
    Request.DynamicByStages = dynamicBytes(Request.OneSlot.DynamicShared);
    if (!Request.DynamicByStages.empty())
      Request.OneSlot.DynamicShared = Request.DynamicByStages.front();
    Request.AllowCliff = Options.AllowCliff;
    unsigned Given = stagesOfLaunches();
    Request.MaxStages = std::min(ringStages(Plan), Given);
    Request.Wanted = Options.Stages ? Request.MaxStages : 0;
    Result.SizesKnown = Known;
    if (!Known)
      remark(ReasonId::SymbolicSize, symbolicSize());
    if (Plan.Kind == Variant::RegisterPrefetch) {
      Plan.Stages = 1;
      Request.MaxStages = 1;
      Result.Budget = chooseStages(Request);
      Result.Budget.Stages = 1;
      Result.Budget.After = Result.Budget.Before;
      Result.Budget.SharedAfter = Result.Budget.SharedBefore;
      return true;
    }
    Result.Budget = chooseForAllLaunches(Request);
    if (Known && Result.Budget.Stages < Request.MaxStages)
      considerRegisters(Request);
    if (Known)
      considerDynamic(Request, Plan);
    bool Fits = !Known || Result.Budget.Stages >= 2;
    // Of what size nobody knows, no more is taken than was asked for.
    Plan.Stages = Known            ? std::max(2u, Result.Budget.Stages)
                  : Options.Stages ? Request.MaxStages
                                   : 2;
    if (Fits && Plan.Stages == Given && Given < ringStages(Plan))
      remark(ReasonId::StageCountReduced,
             std::to_string(Given) + " slots are used, for which the launches give "
                                     "enough: " + checkLaunches(Facts)->Message);
    else if (Fits && Options.Stages > Plan.Stages && Plan.Kind == Variant::CpAsync)
      remark(ReasonId::StageCountReduced,
             std::to_string(Plan.Stages) + " slots are used: " +
                 (Request.MaxStages < Options.Stages
                      ? "a ring of more needs every tile to travel by cp-async, "
                        "a for or while loop, and tiles that nobody uses after it"
                      : Result.Budget.Reason));
    if (Fits) {
      Plan.Block = slotsFor(Plan.Stages);
      return true;
    }
    if (!Options.Kind && prefetchInstead(Plan))
      return true;
    refuse(ReasonId::Budget, Result.Budget.Reason);
    if (!WhyStatic.empty())
      refuse(ReasonId::LaunchNotVisible, WhyStatic);
    return false;
  }

  /// Static arrays end at 48 KB. Where more slots fit behind that, all static
  /// arrays of the kernel move to dynamic memory, and its launches give it.
  void considerDynamic(StageRequest Request, LoopPlan &Plan) {
    bool InBlock = llvm::any_of(Facts.Shared, [&](const SharedVariable &S) {
      return V.Tiles.count(S.Object) && !S.IsStaticArray;
    });
    if (!Facts.IsKernel || InBlock)
      return;
    unsigned Static = mostStages(Request).Stages;
    Request.Dynamic = true;
    Request.OneSlot.DynamicShared += Request.OneSlot.StaticShared;
    Request.OneSlot.StaticShared = 0;
    Request.DynamicByStages = blockBytes(Plan, Request.OneSlot.DynamicShared);
    StageChoice Moved = mostStages(Request);
    if (Moved.Stages <= Static && !(Options.MoveArrays && Moved.Stages > 1))
      return;
    if (auto Why = whyArraysStay(Facts, checkLaunches(Facts))) {
      WhyStatic = std::to_string(Moved.Stages) +
                  " slots need more than the 49,152 B that static arrays may "
                  "take, and the arrays cannot become dynamic: " +
                  *Why;
      remark(ReasonId::StageCountReduced, WhyStatic);
      return;
    }
    Plan.ToDynamic = true;
    Result.Budget = std::move(Moved);
    Result.Budget.Reason += "; the static arrays become dynamic";
  }

  /// Bytes of the block that the static arrays would move to, with one to eight
  /// slots; none where sizes are open.
  std::vector<uint64_t> blockBytes(LoopPlan Plan, uint64_t AsWritten) const {
    std::vector<uint64_t> Bytes = {AsWritten};
    for (Plan.Stages = 2; Plan.Stages <= 8; ++Plan.Stages)
      Bytes.push_back(layOutShared({{&Facts, &Plan}}, false).Bytes);
    return Bytes.back() ? Bytes : std::vector<uint64_t>();
  }

  /// The choice that keeps the blocks which the kernel's registers let in.
  StageChoice mostStages(StageRequest Request) const {
    StageChoice Plain = chooseStages(Request);
    if (!Options.Registers)
      Request.OneSlot.RegistersPerThread =
          estimateRegisters(Machine, heldRegisters()).Registers;
    StageChoice Held = chooseStages(Request);
    return Held.Stages > Plain.Stages ? Held : Plain;
  }

  /// The choice for the launch that allows the fewest slots. With --block all
  /// launches are taken to have that size.
  StageChoice chooseForAllLaunches(StageRequest &Request) {
    StageChoice Least = chooseStages(Request);
    StageRequest Other = Request;
    for (const LaunchSite &L : Facts.Launches) {
      if (!Options.BlockThreads && L.BlockX && L.BlockY && L.BlockZ)
        Other.OneSlot.Threads = *L.BlockX * *L.BlockY * *L.BlockZ;
      if (Request.DynamicByStages.empty())
        Other.OneSlot.DynamicShared = L.DynamicShared.value_or(0);
      StageChoice Choice = chooseStages(Other);
      if (Choice.Stages >= Least.Stages)
        continue;
      Least = std::move(Choice);
      Request = Other;
      Result.Threads = Other.OneSlot.Threads;
    }
    return Least;
  }

  /// The slots that a ring may have here; two where only the other forms serve.
  unsigned ringStages(const LoopPlan &Plan) const {
    bool Ring = Plan.Kind == Variant::CpAsync &&
                travelsBy(Transport::CpAsync, Plan) && Facts.Kind != LoopKind::Do && !usedAfter(Plan) &&
                (!Options.Shape || *Options.Shape == Form::Ring);
    const VariantFigures &Figures = Rules.figuresFor(Machine);
    unsigned Auto = Figures.mostStages(Facts.TensorCore, Result.Ratio, copiesOfThread());
    return Ring ? std::max(2u, Options.Stages ? Options.Stages : Auto) : 2u;
  }

  /// Shared memory alone would cost a resident block, but the registers that
  /// the kernel holds for certain do not let that block in anyway.
  void considerRegisters(StageRequest Request) {
    if (Result.Budget.HardLimit || Options.Registers)
      return;
    RegisterEstimate Estimate = estimateRegisters(Machine, heldRegisters());
    Request.OneSlot.RegistersPerThread = Estimate.Registers;
    StageChoice Choice = chooseStages(Request);
    if (Choice.Stages <= Result.Budget.Stages)
      return;
    Choice.Reason += "; registers are estimated (" + Estimate.Derivation + ")";
    Result.Budget = std::move(Choice);
  }

  /// What the time model says of everything that could be done here.
  void weigh() {
    if (!Result.Plan || Result.ThreadsAssumed)
      return;
    bool Whole = hasWholeCall(), TwoSlots = slotReasons().empty();
    Choices Can;
    Can.AllowCliff = Options.AllowCliff;
    Can.Ldg = !Whole && TwoSlots;
    Can.Prefetch = !Whole;
    Can.CpAsync = TwoSlots && hasAsync() &&
                  llvm::any_of(Qualified, [](const TilePlan &T) {
                    return T.WhyLdg.empty();
                  });
    LoopPlan Ring = *Result.Plan;
    Ring.Kind = Variant::CpAsync;
    if (copiesPlainly() && Facts.Kind != LoopKind::Do && !usedAfter(Ring))
      Can.MaxAsyncStages = 4;
    Result.Candidates = predict(Machine, Computed, Result.Budget, Can);
    if (Options.Kind || Result.Candidates.empty() || mayGain(Result.Candidates))
      return;
    Result.Plan.reset();
    refuse(ReasonId::NotWorthIt,
           llvm::formatv("{0:F0} operations on each byte that is copied: no "
                         "variant is predicted to gain a percent",
                         *Computed.Ratio)
               .str());
  }

  RegisterFacts heldRegisters() const {
    RegisterFacts Held;
    Held.Reported = Options.Registers;
    Held.AccumulatorBytes = Facts.AccumulatorBytes;
    Held.FragmentBytes = Facts.FragmentBytes;
    Held.Pointers = Facts.PointerCount;
    return Held;
  }

  void estimate(const LoopPlan &Plan) {
    RegisterFacts Held = heldRegisters();
    Held.StagedBytes = stagedBytes(Plan);
    for (const KeptAddress &K : Plan.Kept)
      Held.Pointers += K.Array.Count.value_or(0);
    Result.RegistersAfter = estimateRegisters(Machine, Held, Plan.Kind);
  }

  /// One slot and registers ahead, where two slots do not fit.
  bool prefetchInstead(LoopPlan &Plan) {
    LoopPlan Prefetch = Plan;
    Prefetch.Kind = Variant::RegisterPrefetch;
    std::vector<Reason> Failures;
    FreshNames Before = Names;
    if (!assignTransports(Prefetch, Failures)) {
      Names = Before;
      return false;
    }
    Prefetch.Stages = 1;
    Result.Because = "two slots do not fit: " + Result.Budget.Reason;
    if (WhyStatic.empty()) // else it was said why they cannot
      remark(ReasonId::StageCountReduced, Result.Because);
    Result.Budget.Stages = 1;
    Result.Budget.After = Result.Budget.Before;
    Result.Budget.SharedAfter = Result.Budget.SharedBefore;
    Plan = std::move(Prefetch);
    return true;
  }

  std::string symbolicSize() const {
    std::string Sum;
    for (const TilePlan &T : Qualified)
      Sum += (Sum.empty() ? "" : " + ") + std::string("2 * ") +
             (T.PadTo ? "(" + roundedUp(T.SymbolicBytes, T.PadTo) + ")" : T.SymbolicBytes);
    return "the size of the tiles is not known here and stays symbolic: " + Sum;
  }

  void decideForm(LoopPlan &Plan) {
    // A call brings its loads and its stores to where it stands. In a warp-tiled
    // fp32 GEMM on one H200 the peeled form then runs 0.90x, predicated 1.06x.
    Plan.Shape = Options.Shape   ? *Options.Shape
                 : hasWholeCall() ? Form::Predicate
                                  : Rules.formFor(Machine, Plan.Kind, Plan.Stages,
                                                  Facts.TensorCore, copiesPlainly());
    if (Plan.Stages > 2)
      Plan.Shape = Form::Ring;
    if (Plan.Shape == Form::Ring && !travelsBy(Transport::CpAsync, Plan))
      Plan.Shape = Form::Predicate;
    // A do loop tests behind its body, which is the shape of peeling; and only
    // the peeled form leaves the last tile's slot in the slot variable.
    if (Facts.Kind == LoopKind::Do || usedAfter(Plan))
      Plan.Shape = Form::Peel;
  }

  /// Do all tiles hold what memory holds?
  bool copiesPlainly() const {
    return llvm::all_of(Qualified,
                        [](const TilePlan &T) { return T.WhyLdg.empty(); });
  }

  static bool travelsBy(Transport How, const LoopPlan &Plan) {
    return llvm::all_of(Plan.Tiles, [&](const TilePlan &T) { return T.How == How; });
  }

  void decideIssue(LoopPlan &Plan) {
    bool Possible = Plan.Shape == Form::Ring
                        ? Plan.Stages > 2
                        : Plan.Shape == Form::Predicate &&
                              travelsBy(Transport::Ldg, Plan) &&
                              !Plan.Staged.empty();
    if (!Possible)
      return;
    double Copies = copiesOfThread();
    const VariantFigures &Figures = Rules.figuresFor(Machine);
    bool Last = Facts.TensorCore && Copies > 0 &&
                Copies <= Figures.LastCopies &&
                Plan.Kind != Variant::RegisterPrefetch;
    Plan.When = Options.When.value_or(Last ? Issue::Last : Issue::First);
  }

  /// By its slots, where that was measured to pay; never against the author.
  void decideUnroll(LoopPlan &Plan) {
    const VariantFigures &Figures = Rules.figuresFor(Machine);
    double Copies = copiesOfThread();
    bool Ring = Facts.TensorCore && Plan.Shape == Form::Ring &&
                Plan.When == Issue::Last && Copies > 0 &&
                Copies <= Figures.ConstantSlotCopies;
    bool Registers = Plan.Kind == Variant::Ldg && Plan.Shape == Form::Peel &&
                     !Facts.TensorCore &&
                     Facts.AccumulatorBytes >= 4 * Figures.UnrollAccumulators;
    unsigned Auto = Ring || Registers ? Plan.Stages : 0;
    Plan.Unroll = Facts.Pragmas.empty() ? Options.Unroll.value_or(Auto) : 0;
  }

  /// Copies of one thread for one iteration; 0 where it is not known.
  double copiesOfThread() const {
    return Result.Work ? Result.Work->Bytes / Result.Work->CopyBytes / Result.Threads
                       : 0;
  }

  /// Copies behind the compute phase, all close together, are where working out
  /// addresses shows.
  void decideAddresses(LoopPlan &Plan) {
    const VariantFigures &Figures = Rules.figuresFor(Machine);
    bool ByAsync = Plan.HasAsync();
    bool Many = copiesOfThread() >= Figures.SteppedCopies;
    bool Wanted = Facts.TensorCore && Plan.When == Issue::Last &&
                  (!ByAsync || Many || Plan.hasConstantSlots());
    FreshNames Fresh = Names;
    if (Options.Addresses.value_or(Wanted ? Addressing::Stepped : Addressing::Indexed) ==
        Addressing::Stepped)
      Plan.Kept = keepAddresses(Facts, V, Plan, Buffer, Fresh);
    if (!Plan.Kept.empty()) {
      Plan.Addresses = Addressing::Stepped;
      Names = Fresh;
    }
  }

  /// Copies that keep pointers have no need of a counter that runs ahead, except to
  /// see whether there is one more tile. Kept pointers tell that the body leaves the
  /// counter alone. Constant slots are slower that way, the others faster
  /// (bench/results/2026-11-30-tests-h200).
  void decideTest(LoopPlan &Plan) {
    if (Plan.Kept.empty() || !Facts.Left || Plan.Shape == Form::Peel ||
        Plan.hasConstantSlots())
      return;
    unsigned Ahead = Plan.Shape == Form::Ring       ? Plan.Stages - 1
                     : Plan.When == Issue::Last ? 2
                                                : 1;
    const TilesLeft &Left = *Facts.Left;
    if (Left.StepValue > std::numeric_limits<int32_t>::max() / int64_t(Ahead))
      return;
    std::string Distance = Ahead == 1 ? parenthesised(Left.Step)
                                      : std::to_string(Ahead) + " * " + parenthesised(Left.Step);
    Plan.OneMore = Left.Rest + (Left.Inclusive ? " >= " : " > ") + Distance;
  }

  bool usedAfter(const LoopPlan &Plan) const {
    return Plan.Stages >= 2 &&
           llvm::any_of(Facts.Shared, [&](const SharedVariable &S) {
             return V.Tiles.count(S.Object) && S.MentionedAfter &&
                    !S.MentionedBefore;
           });
  }

  void decideNames(LoopPlan &Plan) {
    for (TilePlan &T : Plan.Tiles) {
      const SharedVariable *S = variable(T.Tile);
      if (Plan.Block && S && S->Part)
        for (const BlockName &N : S->Part->Names)
          T.Names.push_back({N.Name, Names.get(N.Name + "_slots")});
      else
        std::tie(T.SlotsName, T.SlotType) = slotsNames(T);
    }
    if (Plan.Block)
      Plan.StrideName = Names.get("slot_stride");
    Plan.SlotName = Names.get("slot");
    Plan.MoreName = Names.get(Plan.Stages > 2 ? "fill" : "more");
    if (Plan.Stages > 2)
      Plan.FilledName = Names.get("slot_filled");
    for (VarId Var = 0; Var < Facts.Variables.size(); ++Var)
      Plan.AheadNames[Var] = Names.get(Facts.Variables[Var].Name + "_next");
  }

  /// The same for every loop of the function, since the storage is shared.
  std::pair<std::string, std::string> slotsNames(const TilePlan &T) const {
    FreshNames Fresh(Facts);
    return {Fresh.get(T.Name + "_slots"), Fresh.get(T.Name + "_slot")};
  }

  static bool touchesMemory(const Node &N) {
    bool Found = false;
    visitNodes(N, [&](const Node &Each) { Found |= !Each.Effects.empty(); });
    return Found;
  }

  /// Is memory read to find the next tile, or whether there is one? The prologue
  /// does so before the first barrier, the author behind it.
  bool movesOnByMemory() const {
    return touchesMemory(Facts.ConditionNode) ||
           llvm::any_of(Facts.Increments, touchesMemory) ||
           llvm::any_of(Slice.Updates,
                        [&](size_t I) { return touchesMemory(Facts.Body[I]); });
  }

  void decideBarriers(LoopPlan &Plan) {
    for (size_t I : V.Split.Tail)
      Plan.KeepTrailingBarrier |= touchesMemory(Facts.Body[I]);
    Plan.KeepTrailingBarrier |= Plan.Kind == Variant::RegisterPrefetch;
    // What the kernel uses next may be where another thread's last slot is.
    bool SlotsInBlock = Plan.Block && Plan.Stages > 1;
    Plan.BarrierAfterLoop =
        (V.Split.TrailingBarrier.has_value() && Facts.MemoryTouchedAfter) ||
        (SlotsInBlock && Facts.BlockUsedAgain);
    bool TwoSetOff = Plan.Stages > 2 ||
                     (Plan.Shape == Form::Predicate && Plan.When == Issue::Last);
    Plan.BarrierBeforeLoop = (TwoSetOff || movesOnByMemory()) &&
                             Facts.MemoryWrittenBefore && !V.Split.LeadingBarrier;
    for (const SharedVariable &S : Facts.Shared) {
      if (!V.Tiles.count(S.Object) || Plan.Stages < 2)
        continue;
      if (S.MentionedBefore)
        Plan.BindBefore.insert(S.Object);
      else if (S.MentionedAfter)
        Plan.BindAfter.insert(S.Object);
    }
  }

  const LoopFacts &Facts;
  const Verdict &V;
  const PlanOptions &Options;
  const Arch &Machine;
  const VariantRules &Rules;
  llvm::StringRef Buffer;
  CopySlice Slice;
  std::string WhyStatic; ///< why more than 48 KB are not to be had
  std::vector<TilePlan> Qualified;
  Decision Chosen;
  LoopRatio Computed;
  FreshNames Names;
  PlanResult Result;
};

} // namespace

PlanResult makePlan(const LoopFacts &Facts, const Verdict &V,
                    const PlanOptions &Options, const Arch &Machine,
                    const VariantRules &Rules, llvm::StringRef Buffer) {
  return Planner(Facts, V, Options, Machine, Rules, Buffer).run();
}

} // namespace pipeline_rewrite
