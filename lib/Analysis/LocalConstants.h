/// \file
/// Expressions of a kernel's body, spelled outside it.
#pragma once

#include "Analysis/LaunchFacts.h"
#include "llvm/ADT/StringRef.h"

namespace pipeline_rewrite {

/// The identifiers that \p Expression mentions, in order, each once.
std::vector<std::string> identifiersIn(llvm::StringRef Expression);

/// The declarations that \p Expression needs where the kernel's local constants
/// are not declared, in order; none if it uses a local name that is no constant
/// or that is declared with several meanings, or one of HiddenNames.
std::optional<std::vector<std::string>>
constantsFor(const KernelUses &Uses, llvm::StringRef Expression);

} // namespace pipeline_rewrite
