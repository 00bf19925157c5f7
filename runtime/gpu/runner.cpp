// The program of a bundle: proves and times versions of a kernel, each a shared object. Writes its results as
// rows of JSON. run.sh calls it; `runner` alone says how.
#include "support.h"

#include <dlfcn.h>

namespace pr {

const PrVersion *openVersion(const std::string &path, std::string &problem) {
  std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  // Local: two versions define the same names.
  void *object = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object) {
    problem = dlerror();
    return nullptr;
  }
  using Entry = const PrVersion *(*)();
  auto entry = reinterpret_cast<Entry>(dlsym(object, PR_ENTRY));
  const PrVersion *version = entry ? entry() : nullptr;
  if (!version || version->abi != PR_ABI) {
    problem = path + " was not built by this bundle";
    return nullptr;
  }
  return version;
}

namespace {

// Which card this is; the first of the rows.
int describeDevice(const Options &options) {
  int count = 0, driver = 0, runtime = 0;
  cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess || count == 0) {
    std::string problem = code == cudaSuccess ? "there is none" : cudaGetErrorString(code);
    Row("device", "device").add("problem", "no usable GPU: " + problem).write(options.text("rows"));
    std::fprintf(stderr, "no usable GPU: %s\n", problem.c_str());
    return Unable;
  }
  cudaDeviceProp p;
  try {
    PR_CHECK(cudaGetDeviceProperties(&p, 0));
    PR_CHECK(cudaDriverGetVersion(&driver));
    PR_CHECK(cudaRuntimeGetVersion(&runtime));
  } catch (const CudaError &error) {
    Row("device", "device").add("problem", error.message).write(options.text("rows"));
    return Unable;
  }
  Row row("device", "device");
  row.add("name", p.name).add("arch", "sm_" + std::to_string(p.major) + std::to_string(p.minor));
  row.add("multiprocessors", p.multiProcessorCount).add("l2_bytes", (double)p.l2CacheSize);
  row.add("memory_bytes", (double)p.totalGlobalMem);
  row.add("driver_api", driver).add("runtime", runtime);
  row.add("driver", options.text("driver")).add("nvcc", options.text("nvcc")).add("date", options.text("date"));
  row.write(options.text("rows"));
  return Fine;
}

} // namespace

} // namespace pr

int main(int argc, char **argv) {
  std::string command = argc > 1 ? argv[1] : "";
  pr::Options options(argc, argv);
  if (command == "device")
    return pr::describeDevice(options);
  if (command == "verify")
    return pr::verify(options);
  if (command == "once")
    return pr::launchOnce(options);
  if (command == "time")
    return pr::timeVersions(options);
  if (command == "traces")
    return pr::compareTraces(options);
  if (command == "trace-times")
    return pr::collectTimes(options);
  std::fprintf(stderr, "usage: runner device|verify|once|time|traces|trace-times [--option value]...\n");
  return pr::Usage;
}
