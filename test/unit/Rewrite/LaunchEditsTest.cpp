#include "Rewrite/LaunchEdits.h"
#include "gtest/gtest.h"

using namespace pipeline_rewrite;

namespace {

/// A kernel `k` in the first line of a file, launched in the text behind it.
class LaunchEdits : public testing::Test {
protected:
  LaunchEdits() {
    Facts.File = "a.cu";
    Facts.Function = "k";
    Facts.IsKernel = true;
    Kernel.Facts = &Facts;
    Kernel.Function = "k_shared_bytes";
    Kernel.Need.Spelled = "2 * N * sizeof(float)";
    Kernel.Need.Bytes = 65536;
  }

  /// A launch whose bytes are \p Bytes, which the file holds once.
  LaunchSite &launch(llvm::StringRef Bytes, std::optional<uint64_t> Value) {
    LaunchSite S;
    S.File = "a.cu";
    S.KernelText = "k";
    S.BytesText = Bytes.str();
    S.DynamicShared = Value;
    unsigned At = Text.find(Bytes);
    S.Bytes = {At, unsigned(At + Bytes.size())};
    unsigned Begin = Text.rfind("\n", At) + 3;
    S.Statement = {Begin, unsigned(Text.find("\n", At))};
    S.Block = {0, unsigned(Text.size())};
    S.Unconditional = true;
    Facts.Uses.Sites.push_back(S);
    return Facts.Uses.Sites.back();
  }

  std::string edited() {
    auto Edits = emitLaunchEdits(Kernel, [&](llvm::StringRef) {
      return llvm::StringRef(Text);
    });
    if (!Edits)
      return "error: " + llvm::toString(Edits.takeError());
    std::vector<SourceEdit> Own;
    for (const FileEdit &E : *Edits)
      Own.push_back(E.Edit);
    orderEdits(Own);
    std::string Result;
    unsigned At = 0;
    for (const SourceEdit &E : Own) {
      Result += Text.substr(At, E.Offset - At) + E.Text;
      At = E.Offset + E.Length;
    }
    return Result + Text.substr(At);
  }

