#include "Verify/LaunchFile.h"
#include "Verify/DriverWriter.h"
#include "Verify/MachineReport.h"
#include "Verify/Tolerance.h"

#include "Support/File.h"
#include "Support/TempDir.h"

#include <gtest/gtest.h>

using namespace pipeline_rewrite;

static const char *Good = R"(kernel: k<8>
sweep: { N: [1, 2], K: [0, 0x10] }
block: [32]
grid: ["(N + 31) / 32", 1]
args:
  - { name: A, buffer: float, count: "N * K", seed: 7 }
  - { name: C, buffer: half, count: N, fill: nan, output: true }
  - { name: K, scalar: int, value: K }
)";

static llvm::Expected<LaunchFile> read(const std::string &Text) {
  TempDir Dir = llvm::cantFail(TempDir::create("launch-file-test"));
  std::string Path = Dir.file("f.yaml");
  llvm::cantFail(writeFileAtomically(Path, Text));
  return readLaunchFile(Path);
}

/// \returns the message for \p Good with \p From replaced by \p To.
static std::string message(const std::string &From, const std::string &To) {
  std::string Text = Good;
  size_t At = Text.find(From);
  EXPECT_NE(At, std::string::npos) << From;
  Text.replace(At, From.size(), To);
  llvm::Expected<LaunchFile> File = read(Text);
  if (File)
    return "accepted";
  std::string Message = toString(File.takeError());
  return Message.substr(Message.find("f.yaml") + 6);
}

TEST(LaunchFile, ReadsEverything) {
  LaunchFile F = llvm::cantFail(read(Good));
  EXPECT_EQ(F.Kernel, "k<8>");
  ASSERT_EQ(F.Sweep.size(), 2u);
  EXPECT_EQ(F.Sweep[1].first, "K");
  EXPECT_EQ(F.Sweep[1].second, (std::vector<int64_t>{0, 16}));
  EXPECT_EQ(F.Grid.size(), 2u);
  ASSERT_EQ(F.Arguments.size(), 3u);
  EXPECT_EQ(F.Arguments[0].Seed, 7u);
  EXPECT_TRUE(F.Arguments[1].Output);
  EXPECT_FALSE(F.Arguments[2].IsBuffer);
  EXPECT_EQ(F.Shared, "0");
}

TEST(LaunchFile, NamesThePlaceOfEachMistake) {
  EXPECT_EQ(message("block: [32]", "block: []").substr(0, 6), ":3:8: ");
  EXPECT_EQ(message("block: [32]", "block: [1, 1, 1, 1]").substr(0, 6),
            ":3:8: ");
  EXPECT_NE(message("kernel: k<8>", "kernl: k<8>").find("kernl"),
            std::string::npos);
  EXPECT_EQ(message("0x10", "many").substr(0, 7), ":2:28: ");
  EXPECT_EQ(message("fill: nan", "fill: junk").substr(0, 5), ":7:46");
  EXPECT_NE(message("scalar: int, value: K", "value: K").find("either"),
            std::string::npos);
  EXPECT_NE(message("name: C", "name: A").find("two arguments"),
            std::string::npos);
  EXPECT_NE(message("count: N", "count: \"N; exit(0)\"").find("expression"),
            std::string::npos);
}

TEST(LaunchFile, ASizeThatStandsAloneIsAListOfOne) {
  std::string Text = Good;
  Text.replace(Text.find("[32]"), 4, "32");
  Text.replace(Text.find("N: [1, 2]"), 9, "N: 3");
  LaunchFile F = llvm::cantFail(read(Text));
  EXPECT_EQ(F.Block, std::vector<std::string>{"32"});
  EXPECT_EQ(F.Sweep[0].second, std::vector<int64_t>{3});
}

TEST(LaunchFile, AValueIsAnyExpressionWithItsBracketsClosed) {
  std::string Text = Good;
  Text.replace(Text.find("scalar: int, value: K"), 21,
               "scalar: 'ns::P', value: 'ns::P{f(K)[0], 1}'");
  EXPECT_EQ(llvm::cantFail(read(Text)).Arguments[2].Value, "ns::P{f(K)[0], 1}");
  for (const char *Wrong : {"'f(K]'", "'K)'", "'P{K'", "'K; K'"})
    EXPECT_NE(message("value: K", std::string("value: ") + Wrong)
                  .find("one C++ expression"),
              std::string::npos)
        << Wrong;
}

