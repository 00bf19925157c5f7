#include "Report/Bench.h"
#include "Report/Figures.h"
#include "Report/Report.h"
#include "Report/SassJson.h"
#include "Support/Version.h"

namespace pipeline_rewrite {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

/// The number of the schema in docs/report.schema.json.
constexpr int SchemaVersion = 1;

Value text(llvm::StringRef Text) { return llvm::json::fixUTF8(Text); }

template <typename T> Value orNull(const std::optional<T> &Known) {
  return Known ? Value(*Known) : Value(nullptr);
}

Value positiveOrNull(uint64_t Known) {
  return Known ? Value(Known) : Value(nullptr);
}

Array reasons(const std::vector<Reason> &List) {
  Array Result;
  for (const Reason &Why : List)
    Result.push_back(Object{{"id", slugOf(Why.Id)},
                            {"line", Why.Line},
                            {"column", Why.Column},
                            {"message", text(Why.Message)}});
  return Result;
}

Value occupancy(const std::optional<Occupancy> &Known) {
  if (!Known)
    return nullptr;
  return Object{{"blocks_per_sm", Known->BlocksPerSM},
                {"warps", Known->Warps},
                {"limit", toString(Known->Limit)}};
}

Array tiles(const LoopResult &Loop) {
  Array Result;
  for (const TileResult &Tile : Loop.Tiles) {
    bool Travels = isAccepted(Loop) && !Tile.Transport.empty();
    Object One{{"name", text(Tile.Name)},
               {"bytes", positiveOrNull(Tile.Bytes)},
               {"transport", Travels ? text(Tile.Transport) : Value(nullptr)},
               {"copy_bytes", positiveOrNull(Travels ? Tile.CopyBytes : 0)}};
    if (Tile.SlotBytes > Tile.Bytes)
      One["slot_bytes"] = Tile.SlotBytes;
    if (!Tile.Bytes && !Tile.SymbolicBytes.empty())
      One["symbolic_bytes"] = text(Tile.SymbolicBytes);
    Result.push_back(std::move(One));
  }
  return Result;
}

Value registers(const RegisterResult &R) {
  if (!R.Before)
    return nullptr;
  auto Source = [](bool Reported) { return Reported ? "compiler" : "estimate"; };
  Object Result{{"before", R.Before},
                {"before_source", Source(R.BeforeReported)},
                {"after", positiveOrNull(R.After)},
                {"after_source",
                 R.After ? Value(Source(R.AfterReported)) : Value(nullptr)}};
  if (R.AfterReported)
    Result["spill_bytes"] =
        Object{{"before", R.SpillBefore}, {"after", R.SpillAfter}};
  if (!R.Derivation.empty())
    Result["derivation"] = text(R.Derivation);
  return Result;
}

Array launches(const LoopResult &Loop) {
  Array Result;
  for (const LaunchRow &Row : Loop.Launches)
    Result.push_back(Object{
        {"instantiation", text(Row.Instantiation)},
        {"line", positiveOrNull(Row.Line)},
        {"threads", positiveOrNull(Row.Threads)},
        {"dynamic_bytes", Row.Dynamic},
        {"shared_bytes", Object{{"before", orNull(Row.SharedBefore)},
                                {"after", orNull(Row.SharedAfter)}}},
        {"occupancy", Object{{"before", occupancy(Row.Before)},
                             {"after", occupancy(Row.After)}}}});
  return Result;
}

Array candidates(const LoopResult &Loop) {
  Array Result;
  for (const Candidate &One : Loop.Candidates)
    Result.push_back(Object{{"variant", toString(One.Kind)},
                            {"stages", One.Stages},
                            {"blocks_per_sm", One.Residency.BlocksPerSM},
                            {"gain_low", One.Gain.Low},
                            {"gain_high", One.Gain.High}});
  return Result;
}

Object proof(const ProofSummary &Proof) {
  Array Failures;
  for (const ProofSummary::Failure &One : Proof.Failures)
    Failures.push_back(Object{{"check", text(One.Check)},
                              {"message", text(One.Message)},
                              {"where", text(One.Where)}});
  return Object{{"backend", text(Proof.Backend)},
                {"runs", Proof.Runs},
                {"comparisons", Proof.Comparisons},
                {"status", text(Proof.Status)},
                {"failures", std::move(Failures)}};
}

Object loop(const LoopResult &Loop) {
  LoopFigures Figures = figuresOf(Loop);
  bool Accepted = isAccepted(Loop);
  Object Result{{"kernel", text(Loop.Kernel)},
                {"instantiation", text(displayName(Loop))},
                {"line", Loop.Line},
                {"column", Loop.Column},
                {"status", toString(Loop.Status)},
                {"reasons", reasons(Loop.Reasons)},
                {"remarks", reasons(Loop.Remarks)},
                {"variant", nullptr},
                {"form", nullptr},
                {"stages", Accepted ? Loop.Stages : 1},
                {"tiles", tiles(Loop)},
                {"shared_bytes",
                 Object{{"before", orNull(Figures.SharedBefore)},
                        {"after", orNull(Figures.SharedAfter)},
                        {"static_limit", positiveOrNull(Loop.StaticLimit)},
                        {"optin_limit", positiveOrNull(Loop.OptinLimit)}}},
                {"occupancy", Object{{"before", occupancy(Figures.Before)},
                                     {"after", occupancy(Figures.After)}}},
                {"registers", registers(Loop.Registers)},
                {"ratio", orNull(Loop.Ratio)},
                {"ratio_source", text(Loop.RatioSource)},
                {"trip_count", orNull(Loop.TripCount)},
                {"launches", launches(Loop)},
                {"candidates", candidates(Loop)}};
  if (!Loop.RatioDerivation.empty())
    Result["ratio_derivation"] = text(Loop.RatioDerivation);
  if (Accepted && Loop.Kind)
    Result["variant"] = toString(*Loop.Kind);
  if (Accepted && Loop.Shape)
    Result["form"] = toString(*Loop.Shape);
  if (Loop.Proof)
    Result["proof"] = proof(*Loop.Proof);
  if (Loop.Sass)
    Result["sass"] = sassJson(*Loop.Sass);
  return Result;
}

} // namespace

Value toJson(const RunResult &Run) {
  Array Files;
  for (const FileResult &File : Run.Files) {
    Array Loops;
    for (const LoopResult &One : File.Loops)
      Loops.push_back(loop(One));
    Files.push_back(
        Object{{"path", text(File.Path)}, {"loops", std::move(Loops)}});
  }
  Object Result{{"schema", SchemaVersion},
                {"tool", "pipeline-rewrite"},
                {"version", toolVersion()},
                {"arch", text(Run.Arch)},
                {"files", std::move(Files)}};
  if (!Run.FilesWithErrors.empty()) {
    Array Broken;
    for (const std::string &Path : Run.FilesWithErrors)
      Broken.push_back(text(Path));
    Result["files_with_errors"] = std::move(Broken);
  }
  if (Run.Bench)
    Result["bench"] = toJson(*Run.Bench);
  return Result;
}

} // namespace pipeline_rewrite