  static const std::string Function;
  std::string Text;
  LoopFacts Facts;
  KernelGrowth Kernel;
};

const std::string LaunchEdits::Function =
    "// Dynamic shared memory of k, in bytes.\n"
    "__host__ __device__ constexpr size_t k_shared_bytes() {\n"
    "  return 2 * N * sizeof(float);\n"
    "}\n\n";

TEST_F(LaunchEdits, BytesThatAreNotKnownAreCompared) {
  Text = "__global__ void k();\n  k<<<1, 2, mine>>>();\n";
  launch("mine", std::nullopt).Checker = "CHECK";
  std::string Larger = "(size_t(mine) > k_shared_bytes() ? size_t(mine) : "
                       "k_shared_bytes())";
  EXPECT_EQ(edited(), Function + "__global__ void k();\n"
                      "  CHECK(cudaFuncSetAttribute(k,\n"
                      "                             cudaFuncAttributeMaxDynamicSharedMemorySize,\n"
                      "                             " + Larger + "));\n"
                      "  k<<<1, 2, " + Larger + ">>>();\n");
}

TEST_F(LaunchEdits, LargerBytesOfTheAuthorsStay) {
  Text = "__global__ void k();\n  k<<<1, 2, 70000>>>();\n";
  launch("70000", 70000);
  LaunchSite &Attribute = launch("70000", 70000);
  Attribute.Kind = LaunchKind::Attribute;
  Attribute.Bytes = {0, 0};
  EXPECT_EQ(edited(), Function + Text);
}

TEST_F(LaunchEdits, WhatLiesBehindTheAuthorsBytesIsAdded) {
  Text = "__global__ void k();\n  k<<<1, 2, a | b>>>();\n";
  launch("a | b", std::nullopt);
  Kernel.Need.Largest = false;
  Kernel.Need.Bytes = 1024;
  std::string Result = edited();
  EXPECT_NE(Result.find("k<<<1, 2, (a | b) + k_shared_bytes()>>>"), std::string::npos)
      << Result;
  EXPECT_NE(Result.find("cudaFuncSetAttribute"), std::string::npos);
}

/// How often \p Result sets the attribute.
size_t attributesIn(llvm::StringRef Result) {
  return Result.count("cudaFuncSetAttribute");
}

TEST_F(LaunchEdits, AnAttributeServesUntilItMayBeLost) {
  Text = "__global__ void k();\n  k<<<1, 2, one>>>();\n  call();\n  k<<<1, 2, one>>>();\n";
  launch("one", 0);
  LaunchSite Second = launch("one", 0);
  unsigned At = Text.rfind("one");
  Second.Bytes = {At, At + 3};
  Second.Statement = {unsigned(Text.rfind("k<<<")), unsigned(Text.size() - 1)};
  Facts.Uses.Sites.back() = Second;
  EXPECT_EQ(attributesIn(edited()), 1u);
  // Behind the launch it does no harm, unless a loop comes round again.
  Facts.Uses.Losses = {{"a.cu", unsigned(Text.size() - 1), true, {}}};
  EXPECT_EQ(attributesIn(edited()), 1u);
  Facts.Uses.Sites.back().Loops = {{Second.Statement.Begin, unsigned(Text.size())}};
  EXPECT_EQ(attributesIn(edited()), 2u);
  Facts.Uses.Sites.back().Loops.clear();
  Facts.Uses.Losses.front().At = Text.find("call");
  EXPECT_EQ(attributesIn(edited()), 2u);
  // A jump within a switch between the two; a call in another file.
  Facts.Uses.Losses.front().Switch = {30, 60};
  EXPECT_EQ(attributesIn(edited()), 1u);
  Facts.Uses.Losses = {{"b.cu", unsigned(Text.find("call")), true, {}}};
  EXPECT_EQ(attributesIn(edited()), 1u);
  Facts.Uses.Sites.back().Function = {1, 2};
  EXPECT_EQ(attributesIn(edited()), 2u);
}

TEST_F(LaunchEdits, SmallBlocksNeedNoAttribute) {
  Text = "__global__ void k();\n  k<<<1, 2, 0>>>();\n";
  launch("0>", 0).Bytes.End -= 1;
  Facts.Uses.Sites.back().BytesText = "0";
  Kernel.Need.Bytes = 49152;
  EXPECT_EQ(edited().find("cudaFuncSetAttribute"), std::string::npos);
  Kernel.StaticBytes = 4;
  EXPECT_NE(edited().find("cudaFuncSetAttribute"), std::string::npos);
}

TEST_F(LaunchEdits, LocalConstantsAreRepeated) {
  Text = "__global__ void k();\n";
  Facts.Uses.Locals = {{"i", ""}, {"M", "constexpr int M = 4;"},
                       {"N", "constexpr int N = M * 2;"}};
  std::string Result = edited();
  EXPECT_NE(Result.find("  constexpr int M = 4;\n  constexpr int N = M * 2;\n"
                        "  return 2 * N * sizeof(float);\n"),
            std::string::npos)
      << Result;
  // A name that is no constant leaves the number, or nothing.
  Kernel.Need.Spelled = "2 * i";
  EXPECT_NE(edited().find("return 65536;"), std::string::npos);
  Kernel.Need.Bytes = 0;
  EXPECT_EQ(edited().find("error: the bytes of 'k'"), 0u);
}

TEST_F(LaunchEdits, TheFunctionStandsAboveTheKernelsComment) {
  Text = "int x;\n\n/* The\n   kernel. */\n// Really.\n__global__ void k();\n";
  unsigned At = Text.find("__global__");
  Facts.Uses.Definition = {At, At + 10};
  EXPECT_EQ(edited(), "int x;\n\n" + Function +
                          "/* The\n   kernel. */\n// Really.\n__global__ void k();\n");
}

} // namespace
