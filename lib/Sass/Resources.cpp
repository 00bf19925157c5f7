#include "Sass/Resources.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace pipeline_rewrite {

/// The number in front of \p Words in \p Line, or zero.
static uint64_t numberBefore(StringRef Line, StringRef Words) {
  SmallVector<StringRef, 2> Match;
  uint64_t Number = 0;
  if (Regex("([0-9]+) " + Words.str()).match(Line, &Match))
    Match[1].getAsInteger(10, Number);
  return Number;
}

StringMap<SassResources> parseResources(StringRef Text) {
  StringMap<SassResources> Result;
  Regex Entry("Compiling entry function '([^']+)'");
  Regex Function("Function properties for ([^ ]+)");
  std::string Kernel;
  bool OfKernel = false; // not of a function that it calls
  SassResources Now;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    SmallVector<StringRef, 2> Match;
    if (Entry.match(Line, &Match)) {
      Kernel = Match[1].str();
      Now = SassResources();
    } else if (Function.match(Line, &Match)) {
      OfKernel = Match[1].trim() == Kernel;
    } else if (Line.contains("bytes stack frame") && OfKernel) {
      Now.StackBytes = numberBefore(Line, "bytes stack frame");
      Now.SpillStoreBytes = numberBefore(Line, "bytes spill stores");
      Now.SpillLoadBytes = numberBefore(Line, "bytes spill loads");
    } else if (Line.contains("Used ") && Line.contains(" registers") &&
               !Kernel.empty()) {
      Now.Registers = numberBefore(Line, "registers");
      Now.StaticShared = numberBefore(Line, "bytes smem");
      Result[Kernel] = Now;
      Kernel.clear();
    }
  }
  return Result;
}

} // namespace pipeline_rewrite
