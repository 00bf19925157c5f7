#pragma once

#include "Module.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pr {

/// One piece of memory that kernels may touch.
struct Allocation {
  char *Begin = nullptr;
  uint64_t Bytes = 0;
  std::string Name;      ///< From the launch file; else made up.
  std::string Type;      ///< Element type of the launch file; else empty.
  bool Output = false;   ///< Named as an output by the launch file.
  bool Variable = false; ///< A device variable of a module.
  uint64_t FillBits =
      0; ///< The pattern of an output that nobody wrote, 0: none.
  void *Mapping = nullptr;
  uint64_t MappingBytes = 0;
};

/// All device memory of the program, by address.
class Memory {
public:
  /// Memory with an unmapped page on each side; the end is as close to the
  /// second as the 256-byte alignment of cudaMalloc allows. Nothing is cleared:
  /// the bytes are a NaN pattern.
  void *allocate(uint64_t Bytes);
  bool release(void *P);
  void addVariable(const VariableRow &V);
  /// \returns what holds all of [P, P+Size), or null.
  const Allocation *find(const void *P, uint64_t Size) const;
  Allocation *at(const void *P);
  /// The allocation that is nearest to P, to name it in a message.
  std::string describe(const void *P) const;

  const std::vector<Allocation> &all() const { return Table; }

private:
  std::vector<Allocation> Table; ///< Sorted by address.
  unsigned Counter = 0;
};

Memory &memory();

} // namespace pr
