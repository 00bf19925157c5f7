#include "Support/UnifiedDiff.h"

#include "Support/File.h"
#include "Support/Process.h"
#include "Support/TempDir.h"

#include "llvm/Support/Program.h"
#include "gtest/gtest.h"

using namespace pipeline_rewrite;

namespace {

/// Lets git turn the old text into the new one by the diff; what git says is
/// the verdict.
void expectGitApplies(llvm::StringRef Name, llvm::StringRef Old,
                      llvm::StringRef New) {
  TempDir Dir = llvm::cantFail(TempDir::create("pr-diff-test"));
  std::string File = Dir.path() + "/" + Name.str(),
              Patch = Dir.path() + "/change.diff";
  std::string Diff = unifiedDiff(Name, Old, New);
  ASSERT_FALSE(writeFileAtomically(File, Old));
  ASSERT_FALSE(writeFileAtomically(Patch, Diff));
  ProcessOptions Options;
  Options.ExtraEnvironment = {"GIT_CEILING_DIRECTORIES=/"};
  ProcessResult R = llvm::cantFail(runProcess(
      {"git", "-C", Dir.path(), "apply", "--whitespace=nowarn", Patch},
      Options));
  ASSERT_TRUE(R.succeeded()) << R.Err << Diff;
  EXPECT_EQ(llvm::cantFail(readFile(File)), New) << Diff;
}

std::string lines(unsigned First, unsigned Last, llvm::StringRef End = "\n") {
  std::string Text;
  for (unsigned I = First; I <= Last; ++I)
    Text += "line " + std::to_string(I) + End.str();
  return Text;
}

TEST(UnifiedDiff, IsEmptyWhereNothingDiffers) {
  EXPECT_EQ(unifiedDiff("a.cu", "x\n", "x\n"), "");
}

TEST(UnifiedDiff, HasTheUsualForm) {
  EXPECT_EQ(unifiedDiff("src/./a.cu", lines(1, 9),
                        lines(1, 4) + "new\n" + lines(6, 9)),
            "--- a/src/a.cu\n+++ b/src/a.cu\n@@ -2,7 +2,7 @@\n line 2\n line "
            "3\n line 4\n"
            "-line 5\n+new\n line 6\n line 7\n line 8\n");
}

TEST(UnifiedDiff, ShowsWhatIsRemovedFirst) {
  EXPECT_EQ(unifiedDiff("a", "a\nb\nc\n", "x\nb\ny\nz\n"),
            "--- a/a\n+++ b/a\n@@ -1,3 +1,4 @@\n-a\n+x\n b\n-c\n+y\n+z\n");
  EXPECT_EQ(unifiedDiff("a", "a\nb\n", "x\ny\nz\n"),
            "--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n-a\n-b\n+x\n+y\n+z\n");
}

TEST(UnifiedDiff, SeparatesDistantChangesAndJoinsNearOnes) {
  std::string Old = lines(1, 40);
  std::string Far = "first\n" + lines(2, 39) + "last\n";
  std::string Diff = unifiedDiff("a.cu", Old, Far);
  EXPECT_NE(Diff.find("@@ -1,4 +1,4 @@"), std::string::npos) << Diff;
  EXPECT_NE(Diff.find("@@ -37,4 +37,4 @@"), std::string::npos) << Diff;
  std::string Near =
      lines(1, 9) + "x\n" + lines(11, 15) + "y\n" + lines(17, 40);
  Diff = unifiedDiff("a.cu", Old, Near);
  EXPECT_NE(Diff.find("@@ -7,13 +7,13 @@"), std::string::npos) << Diff;
}

TEST(UnifiedDiff, GitAppliesIt) {
  if (!llvm::sys::findProgramByName("git"))
    GTEST_SKIP() << "no git";
  std::string Old = lines(1, 30);
  expectGitApplies("a.cu", Old,
                   lines(1, 3) + "x\ny\n" + lines(5, 20) + lines(23, 30) +
                       "z\n");
  expectGitApplies("with blank.cu", Old, "#include <x>\n" + Old);
  expectGitApplies("no-newline.cu", lines(1, 3) + "end", lines(1, 3) + "end\n");
  expectGitApplies("no-newline.cu", lines(1, 3) + "end\n",
                   lines(1, 3) + "other end");
  expectGitApplies("no-newline.cu", lines(1, 3) + "end",
                   "x\n" + lines(1, 3) + "end");
  expectGitApplies("crlf.cu", lines(1, 9, "\r\n"),
                   lines(1, 4, "\r\n") + "x\r\n" + lines(6, 9, "\r\n"));
  expectGitApplies("bom.cu", "\xEF\xBB\xBF" + Old,
                   "\xEF\xBB\xBF" + Old + "x\n");
}

} // namespace
