// Runs the original and another version on the same data and compares every byte.
#include "data.h"

namespace pr {

namespace {

struct Failure {
  std::string check, message, where;
};

// The kernel did something wrong; what comes after it in this process says nothing.
bool isFault(int code) {
  switch (code) {
  case cudaErrorIllegalAddress: case cudaErrorLaunchTimeout: case cudaErrorAssert: case cudaErrorHardwareStackError:
  case cudaErrorIllegalInstruction: case cudaErrorMisalignedAddress: case cudaErrorInvalidAddressSpace:
  case cudaErrorInvalidPc: case cudaErrorLaunchFailure:
    return true;
  default:
    return false;
  }
}

// Says nothing about the kernel: the machine is the wrong one, or is full.
bool isMachine(int code) {
  switch (code) {
  case cudaErrorMemoryAllocation: case cudaErrorInsufficientDriver: case cudaErrorNoDevice:
  case cudaErrorNoKernelImageForDevice: case cudaErrorUnsupportedPtxVersion: case cudaErrorInvalidPtx:
    return true;
  default:
    return false;
  }
}

struct Ended {}; // Thrown where no further run makes sense.

class Verification {
public:
  Verification(const Options &options, const PrVersion &original, const PrVersion &version)
      : original(original), version(version), rows(options.text("rows")), name(options.text("name")),
        seed((unsigned long long)options.number("seed", 1)), seeds((unsigned)options.number("seeds", 2)),
        repeats((unsigned)options.number("repeats", 3)) {
    tolerance.absolute = options.number("absolute", 0);
    tolerance.relative = options.number("relative", 0);
    tolerance.ulps = (unsigned long long)options.number("ulps", 0);
    timeout = options.number("timeout", 60);
  }

  int run() {
    Watchdog dog(timeout, [this] {
      std::lock_guard<std::mutex> lock(mutex);
      unable("timeout", "the " + running + " kernel did not end within " + number(timeout) + " s");
      write();
    });
    watchdog = &dog;
    try {
      learnResources();
      for (int i = 0; i < version.cases; ++i)
        everySeed(version.case_values + i * version.sizes);
      for (int i = 0; i < version.bench_cases; ++i)
        compareOn(version.bench_values + i * version.sizes, seed, 0, false, true);
    } catch (const Ended &) {
    } catch (const CudaError &error) {
      std::lock_guard<std::mutex> lock(mutex);
      unable(isMachine(error.code) ? "machine" : "cuda-error", error.message);
    } catch (const std::bad_alloc &) {
      std::lock_guard<std::mutex> lock(mutex);
      unable("machine", "not enough memory on the host for " + current);
    }
    std::lock_guard<std::mutex> lock(mutex);
    return write();
  }

private:
  using Contents = std::vector<Bytes>;

  void unable(const std::string &check, const std::string &message) { cannot.push_back({check, message, current}); }

  // What a failed launch means depends on whose it is.
  void launchFailed(bool ofOriginal, const PrFailure &failure) {
    std::string message = std::string("the ") + (ofOriginal ? "original" : "rewritten") + " kernel: " + describe(failure);
    std::lock_guard<std::mutex> lock(mutex);
    if (isMachine(failure.code) || (ofOriginal && !isFault(failure.code)))
      unable(isMachine(failure.code) ? "machine" : "launch-failed", message);
    else
      (ofOriginal ? broken : wrong).push_back({isFault(failure.code) ? "kernel-fault" : "launch-failed", message, current});
    throw Ended();
  }

  void learnResources() {
    const PrVersion *both[] = {&original, &version};
    for (int i = 0; i < 2; ++i) {
      PrFailure failure{};
      const long long *sizes = version.bench_cases ? version.bench_values : version.case_values;
      if (!both[i]->resources)
        continue;
      if (both[i]->resources(sizes, &resources[i], &failure))
        launchFailed(i == 0, failure);
      known[i] = true;
    }
  }

  void everySeed(const long long *sizes) {
    for (unsigned turn = 0; turn < seeds; ++turn)
      compareOn(sizes, seed + turn, turn, false, false);
    compareOn(sizes, seed, 0, true, false);
  }

  std::vector<PrBuffer> buffersOf(const long long *sizes) {
    std::vector<PrBuffer> buffers((size_t)original.buffers);
    original.describe(sizes, buffers.data());
    for (const PrBuffer &buffer : buffers) {
      std::lock_guard<std::mutex> lock(mutex);
      bool known = buffer.kind != PrUnknown || buffer.fill == PrZero || buffer.fill == PrNan;
      if (!(buffer.count >= 0 && buffer.count <= 1e11))
        unable("launch-file", std::string("the count of buffer '") + buffer.name + "' is " + number(buffer.count));
      else if (!known)
        unable("launch-file", std::string("no fill is known for the type '") + buffer.type + "' of buffer '" +
                                  buffer.name + "'; zero and nan are");
      else
        continue;
      throw Ended();
    }
    return buffers;
  }

