#include "Exit.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pipeline_rewrite {

int reportError(Error E, int Otherwise) {
  bool Wrong = false;
  handleAllErrors(std::move(E), [&](const ErrorInfoBase &Info) {
    Wrong |= Info.convertToErrorCode() == std::errc::invalid_argument;
    errs() << "pipeline-rewrite: error: " << Info.message() << "\n";
  });
  return Wrong ? Usage : Otherwise;
}

} // namespace pipeline_rewrite
