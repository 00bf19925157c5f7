#include "Crash.h"
#include "Machine.h"
#include "Report.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace pr {

/// Runs on its own stack, because the usual cause is a full one. It allocates
/// memory, which a signal handler may not do in general; the worst outcome is a
/// second fault, and then the parent reports the signal.
static void onCrash(int Signal) {
  std::signal(Signal, SIG_DFL);
  std::string Message = "a crash (" + std::string(strsignal(Signal)) + ") ";
  if (TheWorker && TheWorker->Current)
    Message += std::string("in the ") +
               (TheWorker->Running.Code->Original ? "original" : "rewritten") +
               " kernel: " + TheWorker->whereabouts();
  else
    Message += "outside of the kernels";
  reportUnable(Message);
  std::_Exit(5);
}

void watchForCrashes() {
  static thread_local std::vector<char> Stack;
  if (!Stack.empty())
    return;
  Stack.resize(128 * 1024);
  stack_t Alternate = {};
  Alternate.ss_sp = Stack.data();
  Alternate.ss_size = Stack.size();
  sigaltstack(&Alternate, nullptr);
  struct sigaction Action = {};
  Action.sa_handler = onCrash;
  Action.sa_flags = SA_ONSTACK;
  for (int Signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    sigaction(Signal, &Action, nullptr);
}

} // namespace pr
