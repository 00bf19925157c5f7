#include "Support/Version.h"

namespace pipeline_rewrite {

llvm::StringRef toolVersion() { return PR_VERSION; }

} // namespace pipeline_rewrite
