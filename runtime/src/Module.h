#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pr {

/// Rows of the tables that the lowering (lib/Verify/ModuleTable.cpp and
/// Instrument.cpp) puts into each compiled file of kernels.
struct SiteRow {
  const char *File;
  uint32_t Line, Column;
};
struct KernelRow {
  const char *Name; ///< Mangled.
  void (*Entry)(void **Arguments);
  uint64_t StaticShared; ///< Bytes that its static arrays take of a block.
};
struct SharedRow {
  const char *Name;
  uint64_t Bytes; ///< 0: sized by the launch.
  uint64_t Alignment;
};
struct VariableRow {
  const char *Name; ///< Mangled.
  void *Address;
  uint64_t Bytes;
};

/// A mangled name as it was written.
std::string plainName(const char *Mangled);

/// Where a shared array lies in the arena of a block.
struct SharedObject {
  const char *Name;
  uint32_t Begin, End;
  bool Dynamic;
};

/// One version of the kernels: the original or the rewritten file.
class Module {
public:
  /// Loads a shared object. \returns an empty text, or what went wrong.
  std::string load(const char *Path, bool IsOriginal);

  const KernelRow *kernel(const char *Name) const;
  const VariableRow *variable(const char *Name) const;
  /// The arena's layout for a launch with \p DynamicBytes of dynamic shared
  /// memory. Arrays are 128 bytes apart, so that a step out of one is seen.
  std::vector<SharedObject> layout(uint32_t DynamicBytes,
                                   uint32_t &ArenaBytes) const;
  /// "file.cu:12:3".
  std::string site(uint32_t Number) const;
  /// The text "file.cu", 12 split, for machine-readable reports.
  const SiteRow *siteRow(uint32_t Number) const {
    return Number < SiteCount ? &Sites[Number] : nullptr;
  }

  bool Original = true;
  bool HasAtomics = false;
  bool HasDynamicShared = false;
  const VariableRow *Variables = nullptr;
  uint64_t VariableCount = 0;

private:
  const SiteRow *Sites = nullptr;
  uint32_t SiteCount = 0;
  const KernelRow *Kernels = nullptr;
  uint64_t KernelCount = 0;
  const SharedRow *Shared = nullptr;
  uint64_t SharedCount = 0;
};

} // namespace pr
