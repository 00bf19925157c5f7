#include "Sass/Build.h"
#include "Sass/LineMap.h"
#include "Sass/Names.h"
#include <gtest/gtest.h>

using namespace pipeline_rewrite;

static SassListing functions(const std::vector<std::string> &Names) {
  SassListing L;
  for (const std::string &Name : Names)
    L.Functions.push_back({Name, {}});
  return L;
}

TEST(SassNames, Readable) {
  EXPECT_EQ(readableName("_Z5sgemmILi128ELi64EfEvPKT1_S2_PS0_i"),
            "sgemm<128, 64, float>");
  EXPECT_EQ(readableName("_ZN2ns4gemmEPf"), "gemm");
  EXPECT_EQ(readableName("_ZN12_GLOBAL__N_14gemmEPf"), "gemm");
  EXPECT_EQ(readableName("plain_c_kernel"), "plain_c_kernel");
}

TEST(SassNames, ByTemplateArguments) {
  SassListing L = functions({"_Z1kILi8ELj4EEvPf", "_Z1kILi16ELj4EEvPf", "_Z2kkPf",
                             "_ZN2ns1kILi8EEEvPf"});
  EXPECT_EQ(functionsNamed(L, "k", "k<8, 4U>"), (std::vector<size_t>{0}));
  EXPECT_EQ(functionsNamed(L, "k", "k<16, 4>"), (std::vector<size_t>{1}));
  EXPECT_EQ(functionsNamed(L, "k", "ns::k<8>"), (std::vector<size_t>{3}));
  // Arguments that cannot be compared: all of that name.
  EXPECT_EQ(functionsNamed(L, "k", "k<N, M>"), (std::vector<size_t>{0, 1, 3}));
  EXPECT_EQ(functionsNamed(L, "kk", "kk"), (std::vector<size_t>{2}));
  EXPECT_TRUE(functionsNamed(L, "other", "other").empty());
}

TEST(SassResources, OfKernelsOnly) {
  auto R = parseResources(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_80'\n"
      "ptxas info    : Function properties for _Z1kPf\n"
      "    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 32 registers, used 1 barriers, 8192 bytes smem, 388 bytes "
      "cmem[0]\n"
      "ptxas info    : Function properties for _Z6helperi\n"
      "    99 bytes stack frame, 99 bytes spill stores, 99 bytes spill loads\n"
      "ptxas info    : Compiling entry function 'plain' for 'sm_80'\n"
      "ptxas info    : Function properties for plain\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, 352 bytes cmem[0]\n");
  ASSERT_EQ(R.size(), 2u);
  EXPECT_EQ(R["_Z1kPf"].Registers, 32u);
  EXPECT_EQ(R["_Z1kPf"].StackBytes, 16u);
  EXPECT_EQ(R["_Z1kPf"].SpillStoreBytes, 8u);
  EXPECT_EQ(R["_Z1kPf"].SpillLoadBytes, 12u);
  EXPECT_EQ(R["_Z1kPf"].StaticShared, 8192u);
  EXPECT_EQ(R["plain"].Registers, 8u);
  EXPECT_EQ(R["plain"].StaticShared, 0u);
}

TEST(SassLineMap, AroundAChange) {
  std::string Before, After;
  for (int I = 1; I <= 40; ++I)
    Before += "line " + std::to_string(I) + "\n";
  After = Before;
  auto Change = [&](const std::string &From, const std::string &To) {
    size_t At = After.find(From);
    ASSERT_NE(At, std::string::npos);
    After.replace(At, From.size(), To);
  };
  Change("line 3\n", "line 3\nincluded\n");
  Change("line 20\nline 21\n", "prologue\nloop\nbody\nepilogue\nmore\n");
  LineMap Map(Before, After);
  EXPECT_EQ(Map.after(20, 21), std::make_pair(21u, 25u));
  EXPECT_EQ(Map.after(30, 32), std::make_pair(34u, 36u));
  EXPECT_EQ(Map.after(1, 1), std::make_pair(1u, 1u));
  EXPECT_EQ(LineMap("same\n", "same\n").after(1, 1), std::make_pair(1u, 1u));
}

TEST(SassBuild, ArgumentsThatChooseNoMachine) {
  EXPECT_EQ(argsForCubin({"-O3", "-arch=sm_70", "-gencode",
                          "arch=compute_80,code=sm_80", "-dc", "-DN=1", "--keep",
                          "--cuda-gpu-arch=sm_80", "-maxrregcount", "64"}),
            (std::vector<std::string>{"-O3", "-rdc=true", "-DN=1", "-maxrregcount",
                                      "64"}));
}
