#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace pipeline_rewrite {

/// How an option takes its value.
enum class ArgValue {
  None,     ///< `-c`
  Required, ///< `--name value` or `--name=value`
  Joined,   ///< `-Ipath`, `-I path` or `-I=path`
  Prefix,   ///< everything that starts so, and nothing after it: `-O3`, `-Wall`
};

/// What becomes of an option.
enum class ArgAction {
  Drop,        ///< Says nothing about the meaning of the source.
  Output,      ///< Says what is made, and where: dropped for every use.
  Keep,        ///< Clang's spelling, then the value.
  List,        ///< As Keep; nvcc takes a comma list.
  Path,        ///< As List; relative to the command's folder.
  Replace,     ///< Clang's spelling instead of the option and its value.
  WhenTrue,    ///< Replace where the value is `true`.
  PerThread,   ///< Replace where the value is `per-thread`.
  Feature,     ///< A `-f` flag: kept where it changes the language.
  Warning,     ///< A `-W` flag: only `-Wno-...` is kept.
  ErrorKind,   ///< `-Werror`, which for nvcc may take a kind as its next
               ///< argument.
  Arch,        ///< A list of architectures.
  GenCode,     ///< `arch=compute_80,code=sm_80`
  HostFlags,   ///< Flags for the host compiler.
  OptionsFile, ///< Files that hold more options.
  CudaPath,    ///< The toolkit's folder.
  NoToolkit,   ///< Asks for a parse without the toolkit.
};

/// One row of the table.
struct ArgRule {
  llvm::StringRef Names; ///< Blank-separated spellings.
  ArgValue Value;
  ArgAction Action;
  llvm::StringRef Clang; ///< Blank-separated Clang arguments.
};

/// An option found at the head of a command line.
struct MatchedArg {
  const ArgRule *Rule;
  std::string Value;
  unsigned Consumed; ///< Arguments that it and its value take up.
};

/// Finds the row for the option that \p Arguments starts with. An exact name
/// wins over `name=value`, and that over the longest name that the argument
/// starts with.
std::optional<MatchedArg> matchArg(llvm::ArrayRef<std::string> Arguments);

} // namespace pipeline_rewrite
