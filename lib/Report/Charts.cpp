#include "Report/Charts.h"
#include "Report/Figures.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace pipeline_rewrite {
namespace {

using llvm::formatv;

// The drawings are made for a telephone: at 360 units their letters have the
// size of the text around them.
constexpr double Width = 360;
constexpr double Left = 30, Right = 12;

std::string text(double X, double Y, llvm::StringRef Class,
                 llvm::StringRef Anchor, llvm::StringRef Text) {
  return formatv("<text x=\"{0:F1}\" y=\"{1:F1}\" class=\"{2}\" "
                 "text-anchor=\"{3}\">{4}</text>\n",
                 X, Y, Class, Anchor, Text)
      .str();
}

std::string line(double X1, double Y1, double X2, double Y2,
                 llvm::StringRef Class) {
  return formatv("<line x1=\"{0:F1}\" y1=\"{1:F1}\" x2=\"{2:F1}\" "
                 "y2=\"{3:F1}\" class=\"{4}\"/>\n",
                 X1, Y1, X2, Y2, Class)
      .str();
}

std::string open(double Height, llvm::StringRef Label) {
  return formatv("<svg viewBox=\"0 0 {0} {1}\" role=\"img\" "
                 "aria-label=\"{2}\">\n",
                 Width, Height, Label)
      .str();
}

/// The axes of the staircase: bytes to the right, blocks upwards.
class Staircase {
public:
  Staircase(const Arch &Machine, const LoopFigures &Figures)
      : Machine(Machine), Figures(Figures) {
    const Occupancy &O = *Figures.Before;
    Cap = std::min({O.BlockLimitRegisters, O.BlockLimitWarps,
                    O.BlockLimitBlocks, O.BlockLimitBarriers});
    uint64_t Largest =
        std::max(*Figures.SharedBefore, Figures.SharedAfter.value_or(0));
    // Room to the right of the marks, but never beyond what a block can have,
    // except for marks that lie there themselves.
    EndBytes = std::min<uint64_t>(Machine.SharedOptin,
                                  std::max<uint64_t>(2 * Largest, 48 * 1024));
    EndBytes = std::max(EndBytes, Largest);
    EndBlocks = std::max({Cap, O.BlocksPerSM, 1u});
  }

  std::string draw() const {
    std::string Svg = open(Height, "Resident blocks over shared memory");
    Svg += axes();
    Svg += "<path class=\"stairs\" d=\"" + steps() + "\"/>\n";
    Svg += staticLimit();
    // Beside each other the two marks would write over each other.
    Svg += mark("before", *Figures.SharedBefore, *Figures.Before, -9);
    if (Figures.SharedAfter && Figures.After)
      Svg += mark("after", *Figures.SharedAfter, *Figures.After, 19);
    return Svg + "</svg>\n";
  }

private:
  static constexpr double Height = 200, Top = 40, Bottom = 22;

  double x(uint64_t Bytes) const {
    return Left + (Width - Left - Right) * double(Bytes) / double(EndBytes);
  }
  double y(double Blocks) const {
    return Height - Bottom - (Height - Top - Bottom) * Blocks / EndBlocks;
  }

  std::string axes() const {
    std::string Svg;
    unsigned Step = std::max(1u, (EndBlocks + 3) / 4);
    for (unsigned Blocks = 0; Blocks <= EndBlocks; Blocks += Step) {
      Svg += line(Left, y(Blocks), Width - Right, y(Blocks), "grid");
      Svg +=
          text(Left - 5, y(Blocks) + 4, "tick", "end", std::to_string(Blocks));
    }
    unsigned Kilobytes = EndBytes / 1024;
    unsigned Every = Kilobytes > 150 ? 48 : Kilobytes > 64 ? 24 : 12;
    for (unsigned At = 0; At <= Kilobytes; At += Every)
      Svg += text(x(At * 1024), Height - Bottom + 14, "tick", "middle",
                  std::to_string(At));
    return Svg;
  }

