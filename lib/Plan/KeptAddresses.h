/// \file
/// Pointers that move from tile to tile instead of addresses worked out anew.
#pragma once

#include "Plan/FreshNames.h"
#include "Plan/Plan.h"

namespace pipeline_rewrite {

/// For every copy of \p Plan the pointer to where it reads next and, where the
/// tile has slots, the pointer to where it goes in slot 0. Empty where the
/// address of some copy cannot be kept so: it depends on the K loop's counter in
/// another way than by a step that stays the same (AddressStep), or the copy
/// stands under a condition or in a loop whose count is no constant. Copies whose
/// pointers the author moves on himself need none.
std::vector<KeptAddress> keepAddresses(const LoopFacts &Facts, const Verdict &V,
                                       const LoopPlan &Plan, llvm::StringRef Buffer,
                                       FreshNames &Names);

/// May the store half of \p Plan run when there is no further tile, since it
/// depends on nothing that runs ahead? It then fills a slot that nobody reads.
bool storesAnyTime(const LoopFacts &Facts, const Verdict &V, const LoopPlan &Plan);

} // namespace pipeline_rewrite
