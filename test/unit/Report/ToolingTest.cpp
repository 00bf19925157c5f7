// What other programs read: LLVM's own tools are asked to do so.
#include "Runs.h"

#include "Support/File.h"
#include "Support/Process.h"
#include "Support/TempDir.h"

#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkParser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

using namespace pipeline_rewrite;

namespace {

std::string findTool(const std::string &Name) {
  for (const std::string &Spelling : {Name + "-19", Name})
    if (auto Found = llvm::sys::findProgramByName(Spelling))
      return *Found;
  return "";
}

void write(llvm::StringRef Path, llvm::StringRef Text) {
  std::error_code Failed;
  llvm::raw_fd_ostream(Path, Failed) << Text;
  ASSERT_FALSE(Failed);
}

TEST(Remarks, AreReadBackByTheParserOfLlvm) {
  std::string Text = toRemarksYaml(sampleRun());
  auto Parser = llvm::cantFail(
      llvm::remarks::createRemarkParser(llvm::remarks::Format::YAML, Text));
  std::vector<std::string> Seen;
  for (;;) {
    auto Next = Parser->next();
    if (!Next) {
      llvm::consumeError(Next.takeError());
      break;
    }
    const llvm::remarks::Remark &One = **Next;
    Seen.push_back((llvm::remarks::typeToStr(One.RemarkType) + " " +
                    One.RemarkName + " " + One.FunctionName + ":" +
                    llvm::Twine(One.Loc->SourceLine) + ": " +
                    One.getArgsAsMsg())
                       .str());
  }
  ASSERT_EQ(Seen.size(), 6u);
  EXPECT_EQ(Seen[0],
            "Passed eligible sgemm<128, 128, 8>:2: loop eligible by cp-async "
            "(peel, 2 stages), shared bytes 16384 -> 24576, blocks a "
            "multiprocessor 4 -> 4, limit shared, ratio 8.0");
  EXPECT_EQ(Seen[1], "Missed may-alias scale:3: loop not pipelined: the store "
                     "to C may write A");
  EXPECT_EQ(Seen[3], "Passed eligible sgemm:2: loop eligible by cp-async "
                     "(peel, 2 stages)");
  EXPECT_EQ(Seen[4], "Analysis symbolic-size sgemm:2: the size of As is "
                     "BM*BK*4");
  EXPECT_EQ(Seen[5], "Analysis skipped other:2: loop not considered");
}

TEST(Remarks, AreCountedByRemarkutil) {
  std::string Tool = findTool("llvm-remarkutil");
  if (Tool.empty())
    GTEST_SKIP() << "llvm-remarkutil is not installed";
  TempDir Dir = llvm::cantFail(TempDir::create("report"));
  std::string Path = Dir.file("remarks.yaml");
  write(Path, toRemarksYaml(sampleRun()));
  ProcessResult Counted = llvm::cantFail(
      runProcess({Tool, "count", "--parser=yaml", Path, "-o", "-"}));
  EXPECT_TRUE(Counted.succeeded()) << Counted.Err;
  EXPECT_EQ(Counted.Out, "Source,Count\nsrc/gemm.cu,3\nsrc/other.cu,3\n");
}

/// What clang-apply-replacements makes of sampleText() and \p Run.
std::string applied(RunResult Run) {
  std::string Tool = findTool("clang-apply-replacements");
  TempDir Dir = llvm::cantFail(TempDir::create("report"));
  std::string Source = Dir.file("gemm.cu");
  write(Source, sampleText());
  for (FileResult &File : Run.Files) {
    File.Path = Source;
    for (LoopResult &Loop : File.Loops)
      for (EditResult &Edit : Loop.Edits)
        Edit.File = Source;
  }
  write(Dir.file("fixes.yaml"), toExportFixes(Run));
  ProcessResult Result =
      llvm::cantFail(runProcess({Tool, "--format=false", Dir.path()}));
  EXPECT_TRUE(Result.succeeded()) << Result.Err;
  return llvm::cantFail(readFile(Source));
}

RunResult runWithEdits(std::vector<std::vector<EditResult>> EditsOfLoops) {
  RunResult Run;
  Run.Arch = "sm_86";
  Run.Files = {{"", sampleText(), {}}};
  for (std::vector<EditResult> &Edits : EditsOfLoops) {
    Run.Files[0].Loops.push_back(eligibleLoop());
    Run.Files[0].Loops.back().Edits = std::move(Edits);
  }
  return Run;
}

TEST(ExportFixes, ApplyReplacementsAppliesThem) {
  if (findTool("clang-apply-replacements").empty())
    GTEST_SKIP() << "clang-apply-replacements is not installed";
  std::string Text = sampleText();
  unsigned Step = Text.find("step()"), Letter = Text.find("\xC3\xA4");
  std::string Result = applied(runWithEdits(
      {{{"", Step, 6, "copy();\n  \"compute\\n\"()"}, {"", 0, 0, "// new\n"}},
       {{"", Letter, 2, "\xC3\xB6\t"}}}));
  std::string Wanted = Text;
  Wanted.replace(Letter, 2, "\xC3\xB6\t");
  Wanted.replace(Step, 6, "copy();\n  \"compute\\n\"()");
  EXPECT_EQ(Result, "// new\n" + Wanted);
}

TEST(ExportFixes, AnEditThatTwoLoopsShareIsAppliedOnce) {
  if (findTool("clang-apply-replacements").empty())
    GTEST_SKIP() << "clang-apply-replacements is not installed";
  std::string Result =
      applied(runWithEdits({{{"", 0, 0, "#include <x>\n"}},
                            {{"", 0, 0, "#include <x>\n"}, {"", 26, 0, " "}}}));
  std::string Wanted = sampleText();
  Wanted.insert(26, " ");
  EXPECT_EQ(Result, "#include <x>\n" + Wanted);
}

TEST(ExportFixes, InsertionsAtOnePlaceKeepTheirOrder) {
  if (findTool("clang-apply-replacements").empty())
    GTEST_SKIP() << "clang-apply-replacements is not installed";
  std::string Result = applied(
      runWithEdits({{{"", 26, 0, "first\n"}, {"", 26, 0, "second\n"}}}));
  std::string Wanted = sampleText();
  Wanted.insert(26, "first\nsecond\n");
  EXPECT_EQ(Result, Wanted);
}

TEST(ExportFixes, LoopsWithoutEditsAreLeftOut) {
  RunResult Run = sampleRun();
  EXPECT_NE(toExportFixes(Run).find("Diagnostics:     []"), std::string::npos)
      << toExportFixes(Run);
}

} // namespace
