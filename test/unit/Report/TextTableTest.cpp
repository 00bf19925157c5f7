#include "Runs.h"

using namespace pipeline_rewrite;

namespace {

std::string table(const RunResult &Run) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  printTable(Run, Out);
  return Text;
}

/// The line of \p Text that holds \p Part, with runs of blanks made one.
std::string lineWith(const std::string &Text, llvm::StringRef Part) {
  llvm::SmallVector<llvm::StringRef> Lines;
  llvm::StringRef(Text).split(Lines, '\n');
  for (llvm::StringRef Line : Lines) {
    if (!Line.contains(Part))
      continue;
    std::string Squeezed;
    for (char C : Line)
      if (C != ' ' || (!Squeezed.empty() && Squeezed.back() != ' '))
        Squeezed += C;
    return Squeezed;
  }
  return "";
}

TEST(TextTable, HasTheNamesOfNsightCompute) {
  EXPECT_EQ(lineWith(table(sampleRun()), "| Kernel"),
            "| Kernel | Location | Rewrite | Shared Mem (B) | Registers | Block Limit "
            "Shared Mem | Block Limit Registers | Blocks/SM | Theoretical "
            "Occupancy (%) | Ratio | Verdict |");
}

TEST(TextTable, OneRowALoop) {
  std::string Text = table(sampleRun());
  EXPECT_EQ(lineWith(Text, "| sgemm<128"),
            "| sgemm<128, 128, 8> | src/gemm.cu:2 | cp-async (peel, 2 stages) "
            "| 16,384 -> 24,576 | 64 -> ~70 | 5 -> 4 | 4 -> 4 | 4 -> 4 | 66.7 -> 66.7 "
            "| 8.0 | eligible |");
  EXPECT_EQ(lineWith(Text, "refused [may-alias]"),
            "| scale | src/gemm.cu:2 | - | ? | ? | ? | ? | ? | ? | ? "
            "| refused [may-alias] |");
  EXPECT_EQ(lineWith(Text, "refused [budget]"),
            "| scale | src/gemm.cu:2 | - | 25,600 -> 51,200 | ? | 3 -> 1 | 2 -> 2 "
            "| 2 -> 1 | 33.3 -> 16.7 | ? | refused [budget] |");
  EXPECT_EQ(lineWith(Text, "| sgemm "),
            "| sgemm | src/other.cu:2 | cp-async (peel, 2 stages) "
            "| BM*BK*4 -> 2*BM*BK*4 | 64 -> ~70 | ? | ? | ? | ? | ? | eligible |");
}

TEST(TextTable, SpillsStandBesideTheRegisters) {
  RunResult Run = sampleRun();
  Run.Files[0].Loops[0].Registers = {64, 70, 0, 16, true, true, ""};
  EXPECT_NE(lineWith(table(Run), "| sgemm<128")
                .find("| 64 -> 70, 0 -> 16 B spilled |"),
            std::string::npos);
}

TEST(TextTable, OneLineAReason) {
  std::string Text = table(sampleRun());
  EXPECT_EQ(lineWith(Text, "may write A"),
            "src/gemm.cu:3:7: the store to C may write A [may-alias] "
            "(docs/diagnostics.md#may-alias)");
  EXPECT_EQ(lineWith(Text, "(docs/diagnostics.md#symbolic-size)"),
            "src/other.cu:2:3: the size of As is BM*BK*4 [symbolic-size] "
            "(docs/diagnostics.md#symbolic-size)");
  EXPECT_LT(Text.find("Refused:"), Text.find("Remarks:"));
}

TEST(TextTable, TotalsCountALoopOnce) {
  RunResult Run = sampleRun();
  Run.Files[0].Loops[1].Reasons.push_back(
      {ReasonId::Macro, 1, 1, "a second reason of the same loop"});
  EXPECT_EQ(lineWith(table(Run), " loops: "),
            "5 loops: 2 eligible, 2 refused (1 may-alias, 1 budget), "
            "1 skipped");
}

TEST(TextTable, SaysWhatWasAssumed) {
  RunResult Run = sampleRun();
  EXPECT_NE(table(Run).find("Budget for sm_86. Parsed against the CUDA "
                            "toolkit's headers.\n"),
            std::string::npos);
  Run.ArchAssumed = true;
  Run.UsedToolkit = false;
  Run.Files[0].Loops[0].Remarks = {{ReasonId::AssumedBlockSize, 1, 1, "m"}};
  std::string Text = table(Run);
  EXPECT_NE(Text.find("Budget for sm_86 (assumed: "), std::string::npos);
  EXPECT_NE(Text.find("the tool's own CUDA declarations"), std::string::npos);
  EXPECT_NE(Text.find("Assumed for sgemm<128, 128, 8>: 256 threads a block."),
            std::string::npos);
}

TEST(TextTable, NoLoopIsSaidToo) {
  RunResult Run;
  Run.Arch = "sm_86";
  Run.FilesWithErrors = {"a.cu", "b.cu"};
  std::string Text = table(Run);
  EXPECT_EQ(lineWith(Text, "loops"), "0 loops");
  EXPECT_EQ(lineWith(Text, "parse:"), "2 files did not parse: a.cu, b.cu");
  EXPECT_EQ(Text.find("Kernel"), std::string::npos);
}

TEST(TextTable, ShowsProofs) {
  RunResult Run = sampleRun();
  Run.Files[0].Loops[0].Proof = {
      "cpu", 12, 1, "failed", {{"race", "two threads write", "gemm.cu:7"}}};
  std::string Text = table(Run);
  EXPECT_EQ(lineWith(Text, " on cpu"),
            "src/gemm.cu:2: failed on cpu (12 runs, 1 comparison)");
  EXPECT_EQ(lineWith(Text, "[race]"), "gemm.cu:7: two threads write [race]");
  EXPECT_NE(Text.find("eligible, failed"), std::string::npos);
}

TEST(TextTable, SymbolicSumsAreBracketed) {
  RunResult Run = sampleRun();
  LoopResult &Loop = Run.Files[1].Loops[0];
  Loop.Tiles.push_back({"Bs", 2048, "", "ldg", 0});
  EXPECT_NE(table(Run).find("BM*BK*4 + 2,048 -> 2*(BM*BK*4 + 2,048)"),
            std::string::npos);
}

} // namespace
