#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace pipeline_rewrite {

/// Reads a whole file, byte for byte: no conversion of line ends, a byte order
/// mark stays.
/// \returns its text, or an error that names the file and the reason.
llvm::Expected<std::string> readFile(llvm::StringRef Path);

/// Replaces (or creates) \p Path by \p Text in one step: a reader sees the old
/// file or the new one.
///
/// The text goes to a temporary file beside the target, which is then renamed.
/// Mode bits are kept, and a symbolic link stays one: its target is replaced. A
/// target without any write permission is refused even where the user could
/// override it, because its owner asked for that.
/// \param Expected where given, the text the file must still have; another text
/// is an error, so that an edit computed from an older state is never written
/// over somebody's newer one.
llvm::Error
writeFileAtomically(llvm::StringRef Path, llvm::StringRef Text,
                    std::optional<llvm::StringRef> Expected = std::nullopt);

} // namespace pipeline_rewrite