  /// The outline, from no shared memory to the right-hand end.
  std::string steps() const {
    uint64_t From = 0;
    std::string Path =
        formatv("M{0:F1} {1:F1}", x(0), y(std::min(Cap, EndBlocks)));
    for (unsigned Blocks = Cap; Blocks > 0 && From < EndBytes; --Blocks) {
      uint64_t Cliff = std::min(maxSharedForBlocks(Machine, Blocks), EndBytes);
      if (Cliff <= From)
        continue;
      Path += formatv(" L{0:F1} {1:F1} L{2:F1} {1:F1}", x(From), y(Blocks),
                      x(Cliff))
                  .str();
      From = Cliff;
    }
    if (From < EndBytes)
      Path +=
          formatv(" L{0:F1} {1:F1} L{2:F1} {1:F1}", x(From), y(0), x(EndBytes))
              .str();
    return Path;
  }

  std::string staticLimit() const {
    if (Machine.SharedStaticMax > EndBytes)
      return "";
    double At = x(Machine.SharedStaticMax);
    return line(At, 16, At, y(0), "limit") +
           text(At - 4, 14, "tick", "end", "static limit");
  }

  std::string mark(llvm::StringRef Name, uint64_t Bytes,
                   const Occupancy &Residency, double Shift) const {
    double X = x(Bytes), Y = y(Residency.BlocksPerSM);
    double TextX = std::clamp(X, Left + 26, Width - Right - 26);
    std::string Label = formatv("{0}: {1}", Name, Residency.BlocksPerSM).str();
    // Below the axis there are figures already.
    double TextY = Y + Shift > Height - Bottom ? Y - 9 : Y + Shift;
    return formatv("<circle cx=\"{0:F1}\" cy=\"{1:F1}\" r=\"5\" "
                   "class=\"{2}\"/>\n",
                   X, Y, Name)
               .str() +
           text(TextX, TextY, "mark", "middle", Label);
  }

  const Arch &Machine;
  const LoopFigures &Figures;
  unsigned Cap = 0;       ///< Blocks that everything but shared memory allows.
  uint64_t EndBytes = 0;  ///< At the right-hand end.
  unsigned EndBlocks = 1; ///< At the top.
};

double rateOf(const ArchRates &Rates, MathUnit Unit) {
  switch (Unit) {
  case MathUnit::Fp32:
    return Rates.Fp32Fma;
  case MathUnit::Fp64:
    return Rates.Fp64Fma;
  case MathUnit::Fp16Tensor:
    return Rates.Fp16Tensor;
  case MathUnit::Int8Tensor:
    return Rates.Int8Tensor;
  case MathUnit::Int8Dot:
    return Rates.Int8Dot;
  }
  return 0;
}

uint64_t tileBytes(const LoopResult &Loop) {
  uint64_t Sum = 0;
  for (const TileResult &Tile : Loop.Tiles) {
    if (!Tile.Bytes)
      return 0;
    Sum += Tile.Bytes;
  }
  return Sum;
}

/// The stage counts that are worth a group: as written, two, and those above
/// that the variant can use and the budget allows.
std::vector<unsigned> stageCounts(const LoopResult &Loop) {
  std::vector<unsigned> Counts = {1, 2};
  bool Async = !Loop.Kind || *Loop.Kind == Variant::CpAsync;
  for (unsigned Stages = 3; Stages <= 4; ++Stages) {
    bool Fits = !Loop.SizesKnown || (Loop.Budget.Table.size() >= Stages &&
                                     Loop.Budget.Table[Stages - 1].Fits);
    if (Async && Fits)
      Counts.push_back(Stages);
  }
  if (Loop.Stages > Counts.back())
    Counts.push_back(Loop.Stages);
  return Counts;
}

} // namespace

std::string staircaseSvg(const RunResult &Run, const LoopResult &Loop) {
  LoopFigures Figures = figuresOf(Loop);
  if (!Run.Machine || !Figures.SharedBefore || !Figures.Before)
    return "";
  return Staircase(*Run.Machine, Figures).draw();
}

