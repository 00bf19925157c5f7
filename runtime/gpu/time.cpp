// Times versions in alternation, one launch at a time, the second-level cache emptied before each.
#include "data.h"

#include <algorithm>

namespace pr {

namespace {

struct Timed {
  std::string name;
  const PrVersion *version;
  std::vector<double> samples; // Milliseconds.
  std::string problem;
};

class Events {
public:
  Events() {
    PR_CHECK(cudaEventCreate(&begin));
    PR_CHECK(cudaEventCreate(&end));
  }
  Events(const Events &) = delete;
  ~Events() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
  cudaEvent_t begin = nullptr, end = nullptr;
};

class Timing {
public:
  Timing(const Options &options, const std::vector<Timed> &versions, const long long *sizes)
      : versions(versions), sizes(sizes), rows(options.text("rows")), seconds(options.number("seconds", 2)),
        least((unsigned)options.number("rounds", 15)), most((unsigned)options.number("max-rounds", 101)),
        timeout(options.number("timeout", 60)) {}

  void run(int number) {
    current = caseName(*versions[0].version, sizes);
    caseNumber = number;
    Watchdog dog(timeout, [this] { write("no launch of '" + running + "' ended within " + pr::number(timeout) + " s"); });
    watchdog = &dog;
    std::string problem;
    try {
      prepare();
      rounds();
    } catch (const CudaError &error) {
      problem = error.message;
    }
    write(problem);
  }

private:
  void prepare() {
    std::vector<PrBuffer> buffers((size_t)versions[0].version->buffers);
    versions[0].version->describe(sizes, buffers.data());
    memory = memoryFor(buffers);
    for (size_t i = 0; i < buffers.size(); ++i) {
      memory[i]->upload(contentsOf(buffers[i], buffers[i].seed, 0, false));
      pointers.push_back(memory[i]->pointer());
      watchdog->beat();
    }
    int device = 0, cache = 0;
    PR_CHECK(cudaGetDevice(&device));
    PR_CHECK(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device));
    flushed = 2 * (size_t)std::max(cache, 1 << 20);
    flush = std::make_unique<GuardedMemory>(flushed);
  }

  // The cache is emptied in the same stream, so that the launch is queued before it is done and no gap is timed.
  double once(const Timed &timed, Events &events) {
    running = timed.name;
    watchdog->beat();
    PR_CHECK(cudaMemsetAsync(flush->pointer(), 1, flushed));
    PR_CHECK(cudaEventRecord(events.begin));
    PrFailure failure{};
    if (timed.version->launch(sizes, pointers.data(), &failure))
      throw CudaError{failure.code, describe(failure)};
    PR_CHECK(cudaEventRecord(events.end));
    PR_CHECK(cudaEventSynchronize(events.end));
    float milliseconds = 0;
    PR_CHECK(cudaEventElapsedTime(&milliseconds, events.begin, events.end));
    return milliseconds;
  }

  void rounds() {
    Events events;
    auto begin = std::chrono::steady_clock::now();
    auto spent = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
    // Warm-up: three launches of each, and until the clocks have had time to rise.
    for (int i = 0; i < 3 || (spent() < 0.2 && i < 1000); ++i)
      for (const Timed &timed : versions)
        once(timed, events);
    begin = std::chrono::steady_clock::now();
    for (unsigned round = 0; round < least || (round < most && spent() < seconds); ++round)
      // Each round begins with another version, so that none is always first.
      for (size_t i = 0; i < versions.size(); ++i) {
        Timed &timed = versions[(i + round) % versions.size()];
        timed.samples.push_back(once(timed, events));
      }
  }

  void write(const std::string &problem) {
    const PrVersion &first = *versions[0].version;
    for (const Timed &timed : versions) {
      Row row("time:" + std::to_string(caseNumber) + ":" + timed.name, "time");
      row.add("version", timed.name).add("case", current);
      if (first.flops)
        row.add("flops", first.flops(sizes));
      if (first.bytes)
        row.add("bytes", first.bytes(sizes));
      if (!problem.empty()) {
        row.add("problem", problem).write(rows);
        continue;
      }
      std::string list = "[";
      for (double sample : timed.samples)
        list += (list.size() > 1 ? "," : "") + number(sample);
      row.raw("samples_ms", list + "]");
      PrResources r{};
      PrFailure failure{};
      if (timed.version->resources && timed.version->resources(sizes, &r, &failure) == 0)
        row.add("registers", r.registers).add("blocks_per_sm", r.blocks_per_sm).add("local_bytes", (double)r.local_bytes);
      row.write(rows);
    }
    failed |= !problem.empty();
  }

  std::vector<Timed> versions;
  const long long *sizes;
  std::string rows;
  double seconds;
  unsigned least, most;
  double timeout;
  std::string current, running;
  int caseNumber = 0;
  Memories memory;
  std::vector<void *> pointers;
  std::unique_ptr<GuardedMemory> flush;
  size_t flushed = 0;
  Watchdog *watchdog = nullptr;

public:
  bool failed = false;
};

} // namespace

int timeVersions(const Options &options) {
  std::vector<Timed> versions;
  for (const std::string &word : options.rest) {
    size_t equal = word.find('=');
    std::string problem;
    const PrVersion *version = openVersion(word.substr(equal + 1), problem);
    if (!version) {
      std::fprintf(stderr, "runner: %s\n", problem.c_str());
      return Unable;
    }
    versions.push_back({word.substr(0, equal), version, {}, ""});
  }
  if (versions.empty())
    return Usage;
  const PrVersion &first = *versions[0].version;
  int cases = first.bench_cases ? first.bench_cases : 1;
  // Without sizes for timing the last of the sweep are taken.
  const long long *values =
      first.bench_cases ? first.bench_values : first.case_values + (first.cases - 1) * first.sizes;
  bool failed = false;
  int only = (int)options.number("case", -1);
  for (int i = 0; i < cases; ++i) {
    if (only >= 0 && i != only)
      continue;
    Timing timing(options, versions, values + i * first.sizes);
    timing.run(i);
    failed |= timing.failed;
  }
  return failed ? Unable : Fine;
}

} // namespace pr
