// docs/diagnostics.md has a section for every id, and --explain prints it.
#include "Runs.h"

#include "Support/File.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace pipeline_rewrite;

namespace {

std::string root() { return PR_SOURCE_DIR; }

TEST(Explain, KnowsEveryId) {
  for (ReasonId Id : allReasons()) {
    std::string Text = explain(slugOf(Id));
    EXPECT_TRUE(llvm::StringRef(Text).starts_with(slugOf(Id))) << slugOf(Id);
    for (llvm::StringRef Part : {"**Message.**", "**Why.**", "**Fires.**",
                                 "**What to do.**", "**Near miss.**"})
      EXPECT_TRUE(llvm::StringRef(Text).contains(Part))
          << "docs/diagnostics.md, section " << slugOf(Id) << ", lacks "
          << Part.str();
    EXPECT_FALSE(llvm::StringRef(Text).contains("\n## ")) << slugOf(Id);
  }
}

TEST(Explain, SaysWhatTheTableOfReasonsSays) {
  std::string Text = explain("may-alias");
  EXPECT_NE(Text.find(meaningOf(ReasonId::MayAlias)), std::string::npos);
  EXPECT_NE(Text.find(adviceFor(ReasonId::MayAlias)), std::string::npos);
  EXPECT_NE(Text.find("See docs/diagnostics.md#may-alias\n"),
            std::string::npos);
  EXPECT_NE(Text.find(": the loop is refused"), std::string::npos);
  EXPECT_NE(explain("high-ratio").find("refuses nothing"), std::string::npos);
}

TEST(Explain, UnknownIdsAreEmpty) {
  EXPECT_EQ(explain("no-such-id"), "");
  EXPECT_EQ(explain(""), "");
  EXPECT_EQ(explain("May-Alias"), "");
}

/// The text of every test below test/lit.
std::string litTests() {
  std::string All;
  std::error_code Failed;
  for (llvm::sys::fs::recursive_directory_iterator
           Entry(root() + "/test/lit", Failed),
       End;
       Entry != End && !Failed; Entry.increment(Failed)) {
    llvm::StringRef Extension = llvm::sys::path::extension(Entry->path());
    if (Extension == ".cu" || Extension == ".cuh" || Extension == ".test")
      All += llvm::cantFail(readFile(Entry->path()));
  }
  return All;
}

TEST(Explain, EveryIdHasATest) {
  std::string Tests = litTests();
  for (ReasonId Id : allReasons()) {
    // Printed where variants were timed, which no test does without a GPU.
    if (Id == ReasonId::NotWorthIt)
      continue;
    EXPECT_NE(Tests.find(std::string("[") + slugOf(Id) + "]"),
              std::string::npos)
        << "no test under test/lit mentions [" << slugOf(Id) << "]";
  }
}

TEST(Explain, ThePageHasNoOtherSection) {
  std::string Page = llvm::cantFail(readFile(root() + "/docs/diagnostics.md"));
  llvm::SmallVector<llvm::StringRef> Lines;
  llvm::StringRef(Page).split(Lines, '\n');
  for (llvm::StringRef Line : Lines)
    if (Line.consume_front("## ")) {
      EXPECT_NE(explain(Line), "") << Line.str();
    }
}

} // namespace
