#include "Runs.h"

#include "Report/Charts.h"

#include <regex>

using namespace pipeline_rewrite;

namespace {

size_t count(llvm::StringRef Text, llvm::StringRef Part) {
  return Text.count(Part);
}

/// Every element that is opened is closed, in order.
std::string firstUnbalanced(const std::string &Page) {
  static const std::regex Tag("<(/?)([a-z0-9]+)[^>]*?(/?)>");
  std::vector<std::string> Open;
  for (std::sregex_iterator I(Page.begin(), Page.end(), Tag), End; I != End;
       ++I) {
    std::string Name = (*I)[2];
    if ((*I)[3].length() || Name == "meta" || Name == "br")
      continue;
    if (!(*I)[1].length())
      Open.push_back(Name);
    else if (Open.empty() || Open.back() != Name)
      return "</" + Name + "> at " + std::to_string(I->position());
    else
      Open.pop_back();
  }
  return Open.empty() ? "" : Open.back() + " stays open";
}

TEST(Html, IsBalancedAndSelfContained) {
  std::string Page = toHtml(sampleRun());
  EXPECT_EQ(firstUnbalanced(Page), "");
  for (const char *Foreign :
       {"http://", "https://", "<script", "<link", "@import", "url(", "src="})
    EXPECT_EQ(Page.find(Foreign), std::string::npos) << Foreign;
  EXPECT_NE(Page.find("prefers-color-scheme: dark"), std::string::npos);
  EXPECT_NE(Page.find("name=\"viewport\""), std::string::npos);
}

TEST(Html, TextFromTheSourceIsEscaped) {
  RunResult Run = sampleRun();
  LoopResult &Loop = Run.Files[0].Loops[0];
  Loop.Kernel = Loop.Instantiation = "k<\"&\xFF\x01\">";
  Run.Files[0].Text = "<b>&</b>\n<script>\n";
  std::string Page = toHtml(Run);
  EXPECT_NE(Page.find("k&lt;&quot;&amp;\xEF\xBF\xBD &quot;&gt;"),
            std::string::npos);
  EXPECT_NE(Page.find("&lt;b&gt;&amp;&lt;/b&gt;"), std::string::npos);
  EXPECT_EQ(Page.find("<script"), std::string::npos);
  EXPECT_EQ(firstUnbalanced(Page), "");
  EXPECT_TRUE(llvm::json::isUTF8(Page));
}

TEST(Html, ReasonsLinkToLinesThatExist) {
  std::string Page = toHtml(sampleRun());
  static const std::regex Link("href=\"#([^\"]+)\"");
  size_t Links = 0;
  for (std::sregex_iterator I(Page.begin(), Page.end(), Link), End; I != End;
       ++I, ++Links)
    EXPECT_NE(Page.find("id=\"" + (*I)[1].str() + "\""), std::string::npos)
        << (*I)[1];
  EXPECT_GT(Links, 5u);
  EXPECT_NE(Page.find("href=\"#line-0-3\""), std::string::npos);
}

TEST(Html, DrawsWhatIsKnown) {
  std::string Page = toHtml(sampleRun());
  // Two loops with known sizes; two that are not refused without figures.
  EXPECT_EQ(count(Page, "class=\"stairs\""), 2u);
  EXPECT_EQ(count(Page, "aria-label=\"Copy and compute over time\""), 2u);
  EXPECT_NE(Page.find("Lengths are schematic"), std::string::npos);
}

TEST(Charts, MarksStandOnTheStairs) {
  RunResult Run = sampleRun();
  std::string Svg = staircaseSvg(Run, overBudgetLoop());
  EXPECT_NE(Svg.find(">before: 2<"), std::string::npos) << Svg;
  EXPECT_NE(Svg.find(">after: 1<"), std::string::npos) << Svg;
  EXPECT_EQ(staircaseSvg(Run, symbolicLoop()), "");
  Run.Machine = nullptr;
  EXPECT_EQ(staircaseSvg(Run, overBudgetLoop()), "");
}

PhaseLengths lengths(double Copy, double Compute) {
  PhaseLengths Lengths;
  Lengths.Copy = Copy;
  Lengths.Compute = Compute;
  return Lengths;
}

TEST(Charts, OneSlotAlternates) {
  std::vector<TileSpan> Spans = scheduleTiles(lengths(3, 2), 1, 4);
  EXPECT_EQ(Spans.back().ComputeEnd, 20);
  EXPECT_EQ(Spans[1].CopyBegin, Spans[0].ComputeEnd);
}

TEST(Charts, TwoSlotsHideTheShorterPhase) {
  EXPECT_EQ(scheduleTiles(lengths(3, 2), 2, 4).back().ComputeEnd, 4 * 3 + 2);
  EXPECT_EQ(scheduleTiles(lengths(2, 3), 2, 4).back().ComputeEnd, 2 + 4 * 3);
}

TEST(Charts, MoreSlotsHideALongLatency) {
  // Three copies in flight of four slots hide a copy three times as long.
  double Two = scheduleTiles(lengths(6, 2), 2, 30).back().ComputeEnd;
  double Four = scheduleTiles(lengths(6, 2), 4, 30).back().ComputeEnd;
  EXPECT_EQ(Two, 30 * 6 + 2);
  EXPECT_EQ(Four, 6 + 30 * 2);
}

TEST(Charts, NoSlotIsOverwrittenBeforeItIsRead) {
  for (unsigned Slots = 1; Slots <= 4; ++Slots) {
    std::vector<TileSpan> Spans = scheduleTiles(lengths(5, 3), Slots, 12);
    for (size_t I = 0; I != Spans.size(); ++I) {
      EXPECT_EQ(Spans[I].Slot, I % Slots);
      EXPECT_GE(Spans[I].ComputeBegin, Spans[I].CopyEnd);
      if (I >= Slots) {
        EXPECT_GE(Spans[I].CopyBegin, Spans[I - Slots].ComputeEnd);
      }
      if (I >= 1) {
        EXPECT_GE(Spans[I].ComputeBegin, Spans[I - 1].ComputeEnd);
      }
    }
  }
}

TEST(Charts, LengthsComeFromTheMachine) {
  RunResult Run = sampleRun();
  LoopResult Loop = eligibleLoop();
  PhaseLengths Known = phaseLengths(Run, Loop);
  EXPECT_FALSE(Known.Schematic);
  const ArchRates &Rates = sm86().Rates;
  EXPECT_DOUBLE_EQ(Known.Compute, 8.0 * 16384 / 2 / Rates.Fp32Fma);
  EXPECT_DOUBLE_EQ(Known.Copy, Rates.GlobalLatency + 16384 / Rates.GlobalBytes);
  Loop.Work = TileWork();
  Loop.Work->Unit = MathUnit::Fp16Tensor;
  Loop.Work->MultiplyAdds = 1024;
  Loop.Work->Bytes = 2048;
  EXPECT_DOUBLE_EQ(phaseLengths(Run, Loop).Compute, 1024 / Rates.Fp16Tensor);
  EXPECT_TRUE(phaseLengths(Run, symbolicLoop()).Schematic);
}

} // namespace
