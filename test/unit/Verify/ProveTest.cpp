// The checker on kernels of known virtue. Each proof compiles four files, so
// there are few of them here; test/mutation has the many.
#include "Verify/Prove.h"

#include "Support/File.h"
#include "Support/TempDir.h"

#include <gtest/gtest.h>

using namespace pipeline_rewrite;

namespace {

std::string inputs(const std::string &Name) {
  return std::string(PR_SOURCE_DIR) + "/test/lit/verify/Inputs/" + Name;
}
std::string text(const std::string &Name) {
  return llvm::cantFail(readFile(inputs(Name)));
}

struct Pair : ProofRequest {
  std::string RewrittenText;
};

Pair request(const std::string &Original, const std::string &Rewritten) {
  Pair R;
  R.Path = inputs("tiled.cu");
  R.OriginalText = Original;
  R.RewrittenText = Rewritten;
  R.LaunchFile = inputs("tiled.launch.yaml");
  R.RuntimeDir = std::string(PR_SOURCE_DIR) + "/runtime";
  R.RulesDir = std::string(PR_SOURCE_DIR) + "/rules";
  return R;
}

std::string replaced(std::string Text, const std::string &From,
                     const std::string &To, int Which = 1) {
  size_t At = 0;
  for (int I = 0; I < Which; ++I)
    At = Text.find(From, I ? At + 1 : 0);
  EXPECT_NE(At, std::string::npos) << From;
  return Text.replace(At, From.size(), To);
}

ProofResult prove(const Pair &R) {
  CpuProver Prover = llvm::cantFail(CpuProver::create(R));
  return llvm::cantFail(Prover.prove("", R.RewrittenText));
}

/// The check that catches \p Rewritten.
std::string caughtBy(const std::string &Rewritten) {
  ProofResult R = prove(request(text("tiled.cu"), Rewritten));
  if (R.Status != ProofStatus::Failed || R.Failures.empty())
    return "not caught";
  return R.Failures[0].Check;
}

} // namespace

TEST(Prove, AcceptsCorrectPipelines) {
  for (const char *Name :
       {"tiled_cp_async.cu", "tiled_ldg.cu", "tiled_ring.cu",
        "tiled_cuda_pipeline.cu", "tiled_cuda_barrier.cu", "tiled_ptx.cu"}) {
    ProofResult R = prove(request(text("tiled.cu"), text(Name)));
    EXPECT_EQ(R.Status, ProofStatus::Proved)
        << Name << ": " << (R.Failures.empty() ? "" : R.Failures[0].Message);
    EXPECT_GT(R.Comparisons, 100u);
  }
}

TEST(Prove, NamesWhatIsWrong) {
  std::string Async = text("tiled_cp_async.cu"), Ldg = text("tiled_ldg.cu");
  EXPECT_EQ(caughtBy(replaced(Async, "__pipeline_wait_prior(0);", "", 2)),
            "read-in-flight");
  EXPECT_EQ(caughtBy(replaced(Async, "__pipeline_commit();", "", 2)),
            "commit-after-wait");
  EXPECT_EQ(
      caughtBy(replaced(text("tiled_cuda_barrier.cu"), "ready[t % 2].arrive",
                        "ready[(t + 1) % 2].arrive")),
      "read-in-flight");
  EXPECT_EQ(caughtBy(replaced(Ldg, "__syncthreads();", "", 2)),
            "race-read-after-write");
  EXPECT_EQ(caughtBy(replaced(Ldg, "As[slot ^ 1][ty][tx] = a;",
                              "As[slot][ty][tx] = a;"))
                .substr(0, 5),
            "race-");
  EXPECT_EQ(caughtBy(replaced(Ldg, "As[2][T][T]", "As[1][T][T]")),
            "out-of-bounds-shared");
  EXPECT_EQ(caughtBy(replaced(Ldg, "const float a = row < M && k0 + tx < K ? ",
                              "const float a = row < M ? ")),
            "out-of-bounds");
  EXPECT_EQ(caughtBy(replaced(Ldg, "    C[row * N + col] = acc;",
                              "    if (row > 0) C[row * N + col] = acc;")),
            "uninitialised-output");
}

