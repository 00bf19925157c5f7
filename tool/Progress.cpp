#include "Progress.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace llvm;

namespace pipeline_rewrite {

ProgressLine::ProgressLine(StringRef What, std::function<std::string()> State)
    : What(What), State(std::move(State)) {
  if (sys::Process::StandardErrIsDisplayed())
    Shower = std::thread([this] { show(); });
}

ProgressLine::~ProgressLine() {
  if (!Shower.joinable())
    return;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Ended = true;
  }
  Wake.notify_one();
  Shower.join();
}

void ProgressLine::show() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point Start = Clock::now();
  bool Shown = false;
  std::unique_lock<std::mutex> Guard(Lock);
  std::chrono::milliseconds Pause(1000);
  while (!Wake.wait_for(Guard, Pause, [&] { return Ended; })) {
    Pause = std::chrono::milliseconds(500);
    auto Seconds =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - Start);
    std::string Line = What + ": " + State() + ", " +
                       std::to_string(Seconds.count()) + " s";
    // A line that wraps could not be wiped.
    unsigned Columns = sys::Process::StandardErrColumns();
    if (Columns > 1 && Line.size() >= Columns)
      Line.resize(Columns - 1);
    errs() << "\r" << Line << "\x1b[K";
    errs().flush();
    Shown = true;
  }
  if (Shown)
    errs() << "\r\x1b[K";
}

} // namespace pipeline_rewrite
