/// \file
/// What several reports say about one loop, decided once.
#pragma once

#include "Report/Result.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace pipeline_rewrite {

/// The spelling used in reports: "rewritten", "eligible", ...
const char *toString(LoopStatus Status);

/// True where the loop was or would be edited.
bool isAccepted(const LoopResult &Loop);

/// The budget of one loop, as far as it is known. Where the loop was refused by
/// `budget`, the figures after are those of the two slots that did not fit;
/// another refused loop has none.
struct LoopFigures {
  std::optional<uint64_t> SharedBefore, SharedAfter; ///< Bytes a block.
  std::optional<Occupancy> Before, After;
};
LoopFigures figuresOf(const LoopResult &Loop);

/// The kernel with its template arguments, where it has any.
const std::string &displayName(const LoopResult &Loop);

/// "docs/diagnostics.md#may-alias".
std::string docsPage(ReasonId Id);

/// "cp-async (ring, 3 stages)"; "-" where there is no rewrite.
std::string describeRewrite(const LoopResult &Loop);

/// The shared bytes of all tiles as an expression, where some are symbolic:
/// "BM*BK*4 + 2,048"; with \p Stages above one "2*(BM*BK*4 + 2,048)". Empty
/// where no tile is known.
std::string symbolicShared(const LoopResult &Loop, unsigned Stages);

/// Registers a thread before and after: "125 -> 132"; "~" marks a guess, "?"
/// what is not known. Spilled bytes follow where there are any.
std::string describeRegisters(const LoopResult &Loop, llvm::StringRef Arrow);

/// "1.10x to 1.90x".
std::string describeGain(const GainRange &Gain);

/// 50176 as "50,176".
std::string grouped(uint64_t Count);

} // namespace pipeline_rewrite
