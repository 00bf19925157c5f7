/// \file
/// From a CUDA source to a listing, by the user's own compiler and flags.
#pragma once

#include "Sass/Listing.h"
#include "Sass/Resources.h"
#include "llvm/ADT/ArrayRef.h"

namespace pipeline_rewrite {

/// The vendor's programs.
struct SassTools {
  std::string Nvcc;
  std::string Disassembler; ///< nvdisasm, or else cuobjdump
  bool LineInformation = false; ///< nvdisasm prints it, cuobjdump does not
};

/// Looks for nvcc in `bin` of \p ToolkitRoot, then on PATH; for nvdisasm, then
/// cuobjdump, beside nvcc, then on PATH, then in \p PrivateBin.
/// \returns an error that names the program that is missing and the places.
llvm::Expected<SassTools> findSassTools(llvm::StringRef ToolkitRoot,
                                        llvm::StringRef PrivateBin);

/// A text that the compiler should read in place of a file.
struct SassSource {
  std::string Path; ///< of the file, absolute
  std::string Text;
};

struct SassBuild {
  SassListing Listing;
  llvm::StringMap<SassResources> Resources;
  bool HasLines = false; ///< the disassembler prints line information
  /// Where each source was read from, in the listing's spelling, in the order
  /// of the sources; empty where the listing does not mention it.
  std::vector<std::string> Files;
};

struct SassBuildRequest {
  /// The file to compile comes first, headers that changed behind it.
  std::vector<SassSource> Sources;
  /// Options for nvcc, without input, output and what is to be made.
  std::vector<std::string> NvccArgs;
  std::string Arch; ///< `sm_86`
  unsigned TimeoutSeconds = 300;
};

/// Compiles the first source for one machine, with the other sources in place of
/// the files of the same path, and disassembles it. Everything happens in a
/// folder that is removed afterwards. A file without any kernel that is
/// instantiated gives an empty listing.
/// \returns an error with the first lines of what nvcc or the disassembler said.
llvm::Expected<SassBuild> buildSass(const SassTools &Tools,
                                    const SassBuildRequest &Request);

/// The options without those that choose a machine or belong to Clang.
std::vector<std::string> argsForCubin(llvm::ArrayRef<std::string> NvccArgs);

} // namespace pipeline_rewrite
