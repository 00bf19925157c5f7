#pragma once

#include "Budget/Arch.h"

#include "llvm/Support/ErrorHandling.h"

#include "gtest/gtest.h"

namespace pipeline_rewrite {

/// The rules of this repository.
inline std::string rulesDir() { return std::string(PR_SOURCE_DIR) + "/rules"; }

/// Every architecture of rules/, loaded once.
inline const ArchTable &archTable() {
  static const ArchTable Table = llvm::cantFail(ArchTable::load({rulesDir()}));
  return Table;
}

/// An architecture that rules/ must have.
inline const Arch &arch(llvm::StringRef Name) {
  const Arch *Found = archTable().find(Name);
  if (!Found)
    llvm::report_fatal_error("no such architecture: " + Name);
  return *Found;
}

} // namespace pipeline_rewrite
