// What every sample's main needs around its kernel: sizes from the command
// line, buffers, one checked run, and timing. Nothing here is about pipelining.
//
//   sample [small | SIZE...] [--dump FILE] [--time N]
//
//   small        sizes that a CPU emulator runs in a moment
//   SIZE...      the sizes that the sample names at its top, in that order
//   --dump FILE  write the raw bytes of the output
//   --time N     print the median kernel time of N runs in milliseconds
//
// Exit code: 0 the result agrees with the CPU, 1 it does not, 2 wrong usage or
// a CUDA error.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace sample {

/// Ends the program with a message when a CUDA call failed.
inline void check(cudaError_t status, const char *what) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(2);
}

/// What the command line asked for.
struct Options {
  std::vector<int> sizes;         ///< one value for each size of the sample
  const char *dumpFile = nullptr; ///< where the output bytes go, or null
  int timedRuns = 0;              ///< how many runs are timed
};

/// Reads the command line; sizes that are not given keep their default.
inline Options parseOptions(int argc, char **argv, std::vector<int> defaults,
                            const std::vector<int> &small) {
  Options options;
  options.sizes = std::move(defaults);
  std::size_t given = 0;
  for (int i = 1; i < argc; ++i) {
    const char *arg = argv[i];
    char *end = nullptr;
    if (std::strcmp(arg, "small") == 0) {
      options.sizes = small;
    } else if (std::strcmp(arg, "--dump") == 0 && i + 1 < argc) {
      options.dumpFile = argv[++i];
    } else if (std::strcmp(arg, "--time") == 0 && i + 1 < argc) {
      options.timedRuns = std::atoi(argv[++i]);
    } else if (const long size = std::strtol(arg, &end, 10);
               *arg != '\0' && *end == '\0' && size >= 0 &&
               given < options.sizes.size()) {
      options.sizes[given++] = static_cast<int>(size);
    } else {
      std::fprintf(stderr,
                   "usage: %s [small | up to %zu sizes] [--dump FILE] "
                   "[--time N]\n",
                   argv[0], options.sizes.size());
      std::exit(2);
    }
  }
  return options;
}

/// Ends the program when a size breaks a rule that the kernel relies on.
inline void require(bool holds, const char *rule) {
  if (holds)
    return;
  std::fprintf(stderr, "this kernel needs %s\n", rule);
  std::exit(2);
}

/// The number of blocks of \p size that cover \p count.
inline int ceilDiv(int count, int size) { return (count + size - 1) / size; }

/// \p count reproducible values, evenly spread over [low, high).
inline std::vector<float> uniform(std::size_t count, unsigned seed,
                                  float low = -1.0f, float high = 1.0f) {
  std::vector<float> values(count);
  unsigned state = seed * 2654435761u + 1u;
  for (float &value : values) {
    state = state * 1664525u + 1013904223u;
    value = low + (high - low) * static_cast<float>(state >> 8) / 16777216.0f;
  }
  return values;
}

/// \p values, each passed through \p convert.
template <typename Convert>
auto converted(const std::vector<float> &values, Convert convert) {
  std::vector<decltype(convert(0.0f))> result;
  result.reserve(values.size());
  for (const float value : values)
    result.push_back(convert(value));
  return result;
}

/// An array on the device. It starts as a copy of host data, or, when only a
/// count is given, as bytes of 0xFF: an element that no thread writes is a NaN.
template <typename T> class DeviceArray {
public:
  explicit DeviceArray(std::size_t count) : length(count) {
    check(cudaMalloc(&memory, bytes()), "cudaMalloc");
    check(cudaMemset(memory, 0xFF, bytes()), "cudaMemset");
  }
  explicit DeviceArray(const std::vector<T> &host) : length(host.size()) {
    check(cudaMalloc(&memory, bytes()), "cudaMalloc");
    check(cudaMemcpy(memory, host.data(), bytes(), cudaMemcpyHostToDevice),
          "copy to the device");
  }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(memory); }

  T *data() const { return static_cast<T *>(memory); }

  std::vector<T> download() const {
    std::vector<T> host(length);
    check(cudaMemcpy(host.data(), memory, bytes(), cudaMemcpyDeviceToHost),
          "copy from the device");
    return host;
  }

private:
  std::size_t bytes() const { return length * sizeof(T); }

  void *memory = nullptr;
  std::size_t length;
};

/// Writes the bytes of \p values to \p path.
template <typename T>
void dump(const std::vector<T> &values, const char *path) {
  std::FILE *file = std::fopen(path, "wb");
  const bool written =
      file && std::fwrite(values.data(), sizeof(T), values.size(), file) ==
                  values.size();
  if (!written || std::fclose(file) != 0) {
    std::fprintf(stderr, "cannot write %s\n", path);
    std::exit(2);
  }
}

/// The median time of one launch in milliseconds, after three warm-up runs.
template <typename Launch> float medianTime(Launch launch, int runs) {
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start), "cudaEventCreate");
  check(cudaEventCreate(&stop), "cudaEventCreate");
  for (int i = 0; i < 3; ++i)
    launch();
  std::vector<float> times(runs);
  for (float &time : times) {
    check(cudaEventRecord(start), "cudaEventRecord");
    launch();
    check(cudaEventRecord(stop), "cudaEventRecord");
    check(cudaEventSynchronize(stop), "the timed kernel");
    check(cudaEventElapsedTime(&time, start, stop), "cudaEventElapsedTime");
  }
  check(cudaEventDestroy(start), "cudaEventDestroy");
  check(cudaEventDestroy(stop), "cudaEventDestroy");
  std::sort(times.begin(), times.end());
  return times[runs / 2];
}

/// Launches once, compares the output with the CPU, writes and times it as the
/// options say, and returns the exit code of the sample.
///
/// \p reference(i) is the exact value of output element i. Large outputs are
/// compared at about 4,000 places that are spread over the whole array. The
/// error of a value is relative for values above 1 and absolute below.
template <typename Launch, typename T, typename Reference>
int runSample(const Options &options, Launch launch,
              const DeviceArray<T> &output, double tolerance,
              Reference reference) {
  launch();
  check(cudaGetLastError(), "launch");
  check(cudaDeviceSynchronize(), "kernel");
  const std::vector<T> result = output.download();
  if (options.dumpFile)
    dump(result, options.dumpFile);

  // An odd stride visits every column of a matrix, whatever its width.
  const std::size_t stride = (result.size() / 4096) | 1;
  double worst = 0;
  std::size_t compared = 0;
  for (std::size_t i = 0; i < result.size(); i += stride, ++compared) {
    const double expected = reference(i);
    const double error = std::fabs(static_cast<double>(result[i]) - expected) /
                         std::max(1.0, std::fabs(expected));
    // Written so that a NaN counts as an error without bound.
    if (!(error <= worst))
      worst = std::isnan(error) ? INFINITY : error;
  }
  const bool pass = worst <= tolerance;
  std::printf("%s: max error %.3g of %.3g allowed, %zu of %zu values\n",
              pass ? "PASS" : "FAIL", worst, tolerance, compared,
              result.size());
  if (options.timedRuns > 0)
    std::printf("time: %.6f ms\n", medianTime(launch, options.timedRuns));
  return pass ? 0 : 1;
}

} // namespace sample
