#include "Report/SassJson.h"
#include "llvm/ADT/StringExtras.h"

namespace pipeline_rewrite {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static Value text(llvm::StringRef Text) { return llvm::json::fixUTF8(Text); }

static Value textOrNull(llvm::StringRef Text) {
  return Text.empty() ? Value(nullptr) : text(Text);
}

static Value loopJson(const std::optional<SteadyLoop> &Known) {
  if (!Known)
    return nullptr;
  const SteadyLoop &L = *Known;
  Array Pending;
  for (unsigned N : L.Pending)
    Pending.push_back(N);
  auto FromControl = [&](unsigned Figure) {
    return L.HasControl ? Value(Figure) : Value(nullptr);
  };
  return Object{{"address", "0x" + llvm::utohexstr(L.Header, /*LowerCase=*/true)},
                {"instructions", int64_t(L.Body.size())},
                {"tiles", L.Tiles},
                {"math", L.Math},
                {"math_opcode", text(L.MathOpcode)},
                {"tile_loads", L.TileLoads},
                {"other_loads", L.OtherLoads},
                {"async_copies", L.AsyncCopies},
                {"tile_stores", L.TileStores},
                {"tile_bytes", int64_t(L.TileBytes)},
                {"barriers", L.Barriers},
                {"commits", L.Commits},
                {"pending_groups", std::move(Pending)},
                {"overlap", L.Overlap},
                {"worst_overlap", L.WorstOverlap},
                {"math_before_loads", L.MathBeforeLoads},
                {"math_after_stores", L.MathAfterStores},
                {"barrier_before_math", L.BarrierBeforeMath},
                {"stall_cycles", FromControl(L.StallCycles)},
                {"covered_cycles", FromControl(L.CoveredCycles)},
                {"yields", FromControl(L.Yields)},
                {"shared_waits", FromControl(L.SharedWaits)}};
}

static Value resourcesJson(const std::optional<SassResources> &Known) {
  if (!Known)
    return nullptr;
  return Object{{"registers", Known->Registers},
                {"stack_bytes", int64_t(Known->StackBytes)},
                {"spill_store_bytes", int64_t(Known->SpillStoreBytes)},
                {"spill_load_bytes", int64_t(Known->SpillLoadBytes)},
                {"static_shared_bytes", int64_t(Known->StaticShared)}};
}

static Object kernelJson(const SassKernel &K) {
  Array Checks, Excerpt;
  for (const SassCheck &C : K.Checks)
    Checks.push_back(Object{{"id", C.Id},
                            {"status", toString(C.Status)},
                            {"message", text(C.Message)}});
  for (const std::string &Line : K.Excerpt)
    Excerpt.push_back(text(Line));
  return Object{{"name", text(K.Name)},
                {"verdict", toString(K.Verdict)},
                {"summary", text(K.Summary)},
                {"before", loopJson(K.Before)},
                {"after", loopJson(K.After)},
                {"resources", Object{{"before", resourcesJson(K.ResourcesBefore)},
                                     {"after", resourcesJson(K.ResourcesAfter)}}},
                {"local_memory", Object{{"loads_before", K.LocalBefore.Loads},
                                        {"stores_before", K.LocalBefore.Stores},
                                        {"loads_after", K.LocalAfter.Loads},
                                        {"stores_after", K.LocalAfter.Stores}}},
                {"checks", std::move(Checks)},
                {"excerpt", std::move(Excerpt)}};
}

Object sassJson(const SassReport &Report) {
  Array Kernels;
  for (const SassKernel &K : Report.Kernels)
    Kernels.push_back(kernelJson(K));
  return Object{
      {"status", Report.Checked ? "checked" : "not-checked"},
      {"verdict",
       Report.Checked ? Value(toString(Report.verdict())) : Value(nullptr)},
      {"message", textOrNull(Report.Message)},
      {"remedy", textOrNull(Report.Remedy)},
      {"kernels", std::move(Kernels)}};
}

} // namespace pipeline_rewrite
