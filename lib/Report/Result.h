/// \file
/// What one run of the tool found out: the single value that every report
/// (text, JSON, SARIF, HTML, remarks, fixes) is made from.
#pragma once

#include "Budget/CostModel.h"
#include "Budget/Kinds.h"
#include "Budget/Stages.h"
#include "Legality/Verdict.h"
#include "Report/BenchTable.h"
#include "Sass/Check.h"
#include <optional>
#include <string>
#include <vector>

namespace pipeline_rewrite {

enum class LoopStatus {
  Rewritten, ///< edits were made
  Eligible,  ///< edits could be made (`--dry-run`)
  Refused,
  Skipped ///< not considered: `--kernel`, `--loop`, or a parse error around it
};

struct TileResult {
  std::string Name;
  uint64_t Bytes = 0; ///< of the tile, 0 if symbolic
  std::string SymbolicBytes;
  std::string Transport; ///< `ldg` | `cp-async`
  unsigned CopyBytes = 0;
  uint64_t SlotBytes = 0; ///< of one slot, more than Bytes where slots are padded
};

/// A replacement of bytes [Offset, Offset + Length) of a file.
struct EditResult {
  std::string File;
  unsigned Offset = 0, Length = 0;
  std::string Text;
};

/// The proof of one loop; filled by lib/Verify's caller.
struct ProofSummary {
  std::string Backend;
  unsigned Runs = 0, Comparisons = 0;
  std::string Status; ///< proved | failed | could-not-run | original-broken
  struct Failure {
    std::string Check, Message, Where;
  };
  std::vector<Failure> Failures;
};

/// Registers a thread, and bytes a thread spills to local memory.
struct RegisterResult {
  unsigned Before = 0, After = 0; ///< 0 unknown
  uint64_t SpillBefore = 0, SpillAfter = 0;
  bool BeforeReported = false, AfterReported = false; ///< by nvcc; else guessed
  std::string Derivation; ///< of a guess
};

/// The budget at one launch of one instantiation.
struct LaunchRow {
  std::string Instantiation;
  unsigned Line = 0;    ///< of the launch; 0: none is visible
  unsigned Threads = 0; ///< per block, 0 unknown
  uint64_t Dynamic = 0; ///< bytes that the author's launch gives
  std::optional<uint64_t> SharedBefore, SharedAfter; ///< bytes a block
  std::optional<Occupancy> Before, After;
};

struct LoopResult {
  std::string Kernel;        ///< function name
  std::string Instantiation; ///< the one that decides the budget
  unsigned Line = 0, Column = 0;
  unsigned EndLine = 0; ///< of the loop; 0 not known
  LoopStatus Status = LoopStatus::Refused;
  std::vector<Reason> Reasons; ///< why refused
  std::vector<Reason> Remarks; ///< what accompanies it otherwise
  std::optional<Variant> Kind;
  std::optional<Form> Shape;
  Issue When = Issue::First;
  Addressing Addresses = Addressing::Indexed;
  unsigned Unroll = 0; ///< of the steady state; 0: as the compiler likes
  unsigned Stages = 1;
  std::vector<TileResult> Tiles;
  /// All sizes are known, so that Budget holds figures once it was computed
  /// (its table is then not empty).
  bool SizesKnown = false;
  StageChoice Budget;
  uint64_t StaticLimit = 0, OptinLimit = 0; ///< bytes per block
  uint64_t DynamicBefore = 0, DynamicAfter = 0;
  unsigned Threads = 0; ///< per block, 0 unknown
  RegisterResult Registers;
  std::vector<LaunchRow> Launches; ///< by instantiation and launch
  std::optional<double> Ratio;
  std::string RatioSource = "unknown"; ///< computed | given | unknown
  std::string RatioDerivation;
  std::optional<uint64_t> TripCount;
  std::string Because; ///< why this variant
  /// What a block does on one set of tiles, for the timeline; none: unknown.
  std::optional<TileWork> Work;
  /// Variants that were weighed, with their predicted gains; may be empty.
  std::vector<Candidate> Candidates;
  std::optional<ProofSummary> Proof;
  std::optional<SassReport> Sass; ///< of `--sass`
  std::vector<EditResult> Edits;
};

struct FileResult {
  std::string Path; ///< as the user wrote it (headers: as included)
  /// The original, byte for byte: source excerpts in the HTML page and line
  /// positions of SARIF fixes come from it. Empty: not at hand, both left out.
  std::string Text;
  std::vector<LoopResult> Loops;
};

struct RunResult {
  std::string Arch;                                ///< as asked for, `sm_86`
  const pipeline_rewrite::Arch *Machine = nullptr; ///< outlives the value
  bool ArchAssumed = false;
  std::vector<std::string> Assumed; ///< `NAME=VALUE`, as given
  bool UsedToolkit = false;
  std::vector<FileResult> Files;
  std::vector<std::string> FilesWithErrors;
  std::optional<BenchReport> Bench; ///< What was measured, if anything was.
};

} // namespace pipeline_rewrite
