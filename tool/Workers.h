/// \file
/// Threads that parse files ahead of the one that reads the results.
#pragma once

#include "Session.h"
#include "llvm/Support/thread.h"
#include <atomic>
#include <condition_variable>
#include <mutex>

namespace pipeline_rewrite {

/// What came of one input file.
struct FileJob {
  std::string Messages; ///< of the compiler, for stderr
  std::optional<llvm::Expected<FileOutcome>> Outcome; ///< none: it crashed
};

/// Runs processFile on every file of the options, Options::Jobs at a time. Each
/// file has its own syntax tree, which goes when the file is done; the threads
/// share the options and the rules, which nobody changes.
class Workers {
public:
  explicit Workers(const SessionContext &Context);
  ~Workers();

  /// Waits for the file at \p Index and hands its result over, once.
  FileJob take(size_t Index);

private:
  struct Slot {
    FileJob Job;
    bool Ready = false;
  };

  void work();

  const SessionContext &Context;
  std::vector<Slot> Slots;
  std::atomic<size_t> Next{0};
  std::mutex Lock;
  std::condition_variable Arrived;
  std::vector<llvm::thread> Threads;
};

} // namespace pipeline_rewrite
