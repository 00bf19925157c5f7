#include "Plan/SharedLayout.h"
#include "Support/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace pipeline_rewrite {

namespace {

/// Every part begins where 16-byte accesses may (the widest there are).
constexpr unsigned LeastAlignment = 16;

/// `BM * BK` of `[BM][BK]`; empty without extents.
std::string elementsOf(const StaticArray &Array) {
  std::vector<std::string> Factors;
  for (const std::string &Extent : Array.Extents)
    Factors.push_back(parenthesised(Extent));
  return llvm::join(Factors, " * ");
}

std::string sizeOf(const LayoutPart &Part) {
  std::string Elements = elementsOf(*Part.Array);
  std::string One = (Elements.empty() ? "" : Elements + " * ") + "sizeof(" +
                    Part.Array->Type + ")";
  if (Part.Padded)
    One = "(" + roundedUp(One, Part.Padded->PadTo) + ")";
  return (Part.Slots ? std::to_string(Part.Slots) + " * " : "") + One;
}

/// `2 * (BM * BK + BK * BN) * sizeof(half)`, as far as neighbours have slots and
/// type in common.
std::string sumOf(const SharedLayout &Layout) {
  std::vector<std::string> Terms;
  if (Layout.OldBytes)
    Terms.push_back(std::to_string(Layout.OldBytes));
  for (size_t I = 0; I < Layout.Parts.size();) {
    const LayoutPart &First = Layout.Parts[I];
    size_t End = I + 1;
    auto Plain = [](const LayoutPart &Part) { return !Part.Rounded && !Part.Padded; };
    while (Plain(First) && End < Layout.Parts.size() &&
           Layout.Parts[End].Slots == First.Slots && Plain(Layout.Parts[End]) &&
           Layout.Parts[End].Array->Type == First.Array->Type &&
           !First.Array->Extents.empty() && !Layout.Parts[End].Array->Extents.empty())
      ++End;
    if (End == I + 1) {
      Terms.push_back(First.Rounded ? roundedUp(First.Size, First.Alignment)
                                    : First.Size);
    } else {
      std::vector<std::string> Elements;
      for (size_t J = I; J < End; ++J)
        Elements.push_back(elementsOf(*Layout.Parts[J].Array));
      Terms.push_back((First.Slots ? std::to_string(First.Slots) + " * (" : "(") +
                      llvm::join(Elements, " + ") + ") * sizeof(" +
                      First.Array->Type + ")");
    }
    I = End;
  }
  return llvm::join(Terms, " + ");
}

} // namespace

std::string roundedUp(const std::string &Spelled, unsigned Alignment) {
  std::string Less = std::to_string(Alignment - 1);
  std::string Whole = std::to_string(Alignment);
  return "(" + Spelled + " + " + Less + ") / " + Whole + " * " + Whole;
}

std::optional<std::string> whyArraysStay(const LoopFacts &Facts,
                                         const std::optional<Reason> &Launches) {
  if (Launches)
    return Launches->Message;
  if (!Facts.Uses.ArraysStay.empty())
    return Facts.Uses.ArraysStay;
  // Who uses the bytes need not be seen: a function that the kernel calls may.
  std::optional<uint64_t> Given;
  for (const LaunchSite &S : Facts.Uses.Sites) {
    if (S.Kind == LaunchKind::Attribute || S.Kind == LaunchKind::Occupancy)
      continue;
    if (!S.DynamicShared || (Given && *Given != *S.DynamicShared))
      return "its launches do not all give the same constant number of dynamic "
             "bytes, behind which the arrays would lie";
    Given = S.DynamicShared;
  }
  return std::nullopt;
}

SharedLayout
layOutShared(const std::vector<std::pair<const LoopFacts *, const LoopPlan *>> &Plans,
             bool Round) {
  const LoopFacts &Any = *Plans.front().first;
  SharedLayout Layout;
  Layout.Alignment = LeastAlignment;
  for (const LaunchSite &S : Any.Uses.Sites)
    if (S.Kind != LaunchKind::Attribute && S.Kind != LaunchKind::Occupancy)
      Layout.OldBytes = std::max(
          Layout.OldBytes, llvm::alignTo(S.DynamicShared.value_or(0), LeastAlignment));
  bool Known = true;
  for (const StaticArray &Array : Any.Uses.StaticArrays) {
    LayoutPart Part;
    Part.Array = &Array;
    Part.Name = Array.Name;
    Part.Alignment = std::max(LeastAlignment, Array.Alignment);
    for (const auto &[Facts, Plan] : Plans)
      for (const SharedVariable &S : Facts->Shared) {
        if (S.Name != Array.Name || S.IsExtern)
          continue;
        Part.Alignment = std::max({Part.Alignment, S.AccessAlignment, S.DeclaredAlignment});
        const TilePlan *Tile = Plan->tile(S.Object);
        if (!Tile || Plan->Stages < 2)
          continue;
        Part.Alignment = std::max({Part.Alignment, Tile->Alignment, Tile->SlotAlignment});
        Part.Slots = std::max(Part.Slots, Plan->Stages);
        Part.Name = Tile->SlotsName;
        if (Tile->PadTo)
          Part.Padded = Tile;
        if (Tile->CheckSlotSize)
          Part.SlotAlignment = std::max(Part.SlotAlignment, Tile->SlotAlignment);
        Part.BindFirst |= Plan->BindBefore.count(S.Object) != 0;
      }
    Part.Size = sizeOf(Part);
    Layout.Alignment = std::max(Layout.Alignment, Part.Alignment);
    Known &= Array.Bytes != 0;
    Layout.Parts.push_back(std::move(Part));
  }
  // A part ends where any other may begin, so that order does not matter.
  uint64_t At = llvm::alignTo(Layout.OldBytes, Layout.Alignment);
  Layout.OldBytes = At;
  for (LayoutPart &Part : Layout.Parts) {
    Part.Alignment = Layout.Alignment;
    uint64_t One = Part.Padded ? Part.Padded->padded(Part.Array->Bytes) : Part.Array->Bytes;
    uint64_t Bytes = One * std::max(1u, Part.Slots);
    bool Even = Part.Array->Bytes && Bytes % Layout.Alignment == 0;
    bool Whole = Part.Padded && Part.Padded->PadTo % Layout.Alignment == 0;
    Part.Rounded = (!Even || Round) && !Whole;
    At += llvm::alignTo(Bytes, Layout.Alignment);
  }
  Layout.Bytes = Known ? At : 0;
  Layout.Spelled = sumOf(Layout);
  return Layout;
}

} // namespace pipeline_rewrite
