/// \file
/// Reads the place of a store from its lvalue.
#pragma once

#include "Analysis/Effects.h"

namespace pipeline_rewrite {

/// The place that \p Target names, in bytes, or nothing where it is made of what
/// is not followed: memory, calls, variables that are changed by their address.
std::optional<PlaceForm> readPlace(const clang::Expr *Target,
                                   const clang::ASTContext &Context,
                                   const MemoryModel &Model, const SourceText &Text,
                                   FactTables &Tables);

} // namespace pipeline_rewrite
