// Calls that fill a tile and stay calls, since the body of what they call would not mean the same in their place, and why.
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_80 --variant=ldg --dump=plan %s -- 2>/dev/null | FileCheck %s
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_80 --variant=ldg --quiet %s -o %t.cu --
// RUN: grep -c "auto &As = As_slots\[slot \^ 1\];" %t.cu | grep -x 11
#include <cuda_runtime.h>

constexpr int Step = 32;

__device__ void loadEarly(float *to, const float *from) {
  if (threadIdx.x >= Step)
    return;
  to[threadIdx.x % Step] = from[threadIdx.x % Step];
}
// CHECK-LABEL: plan: loop in early
// CHECK-NEXT: tile As by ldg (it is filled by a call, whose body cannot stand in its place: it returns from its middle)
__global__ void early(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Step];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Step) {
    loadEarly(As, A + k0);
    __syncthreads();
    acc += As[31 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

// A local of the kernel has the name of what the body means.
__device__ int offset;
__device__ void loadFromOffset(float *to, const float *from) { to[threadIdx.x] = from[threadIdx.x + offset]; }
// CHECK-LABEL: plan: loop in hidden
// CHECK-NEXT: whose body cannot stand in its place: 'offset' may mean something else at the call)
__global__ void hidden(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Step];
  float acc = 0;
  const int offset = 1;
  for (int k0 = 0; k0 < K; k0 += Step) {
    loadFromOffset(As, A + k0);
    __syncthreads();
    acc += As[31 - threadIdx.x] * offset;
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

// A name of a namespace that the kernel does not stand in.
namespace tiles {
constexpr int Shift = 2;
__device__ void loadShifted(float *to, const float *from) { to[threadIdx.x] = from[threadIdx.x + Shift]; }
} // namespace tiles
// CHECK-LABEL: plan: loop in elsewhere
// CHECK-NEXT: whose body cannot stand in its place: 'Shift' may mean something else at the call)
__global__ void elsewhere(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Step];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Step) {
    tiles::
    loadShifted(As, A + k0);
    __syncthreads();
    acc += As[31 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

// A macro is another one at the call.
#define PITCH 1
__device__ void loadPitched(float *to, const float *from) { to[threadIdx.x] = from[threadIdx.x * PITCH]; }
#undef PITCH
#define PITCH 2
// CHECK-LABEL: plan: loop in redefined
// CHECK-NEXT: whose body cannot stand in its place: the macro 'PITCH' changes in between)
__global__ void redefined(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Step];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Step) {
    loadPitched(As, A + k0);
    __syncthreads();
    acc += As[31 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

// A macro's body names the parameter, where nothing can take its place.
#define FETCH(i) from[i]
__device__ void loadByMacro(float *to, const float *from) { to[threadIdx.x] = FETCH(threadIdx.x); }
// CHECK-LABEL: plan: loop in macro
// CHECK-NEXT: whose body cannot stand in its place: a macro names one of its parameters)
__global__ void macro(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Step];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Step) {
    loadByMacro(As, A + k0);
    __syncthreads();
    acc += As[31 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

// A template parameter that is found out, by each instantiation for itself.
template <typename T> __device__ void loadDeduced(T *to, const T *from) {
  T value = from[threadIdx.x];
  to[threadIdx.x] = value;
}
// CHECK-LABEL: plan: loop in deduced
// CHECK-NEXT: whose body cannot stand in its place: its template parameter 'T' is not spelled in the call)
template <typename T> __global__ void deduced(const T *__restrict__ A, T *__restrict__ C, int K) {
  __shared__ T As[Step];
  T acc = 0;
  for (int k0 = 0; k0 < K; k0 += Step) {
    loadDeduced(As, A + k0);
    __syncthreads();
    acc += As[31 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
template __global__ void deduced<float>(const float *__restrict__, float *__restrict__, int);

// The size of a pointer is not the size of the array.
__device__ void loadBySize(float *to, const float *from) { to[threadIdx.x] = from[threadIdx.x + sizeof(to)]; }
// CHECK-LABEL: plan: loop in measured
// CHECK-NEXT: whose body cannot stand in its place: it takes the size of its parameter 'to', a pointer there)
__global__ void measured(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Step];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Step) {
    loadBySize(As, A + k0);
    __syncthreads();
    acc += As[31 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

// A word behind a comment that ends like a member's object; a macro that is a member's name.
#define SHIFT 1
#define FIELD from
struct View {
  const float *from, *other;
};
__device__ void loadField(float *to, View v, int k) {
  // By where it stands, see there.
  to[threadIdx.x] = v.FIELD[k + threadIdx.x + SHIFT];
}
#undef FIELD
#define FIELD other
// CHECK-LABEL: plan: loop in field
// CHECK-NEXT: whose body cannot stand in its place: the macro 'FIELD' changes in between)
__global__ void field(View v, float *__restrict__ C, int K) {
  __shared__ float As[Step];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Step) {
    loadField(As, v, k0);
    __syncthreads();
    acc += As[31 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

// Names that are made of others.
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
__device__ void loadJoined(float *to, const float *from) { to[threadIdx.x] = from[threadIdx.x + JOIN(St, ep) - 32]; }
// CHECK-LABEL: plan: loop in joined
// CHECK-NEXT: whose body cannot stand in its place: the macro 'JOIN_' makes names of others)
__global__ void joined(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Step];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Step) {
    loadJoined(As, A + k0);
    __syncthreads();
    acc += As[31 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

// Another instantiation has another body.
template <int N> __device__ void loadSpecial(float *to, const float *from) { to[threadIdx.x] = from[threadIdx.x]; }
template <> __device__ void loadSpecial<7>(float *to, const float *from) { to[threadIdx.x] = 2 * from[threadIdx.x]; }
// CHECK-LABEL: plan: loop in specialised
// CHECK-NEXT: whose body cannot stand in its place: other instantiations may call another function)
template <int N> __global__ void specialised(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Step];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Step) {
    loadSpecial<N>(As, A + k0);
    __syncthreads();
    acc += As[31 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
template __global__ void specialised<1>(const float *__restrict__, float *__restrict__, int);

// A class converts its argument; what the text would hold is another type.
struct Rows {
  __device__ operator int() const { return 1; }
};
__device__ int operator*(Rows, int i) { return 2 * i; }
__device__ void loadConverted(float *to, const float *from, int /*rows*/ n) { to[threadIdx.x] = from[n * 1 + threadIdx.x]; }
// CHECK-LABEL: plan: loop in converted
// CHECK-NEXT: whose body cannot stand in its place: its argument 'n' becomes another type on the way)
__global__ void converted(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Step];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Step) {
    loadConverted(As, A + k0, Rows());
    __syncthreads();
    acc += As[31 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
