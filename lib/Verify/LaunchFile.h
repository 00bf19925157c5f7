#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// One argument of the kernel, in its order.
struct LaunchArgument {
  enum class Fill { Uniform, Normal, Integers, Iota, Zero, Nan };

  std::string Name;
  bool IsBuffer = false;
  std::string Type;  ///< Element type of a buffer, type of a scalar.
  std::string Value; ///< C++: the element count, or the scalar's value.
  Fill Contents = Fill::Uniform;
  std::optional<uint64_t> Seed;
  bool Output = false;
};

/// A CPU function that computes the same outputs.
struct LaunchReference {
  std::string File; ///< As written: relative to the launch file.
  std::string Function;
  std::string Tolerance; ///< A name of rules/tolerances.yaml.
};

/// A launch file, as DESIGN.md section 7 has it.
struct LaunchFile {
  std::string Path;
  std::string Kernel; ///< With its template arguments, as written.
  std::vector<std::pair<std::string, std::vector<int64_t>>> Sweep;
  std::vector<std::string> Block, Grid; ///< One to three C++ expressions.
  std::string Shared = "0"; ///< Dynamic shared bytes of the original kernel.
  /// The same of the rewritten kernel, where it is known (key `shared_after`).
  std::optional<std::string> SharedAfter;
  std::vector<LaunchArgument> Arguments;
  std::optional<LaunchReference> Reference;
  /// Sizes to time, each as many values as the sweep has names (key `bench`).
  std::vector<std::vector<int64_t>> Bench;
  /// C++: operations of one launch, and bytes that it has to move (keys `flops`
  /// and `bytes`); for rates only.
  std::optional<std::string> Flops, Bytes;
};

/// Reads a launch file. What is not well-formed, unknown keys, and values of
/// the wrong kind are an error "FILE:LINE:COLUMN: ...".
llvm::Expected<LaunchFile> readLaunchFile(llvm::StringRef Path);

/// The enumerator's name, as the generated programs spell it: `Uniform`.
const char *fillName(LaunchArgument::Fill F);

} // namespace pipeline_rewrite
