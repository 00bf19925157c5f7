"""Writes a program of one kernel for each lower bound and step, launched with every trip count from 0 to MOST.

    matrix.py MOST [dynamic] [own] > program.cu

Each kernel uses its loop variable in the copy, in the compute phase and (unless it is the loop's own) behind the loop, and the
order of the tiles shows in its output. The last trip of a larger step is cut short by the bound.
"""
import sys

BOUNDS = [0, 1, 3, -4]
STEPS = {"one": "1", "two": "2", "tile": "BK", "any": "step"}
SHORTER = {"one": 0, "two": 1, "tile": 3, "any": 4}
VALUE = {"one": 1, "two": 2, "tile": 16, "any": 5}

KERNEL = """
__global__ void {name}(const float *__restrict__ A, float *__restrict__ C, int end, int step) {{
  {tile}
  const int t = threadIdx.x;
  float sum = 1.0f;
  {header} k {less} end; k {move} {step}) {{
    tile[t] = A[(k + 8) * 64 + t];
    __syncthreads();
    sum = sum * 0.5f + tile[Width - 1 - t] + k;
    __syncthreads();
  }}
  C[t] = sum;{after}
}}
"""

LAUNCH = """  for (int trips = 0; trips <= {most}; ++trips)
    {name}<<<1, 64{bytes}>>>(A, C, {end}, {value});
"""

HEAD = """#include <cuda_runtime.h>
#include <vector>

constexpr int BK = 16, Width = 64;
"""

MAIN = """
int main() {{
  const int rows = {rows};
  std::vector<float> host(rows * 64);
  for (int i = 0; i < rows * 64; ++i)
    host[i] = (i * 37 % 1009) * 0.125f;
  float *A, *C;
  cudaMalloc(&A, host.size() * sizeof(float));
  cudaMalloc(&C, 128 * sizeof(float));
  cudaMemcpy(A, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
{launches}  return cudaDeviceSynchronize() != cudaSuccess;
}}
"""


def name_of(way, bound, step):
    return f"{way}_{step}_from_{bound}".replace("-", "minus_")


def main():
    most, dynamic = int(sys.argv[1]), "dynamic" in sys.argv[2:]
    tile = "extern __shared__ float tile[];" if dynamic else "__shared__ __align__(16) float tile[64];"
    extra = ", 64 * sizeof(float)" if dynamic else ""
    own = "own" in sys.argv[2:]
    header = "for (int k = {first};" if own else "int k = {first};\n  for (;"
    after = "" if own else "\n  C[64 + t] = k;"
    text, launches = HEAD, ""
    for bound in BOUNDS:
        for step, spelled in STEPS.items():
            name, value = name_of("up", bound, step), VALUE[step]
            text += KERNEL.format(tile=tile, name=name, header=header.format(first=bound), less="<", move="+=", step=spelled,
                                  after=after)
            launches += LAUNCH.format(bytes=extra, most=most, name=name, value=value,
                                      end=f"{bound} + trips * {value} - (trips ? {SHORTER[step]} : 0)")
        for step in ("one", "tile"):
            name, value = name_of("down", bound, step), VALUE[step]
            first = f"{bound} + {value * (most + 1)}"
            text += KERNEL.format(tile=tile, name=name, header=header.format(first=first), less=">", move="-=", step=STEPS[step],
                                  after=after)
            launches += LAUNCH.format(bytes=extra, most=most, name=name, value=value,
                                      end=f"{bound + value * (most + 1)} - trips * {value} + (trips ? {SHORTER[step]} : 0)")
    print(text + MAIN.format(rows=16 * (most + 2) + 16, launches=launches))


if __name__ == "__main__":
    main()
