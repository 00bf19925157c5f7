// nvcuda::wmma. How the elements of a matrix are dealt to the lanes of a warp is unspecified by CUDA; here
// lane L holds the elements L*n .. L*n+n-1 of the matrix in its storage order.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
enum mma_flags { noflags, satf };
namespace precision {
struct tf32 {};
} // namespace precision

// The stored type of an element, the number of copies of it that a warp holds, and the code that
// the machine knows its type by.
template <typename PrT> struct pr_element {
  using type = PrT;
  static constexpr int copies = 1;
};
template <> struct pr_element<__half> {
  using type = __half;
  static constexpr int copies = 2, code = 1;
};
template <> struct pr_element<__nv_bfloat16> {
  using type = __nv_bfloat16;
  static constexpr int copies = 1, code = 2;
};
template <> struct pr_element<signed char> {
  using type = signed char;
  static constexpr int copies = 1, code = 3;
};
template <> struct pr_element<unsigned char> {
  using type = unsigned char;
  static constexpr int copies = 1, code = 4;
};
template <> struct pr_element<precision::tf32> {
  using type = float;
  static constexpr int copies = 1, code = 5;
};
template <> struct pr_element<float> {
  using type = float;
  static constexpr int copies = 1, code = 6;
};
template <> struct pr_element<double> {
  using type = double;
  static constexpr int copies = 1, code = 7;
};
template <> struct pr_element<int> {
  using type = int;
  static constexpr int copies = 1, code = 8;
};

template <int Rows, int Columns, typename PrT, int Copies> struct pr_fragment {
  using element_type = typename pr_element<PrT>::type;
  static constexpr int unique = Rows * Columns / 32;
  enum { num_elements = unique * Copies, num_storage_elements = num_elements };
  element_type x[num_elements];
};

template <typename Use, int m, int n, int k, typename PrT, typename Layout = void> class fragment;
template <int m, int n, int k, typename PrT, typename Layout>
class fragment<matrix_a, m, n, k, PrT, Layout> : public pr_fragment<m, k, PrT, pr_element<PrT>::copies> {};
template <int m, int n, int k, typename PrT, typename Layout>
class fragment<matrix_b, m, n, k, PrT, Layout> : public pr_fragment<k, n, PrT, pr_element<PrT>::copies> {};
template <int m, int n, int k, typename PrT>
class fragment<accumulator, m, n, k, PrT, void> : public pr_fragment<m, n, PrT, 1> {};

template <typename PrT> struct pr_is_row {
  static constexpr bool value = false;
};
template <> struct pr_is_row<row_major> {
  static constexpr bool value = true;
};

// Where this lane's run of elements starts in a matrix of `Run` elements a storage line.
template <int Unique, int Run> PR_D size_t pr_lane_offset(unsigned int Stride) {
  static_assert(Run % Unique == 0, "a lane's elements lie in one line");
  unsigned int First = pr_lane() * Unique;
  return (size_t)(First / Run) * Stride + First % Run;
}
template <int Run, typename FragmentT, typename PrT> PR_D void pr_load(FragmentT &PrF, const PrT *PrP, unsigned int Stride) {
  constexpr int Unique = FragmentT::unique;
  pr_wmma_check(PrP, Stride * sizeof(PrT), pr_site());
  __builtin_memcpy(PrF.x, PrP + pr_lane_offset<Unique, Run>(Stride), Unique * sizeof(PrT));
  for (int PrI = Unique; PrI < FragmentT::num_elements; ++PrI)
    PrF.x[PrI] = PrF.x[PrI - Unique];
}

template <int m, int n, int k, typename PrT, typename Layout, typename PrS>
PR_D void load_matrix_sync(fragment<matrix_a, m, n, k, PrT, Layout> &PrF, const PrS *PrP, unsigned int Stride) {
  pr_load<pr_is_row<Layout>::value ? k : m>(PrF, PrP, Stride);
}
template <int m, int n, int k, typename PrT, typename Layout, typename PrS>
PR_D void load_matrix_sync(fragment<matrix_b, m, n, k, PrT, Layout> &PrF, const PrS *PrP, unsigned int Stride) {
  pr_load<pr_is_row<Layout>::value ? n : k>(PrF, PrP, Stride);
}
// Accumulators are dealt out in row order whatever the order in memory.
template <int m, int n, int k, typename PrT>
PR_D void load_matrix_sync(fragment<accumulator, m, n, k, PrT> &PrF, const PrT *PrP, unsigned int Stride, layout_t Layout) {
  if (Layout == mem_row_major) {
    pr_load<n>(PrF, PrP, Stride);
    return;
  }
  pr_wmma_check(PrP, Stride * sizeof(PrT), pr_site());
  for (int PrI = 0; PrI < PrF.unique; ++PrI) {
    unsigned int PrE = pr_lane() * PrF.unique + PrI;
    PrF.x[PrI] = PrP[(size_t)(PrE % n) * Stride + PrE / n];
  }
}
template <int m, int n, int k, typename PrT>
PR_D void store_matrix_sync(PrT *PrP, const fragment<accumulator, m, n, k, PrT> &PrF, unsigned int Stride, layout_t Layout) {
  constexpr int Unique = fragment<accumulator, m, n, k, PrT>::unique;
  pr_wmma_check(PrP, Stride * sizeof(PrT), pr_site());
  if (Layout == mem_row_major) {
    __builtin_memcpy(PrP + pr_lane_offset<Unique, n>(Stride), PrF.x, Unique * sizeof(PrT));
    return;
  }
  for (int PrI = 0; PrI < Unique; ++PrI) {
    unsigned int PrE = pr_lane() * Unique + PrI;
    PrP[(size_t)(PrE % n) * Stride + PrE / n] = PrF.x[PrI];
  }
}
template <typename Use, int m, int n, int k, typename PrT, typename Layout, typename PrV>
PR_D void fill_fragment(fragment<Use, m, n, k, PrT, Layout> &PrF, const PrV &Value) {
  for (int PrI = 0; PrI < PrF.num_elements; ++PrI)
    PrF.x[PrI] = Value;
}
template <int m, int n, int k, typename PrD, typename PrA, typename LA, typename PrB, typename LB, typename PrC>
PR_D void mma_sync(fragment<accumulator, m, n, k, PrD> &FD, const fragment<matrix_a, m, n, k, PrA, LA> &FA,
                   const fragment<matrix_b, m, n, k, PrB, LB> &FB, const fragment<accumulator, m, n, k, PrC> &FC,
                   bool = false) {
  pr_wmma_mma(FD.x, FA.x, FB.x, FC.x,
              pr_element<PrA>::code | pr_element<PrC>::code << 4 | pr_element<PrD>::code << 8,
              m | n << 8 | k << 16 | pr_is_row<LA>::value << 24 | pr_is_row<LB>::value << 25, pr_site());
}
// The nearest value with ten bits of mantissa, ties away from zero.
PR_D float __float_to_tf32(float PrF) {
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned int, PrF) + 0x1000u) & 0xffffe000u);
}

} // namespace wmma
} // namespace nvcuda
