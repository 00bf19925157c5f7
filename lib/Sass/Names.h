/// \file
/// Which function of a listing is the one that a person wrote.
#pragma once

#include "Sass/Listing.h"

namespace pipeline_rewrite {

/// \param Kernel the name as written, without namespaces and arguments
/// \param Instantiation with template arguments, `sgemm<128, 128, 8>`; the same
/// as \p Kernel where it is no template
/// \returns indices into Listing.Functions: those with the same template
/// arguments; where none has them, or they cannot be compared, all with the
/// name. Empty: nothing instantiates it, or it is inlined everywhere.
std::vector<size_t> functionsNamed(const SassListing &Listing,
                                   llvm::StringRef Kernel,
                                   llvm::StringRef Instantiation);

/// A linker name for people: `sgemm<128, 128, 8>`, without result and
/// parameters.
std::string readableName(llvm::StringRef LinkerName);

} // namespace pipeline_rewrite
