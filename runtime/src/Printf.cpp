// printf in kernels: the front end packs the arguments, each at its natural
// alignment, as CUDA's vprintf expects.
#include "ShadowLaunch.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

template <typename T> T take(const char *Pack, size_t &At) {
  At = (At + sizeof(T) - 1) / sizeof(T) * sizeof(T);
  T Value;
  std::memcpy(&Value, Pack + At, sizeof(T));
  At += sizeof(T);
  return Value;
}

/// Prints one conversion, "%5.2f", and takes its argument.
void convert(std::string &Out, const std::string &Spec, const char *Pack,
             size_t &At) {
  char Text[512];
  char Kind = Spec.back();
  bool Long = Spec.find('l') != std::string::npos ||
              Spec.find('z') != std::string::npos;
  if (std::strchr("fFeEgGaA", Kind))
    std::snprintf(Text, sizeof Text, Spec.c_str(), take<double>(Pack, At));
  else if (Kind == 's')
    std::snprintf(Text, sizeof Text, Spec.c_str(),
                  take<const char *>(Pack, At));
  else if (Kind == 'p')
    std::snprintf(Text, sizeof Text, Spec.c_str(), take<void *>(Pack, At));
  else if (Long)
    std::snprintf(Text, sizeof Text, Spec.c_str(), take<int64_t>(Pack, At));
  else
    std::snprintf(Text, sizeof Text, Spec.c_str(), take<int32_t>(Pack, At));
  Out += Text;
}

} // namespace

extern "C" int pr_device_vprintf(const char *Format, const char *Pack) {
  if (!pr::printingAllowed())
    return 0;
  std::string Out;
  size_t At = 0;
  int Conversions = 0;
  for (const char *P = Format; *P; ++P) {
    if (*P != '%') {
      Out += *P;
      continue;
    }
    if (P[1] == '%') {
      Out += '%';
      ++P;
      continue;
    }
    std::string Spec;
    do {
      // A width given as an argument becomes part of the text.
      if (*P == '*')
        Spec += std::to_string(take<int32_t>(Pack, At));
      else
        Spec += *P;
    } while (!std::strchr("diouxXcsfFeEgGaAp", *P) && *++P && Spec.size() < 32);
    if (!*P)
      break;
    convert(Out, Spec, Pack, At);
    ++Conversions;
  }
  std::fwrite(Out.data(), 1, Out.size(), stdout);
  return Conversions;
}
