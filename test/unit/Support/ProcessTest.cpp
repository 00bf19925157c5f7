#include "Support/Process.h"

#include "gtest/gtest.h"

using namespace pipeline_rewrite;

namespace {

ProcessResult run(std::vector<std::string> Argv, ProcessOptions Options = {}) {
  return llvm::cantFail(runProcess(Argv, Options));
}

TEST(Process, CapturesBothStreamsAndTheExitCode) {
  ProcessResult R = run({"sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(R.ExitCode, 3);
  EXPECT_EQ(R.Out, "out\n");
  EXPECT_EQ(R.Err, "err\n");
  EXPECT_FALSE(R.succeeded());
  EXPECT_EQ(R.describe(), "exit code 3");
}

TEST(Process, PassesArgumentsUntouched) {
  ProcessResult R = run({"printf", "%s|", "a b", "$HOME", "*", "", "it's"});
  EXPECT_EQ(R.Out, "a b|$HOME|*||it's|");
}

TEST(Process, StopsAtTheLimit) {
  ProcessOptions Options;
  Options.TimeoutSeconds = 1;
  ProcessResult R = run({"sleep", "30"}, Options);
  EXPECT_TRUE(R.TimedOut);
  EXPECT_FALSE(R.succeeded());
  EXPECT_LT(R.Seconds, 10);
  EXPECT_EQ(R.describe(), "ran longer than its limit");
}

TEST(Process, NamesTheSignal) {
  ProcessResult R = run({"sh", "-c", "kill -SEGV $$"});
  EXPECT_FALSE(R.TimedOut);
  EXPECT_EQ(R.ExitCode, -1);
  EXPECT_NE(R.describe().find("Segmentation fault"), std::string::npos)
      << R.describe();
}

TEST(Process, AddsToTheEnvironment) {
  ProcessOptions Options;
  Options.ExtraEnvironment = {"PR_TEST=one two", "HOME=/elsewhere"};
  ProcessResult R =
      run({"sh", "-c", "echo $PR_TEST $HOME; test -n \"$PATH\""}, Options);
  EXPECT_EQ(R.Out, "one two /elsewhere\n");
  EXPECT_TRUE(R.succeeded());
}

TEST(Process, ReportsAProgramThatDoesNotExist) {
  auto R = runProcess({std::string("no-such-program-at-all")});
  ASSERT_FALSE(static_cast<bool>(R));
  EXPECT_EQ(llvm::toString(R.takeError()),
            "cannot find the program 'no-such-program-at-all' on PATH");
}

TEST(Process, QuotesForAShell) {
  EXPECT_EQ(quoteCommand({"nvcc", "-DX=a b", "", "it's", "--o=p/q.cu"}),
            "nvcc '-DX=a b' '' 'it'\\''s' --o=p/q.cu");
}

} // namespace
