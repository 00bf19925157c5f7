#include "Frontend/NvccArgs.h"

#include "Frontend/NvccTable.h"
#include "Support/File.h"
#include "Support/Process.h"
#include "Support/TempDir.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"
#include "gtest/gtest.h"

using namespace pipeline_rewrite;

namespace {

std::vector<std::string> words(llvm::StringRef Line) {
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *> Words;
  llvm::cl::TokenizeGNUCommandLine(Line, Saver, Words);
  return {Words.begin(), Words.end()};
}

TranslatedArgs translate(llvm::StringRef Line,
                         llvm::StringRef Directory = "/build") {
  return llvm::cantFail(translateArgs(words(Line), Directory));
}

/// What Clang is given, as one line.
std::string clangLine(llvm::StringRef Line) {
  return llvm::join(translate(Line).Clang, " ");
}

std::string nvccLine(llvm::StringRef Line) {
  return llvm::join(translate(Line).Nvcc, " ");
}

std::string archLine(llvm::StringRef Line) {
  return llvm::join(translate(Line).Archs, " ");
}

TEST(NvccArgs, WhatCMakeWritesForNvcc) {
  // As CMake 3.25 with the Ninja generator wrote it into compile_commands.json.
  llvm::StringRef Line =
      "/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -DN=3 "
      "-DS=\"\\\"a b\\\"\" -I/src/inc -I\"/opt/with space\"  "
      "--generate-code=arch=compute_80,code=[compute_80,sm_80] "
      "--generate-code=arch=compute_90a,code=[compute_90a,sm_90a] "
      "-Xcompiler=-fPIC "
      "--expt-relaxed-constexpr --extended-lambda -lineinfo --use_fast_math "
      "-Xcompiler=-Wall,-Wextra -Xptxas -v -std=c++17 -x cu -rdc=true -c "
      "/src/a.cu -o "
      "CMakeFiles/a.dir/a.cu.o";
  TranslatedArgs Args = translate(Line);
  std::vector<std::string> Expected = {"-DN=3",
                                       "-DS=\"a b\"",
                                       "-I/src/inc",
                                       "-I/opt/with space",
                                       "-D__CUDACC_RELAXED_CONSTEXPR__",
                                       "-D__CUDACC_EXTENDED_LAMBDA__",
                                       "-std=c++17",
                                       "-fgpu-rdc",
                                       "-D__CUDACC_RDC__"};
  EXPECT_EQ(Args.Clang, Expected);
  EXPECT_EQ(Args.Archs, (std::vector<std::string>{"sm_80", "sm_90a"}));
  EXPECT_TRUE(Args.Unknown.empty());
}

TEST(NvccArgs, WhatNvccGetsBackForVerification) {
  EXPECT_EQ(
      nvccLine("ccache /usr/local/cuda/bin/nvcc -O3 -arch=sm_86 "
               "--use_fast_math -Xptxas -v "
               "-Xcompiler=-Wall,-Wextra -x cu -MD -MF a.d -c a.cu -o a.o"),
      "-O3 -arch=sm_86 --use_fast_math -Xptxas -v -Xcompiler=-Wall,-Wextra");
}

TEST(NvccArgs, SearchPathsReachNvccFromAnyFolder) {
  EXPECT_EQ(nvccLine("nvcc -Iinc -isystem=/sys -lcublas -c a.cu"),
            "-I/build/inc -isystem /sys -lcublas");
}

TEST(NvccArgs, WhatMakefilesWrite) {
  EXPECT_EQ(clangLine("nvcc -ccbin g++ -I../../common/inc -m64 --threads 0 "
                      "--std=c++11 -gencode "
                      "arch=compute_75,code=sm_75 -o a.o -c a.cu"),
            "-I/build/../../common/inc -std=c++11");
  EXPECT_EQ(clangLine("nvcc -t 4 -O 3 -std c++20 -G -g -lcublas -L /usr/lib "
                      "-dc -odir out a.cu"),
            "-std=c++20 -fgpu-rdc -D__CUDACC_RDC__");
  EXPECT_EQ(
      clangLine("nvcc --compiler-options \"-O2 -DHOST=1 -fopenmp\" "
                "--define-macro A,B=f(x,y) "
                "-I a,/b --system-include=/c --pre-include p.h -U X a.cu"),
      "-DHOST=1 -DA -DB=f(x,y) -I/build/a -I/b -isystem /c -include p.h -UX");
}

TEST(NvccArgs, WhatBazelWritesForClang) {
  EXPECT_EQ(clangLine("external/wrapper/clang++ -x cuda --cuda-gpu-arch=sm_80 "
                      "--cuda-path=/opt/cuda -iquote . -isystem /ext/inc "
                      "-fno-exceptions -fPIC "
                      "-Wno-unused -Wall -nvcc_options=relaxed-constexpr "
                      "--cuda-include-ptx=sm_80 -march=native -MD -MF x.d -c "
                      "k.cu.cc -o k.o"),
            "-iquote /build/. -isystem /ext/inc -fno-exceptions -Wno-unused");
  EXPECT_EQ(
      archLine("clang++ --cuda-gpu-arch=sm_80 --offload-arch=sm_90,sm_86 a.cu"),
      "sm_80 sm_90 sm_86");
  EXPECT_EQ(translate("clang++ --cuda-path=/opt/cuda a.cu").CudaPath,
            "/opt/cuda");
}

TEST(NvccArgs, NothingThatClangWouldMisreadGetsThrough) {
  EXPECT_EQ(
      clangLine(
          "-use_fast_math -lineinfo -dc -dlto -diag-suppress=20012 "
          "-diag-suppress 177 "
          "-brx-opt -G -DKEPT -t 4 -odir x -Xcudafe --diag_suppress=1 -Werror "
          "all-warnings -Werror -DALSO -maxrregcount 64 -default-stream "
          "legacy"),
      "-fgpu-rdc -D__CUDACC_RDC__ -DKEPT -DALSO");
}

TEST(NvccArgs, Launchers) {
  for (llvm::StringRef Before :
       {"", "nvcc ", "/usr/bin/ccache nvcc ", "sccache /opt/cuda/bin/nvcc ",
        "env CUDA=1 ccache nvcc ", "clang-tool "})
    EXPECT_EQ(clangLine((Before + "-DX -c a.cu").str()), "-DX") << Before.str();
}

TEST(NvccArgs, OfSeveralCommandsTheOneThatCompiles) {
  EXPECT_EQ(
      clangLine(
          "mkdir -p out && nvcc -DX -c a.cu -o out/a.o && touch out/stamp"),
      "-DX");
}

TEST(NvccArgs, Architectures) {
  EXPECT_EQ(archLine("-arch=sm_86"), "sm_86");
  EXPECT_EQ(archLine("-arch compute_89"), "sm_89");
  EXPECT_EQ(archLine("--gpu-architecture=sm_120a"), "sm_120a");
  EXPECT_EQ(archLine("-arch=native"), "");
  EXPECT_EQ(archLine("-arch=all-major"), "");
  EXPECT_EQ(archLine("-gencode=arch=compute_80,code=\\\"sm_80,compute_80\\\""),
            "sm_80");
  EXPECT_EQ(newestArch({"sm_80", "sm_90", "sm_86"}), "sm_90");
  EXPECT_EQ(newestArch({"sm_90a", "sm_90"}), "sm_90a");
  EXPECT_EQ(newestArch({"sm_100f", "sm_100a", "sm_100"}), "sm_100a");
  EXPECT_EQ(newestArch({"sm_100", "sm_90a"}), "sm_100");
  EXPECT_EQ(newestArch({}), "");
}

TEST(NvccArgs, PerThreadStream) {
  EXPECT_EQ(clangLine("--default-stream per-thread"),
            "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  EXPECT_EQ(clangLine("-rdc=false"), "");
}

TEST(NvccArgs, UnknownOptionsAreReported) {
  TranslatedArgs Args =
      translate("nvcc --made-up-option value -DX a.cu -Xcompiler -mystery");
  EXPECT_EQ(Args.Unknown, std::vector<std::string>{"--made-up-option"});
  EXPECT_EQ(Args.Clang, std::vector<std::string>{"-DX"});
}

TEST(NvccArgs, AnOptionWithoutItsValueIsNoCrash) {
  EXPECT_EQ(clangLine("nvcc -Xptxas"), "");
  EXPECT_EQ(clangLine("nvcc -o"), "");
  EXPECT_EQ(clangLine(""), "");
  EXPECT_EQ(clangLine("ccache"), "");
}

class OptionsFile : public testing::Test {
protected:
  TempDir Dir = llvm::cantFail(TempDir::create("pr-args-test"));

  void write(llvm::StringRef Name, llvm::StringRef Text) {
    ASSERT_FALSE(writeFileAtomically(Dir.path() + "/" + Name.str(), Text));
  }
};

TEST_F(OptionsFile, IsExpandedWhereItStands) {
  write("inc.rsp",
        "-I\"/with space\" -isystem=/sys\n-I rel\n--options-file more.rsp");
  write("more.rsp", "-DDEEP");
  for (llvm::StringRef Line :
       {"nvcc -DA --options-file inc.rsp -DB a.cu",
        "nvcc -DA -optf=inc.rsp -DB a.cu", "nvcc -DA @inc.rsp -DB a.cu"}) {
    TranslatedArgs Args = translate(Line, Dir.path());
    std::vector<std::string> Expected = {"-DA",
                                         "-I/with space",
                                         "-isystem",
                                         "/sys",
                                         "-I" + Dir.path() + "/rel",
                                         "-DDEEP",
                                         "-DB"};
    EXPECT_EQ(Args.Clang, Expected) << Line.str();
  }
}

TEST_F(OptionsFile, ThatIncludesItselfIsAnError) {
  write("a.rsp", "--options-file a.rsp");
  auto Args =
      translateArgs(words("nvcc --options-file a.rsp a.cu"), Dir.path());
  ASSERT_FALSE(static_cast<bool>(Args));
  EXPECT_EQ(llvm::toString(Args.takeError()),
            "the option file 'a.rsp' includes itself");
}

TEST_F(OptionsFile, ThatIsMissingIsAnError) {
  auto Args =
      translateArgs(words("nvcc --options-file none.rsp a.cu"), Dir.path());
  ASSERT_FALSE(static_cast<bool>(Args));
  EXPECT_NE(llvm::toString(Args.takeError()).find("none.rsp"),
            std::string::npos);
}

TEST(NvccTable, KnowsEveryOptionOfTheInstalledNvcc) {
  if (!llvm::sys::findProgramByName("nvcc"))
    GTEST_SKIP() << "no nvcc";
  ProcessResult Help = llvm::cantFail(runProcess({"nvcc", "--help"}));
  llvm::SmallVector<llvm::StringRef> Lines;
  llvm::StringRef(Help.Out).split(Lines, '\n');
  unsigned Options = 0;
  for (llvm::StringRef Line : Lines) {
    if (!Line.starts_with("--"))
      continue;
    // "--output-file <file>     (-o)"
    std::string Long = Line.substr(0, Line.find_first_of(" <(")).str();
    llvm::StringRef Trimmed = Line.rtrim(") ");
    std::string Short = Trimmed.substr(Trimmed.find_last_of("( ") + 1).str();
    for (const std::string &Name : {Long, Short}) {
      if (!llvm::StringRef(Name).starts_with("-"))
        continue;
      ++Options;
      EXPECT_TRUE(matchArg({Name, "value"}).has_value()) << Name;
    }
  }
  EXPECT_GT(Options, 200u);
}

} // namespace
