/// \file
/// The command line as one plain value.
#pragma once

#include "Budget/Kinds.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pipeline_rewrite {

enum class FailOn { None, Refused, Budget };

/// Where registers come from. Auto: the compiler for a dry run and for proofs.
enum class RegisterSource { Auto, Compiler, Estimate };

struct Options : Wish {
  std::vector<std::string> Files;
  std::vector<std::string> CompilerFlags; ///< behind `--`
  bool HasCompilerFlags = false;
  std::string BuildDir;
  unsigned Jobs = 1; ///< files at a time; 0: as many as there are processors
  std::vector<std::string> ExtraArgs, ExtraArgsBefore;
  std::string Arch, CudaPath, ResourceDir;
  std::string Kernel;
  unsigned Loop = 0;
  std::optional<double> Ratio;
  unsigned BlockThreads = 0;    ///< --block; 0: not given
  unsigned Block[3] = {1, 1, 1}; ///< its extents
  std::vector<std::pair<std::string, std::string>> Assume;
  RegisterSource Registers = RegisterSource::Auto;
  bool AssumeNoAlias = false, AllowCliff = false;
  bool DryRun = false, InPlace = false, Diff = false;
  std::string Output;
  bool Json = false;
  std::string JsonFile; ///< empty: stdout
  std::string Sarif, Html, ExportFixes, Remarks;
  std::string FormatStyle = "auto";
  bool KeepGoing = false, Quiet = false;
  FailOn Fail = FailOn::None;
  std::string Explain, Dump;
  bool ListArchs = false;
  std::vector<std::string> RulesDirs;
  std::string Verify, Launch, Compare, Tolerance;
  unsigned long long Seed = 1;
  bool Sass = false;
  bool KeepTemps = false;
  unsigned Timeout = 120;
  std::string Bundle, ReportBundle; ///< folders
  bool Bench = false, Tune = false;
};

/// Parses the command line. Errors are wrong usage (exit code 2). `--help` and
/// `--version` end the program.
llvm::Expected<Options> parseOptions(int Argc, const char **Argv);

} // namespace pipeline_rewrite
