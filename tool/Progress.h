/// \file
/// What somebody sees who waits at a terminal.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace pipeline_rewrite {

/// While it lives and standard error is a terminal: one line there that says
/// what is being done and for how long, from the second second on. It is wiped
/// at the end. Anywhere else it does nothing.
class ProgressLine {
public:
  /// \param What the file or step that is worked on.
  /// \param State called from another thread, twice a second.
  ProgressLine(llvm::StringRef What, std::function<std::string()> State);
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

private:
  void show();

  std::string What;
  std::function<std::string()> State;
  std::mutex Lock;
  std::condition_variable Wake;
  bool Ended = false;
  std::thread Shower;
};

} // namespace pipeline_rewrite
