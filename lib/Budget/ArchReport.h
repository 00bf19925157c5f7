#pragma once

#include "Budget/Arch.h"

#include "llvm/Support/JSON.h"

#include <string>

namespace pipeline_rewrite {

/// Resident blocks for which cliffs are listed: 1 to this.
constexpr unsigned ListedCliffs = 8;

/// The text of --list-archs: one row an architecture, its limits and the
/// largest shared memory per block, in bytes, for 1 to 8 resident blocks.
std::string renderArchTable(const ArchTable &Table);

/// The same for --list-archs --json.
llvm::json::Value archTableJson(const ArchTable &Table);

} // namespace pipeline_rewrite
