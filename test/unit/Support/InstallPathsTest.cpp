#include "Support/InstallPaths.h"

#include "Support/TempDir.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace pipeline_rewrite;
namespace fs = llvm::sys::fs;

namespace {

void makeData(const std::string &Data) {
  ASSERT_FALSE(fs::create_directories(Data + "/rules/arch"));
  ASSERT_FALSE(fs::create_directories(Data + "/runtime/include"));
}

TEST(InstallPaths, FindsTheDataBesideTheProgram) {
  TempDir Dir = llvm::cantFail(TempDir::create("pr-install-test"));
  makeData(Dir.path() + "/usr/share/pipeline-rewrite");
  InstallPaths Paths = llvm::cantFail(
      findInstallPaths(Dir.path() + "/usr/bin/pipeline-rewrite"));
  EXPECT_EQ(Paths.Rules, Dir.path() + "/usr/share/pipeline-rewrite/rules");
  EXPECT_EQ(Paths.RuntimeInclude,
            Dir.path() + "/usr/share/pipeline-rewrite/runtime/include");
}

TEST(InstallPaths, TheEnvironmentComesFirst) {
  TempDir Dir = llvm::cantFail(TempDir::create("pr-install-test"));
  makeData(Dir.path() + "/usr/share/pipeline-rewrite");
  makeData(Dir.path() + "/own");
  setenv("PIPELINE_REWRITE_DATA", (Dir.path() + "/own").c_str(), 1);
  InstallPaths Paths = llvm::cantFail(
      findInstallPaths(Dir.path() + "/usr/bin/pipeline-rewrite"));
  unsetenv("PIPELINE_REWRITE_DATA");
  EXPECT_EQ(Paths.Data, Dir.path() + "/own");
}

TEST(InstallPaths, TheErrorNamesEveryPlace) {
  TempDir Dir = llvm::cantFail(TempDir::create("pr-install-test"));
  ASSERT_FALSE(fs::create_directories(Dir.path() +
                                      "/share/pipeline-rewrite/rules/arch"));
  auto Paths = findInstallPaths(Dir.path() + "/bin/pipeline-rewrite");
  ASSERT_FALSE(static_cast<bool>(Paths));
  std::string Message = llvm::toString(Paths.takeError());
  EXPECT_NE(Message.find(Dir.path() + "/share/pipeline-rewrite (no folder " +
                         Dir.path() +
                         "/share/pipeline-rewrite/runtime/include)"),
            std::string::npos)
      << Message;
}

TEST(InstallPaths, TheBuildTreeHasTheLayoutOfAnInstallation) {
  // This test program lies in the build tree's bin folder.
  EXPECT_EQ(llvm::StringRef(runningProgram()).rsplit('/').first,
            llvm::StringRef(PR_BINARY_DIR "/bin"));
  EXPECT_TRUE(fs::is_directory(PR_BINARY_DIR "/share/pipeline-rewrite/rules"));
}

} // namespace
