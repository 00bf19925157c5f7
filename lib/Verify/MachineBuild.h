#pragma once

#include "Verify/Prove.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace pipeline_rewrite {

/// Compiles programs for the machine of runtime/src.
class MachineBuild {
public:
  /// Finds the compiler and the machine's library.
  /// \param WorkDir where intermediate files go.
  static llvm::Expected<MachineBuild> create(const ProofRequest &Request,
                                             std::string WorkDir);

  /// What a compiler said, where it refused.
  struct Refusal {
    bool Refused = false;
    std::string Message; ///< The first error, with the user's path in it.
  };

  /// Compiles the kernels of \p Source to the shared object \p Name.so.
  /// \param ShownAs the path that messages give for it, and whose folder its
  /// own includes are found in.
  llvm::Expected<Refusal> kernels(llvm::StringRef Source, llvm::StringRef Name,
                                  llvm::StringRef ShownAs);
  /// Compiles the host half of \p Source and links it to the program \p Name.
  /// \param Folder where its own includes are found.
  /// \param Checked sums and products that overflow end the program.
  llvm::Expected<Refusal> program(llvm::StringRef Source, llvm::StringRef Name,
                                  llvm::StringRef Folder, bool Checked);

  std::string path(llvm::StringRef Name) const;

private:
  std::vector<std::string> cudaCommand(bool Device,
                                       llvm::StringRef Folder) const;
  llvm::Expected<Refusal> run(const std::vector<std::string> &Command) const;
  llvm::Expected<std::string> machineLibrary();

  const ProofRequest *Request = nullptr;
  std::string WorkDir, Compiler, HeaderDir, Library;
};

} // namespace pipeline_rewrite
