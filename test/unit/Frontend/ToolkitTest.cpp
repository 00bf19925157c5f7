#include "Frontend/CompileCommands.h"
#include "Frontend/CudaToolkit.h"
#include "Frontend/ParseArch.h"
#include "Frontend/ResourceDir.h"
#include "Frontend/SourceText.h"
#include "Support/File.h"
#include "Support/TempDir.h"

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace pipeline_rewrite;
namespace fs = llvm::sys::fs;

namespace {

class FrontendFiles : public testing::Test {
protected:
  TempDir Dir = llvm::cantFail(TempDir::create("pr-frontend-test"));

  std::string write(const std::string &Name, llvm::StringRef Text) {
    std::string Path = Dir.path() + "/" + Name;
    EXPECT_FALSE(
        fs::create_directories(llvm::StringRef(Path).rsplit('/').first));
    EXPECT_FALSE(writeFileAtomically(Path, Text));
    return Path;
  }

  std::string sourceError(const std::string &Path) {
    return llvm::toString(readSourceFile(Path).takeError());
  }
};

TEST_F(FrontendFiles, ToolkitGivenByPath) {
  write("cuda/include/cuda_runtime.h", "");
  write("cuda/include/cuda.h", "// x\n#define CUDA_VERSION 12040\n");
  ToolkitInfo Toolkit = llvm::cantFail(findToolkit(Dir.path() + "/x/../cuda"));
  EXPECT_TRUE(Toolkit.Real);
  EXPECT_EQ(Toolkit.Root, Dir.path() + "/cuda");
  EXPECT_EQ(Toolkit.Major, 12u);
  EXPECT_EQ(Toolkit.Minor, 4u);
  EXPECT_EQ(describeToolkit(Toolkit),
            "parsed with the headers of CUDA 12.4 in " + Toolkit.Root);
}

TEST_F(FrontendFiles, ToolkitByEnvironmentComesBeforeTheUsualPlaces) {
  write("cuda/include/cuda_runtime.h", "");
  const char *Old = getenv("CUDA_PATH");
  std::string Saved = Old ? Old : "";
  setenv("CUDA_PATH", (Dir.path() + "/cuda").c_str(), 1);
  ToolkitInfo Toolkit = llvm::cantFail(findToolkit(""));
  Old ? setenv("CUDA_PATH", Saved.c_str(), 1) : unsetenv("CUDA_PATH");
  EXPECT_EQ(Toolkit.Root, Dir.path() + "/cuda");
  EXPECT_EQ(Toolkit.Major, 0u);
}

TEST_F(FrontendFiles, ToolkitThatIsNone) {
  EXPECT_FALSE(llvm::cantFail(findToolkit("none")).Real);
  auto Toolkit = findToolkit(Dir.path());
  ASSERT_FALSE(static_cast<bool>(Toolkit));
  EXPECT_EQ(llvm::toString(Toolkit.takeError()),
            "no CUDA toolkit in '" + Dir.path() + "': there is no file " +
                Dir.path() + "/include/cuda_runtime.h");
}

TEST_F(FrontendFiles, ResourceDirNeedsBothFiles) {
  write("half/include/__clang_cuda_runtime_wrapper.h", "");
  auto Half = findResourceDir(Dir.path() + "/half", "/nowhere/bin/tool");
  ASSERT_FALSE(static_cast<bool>(Half));
  std::string Message = llvm::toString(Half.takeError());
  EXPECT_NE(Message.find("half/include/cuda_wrappers/algorithm"),
            std::string::npos)
      << Message;

  write("whole/include/__clang_cuda_runtime_wrapper.h", "");
  write("whole/include/cuda_wrappers/algorithm", "");
  EXPECT_EQ(llvm::cantFail(
                findResourceDir(Dir.path() + "/whole", "/nowhere/bin/tool")),
            Dir.path() + "/whole");
}

TEST_F(FrontendFiles, ResourceDirIsFoundFromAnywhere) {
  std::string Found = llvm::cantFail(findResourceDir("", "/nowhere/bin/tool"));
  EXPECT_TRUE(fs::exists(Found + "/include/cuda_wrappers/algorithm"));
}

TEST_F(FrontendFiles, SourceChecks) {
  EXPECT_EQ(sourceError(write("good.cu", "int x; // \xFC\x1b[0m\r\n")), "");
  EXPECT_EQ(sourceError(write("empty.cu", "")),
            "cannot parse '" + Dir.path() + "/empty.cu': it is empty");
  EXPECT_NE(sourceError(Dir.path()).find("it is a folder"), std::string::npos);
  EXPECT_NE(
      sourceError(Dir.path() + "/none.cu").find("No such file or directory"),
      std::string::npos);
  EXPECT_NE(sourceError(write("junk.cu", llvm::StringRef("ab\0c", 4)))
                .find("zero byte at offset 2"),
            std::string::npos);
  EXPECT_NE(sourceError(write("controls.cu", "\x01\x02\x03 abc"))
                .find("3 control characters"),
            std::string::npos);
}

TEST_F(FrontendFiles, SourceAboveTheLimit) {
  std::string Path = write("huge.cu", "x");
  ASSERT_FALSE(static_cast<bool>(std::error_code(
      truncate(Path.c_str(), (64 << 20) + 1), std::generic_category())));
  EXPECT_NE(sourceError(Path).find("67108865 bytes, and the limit is 67108864"),
            std::string::npos);
}

TEST_F(FrontendFiles, CompileCommandOfTheNearestDatabase) {
  std::string Source = write("src/deep/a.cu", "int x;");
  write("src/compile_commands.json",
        "[{\"directory\": \"/build\", \"command\": \"nvcc -DX='a b' -c " +
            Source + "\", \"file\": \"" + Source + "\"}]");
  CompileCommandEntry Entry = llvm::cantFail(findCompileCommand(Source, ""));
  EXPECT_TRUE(Entry.Found);
  EXPECT_EQ(Entry.Directory, "/build");
  EXPECT_EQ(Entry.Arguments,
            (std::vector<std::string>{"nvcc", "-DX=a b", "-c", Source}));
  EXPECT_TRUE(
      llvm::cantFail(findCompileCommand(Source, Dir.path() + "/src")).Found);

  // A file that the database does not name is no error, and nothing is guessed
  // for it.
  CompileCommandEntry Other =
      llvm::cantFail(findCompileCommand(write("src/b.cuh", "int y;"), ""));
  EXPECT_FALSE(Other.Found);
  EXPECT_EQ(Other.Database, Dir.path() + "/src/compile_commands.json");
  EXPECT_TRUE(Other.Arguments.empty());
  EXPECT_NE(Other.Note.find("b.cuh' is not in '"), std::string::npos);
}

TEST_F(FrontendFiles, CudaSourcesOfADatabaseInItsOrder) {
  write("compile_commands.json",
        R"([{"directory": "/b/x", "file": "../z.cu", "arguments": ["nvcc"]},
            {"directory": "/b", "file": "host.cpp", "arguments": ["c++"]},
            {"directory": "/b", "file": "/a.cu", "arguments": ["nvcc", "-DA"]},
            {"directory": "/b", "file": "z.cu", "arguments": ["nvcc"]}])");
  CompileDatabase Database =
      llvm::cantFail(CompileDatabase::load(Dir.path()));
  EXPECT_EQ(Database.cudaFiles(), (std::vector<std::string>{"/b/z.cu", "/a.cu"}));
  EXPECT_EQ(llvm::cantFail(Database.find("/a.cu")).Arguments,
            (std::vector<std::string>{"nvcc", "-DA"}));
}

