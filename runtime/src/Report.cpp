#include "Report.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

namespace pr {

namespace {

/// The open report and the case that runs: one a process, by nature.
struct Reporter {
  std::mutex Lock;
  std::string Case;
  int File = -1;
  bool Muted = false;
  std::chrono::steady_clock::time_point LastProgress =
      std::chrono::steady_clock::now();

  Reporter() {
    if (const char *Path = std::getenv("PR_RESULT"))
      File = open(Path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
  void line(const std::string &Text) {
    std::string Whole = Text + "\n";
    // One write a line: a crash afterwards loses nothing.
    if (File >= 0 && write(File, Whole.data(), Whole.size()) < 0)
      std::perror("PR_RESULT");
  }
};

Reporter &reporter() {
  static Reporter R;
  return R;
}

std::string quoted(const std::string &Text) {
  std::string Out = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\') {
      Out += '\\';
      Out += C;
    } else if (static_cast<unsigned char>(C) < 0x20) {
      char Escape[8];
      std::snprintf(Escape, sizeof Escape, "\\u%04x", C);
      Out += Escape;
    } else {
      Out += C;
    }
  }
  return Out + "\"";
}

} // namespace

void setCase(const std::string &Text) {
  std::lock_guard<std::mutex> Guard(reporter().Lock);
  reporter().Case = Text;
}

void reportFailure(const char *Version, const char *Check,
                   const std::string &Message, const std::string &Where) {
  Reporter &R = reporter();
  std::lock_guard<std::mutex> Guard(R.Lock);
  if (R.Muted)
    return;
  std::string Full = R.Case.empty() ? Message : Message + " (" + R.Case + ")";
  R.line("{\"event\":\"failure\",\"version\":" + quoted(Version) +
         ",\"check\":" + quoted(Check) + ",\"message\":" + quoted(Full) +
         ",\"where\":" + quoted(Where) + "}");
}

void muteFailures(bool Muted) {
  std::lock_guard<std::mutex> Guard(reporter().Lock);
  reporter().Muted = Muted;
}

void reportUnable(const std::string &Message, const char *Check) {
  Reporter &R = reporter();
  std::lock_guard<std::mutex> Guard(R.Lock);
  R.line("{\"event\":\"unable\",\"check\":" + quoted(Check) +
         ",\"message\":" + quoted(Message) + "}");
}

void reportNote(const std::string &Message) {
  Reporter &R = reporter();
  std::lock_guard<std::mutex> Guard(R.Lock);
  R.line("{\"event\":\"note\",\"message\":" + quoted(Message) + "}");
}

void reportProgress(uint64_t Runs) {
  Reporter &R = reporter();
  std::lock_guard<std::mutex> Guard(R.Lock);
  auto Now = std::chrono::steady_clock::now();
  if (Now - R.LastProgress < std::chrono::milliseconds(500))
    return;
  R.LastProgress = Now;
  std::string Where = R.Case.empty() ? "" : ", now " + R.Case;
  R.line("{\"event\":\"progress\",\"message\":" +
         quoted(std::to_string(Runs) + " runs" + Where) + "}");
}

void reportTotals(uint64_t Runs, uint64_t Comparisons, uint64_t Blocks,
                  uint64_t BlocksSkipped) {
  Reporter &R = reporter();
  std::lock_guard<std::mutex> Guard(R.Lock);
  R.line("{\"event\":\"totals\",\"runs\":" + std::to_string(Runs) +
         ",\"comparisons\":" + std::to_string(Comparisons) +
         ",\"blocks\":" + std::to_string(Blocks) +
         ",\"skipped\":" + std::to_string(BlocksSkipped) + "}");
}

} // namespace pr
