#include "Strides.h"
#include "Plan/SlotPlaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace pipeline_rewrite {

static uint64_t strideOf(const LoopPlan &Plan) {
  return Plan.Block ? Plan.Block->Stride : 0;
}

bool sameStride(const LoopPlan &A, const LoopPlan &B) {
  std::string TextOfA = A.Block ? A.Block->Spelled : "";
  std::string TextOfB = B.Block ? B.Block->Spelled : "";
  return TextOfA == TextOfB && (!TextOfA.empty() || strideOf(A) == strideOf(B));
}

bool stridesAgree(const SourceLoop &Loop) {
  const LoopPlan *First = nullptr;
  for (const PlanResult &R : Loop.Plans) {
    if (!R.Plan)
      return true; // refused anyway
    if (First && !sameStride(*R.Plan, *First))
      return false;
    First = First ? First : &*R.Plan;
  }
  return true;
}

uint64_t largestStride(const SourceLoop &Loop) {
  uint64_t Largest = 0;
  for (const PlanResult &R : Loop.Plans)
    if (R.Plan)
      Largest = std::max(Largest, strideOf(*R.Plan));
  return Largest;
}

std::string commonStride(const SourceLoop &Loop) {
  std::vector<std::string> Common;
  for (size_t I = 0; I < Loop.Readings.size(); ++I) {
    std::vector<std::string> Own =
        strideTexts(Loop.Readings[I], Loop.Verdicts[I].Tiles);
    if (I == 0)
      Common = std::move(Own);
    else
      erase_if(Common, [&](const std::string &Text) { return !is_contained(Own, Text); });
  }
  return Common.empty() ? "" : Common.front();
}

bool costsMore(const std::vector<PlanResult> &Named,
               const std::vector<PlanResult> &Plain) {
  for (size_t I = 0; I < Plain.size(); ++I) {
    if (!Plain[I].Plan)
      continue;
    if (!Named[I].Plan || Named[I].Plan->Stages < Plain[I].Plan->Stages ||
        Named[I].Budget.After.BlocksPerSM < Plain[I].Budget.After.BlocksPerSM)
      return true;
  }
  return false;
}

} // namespace pipeline_rewrite
