/// \file
/// The part of the JSON report that `--sass` adds.
#pragma once

#include "Sass/Check.h"
#include "llvm/Support/JSON.h"

namespace pipeline_rewrite {

/// `sass` in docs/report.schema.json.
llvm::json::Object sassJson(const SassReport &Report);

} // namespace pipeline_rewrite