PhaseLengths phaseLengths(const RunResult &Run, const LoopResult &Loop) {
  PhaseLengths Lengths;
  TileWork Work;
  if (Loop.Work) {
    Work = *Loop.Work;
  } else {
    Work.Bytes = double(tileBytes(Loop));
    Work.MultiplyAdds = Loop.Ratio.value_or(0) * Work.Bytes / 2;
  }
  double Rate = Run.Machine ? rateOf(Run.Machine->Rates, Work.Unit) : 0;
  if (!Rate || Work.Bytes <= 0 || Work.MultiplyAdds <= 0) {
    Lengths.Basis = "Lengths are schematic: copy and compute are drawn alike, "
                    "since nothing is known of their times.";
    return Lengths;
  }
  const ArchRates &Rates = Run.Machine->Rates;
  Lengths.Schematic = false;
  Lengths.Copy = Rates.GlobalLatency + Work.Bytes / Rates.GlobalBytes;
  Lengths.Compute = Work.MultiplyAdds / Rate;
  Lengths.Basis =
      formatv("One block alone on {0}, a first-order figure: copy {1:F0} "
              "clocks, compute {2:F0} clocks a tile{3}.",
              Run.Machine->Name, Lengths.Copy, Lengths.Compute,
              Loop.Work ? "" : " at its fp32 rate")
          .str();
  return Lengths;
}

std::vector<TileSpan> scheduleTiles(const PhaseLengths &Lengths, unsigned Slots,
                                    unsigned Tiles) {
  std::vector<TileSpan> Spans;
  double Computed = 0;
  for (unsigned I = 0; I != Tiles; ++I) {
    TileSpan Span;
    Span.Slot = I % Slots;
    Span.CopyBegin = I < Slots ? 0 : Spans[I - Slots].ComputeEnd;
    // The copies of the prologue leave one after the other, and one that runs
    // ahead leaves no earlier than the iteration that issues it.
    if (I > 0)
      Span.CopyBegin = std::max(Span.CopyBegin, Spans[I - 1].CopyBegin);
    if (Slots > 1 && I + 1 >= Slots && I >= 1)
      Span.CopyBegin =
          std::max(Span.CopyBegin, Spans[I + 1 - Slots].ComputeBegin);
    Span.CopyEnd = Span.CopyBegin + Lengths.Copy;
    Span.ComputeBegin = std::max(Span.CopyEnd, Computed);
    Span.ComputeEnd = Computed = Span.ComputeBegin + Lengths.Compute;
    Spans.push_back(Span);
  }
  return Spans;
}

std::string timelineSvg(const RunResult &Run, const LoopResult &Loop) {
  constexpr unsigned Tiles = 6;
  constexpr double Lane = 13, Gap = 24;
  PhaseLengths Lengths = phaseLengths(Run, Loop);
  std::vector<unsigned> Counts = stageCounts(Loop);
  double End = Tiles * (Lengths.Copy + Lengths.Compute);
  double Height = 4;
  for (unsigned Slots : Counts)
    Height += Gap + Slots * Lane;
  std::string Svg = open(Height, "Copy and compute over time");
  auto X = [&](double Clock) {
    return Left + (Width - Left - Right) * Clock / End;
  };
  auto Bar = [&](double Begin, double Until, double Y, llvm::StringRef Class) {
    return formatv("<rect x=\"{0:F1}\" y=\"{1:F1}\" width=\"{2:F1}\" "
                   "height=\"{3}\" class=\"{4}\"/>\n",
                   X(Begin), Y, std::max(X(Until) - X(Begin) - 0.8, 0.4),
                   Lane - 3, Class)
        .str();
  };
  double Y = 0;
  for (unsigned Slots : Counts) {
    std::vector<TileSpan> Spans = scheduleTiles(Lengths, Slots, Tiles);
    bool Chosen = isAccepted(Loop) && Slots == Loop.Stages && Slots > 1;
    std::string Title =
        Slots == 1 ? "as written" : std::to_string(Slots) + " stages";
    if (Slots > 1 && !Lengths.Schematic)
      Title += formatv(": {0:F2}x", End / Spans.back().ComputeEnd).str();
    Y += Gap;
    Svg += text(Left, Y - 6, Chosen ? "mark" : "tick", "start",
                Chosen ? Title + ", chosen" : Title);
    for (unsigned Slot = 0; Slot != Slots; ++Slot)
      Svg += text(Left - 5, Y + Slot * Lane + 9, "tick", "end",
                  std::to_string(Slot));
    for (const TileSpan &Span : Spans) {
      double Top = Y + Span.Slot * Lane;
      Svg += Bar(Span.CopyBegin, Span.CopyEnd, Top, "copy");
      Svg += Bar(Span.ComputeBegin, Span.ComputeEnd, Top, "compute");
    }
    Y += Slots * Lane;
  }
  return Svg + "</svg>\n";
}

} // namespace pipeline_rewrite