TEST(Prove, AMessageHasBothThreadsAndBothLines) {
  ProofResult R =
      prove(request(text("tiled.cu"),
                    replaced(text("tiled_ldg.cu"), "__syncthreads();", "", 2)));
  ASSERT_EQ(R.Failures.size(), 1u);
  const std::string &M = R.Failures[0].Message;
  EXPECT_NE(M.find("thread (0,0,0) of block"), std::string::npos) << M;
  EXPECT_NE(M.find("tiled.cu:28"), std::string::npos) << M;
  EXPECT_NE(M.find("tiled.cu:22"), std::string::npos) << M;
  EXPECT_NE(R.Failures[0].Where.find("tiled.cu:"), std::string::npos);
}

TEST(Prove, ABrokenOriginalIsTheOriginalsFault) {
  std::string Racy = replaced(text("tiled.cu"), "__syncthreads();", "", 2);
  ProofResult R = prove(request(Racy, text("tiled_ldg.cu")));
  EXPECT_EQ(R.Status, ProofStatus::OriginalBroken);
  ASSERT_EQ(R.Failures.size(), 1u);
  EXPECT_EQ(R.Failures[0].Check.substr(0, 5), "race-");
}

TEST(Prove, ReadingWhatNobodyWroteMattersWhereTheResultDependsOnIt) {
  // Rows below the matrix are never stored; their threads compute on garbage
  // and write nothing.
  std::string From =
      "As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;";
  std::string Harmless = replaced(
      text("tiled.cu"), From,
      "if (row < M) As[ty][tx] = k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;");
  ProofResult R = prove(request(Harmless, text("tiled_ldg.cu")));
  EXPECT_EQ(R.Status, ProofStatus::Proved)
      << (R.Failures.empty() ? "" : R.Failures[0].Message);
  ASSERT_EQ(R.Notes.size(), 1u);
  EXPECT_NE(R.Notes[0].find("no thread of the block has written"),
            std::string::npos);
  std::string Harmful = replaced(
      text("tiled.cu"), From,
      "if (k0 + tx < K) As[ty][tx] = row < M ? A[row * K + k0 + tx] : 0.0f;");
  R = prove(request(Harmful, Harmful));
  EXPECT_EQ(R.Status, ProofStatus::OriginalBroken);
  ASSERT_EQ(R.Failures.size(), 1u);
  EXPECT_EQ(R.Failures[0].Check, "uninitialised-shared");
}

TEST(Prove, WhatIsNotCoveredIsNoVerdict) {
  std::string Exotic =
      replaced(text("tiled.cu"), "  float acc = 0.0f;",
               "  float acc = 0.0f; asm volatile(\"griddepcontrol.wait;\");");
  ProofResult R = prove(request(Exotic, Exotic));
  EXPECT_EQ(R.Status, ProofStatus::CouldNotRun);
  ASSERT_EQ(R.Failures.size(), 1u);
  EXPECT_NE(R.Failures[0].Message.find("griddepcontrol.wait"),
            std::string::npos)
      << R.Failures[0].Message;
}

TEST(Prove, AKernelWithoutEndIsNoVerdict) {
  std::string Endless = replaced(text("tiled.cu"), "k0 += T", "k0 += 0");
  Pair Request = request(Endless, Endless);
  Request.TimeoutSeconds = 2;
  ProofResult R = prove(Request);
  EXPECT_EQ(R.Status, ProofStatus::CouldNotRun);
}

TEST(Prove, ACrashIsNoVerdict) {
  std::string Deep = replaced(
      text("tiled.cu"), "__global__",
      "__device__ __noinline__ float deep(int n) {\n"
      "  volatile float x[64]; x[n % 64] = n;\n"
      "  return n == 0 ? 0.0f : deep(n - 1) + x[n % 64]; }\n__global__");
  Deep = replaced(Deep, "float acc = 0.0f;", "float acc = deep(1000000);");
  ProofResult R = prove(request(Deep, Deep));
  EXPECT_EQ(R.Status, ProofStatus::CouldNotRun);
  ASSERT_EQ(R.Failures.size(), 1u);
  EXPECT_NE(R.Failures[0].Message.find("crash"), std::string::npos)
      << R.Failures[0].Message;
}

