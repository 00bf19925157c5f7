/// \file
/// Every report, made from the one result value.
#pragma once

#include "Report/Result.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace pipeline_rewrite {

/// The result as docs/report.schema.json describes it. What is not known is
/// null, never guessed; text that is no valid UTF-8 is repaired.
llvm::json::Value toJson(const RunResult &Run);

/// The budget report for people: one row a loop (which is a Markdown table at
/// the same time), one line a refusal and a remark, totals, assumptions.
void printTable(const RunResult &Run, llvm::raw_ostream &Out);

/// The result as SARIF 2.1.0, for code scanning. A fix is attached where the
/// text of its file is at hand (FileResult::Text).
llvm::json::Value toSarif(const RunResult &Run);

/// One self-contained HTML page: no script, nothing loaded from elsewhere.
std::string toHtml(const RunResult &Run);

/// LLVM optimisation remarks, as -fsave-optimization-record writes them.
std::string toRemarksYaml(const RunResult &Run);

/// The edits as clang-apply-replacements reads them. File names are made
/// absolute, since that program resolves them against its own folder.
std::string toExportFixes(const RunResult &Run);

/// What the reason or remark \p Id means and what to do about it, with its
/// section of docs/diagnostics.md. Empty where there is no such id.
std::string explain(llvm::StringRef Id);

} // namespace pipeline_rewrite
