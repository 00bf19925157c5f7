#include "Sass/Control.h"

namespace pipeline_rewrite {

/// \p Count bits of \p High, counted as bits of the whole 128-bit word.
static unsigned bits(uint64_t High, unsigned First, unsigned Count) {
  return (High >> (First - 64)) & ((1u << Count) - 1);
}

static std::optional<unsigned> scoreboard(unsigned Field) {
  return Field < 6 ? std::optional<unsigned>(Field) : std::nullopt;
}

SassControl decodeControl(uint64_t High) {
  SassControl C;
  C.Stall = bits(High, 105, 4);
  C.Yield = bits(High, 109, 1) == 0;
  C.WriteBarrier = scoreboard(bits(High, 110, 3));
  C.ReadBarrier = scoreboard(bits(High, 113, 3));
  C.WaitMask = bits(High, 116, 6);
  C.Reuse = bits(High, 122, 4);
  return C;
}

bool SassControl::operator==(const SassControl &O) const {
  return Stall == O.Stall && Yield == O.Yield && WriteBarrier == O.WriteBarrier &&
         ReadBarrier == O.ReadBarrier && WaitMask == O.WaitMask &&
         Reuse == O.Reuse;
}

static std::string numberOrDash(std::optional<unsigned> Number) {
  return Number ? std::to_string(*Number) : "-";
}

std::string describe(const SassControl &C) {
  std::string Text = C.Stall < 10 ? "S0" : "S";
  Text += std::to_string(C.Stall);
  Text += C.Yield ? " Y" : " -";
  Text += " W" + numberOrDash(C.WriteBarrier);
  Text += " R" + numberOrDash(C.ReadBarrier) + " B";
  for (unsigned I = 0; I < 6; ++I)
    Text += C.WaitMask >> I & 1 ? std::to_string(I) : "-";
  return Text;
}

} // namespace pipeline_rewrite
