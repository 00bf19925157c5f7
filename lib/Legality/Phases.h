/// \file
/// Which statements copy and which compute.
#pragma once

#include "Legality/Verdict.h"

namespace pipeline_rewrite {

/// Calls \p Visit for \p N and everything below it.
template <typename Callback> void visitNodes(const Node &N, Callback &&Visit) {
  Visit(N);
  for (const Node &Child : N.Children)
    visitNodes(Child, Visit);
}

/// Splits the body at its barriers into V.Split and finds the tiles, or enters
/// the reasons why that cannot be done.
void splitPhases(const LoopFacts &Facts, Verdict &V);

} // namespace pipeline_rewrite