TEST_F(FrontendFiles, CompileCommandsThatCannotBeRead) {
  EXPECT_FALSE(
      llvm::cantFail(findCompileCommand(Dir.path() + "/a.cu", "")).Found);
  auto Missing = findCompileCommand("a.cu", Dir.path());
  ASSERT_FALSE(static_cast<bool>(Missing));
  EXPECT_NE(llvm::toString(Missing.takeError())
                .find(Dir.path() + "/compile_commands.json"),
            std::string::npos);
  write("compile_commands.json", "not json");
  auto Broken = findCompileCommand("a.cu", Dir.path());
  EXPECT_FALSE(static_cast<bool>(Broken));
  llvm::consumeError(Broken.takeError());
}

TEST(ParseArch, IsClampedToWhatClangKnows) {
  auto Parse = [](llvm::StringRef Arch) {
    return llvm::cantFail(parseArchFor(Arch));
  };
  EXPECT_EQ(Parse("sm_86"), "sm_86");
  EXPECT_EQ(Parse("sm_90a"), "sm_90a");
  EXPECT_EQ(Parse("sm_88"), "sm_87");
  EXPECT_EQ(Parse("sm_103"), "sm_90");
  EXPECT_EQ(Parse("sm_121a"), "sm_90");
}

TEST(ParseArch, TheBudgetIsNot) {
  EXPECT_EQ(budgetArchFor("sm_121a"), "sm_121");
  EXPECT_EQ(budgetArchFor("sm_100f"), "sm_100");
  EXPECT_EQ(budgetArchFor("sm_86"), "sm_86");
}

TEST(ParseArch, RefusesWhatIsNone) {
  for (llvm::StringRef Arch : {"86", "sm_", "sm_86x", "gfx90a", "sm_3"}) {
    auto Result = parseArchFor(Arch);
    EXPECT_FALSE(static_cast<bool>(Result)) << Arch.str();
    llvm::consumeError(Result.takeError());
  }
}

} // namespace