  // One launch on fresh memory. `turn` varies what the kernel finds in shared memory and beside it.
  Contents launch(const PrVersion &which, const long long *sizes, const std::vector<PrBuffer> &buffers,
                  const Contents &before, Memories &memory, unsigned turn) {
    bool ofOriginal = &which == &original;
    std::vector<void *> pointers;
    for (size_t i = 0; i < buffers.size(); ++i) {
      memory[i]->upload(before[i]);
      pointers.push_back(memory[i]->pointer());
    }
    PR_CHECK((cudaError_t)fillShared(turn % 2 ? 0x7fc0beefu : 0xff80c0deu + turn));
    if (turn % 2)
      PR_CHECK((cudaError_t)startNoise(64));
    {
      std::lock_guard<std::mutex> lock(mutex);
      running = ofOriginal ? "original" : "rewritten";
      ++runs;
    }
    watchdog->beat();
    PrFailure failure{};
    if (which.launch(sizes, pointers.data(), &failure))
      launchFailed(ofOriginal, failure);
    if (cudaError_t code = cudaDeviceSynchronize())
      launchFailed(ofOriginal, {(int)code, "the kernel", __FILE__, __LINE__});
    PR_CHECK((cudaError_t)endNoise());
    watchdog->beat();
    Contents after;
    for (size_t i = 0; i < buffers.size(); ++i) {
      after.push_back(memory[i]->download());
      if (std::string where = memory[i]->damage(); !where.empty()) {
        std::lock_guard<std::mutex> lock(mutex);
        (ofOriginal ? broken : wrong)
            .push_back({"out-of-bounds", std::string("the ") + (ofOriginal ? "original" : "rewritten") +
                                             " kernel writes to buffer '" + buffers[i].name + "' " + where,
                        current});
        throw Ended();
      }
    }
    return after;
  }

  // \returns whether all is equal; says what is not.
  bool same(const std::vector<PrBuffer> &buffers, const Contents &expected, const Contents &found, const char *check,
            const std::string &who, std::vector<Failure> &list) {
    std::lock_guard<std::mutex> lock(mutex);
    ++comparisons;
    for (size_t i = 0; i < buffers.size(); ++i) {
      std::string text = difference(buffers[i], expected[i], found[i], tolerance);
      if (text.empty())
        continue;
      if (list.size() < 5)
        list.push_back({check, who + text, current});
      return false;
    }
    return true;
  }

  void compareOn(const long long *sizes, unsigned long long useSeed, unsigned turn, bool hostile, bool large) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      current = caseName(version, sizes) + (hostile ? ", inputs with NaN and infinity" : "") + ", seed " +
                std::to_string(useSeed);
    }
    std::vector<PrBuffer> buffers = buffersOf(sizes);
    Memories memory = memoryFor(buffers);
    Contents before;
    for (const PrBuffer &buffer : buffers) {
      before.push_back(contentsOf(buffer, buffer.seed + (useSeed - 1) * 1000, turn, hostile));
      watchdog->beat();
    }
    unsigned times = large ? 2 : repeats;
    Contents expected = launch(original, sizes, buffers, before, memory, 0);
    for (unsigned i = 1; i < times; ++i) {
      Contents again = launch(original, sizes, buffers, before, memory, i);
      if (!same(buffers, expected, again, "not-deterministic", "two runs of the original differ: ", broken))
        throw Ended();
    }
    Contents found;
    for (unsigned i = 0; i < times; ++i) {
      Contents now = launch(version, sizes, buffers, before, memory, i);
      if (i && !same(buffers, found, now, "race", "two runs of the rewritten kernel differ: ", wrong))
        throw Ended();
      if (!same(buffers, expected, now, "different-result", "", wrong))
        return;
      found = std::move(now);
    }
    if (version.reference && turn == 0 && !hostile && !large)
      againstReference(sizes, buffers, before, found);
  }

