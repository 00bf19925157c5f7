/// \file
/// Measured times in words, numbers and bars.
#pragma once

#include "Report/BenchTable.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace pipeline_rewrite {

/// One Markdown table a size: Variant | Time | rate | Speed-up | Registers |
/// Blocks/SM | SASS overlap.
void printBench(const BenchReport &Report, llvm::raw_ostream &Out);

/// As "bench" in docs/report.schema.json.
llvm::json::Value toJson(const BenchReport &Report);

/// A section for the HTML page: tables, and bars with their spread.
std::string benchHtml(const BenchReport &Report);

} // namespace pipeline_rewrite
