#include "Budget/CompilerReport.h"

#include "gtest/gtest.h"

using namespace pipeline_rewrite;

namespace {

TEST(CompilerReport, OneEntryAKernel) {
  CompilerReport Report = parseCompilerReport(R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z3twov' for 'sm_86'
ptxas info    : Function properties for _Z3twov
    16 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads
ptxas info    : Used 125 registers, used 1 barriers, 8192 bytes smem, 384 bytes cmem[0]
ptxas info    : Compile time = 100.460 ms
ptxas info    : Compiling entry function '_Z3onev' for 'sm_86'
ptxas info    : Function properties for _Z6helperv
    0 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Function properties for _Z3onev
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 352 bytes cmem[0]
)");
  ASSERT_EQ(Report.size(), 2u);
  const KernelReport &Two = Report.at("_Z3twov"), &One = Report.at("_Z3onev");
  EXPECT_EQ(Two.Registers, 125u);
  EXPECT_EQ(Two.Barriers, 1u);
  EXPECT_EQ(Two.SharedBytes, 8192u);
  EXPECT_EQ(Two.SpillBytes, 32u);
  EXPECT_EQ(One.Registers, 8u);
  EXPECT_EQ(One.SharedBytes, 0u);
  EXPECT_EQ(One.SpillBytes, 0u);
}

TEST(CompilerReport, NothingIsMadeUpFromOtherText) {
  EXPECT_TRUE(parseCompilerReport("").empty());
  EXPECT_TRUE(parseCompilerReport("Used registers, x bytes smem\n").empty());
  EXPECT_TRUE(
      parseCompilerReport("Compiling entry function '_Z1kv' for 'sm_86'\n")
          .empty());
}

TEST(CompilerReport, OptionsThatChangeCodeAreKept) {
  std::vector<std::string> Language = {"-std=c++17", "-DN=3",  "-isystem",
                                       "/inc",       "-fPIC",  "-I/own",
                                       "-include",   "/pre.h", "-fgnu-x"};
  std::vector<std::string> Nvcc = {"-maxrregcount", "64", "-MD", "-MF", "out.d",
                                   "-Xptxas=-O1",   "--keep", "-arch=sm_80",
                                   "--use_fast_math"};
  EXPECT_EQ(codeOptions(Language, Nvcc),
            (std::vector<std::string>{"-std=c++17", "-DN=3", "-isystem", "/inc",
                                      "-I/own", "-include", "/pre.h",
                                      "-maxrregcount", "64", "-Xptxas=-O1",
                                      "--use_fast_math"}));
}

TEST(CompilerReport, ACompilerThatIsNotThere) {
  CompilerRequest Request;
  Request.Nvcc = "/nonexistent/nvcc";
  Request.Path = "a.cu";
  llvm::Expected<CompilerReport> Report = askCompiler(Request);
  ASSERT_FALSE(static_cast<bool>(Report));
  EXPECT_NE(llvm::toString(Report.takeError()).find("/nonexistent/nvcc"),
            std::string::npos);
}

} // namespace
