/// \file
/// What nvcc itself says a kernel takes: registers, spills, shared memory.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// One kernel of an object file, as the assembler reports it.
struct KernelReport {
  unsigned Registers = 0;   ///< A thread.
  unsigned Barriers = 0;    ///< Named barriers a block.
  uint64_t SharedBytes = 0; ///< Static, a block.
  uint64_t SpillBytes = 0;  ///< Stores and loads together, a thread.
};

/// By mangled name. Every instantiation is a kernel of its own.
using CompilerReport = std::map<std::string, KernelReport>;

/// Reads what `ptxas -v` printed. Lines that say nothing about a kernel are
/// passed over, functions that are no kernels left out.
CompilerReport parseCompilerReport(llvm::StringRef Output);

/// One source text for nvcc.
struct CompilerRequest {
  std::string Nvcc; ///< The program.
  std::string Path; ///< The file that the text is, or will be: its includes.
  std::string Text;
  /// Headers whose text differs from the disk's: path as it is included from
  /// the file's folder, and text.
  std::vector<std::pair<std::string, std::string>> Headers;
  std::string Arch; ///< "sm_86"
  std::vector<std::string> Args;
};

/// The options of a compile that decide what the assembler makes of a kernel:
/// macros, search paths and language of \p Language (absolute paths), and those
/// of \p Nvcc that change code (`-maxrregcount`, `-use_fast_math`, `-Xptxas`,
/// ...). Everything that names an output is left out.
std::vector<std::string> codeOptions(const std::vector<std::string> &Language,
                                     const std::vector<std::string> &Nvcc);

/// Compiles the text's device half and reads the report. May be called from
/// several threads. Errors: nvcc cannot be run, or refuses; the message is its
/// first error.
llvm::Expected<CompilerReport> askCompiler(const CompilerRequest &Request);

} // namespace pipeline_rewrite
