/// \file
/// How far a load's address moves from iteration to iteration.
#pragma once

#include "Analysis/Effects.h"

namespace pipeline_rewrite {

/// Reads the address of \p Load, an lvalue, as a sum in which the counter of the
/// K loop stands once, times what does not depend on it. None where the counter
/// goes through anything else (a division, a table in memory, a narrow or
/// unsigned 32-bit type whose wrapping an address does not share), where the
/// address reads memory or calls anything, or where a macro spells part of it.
/// That the other variables keep their values is left to whoever uses it.
std::optional<AddressStep> addressStep(const clang::Expr *Load,
                                       const clang::ASTContext &Context,
                                       const MemoryModel &Model,
                                       const SourceText &Text, FactTables &Tables);

} // namespace pipeline_rewrite
