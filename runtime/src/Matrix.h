#pragma once

#include "Machine.h"

namespace pr {

/// D = A * B + C over the fragments of include/mma.h. \p Types and \p Shape are
/// packed as include/pr/abi.h says. Lanes' pointers are D, A, B, C. Sums are
/// taken in order of k, one rounding each.
/// \returns false for a combination that does not exist.
bool wmmaCompute(WarpOperand *const (&Lanes)[32], uint32_t Types,
                 uint32_t Shape);

/// The PTX instruction mma.sync.m16n8k\p K; \p Type is MmaShape::Type of
/// lib/Verify/Ptx.h. Fragments are those of the PTX ISA.
void mmaCompute(WarpOperand *const (&Lanes)[32], uint32_t Type, uint32_t K);

} // namespace pr
