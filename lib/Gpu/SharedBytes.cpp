#include "Gpu/SharedBytes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Regex.h"

#include <algorithm>

using namespace llvm;

namespace pipeline_rewrite {

std::string sharedBytesCallIn(StringRef Text, StringRef Kernel) {
  size_t End = std::min(Kernel.find('<'), Kernel.size());
  StringRef Path = Kernel.take_front(End).rtrim();
  StringRef Arguments = Kernel.drop_front(End);
  StringRef Name = Path.substr(Path.rfind(':') + 1); // npos + 1: all of it.
  Regex Definition(
      "(template[[:space:]]*<[^;{}]*>[[:space:]]*)?"
      "((__host__|__device__|static|inline)[[:space:]]+)*"
      "constexpr[[:space:]]+(std::)?size_t[[:space:]]+" +
      Regex::escape(Name) +
      "_shared_bytes[[:space:]]*\\([[:space:]]*\\)[[:space:]]*\\{");
  SmallVector<StringRef, 4> Groups;
  if (Name.empty() || !Definition.match(Text, &Groups))
    return "";
  bool IsTemplate = !Groups[1].empty();
  if (IsTemplate && Arguments.empty())
    return "";
  return Path.str() + "_shared_bytes" + (IsTemplate ? Arguments.str() : "") +
         "()";
}

} // namespace pipeline_rewrite
