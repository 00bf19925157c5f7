#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace pipeline_rewrite {

/// What a compile command says, sorted by who is to read it.
struct TranslatedArgs {
  /// For Clang: the language and the search paths, and nothing that makes
  /// output.
  std::vector<std::string> Clang;
  /// For nvcc: the options as they were written, without compiler, launcher,
  /// input and output.
  std::vector<std::string> Nvcc;
  /// The architectures that were asked for, as "sm_80", "sm_90a", in the order
  /// of the command.
  std::vector<std::string> Archs;
  std::string CudaPath;        ///< `--cuda-path`, or empty.
  bool WithoutToolkit = false; ///< `-nocudainc`
  /// Options that no row of the table knows; they were left out.
  std::vector<std::string> Unknown;
};

/// Translates a command line for nvcc, Clang or gcc into what a Clang parse of
/// one CUDA file needs.
///
/// \param Arguments with or without the compiler (and launchers such as ccache)
/// in front; the input file may be among them. Of several commands joined by
/// `&&` the one that compiles counts.
/// \param Directory where the command would run: relative search paths and
/// option files start there.
/// \returns an error where an option file cannot be read.
llvm::Expected<TranslatedArgs>
translateArgs(llvm::ArrayRef<std::string> Arguments, llvm::StringRef Directory);

/// \returns the newest of some architectures ("sm_90a" over "sm_90" over
/// "sm_86"), or the empty string where there is none.
std::string newestArch(llvm::ArrayRef<std::string> Archs);

} // namespace pipeline_rewrite
