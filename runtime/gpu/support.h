// What every part of the runner uses: options, rows of results, checked CUDA calls, a time limit.
#pragma once

#include "pr_abi.h"

#include <cuda_runtime.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

namespace pr {

// Exit codes of the runner; those of the tool where both have a word for it.
enum Exit { Fine = 0, Usage = 2, Differs = 4, Unable = 5 };

// "--name value" pairs and what stands behind them.
struct Options {
  std::map<std::string, std::string> named;
  std::vector<std::string> rest;

  Options(int argc, char **argv) {
    for (int i = 2; i < argc; ++i) {
      std::string word = argv[i];
      if (word.compare(0, 2, "--") == 0 && i + 1 < argc)
        named[word.substr(2)] = argv[++i];
      else
        rest.push_back(word);
    }
  }
  std::string text(const char *name, const char *otherwise = "") const {
    auto found = named.find(name);
    return found == named.end() ? otherwise : found->second;
  }
  double number(const char *name, double otherwise) const {
    auto found = named.find(name);
    return found == named.end() ? otherwise : std::atof(found->second.c_str());
  }
};

inline std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\')
      out += '\\', out += (char)c;
    else if (c == '\n')
      out += "\\n";
    else if (c < 0x20 || c >= 0x7f)
      out += '?'; // Control characters and halves of UTF-8 letters.
    else
      out += (char)c;
  }
  return out + "\"";
}

inline std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return value - value == 0 ? text : "null"; // JSON has neither NaN nor infinity.
}

// One JSON object on one line of the results. Nobody reads a row that was not written whole.
class Row {
public:
  Row(const std::string &id, const char *event) { text = "{\"id\":" + quoted(id) + ",\"event\":" + quoted(event); }
  Row &add(const char *name, const std::string &value) { return raw(name, quoted(value)); }
  Row &add(const char *name, const char *value) { return raw(name, quoted(value)); }
  Row &add(const char *name, double value) { return raw(name, number(value)); }
  Row &raw(const char *name, const std::string &json) {
    text += "," + quoted(name) + ":" + json;
    return *this;
  }
  // Appended in one call, so that a killed run leaves whole rows behind.
  void write(const std::string &path) {
    std::string line = text + "}\n";
    std::FILE *file = path.empty() ? stdout : std::fopen(path.c_str(), "ab");
    bool good = file && std::fwrite(line.data(), 1, line.size(), file) == line.size();
    if (file)
      good &= (path.empty() ? std::fflush(file) : std::fclose(file)) == 0;
    if (!good) {
      std::fprintf(stderr, "runner: cannot write %s\n", path.c_str());
      std::exit(Unable);
    }
  }

private:
  std::string text;
};

// A CUDA call of the runner's own that failed: the run ends there.
struct CudaError {
  int code;
  std::string message;
};

inline std::string describe(const PrFailure &failure) {
  const char *base = failure.file;
  for (const char *c = failure.file; *c; ++c)
    if (*c == '/')
      base = c + 1;
  return std::string(failure.call) + " failed: " + cudaGetErrorString((cudaError_t)failure.code) + " (" +
         cudaGetErrorName((cudaError_t)failure.code) + ") at " + base + ":" + std::to_string(failure.line);
}

inline void check(cudaError_t code, const char *call, const char *file, int line) {
  if (code != cudaSuccess)
    throw CudaError{(int)code, describe({(int)code, call, file, line})};
}
#define PR_CHECK(CALL) ::pr::check((CALL), #CALL, __FILE__, __LINE__)

// Calls `late` and ends the process where no beat came for so many seconds. A kernel that hangs cannot be
// stopped in any other way.
class Watchdog {
public:
  template <class Late> Watchdog(double seconds, Late late) {
    thread = std::thread([this, seconds, late] {
      std::unique_lock<std::mutex> lock(mutex);
      while (!done) {
        unsigned seen = beats;
        bool beaten = wake.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return done || beats != seen; });
        if (!beaten) {
          late();
          std::fflush(nullptr);
          _exit(Unable);
        }
      }
    });
  }
  void beat() {
    std::lock_guard<std::mutex> lock(mutex);
    ++beats;
    wake.notify_one();
  }
  ~Watchdog() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      done = true;
    }
    wake.notify_one();
    thread.join();
  }

private:
  std::mutex mutex;
  std::condition_variable wake;
  unsigned beats = 0;
  bool done = false;
  std::thread thread;
};

// Opens a version; a message on failure.
const PrVersion *openVersion(const std::string &path, std::string &problem);

// "M=64, N=96" of the values of one case.
inline std::string caseName(const PrVersion &version, const long long *values) {
  std::string text;
  for (int i = 0; i < version.sizes; ++i)
    text += (i ? ", " : "") + std::string(version.size_names[i]) + "=" + std::to_string(values[i]);
  return text;
}

// On the card (disturb.cu). Fills the shared memory of every multiprocessor with a pattern, so that a byte that
// no thread wrote has another value in each run.
int fillShared(unsigned pattern);
// Starts some work in a stream of its own that competes with the next launch, so that warps meet otherwise.
int startNoise(unsigned blocks);
int endNoise();

int verify(const Options &options);
int launchOnce(const Options &options);
int timeVersions(const Options &options);
// For programs with their own main, from what shim.cpp wrote.
int compareTraces(const Options &options);
int collectTimes(const Options &options);

} // namespace pr
