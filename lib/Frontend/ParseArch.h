#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pipeline_rewrite {

/// The architecture to parse for, where \p Arch is the one to budget for.
///
/// Clang lags behind the toolkit. An architecture that it does not know is
/// parsed as the newest one below it that it does ("sm_121" as "sm_90", "sm_88"
/// as "sm_87"), never as one with the features of a special variant: source
/// that asks for `__CUDA_ARCH_FEAT_SM90_ALL` must not see it.
/// \returns an error where \p Arch is no `sm_<number>` or older than anything
/// Clang knows.
llvm::Expected<std::string> parseArchFor(llvm::StringRef Arch);

/// \returns "sm_90" for "sm_90a": the budget knows no variants.
std::string budgetArchFor(llvm::StringRef Arch);

} // namespace pipeline_rewrite
