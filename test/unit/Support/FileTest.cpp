#include "Support/File.h"
#include "Support/TempDir.h"

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace pipeline_rewrite;
namespace fs = llvm::sys::fs;

namespace {

class FileTest : public testing::Test {
protected:
  TempDir Dir = llvm::cantFail(TempDir::create("pr-file-test"));

  std::string text(llvm::StringRef Path) {
    return llvm::cantFail(readFile(Path));
  }

  void expectError(llvm::Error E, llvm::StringRef Part) {
    ASSERT_TRUE(static_cast<bool>(E));
    std::string Message = llvm::toString(std::move(E));
    EXPECT_NE(Message.find(Part.str()), std::string::npos) << Message;
  }
};

TEST_F(FileTest, WritesAndReadsEveryByte) {
  std::string Path = Dir.file("a.cu");
  std::string Text("\xEF\xBB\xBFint x;\r\n\0\xFF\n", 15);
  ASSERT_FALSE(writeFileAtomically(Path, Text));
  EXPECT_EQ(text(Path), Text);
}

TEST_F(FileTest, KeepsTheMode) {
  std::string Path = Dir.file("a.cu");
  ASSERT_FALSE(writeFileAtomically(Path, "old"));
  auto Mode = static_cast<fs::perms>(0750);
  ASSERT_FALSE(fs::setPermissions(Path, Mode));
  ASSERT_FALSE(writeFileAtomically(Path, "new"));
  EXPECT_EQ(text(Path), "new");
  EXPECT_EQ(*fs::getPermissions(Path), Mode);
}

TEST_F(FileTest, LeavesNoTemporaryBehind) {
  ASSERT_FALSE(writeFileAtomically(Dir.file("a.cu"), "text"));
  std::error_code EC;
  unsigned Entries = 0;
  for (fs::directory_iterator I(Dir.path(), EC), End; I != End && !EC;
       I.increment(EC))
    ++Entries;
  EXPECT_EQ(Entries, 1u);
}

TEST_F(FileTest, WritesThroughASymbolicLink) {
  std::string Path = Dir.file("a.cu"), Link = Dir.file("link.cu");
  ASSERT_FALSE(writeFileAtomically(Path, "old"));
  ASSERT_FALSE(fs::create_link(Path, Link));
  ASSERT_FALSE(writeFileAtomically(Link, "new"));
  bool IsLink = false;
  ASSERT_FALSE(fs::is_symlink_file(Link, IsLink));
  EXPECT_TRUE(IsLink);
  EXPECT_EQ(text(Path), "new");
}

TEST_F(FileTest, RefusesAReadOnlyTarget) {
  std::string Path = Dir.file("a.cu");
  ASSERT_FALSE(writeFileAtomically(Path, "old"));
  ASSERT_FALSE(fs::setPermissions(Path, static_cast<fs::perms>(0444)));
  expectError(writeFileAtomically(Path, "new"),
              "cannot write '" + Path + "': Permission denied");
  EXPECT_EQ(text(Path), "old");
}

TEST_F(FileTest, RefusesAFileThatChangedMeanwhile) {
  std::string Path = Dir.file("a.cu");
  ASSERT_FALSE(writeFileAtomically(Path, "somebody else's"));
  expectError(writeFileAtomically(Path, "new", llvm::StringRef("old")),
              "it has changed since it was read");
  EXPECT_EQ(text(Path), "somebody else's");
  EXPECT_FALSE(
      writeFileAtomically(Path, "new", llvm::StringRef("somebody else's")));
  EXPECT_EQ(text(Path), "new");
}

TEST_F(FileTest, ReportsAMissingFolder) {
  expectError(writeFileAtomically(Dir.path() + "/none/a.cu", "x"),
              "No such file");
}

TEST_F(FileTest, ReadingReportsMissingFileAndFolder) {
  expectError(readFile(Dir.path() + "/none.cu").takeError(),
              "none.cu': No such file or directory");
  expectError(readFile(Dir.path()).takeError(), "Is a directory");
}

TEST(TempDir, IsRemovedWithItsContents) {
  std::string Path;
  {
    TempDir Dir = llvm::cantFail(TempDir::create("pr-temp-test"));
    Path = Dir.path();
    ASSERT_FALSE(fs::create_directory(Path + "/inner"));
    ASSERT_FALSE(writeFileAtomically(Path + "/inner/file", "x"));
    TempDir Moved = std::move(Dir);
    EXPECT_TRUE(fs::is_directory(Path));
  }
  EXPECT_FALSE(fs::exists(Path));
}

TEST(TempDir, StaysWhereItIsKept) {
  std::string Path;
  {
    TempDir Dir = llvm::cantFail(TempDir::create("pr-temp-test"));
    Path = Dir.path();
    Dir.keep();
  }
  EXPECT_TRUE(fs::is_directory(Path));
  EXPECT_FALSE(fs::remove_directories(Path));
}

} // namespace
