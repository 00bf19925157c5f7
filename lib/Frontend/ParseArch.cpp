#include "Frontend/ParseArch.h"

#include "clang/Basic/Cuda.h"
#include "llvm/ADT/Twine.h"

namespace pipeline_rewrite {

static bool isKnown(const std::string &Arch) {
  clang::OffloadArch Known = clang::StringToOffloadArch(Arch);
  return Known != clang::OffloadArch::UNKNOWN &&
         Known != clang::OffloadArch::UNUSED;
}

static llvm::Expected<unsigned> archNumber(llvm::StringRef Arch) {
  llvm::StringRef Rest = Arch;
  unsigned Number;
  if (!Rest.consume_front("sm_") || Rest.consumeInteger(10, Number) ||
      (!Rest.empty() && Rest != "a" && Rest != "f"))
    return llvm::createStringError(
        std::make_error_code(std::errc::invalid_argument),
        "'" + Arch + "' is no architecture; it is written like sm_86");
  return Number;
}

llvm::Expected<std::string> parseArchFor(llvm::StringRef Arch) {
  llvm::Expected<unsigned> Number = archNumber(Arch);
  if (!Number)
    return Number.takeError();
  if (isKnown(Arch.str()))
    return Arch.str();
  for (unsigned Candidate = *Number; Candidate != 0; --Candidate)
    if (std::string Name = "sm_" + std::to_string(Candidate); isKnown(Name))
      return Name;
  return llvm::createStringError(
      std::make_error_code(std::errc::invalid_argument),
      "Clang knows no architecture as old as '" + Arch + "'");
}

std::string budgetArchFor(llvm::StringRef Arch) {
  return Arch.rtrim("af").str();
}

} // namespace pipeline_rewrite