TEST(Prove, ANullPointerIsOutOfBounds) {
  ProofResult R = prove(request(
      text("tiled.cu"), replaced(text("tiled_ldg.cu"), "float acc = 0.0f;",
                                 "float acc = *(const float *)nullptr;")));
  EXPECT_EQ(R.Status, ProofStatus::Failed);
  ASSERT_EQ(R.Failures.size(), 1u);
  EXPECT_EQ(R.Failures[0].Check, "out-of-bounds");
}

TEST(Prove, ALaunchFileThatDoesNotFitIsSaidSo) {
  std::string OneMore = replaced(text("tiled.cu"), "int M, int N, int K)",
                                 "int M, int N, int K, int extra)");
  ProofResult R = prove(request(OneMore, OneMore));
  EXPECT_EQ(R.Status, ProofStatus::CouldNotRun);
  ASSERT_EQ(R.Failures.size(), 1u);
  EXPECT_EQ(R.Failures[0].Check, "launch-file");
}

TEST(Prove, AProgramOfItsOwnIsRunWithItsLaunchesShadowed) {
  Pair Request = request(text("program.cu"), text("program_slots.cu"));
  Request.Path = inputs("program.cu");
  Request.LaunchFile.clear();
  ProofResult R = prove(Request);
  EXPECT_EQ(R.Status, ProofStatus::Proved)
      << (R.Failures.empty() ? "" : R.Failures[0].Message);
  EXPECT_EQ(R.Comparisons, 8u) << "two launches, four schedules";
  EXPECT_TRUE(R.Notes.empty()) << R.Notes.front();
  // The bytes that the rewritten launch asks for are those the kernel gets.
  Request.RewrittenText =
      replaced(Request.RewrittenText, "threads, 2 * threads * sizeof",
               "threads, threads * sizeof");
  R = prove(Request);
  EXPECT_EQ(R.Status, ProofStatus::Failed);
  ASSERT_EQ(R.Failures.size(), 1u);
  EXPECT_EQ(R.Failures[0].Check, "out-of-bounds-shared");
}

TEST(Prove, TheLanguageOfKernelsIsCovered) {
  Pair Request = request(text("features.cu"), text("features.cu"));
  Request.Path = inputs("features.cu");
  Request.LaunchFile.clear();
  ProofResult R = prove(Request);
  EXPECT_EQ(R.Status, ProofStatus::Proved)
      << (R.Failures.empty() ? "" : R.Failures[0].Message);
  // The program checks each value itself and would end with 1.
  EXPECT_TRUE(R.Notes.empty()) << R.Notes.front();
}

TEST(Prove, MatrixInstructionsAgreeWithAReference) {
  Pair Request = request(text("mma_ptx.cu"), text("mma_ptx.cu"));
  Request.Path = inputs("mma_ptx.cu");
  Request.LaunchFile = inputs("mma_ptx.launch.yaml");
  EXPECT_EQ(prove(Request).Status, ProofStatus::Proved);
  Request.OriginalText = Request.RewrittenText =
      replaced(Request.OriginalText, "lane % 16][lane / 16 * 8]",
               "lane % 16][8 - lane / 16 * 8]");
  ProofResult R = prove(Request);
  EXPECT_EQ(R.Status, ProofStatus::OriginalBroken);
  ASSERT_EQ(R.Failures.size(), 1u);
  EXPECT_EQ(R.Failures[0].Check, "reference-differs");
}

TEST(Prove, OneOriginalServesManyVersions) {
  Pair Request = request(text("tiled.cu"), "");
  CpuProver Prover = llvm::cantFail(CpuProver::create(Request));
  std::string Good = text("tiled_ldg.cu");
  for (int Round = 0; Round < 2; ++Round) {
    ProofResult R = llvm::cantFail(Prover.prove("", Good));
    EXPECT_EQ(R.Status, ProofStatus::Proved);
    R = llvm::cantFail(
        Prover.prove("", replaced(Good, "__syncthreads();", "", 2)));
    EXPECT_EQ(R.Status, ProofStatus::Failed) << "the second is judged anew";
  }
  EXPECT_EQ(llvm::cantFail(Prover.prove("", "no C++ at all")).Failures[0].Check,
            "does-not-compile");
}