TEST(LaunchFile, TheDriverCallsTheKernelAsWritten) {
  LaunchFile F = llvm::cantFail(read(Good));
  ProofRequest Request;
  std::string Text = writeDriver(F, "k.cu", ToleranceSpec(), Request);
  std::string Size = ", \"size of a block or grid\")";
  EXPECT_NE(Text.find("k<8><<<dim3(pr_driver::whole<unsigned>((N + 31) / 32" +
                      Size + ", pr_driver::whole<unsigned>(1" + Size +
                      "), dim3(pr_driver::whole<unsigned>(32" + Size +
                      "), (size_t)(0)>>>(pr_A.Pointer, pr_C.Pointer, "
                      "pr_driver::whole<int>(K, \"value of 'K'\"));"),
            std::string::npos)
      << Text;
  // What the sweep lacks is added, small values first: it has 0 and 16.
  size_t At = 0;
  for (const char *Value : {"1ll", "2ll", "3ll", "4ll", "5ll", "15ll", "17ll"}) {
    size_t Next = Text.find("for (long long K : {" + std::string(Value) + "})");
    EXPECT_NE(Next, std::string::npos) << Value << "\n" << Text;
    EXPECT_GT(Next, At) << Value;
    At = Next;
  }
}

TEST(Tolerance, ReadsEachForm) {
  std::string Rules = std::string(PR_SOURCE_DIR) + "/rules";
  EXPECT_TRUE(llvm::cantFail(readTolerance("", Rules)).bitwise());
  EXPECT_TRUE(llvm::cantFail(readTolerance("bitwise", Rules)).bitwise());
  EXPECT_EQ(llvm::cantFail(readTolerance("ulp:3", Rules)).Ulps, 3u);
  EXPECT_DOUBLE_EQ(llvm::cantFail(readTolerance("rel:1e-4", Rules)).Relative,
                   1e-4);
  ToleranceSpec Half = llvm::cantFail(readTolerance("fp16", Rules));
  EXPECT_EQ(Half.ElementType, "half");
  EXPECT_DOUBLE_EQ(Half.Absolute, 1e-2);
  for (const char *Wrong :
       {"fp12", "rel:", "rel:-1", "ulp:0", "ulp:x", "abs:zero"}) {
    auto Spec = readTolerance(Wrong, Rules);
    EXPECT_FALSE(bool(Spec)) << Wrong;
    if (!Spec)
      consumeError(Spec.takeError());
  }
}

TEST(MachineReport, ABrokenOriginalOutranksTheRewrite) {
  ProofResult R = readMachineReport(
      "{\"event\":\"failure\",\"version\":\"rewritten\",\"check\":\"a\"}\n"
      "{\"event\":\"failure\",\"version\":\"original\",\"check\":\"b\"}\n",
      "");
  EXPECT_EQ(R.Status, ProofStatus::OriginalBroken);
  ASSERT_EQ(R.Failures.size(), 1u);
  EXPECT_EQ(R.Failures[0].Check, "b");
}

TEST(MachineReport, NothingIsProvedWithoutAComparison) {
  EXPECT_EQ(readMachineReport("", "exit code 1").Status,
            ProofStatus::CouldNotRun);
  EXPECT_EQ(readMachineReport(
                "{\"event\":\"totals\",\"runs\":1,\"comparisons\":0}\n", "")
                .Status,
            ProofStatus::CouldNotRun);
  EXPECT_EQ(readMachineReport(
                "{\"event\":\"totals\",\"runs\":2,\"comparisons\":1}\n", "")
                .Status,
            ProofStatus::Proved);
  EXPECT_EQ(
      readMachineReport("{\"event\":\"totals\",\"runs\":2,\"comparisons\":1}\n"
                        "{\"event\":\"unable\",\"message\":\"m\"}\n",
                        "")
          .Status,
      ProofStatus::CouldNotRun);
}