  void againstReference(const long long *sizes, const std::vector<PrBuffer> &buffers, const Contents &before,
                        const Contents &found) {
    Contents host = before;
    std::vector<void *> pointers;
    for (Bytes &bytes : host)
      pointers.push_back(bytes.data());
    version.reference(sizes, pointers.data());
    std::lock_guard<std::mutex> lock(mutex);
    Tolerance far;
    far.absolute = version.reference_absolute;
    far.relative = version.reference_relative;
    ++comparisons;
    for (size_t i = 0; i < buffers.size(); ++i) {
      // What the author's kernel does is the measure: a reference that disagrees with it proves nothing about
      // the rewrite, which is equal to it.
      if (!buffers[i].output)
        continue;
      std::string text = difference(buffers[i], host[i], found[i], far);
      if (!text.empty() && broken.size() < 5)
        broken.push_back({"reference-differs", text, current});
    }
  }

  static std::string listOf(const std::vector<Failure> &list) {
    std::string json = "[";
    for (const Failure &failure : list)
      json += (json.size() > 1 ? "," : "") + ("{\"check\":" + quoted(failure.check)) + ",\"message\":" +
              quoted(failure.message) + ",\"where\":" + quoted(failure.where) + "}";
    return json + "]";
  }

  static std::string jsonOf(const PrResources &r) {
    return "{\"registers\":" + std::to_string(r.registers) + ",\"local_bytes\":" + std::to_string(r.local_bytes) +
           ",\"static_shared\":" + std::to_string(r.static_shared) + ",\"dynamic_shared\":" +
           std::to_string(r.dynamic_shared) + ",\"blocks_per_sm\":" + std::to_string(r.blocks_per_sm) +
           ",\"threads\":" + std::to_string(r.threads) + ",\"binary\":" + std::to_string(r.binary) + "}";
  }

  int write() {
    bool nothing = comparisons == 0 && broken.empty() && wrong.empty() && cannot.empty();
    if (nothing)
      cannot.push_back({"nothing-compared", "the launch file has no case to run", ""});
    const char *status = !broken.empty() ? "original-broken"
                         : !wrong.empty() ? "failed"
                         : !cannot.empty() ? "could-not-run"
                                           : "proved";
    Row row("verify:" + name, "verify");
    row.add("version", name).add("status", status).add("runs", runs).add("comparisons", comparisons);
    row.raw("failures", listOf(!broken.empty() ? broken : !wrong.empty() ? wrong : cannot));
    if (known[0])
      row.raw("original_resources", jsonOf(resources[0]));
    if (known[1])
      row.raw("resources", jsonOf(resources[1]));
    row.write(rows);
    return !broken.empty() || !wrong.empty() ? Differs : !cannot.empty() ? Unable : Fine;
  }

  const PrVersion &original, &version;
  std::string rows, name;
  unsigned long long seed;
  unsigned seeds, repeats;
  double timeout;
  Tolerance tolerance;
  Watchdog *watchdog = nullptr;

  std::mutex mutex; // For what the watchdog reads.
  std::string current, running = "original";
  std::vector<Failure> broken, wrong, cannot;
  unsigned runs = 0, comparisons = 0;
  PrResources resources[2] = {};
  bool known[2] = {};
};

} // namespace

int verify(const Options &options) {
  std::string problem;
  const PrVersion *original = openVersion(options.text("original"), problem);
  const PrVersion *version = original ? openVersion(options.text("version"), problem) : nullptr;
  if (!version) {
    std::fprintf(stderr, "runner: %s\n", problem.c_str());
    return Unable;
  }
  return Verification(options, *original, *version).run();
}

// For compute-sanitizer: some cases, each launched once, nothing compared.
int launchOnce(const Options &options) {
  std::string problem;
  const PrVersion *version = openVersion(options.text("version"), problem);
  if (!version) {
    std::fprintf(stderr, "runner: %s\n", problem.c_str());
    return Unable;
  }
  int most = (int)options.number("cases", 12), step = version->cases / most + 1;
  try {
    for (int i = version->cases - 1; i >= 0; i -= step) {
      const long long *sizes = version->case_values + i * version->sizes;
      std::vector<PrBuffer> buffers((size_t)version->buffers);
      version->describe(sizes, buffers.data());
      Memories memory = memoryFor(buffers);
      std::vector<void *> pointers;
      for (size_t b = 0; b < buffers.size(); ++b) {
        memory[b]->upload(contentsOf(buffers[b], buffers[b].seed, 0, false));
        pointers.push_back(memory[b]->pointer());
      }
      PrFailure failure{};
      if (version->launch(sizes, pointers.data(), &failure))
        throw CudaError{failure.code, describe(failure)};
      PR_CHECK(cudaDeviceSynchronize());
    }
  } catch (const CudaError &error) {
    std::fprintf(stderr, "runner: %s\n", error.message.c_str());
    return Differs;
  }
  return Fine;
}

} // namespace pr
