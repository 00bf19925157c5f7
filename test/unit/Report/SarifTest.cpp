#include "Runs.h"

using namespace pipeline_rewrite;

namespace {

using llvm::json::Array;
using llvm::json::Object;

struct Document {
  llvm::json::Value Whole;
  const Object &run() const {
    return *(*Whole.getAsObject()->getArray("runs"))[0].getAsObject();
  }
  const Array &rules() const {
    return *run().getObject("tool")->getObject("driver")->getArray("rules");
  }
  const Array &results() const { return *run().getArray("results"); }
  const Object &result(size_t I) const { return *results()[I].getAsObject(); }
};

Document sarif(const RunResult &Run) { return {toSarif(Run)}; }

const Object &location(const Object &Result) {
  return *(*Result.getArray("locations"))[0].getAsObject()->getObject(
      "physicalLocation");
}

TEST(Sarif, StatesItsVersion) {
  Document Sarif = sarif(sampleRun());
  EXPECT_EQ(Sarif.Whole.getAsObject()->getString("version"), "2.1.0");
  EXPECT_EQ(Sarif.run().getString("columnKind"), "unicodeCodePoints");
  EXPECT_EQ(
      Sarif.run().getObject("tool")->getObject("driver")->getString("name"),
      "pipeline-rewrite");
}

TEST(Sarif, EveryIdIsARuleWithHelp) {
  Document Sarif = sarif(sampleRun());
  ASSERT_EQ(Sarif.rules().size(), allReasons().size() + 1);
  for (ReasonId Id : allReasons()) {
    const Object &Rule = *Sarif.rules()[size_t(Id)].getAsObject();
    EXPECT_EQ(Rule.getString("id"), slugOf(Id));
    EXPECT_EQ(Rule.getString("helpUri"),
              std::string("docs/diagnostics.md#") + slugOf(Id));
  }
}

TEST(Sarif, ResultsPointAtTheirRules) {
  Document Sarif = sarif(sampleRun());
  for (const llvm::json::Value &One : Sarif.results()) {
    const Object &Result = *One.getAsObject();
    const Object &Rule =
        *Sarif.rules()[*Result.getInteger("ruleIndex")].getAsObject();
    EXPECT_EQ(Result.getString("ruleId"), Rule.getString("id"));
    // A result that is no failure has no level.
    EXPECT_EQ(Result.getString("kind") == "fail",
              Result.getString("level") != "none");
  }
}

TEST(Sarif, ARefusalIsAWarningAtItsStatement) {
  Document Sarif = sarif(sampleRun());
  const Object &Result = Sarif.result(1);
  EXPECT_EQ(Result.getString("ruleId"), "may-alias");
  EXPECT_EQ(Result.getString("level"), "warning");
  EXPECT_EQ(Result.getObject("message")->getString("text"),
            "the store to C may write A");
  const Object &Where = location(Result);
  EXPECT_EQ(Where.getObject("artifactLocation")->getString("uri"),
            "src/gemm.cu");
  EXPECT_EQ(Where.getObject("region")->getInteger("startLine"), 3);
  // Byte column 7 of "  // \xC3\xA4 two" is the second byte of one letter.
  EXPECT_EQ(Where.getObject("region")->getInteger("startColumn"), 7);
}

TEST(Sarif, ColumnsCountCodePoints) {
  RunResult Run = sampleRun();
  Run.Files[0].Loops[1].Reasons[0].Column = 9; // "two", behind two bytes
  Document Sarif = sarif(Run);
  const Object &Region = *location(Sarif.result(1)).getObject("region");
  EXPECT_EQ(Region.getInteger("startColumn"), 8);
}

TEST(Sarif, EditsBecomeFixes) {
  RunResult Run = sampleRun();
  LoopResult &Loop = Run.Files[0].Loops[0];
  std::string Text = sampleText();
  unsigned Begin = Text.find("two-byte");
  Loop.Edits = {{"src/gemm.cu", Begin, 8, "2-byte"},
                {"src/gemm.cu", 26, 0, "#include <x>\n"}};
  Document Sarif = sarif(Run);
  const Object &Fix = *(*Sarif.result(0).getArray("fixes"))[0].getAsObject();
  const Object &Change = *(*Fix.getArray("artifactChanges"))[0].getAsObject();
  const Array &Edits = *Change.getArray("replacements");
  ASSERT_EQ(Edits.size(), 2u);
  const Object &Word = *Edits[0].getAsObject()->getObject("deletedRegion");
  EXPECT_EQ(Word.getInteger("startLine"), 3);
  EXPECT_EQ(Word.getInteger("startColumn"), 8);
  EXPECT_EQ(Word.getInteger("endLine"), 3);
  EXPECT_EQ(Word.getInteger("endColumn"), 16);
  const Object &Line = *Edits[1].getAsObject()->getObject("deletedRegion");
  EXPECT_EQ(Line.getInteger("startLine"), 2);
  EXPECT_EQ(Line.getInteger("startColumn"), 1);
  EXPECT_EQ(Line.getInteger("endColumn"), 1);
  EXPECT_EQ(
      Edits[1].getAsObject()->getObject("insertedContent")->getString("text"),
      "#include <x>\n");
}

TEST(Sarif, NoFixWithoutTheTextOfTheFile) {
  RunResult Run = sampleRun();
  Run.Files[0].Text.clear();
  Run.Files[0].Loops[0].Edits = {{"src/gemm.cu", 1, 1, "x"}};
  EXPECT_EQ(sarif(Run).result(0).get("fixes"), nullptr);
}

TEST(Sarif, PathsAreUris) {
  RunResult Run = sampleRun();
  Run.Files[0].Path = "/a dir/\xC3\xA4%.cu";
  Document Sarif = sarif(Run);
  EXPECT_EQ(
      location(Sarif.result(0)).getObject("artifactLocation")->getString("uri"),
      "file:///a%20dir/%C3%A4%25.cu");
}

TEST(Sarif, FilesThatDidNotParseAreSaid) {
  RunResult Run = sampleRun();
  Run.FilesWithErrors = {"broken.cu"};
  Document Sarif = sarif(Run);
  const Object &Invocation =
      *(*Sarif.run().getArray("invocations"))[0].getAsObject();
  EXPECT_EQ(Invocation.getBoolean("executionSuccessful"), false);
  EXPECT_EQ(Invocation.getArray("toolExecutionNotifications")->size(), 1u);
}

} // namespace
