#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace pipeline_rewrite {

/// How far two results may lie apart.
struct ToleranceSpec {
  double Absolute = 0, Relative = 0;
  uint64_t Ulps = 0;
  std::string ElementType; ///< C++ type; empty: the buffer's own.

  bool bitwise() const { return Absolute == 0 && Relative == 0 && Ulps == 0; }
};

/// Reads what --tolerance takes: `bitwise` (or nothing), `rel:X`, `abs:X`,
/// `ulp:N`, or the name of a type in rules/tolerances.yaml.
/// \param RulesDir the folder of rules; only read for a type's name.
llvm::Expected<ToleranceSpec> readTolerance(llvm::StringRef Text,
                                            llvm::StringRef RulesDir);

} // namespace pipeline_rewrite
