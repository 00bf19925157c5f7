#include "Runs.h"

#include "Support/Process.h"
#include "Support/TempDir.h"

#include "llvm/Support/FileSystem.h"

using namespace pipeline_rewrite;

namespace {

const llvm::json::Object &object(const llvm::json::Value &Value) {
  const llvm::json::Object *Found = Value.getAsObject();
  EXPECT_NE(Found, nullptr);
  return *Found;
}

llvm::json::Object loopJson(LoopResult Loop) {
  RunResult Run;
  Run.Arch = "sm_86";
  Run.Files = {{"a.cu", "", {std::move(Loop)}}};
  llvm::json::Value Whole = toJson(Run);
  const llvm::json::Value &File = (*object(Whole).getArray("files"))[0];
  return object((*object(File).getArray("loops"))[0]);
}

std::string text(const llvm::json::Value &Value) {
  std::string Result;
  llvm::raw_string_ostream Out(Result);
  Out << Value;
  return Result;
}

/// What the checker says about \p Document, "valid" where it obeys the schema.
std::string checkSchema(const llvm::json::Value &Document) {
  TempDir Dir = llvm::cantFail(TempDir::create("report"));
  std::string Path = Dir.file("report.json");
  std::error_code Failed;
  llvm::raw_fd_ostream(Path, Failed) << Document;
  std::string Root = PR_SOURCE_DIR;
  ProcessResult Result = llvm::cantFail(
      runProcess({"python3", Root + "/test/lit/report/Inputs/check_schema.py",
                  Root + "/docs/report.schema.json", Path}));
  return llvm::StringRef(Result.Out + Result.Err).trim().str();
}

TEST(Json, ObeysItsSchema) {
  RunResult Run = sampleRun();
  Run.FilesWithErrors = {"broken.cu"};
  Run.Files[0].Loops[0].Proof = {"cpu", 12, 12, "failed", {{"race", "m", "w"}}};
  EXPECT_EQ(checkSchema(toJson(Run)), "valid");
}

TEST(Json, TheSchemaRefusesWhatIsWrong) {
  llvm::json::Value Whole = toJson(sampleRun());
  llvm::json::Object &Root = *Whole.getAsObject();
  llvm::json::Object &First =
      *(*(*Root.getArray("files"))[0].getAsObject()->getArray("loops"))[0]
           .getAsObject();
  First["status"] = "done";
  First["stages"] = 0;
  First.erase("kernel");
  First["surplus"] = true;
  std::string Found = checkSchema(Whole);
  EXPECT_NE(Found.find("'done' is none of"), std::string::npos) << Found;
  EXPECT_NE(Found.find("0 is out of range"), std::string::npos) << Found;
  EXPECT_NE(Found.find("kernel is missing"), std::string::npos) << Found;
  EXPECT_NE(Found.find("surplus is not in the schema"), std::string::npos);
}

TEST(Json, EligibleLoopInFull) {
  llvm::json::Object Loop = loopJson(eligibleLoop());
  EXPECT_EQ(Loop.getString("kernel"), "sgemm");
  EXPECT_EQ(Loop.getString("instantiation"), "sgemm<128, 128, 8>");
  EXPECT_EQ(Loop.getString("status"), "eligible");
  EXPECT_EQ(Loop.getString("variant"), "cp-async");
  EXPECT_EQ(Loop.getString("form"), "peel");
  EXPECT_EQ(Loop.getInteger("stages"), 2);
  EXPECT_EQ(Loop.getInteger("trip_count"), 512);
  EXPECT_EQ(Loop.getNumber("ratio"), 8.0);
  EXPECT_EQ(text(*Loop.get("registers")),
            R"({"after":70,"after_source":"estimate","before":64,)"
            R"("before_source":"compiler","derivation":)"
            R"("64 reported + 2 staged + 4 one tile ahead"})");
  EXPECT_EQ(text(*Loop.get("shared_bytes")),
            R"({"after":24576,"before":16384,"optin_limit":101376,)"
            R"("static_limit":49152})");
  EXPECT_EQ(text(*Loop.get("occupancy")),
            R"({"after":{"blocks_per_sm":4,"limit":"shared","warps":32},)"
            R"("before":{"blocks_per_sm":4,"limit":"registers","warps":32}})");
  EXPECT_EQ(text((*Loop.getArray("tiles"))[0]),
            R"({"bytes":8192,"copy_bytes":16,"name":"As",)"
            R"("transport":"cp-async"})");
  EXPECT_EQ(text((*Loop.getArray("tiles"))[1]),
            R"({"bytes":8192,"copy_bytes":null,"name":"Bs",)"
            R"("transport":"ldg"})");
  EXPECT_EQ(Loop.get("proof"), nullptr);
}

TEST(Json, RefusedLoopHasReasonsAndNoRewrite) {
  LoopResult Refused = refusedLoop(ReasonId::MayAlias, 30, 7, "why");
  // Left over from a plan that came to nothing.
  Refused.Kind = Variant::Ldg;
  Refused.Shape = Form::Peel;
  Refused.Stages = 2;
  llvm::json::Object Loop = loopJson(Refused);
  EXPECT_EQ(text(*Loop.get("reasons")),
            R"([{"column":7,"id":"may-alias","line":30,"message":"why"}])");
  EXPECT_EQ(text(*Loop.get("remarks")), "[]");
  EXPECT_EQ(text(*Loop.get("variant")), "null");
  EXPECT_EQ(text(*Loop.get("form")), "null");
  EXPECT_EQ(Loop.getInteger("stages"), 1);
  EXPECT_EQ(text(*Loop.get("occupancy")), R"({"after":null,"before":null})");
}

TEST(Json, BudgetRefusalShowsWhatTwoSlotsWouldTake) {
  llvm::json::Object Loop = loopJson(overBudgetLoop());
  EXPECT_EQ(Loop.getObject("shared_bytes")->getInteger("before"), 25600);
  EXPECT_EQ(Loop.getObject("shared_bytes")->getInteger("after"), 51200);
  const llvm::json::Object &Occupancy = *Loop.getObject("occupancy");
  EXPECT_EQ(Occupancy.getObject("before")->getInteger("blocks_per_sm"), 2);
  EXPECT_EQ(Occupancy.getObject("after")->getInteger("blocks_per_sm"), 1);
}

TEST(Json, UnknownIsNull) {
  llvm::json::Object Loop = loopJson(symbolicLoop());
  EXPECT_EQ(Loop.getString("instantiation"), "sgemm");
  EXPECT_EQ(text(*Loop.get("shared_bytes")),
            R"({"after":null,"before":null,"optin_limit":null,)"
            R"("static_limit":null})");
  EXPECT_EQ(text(*Loop.get("ratio")), "null");
  EXPECT_EQ(text(*Loop.get("trip_count")), "null");
  EXPECT_EQ(text((*Loop.getArray("tiles"))[0]),
            R"({"bytes":null,"copy_bytes":4,"name":"As",)"
            R"("symbolic_bytes":"BM*BK*4","transport":"cp-async"})");
  EXPECT_EQ(text((*Loop.getArray("remarks"))[0]),
            R"({"column":3,"id":"symbolic-size","line":2,)"
            R"("message":"the size of As is BM*BK*4"})");
}

TEST(Json, SharedBytesAreKnownWithoutABlockSize) {
  LoopResult Known = eligibleLoop();
  Known.Threads = 0;
  llvm::json::Object Loop = loopJson(Known);
  EXPECT_EQ(Loop.getObject("shared_bytes")->getInteger("after"), 24576);
  EXPECT_EQ(text(*Loop.get("occupancy")), R"({"after":null,"before":null})");
}

TEST(Json, ALoopRefusedBeforeItsBudgetHasNoFigures) {
  LoopResult Refused = refusedLoop(ReasonId::TileEscapes, 1, 1, "why");
  Refused.SizesKnown = true;
  Refused.Threads = 256;
  llvm::json::Object Loop = loopJson(Refused);
  EXPECT_EQ(text(*Loop.getObject("shared_bytes")->get("before")), "null");
  EXPECT_EQ(text(*Loop.get("occupancy")), R"({"after":null,"before":null})");
}

TEST(Json, TextThatIsNoUtf8IsRepaired) {
  LoopResult Refused = refusedLoop(ReasonId::Macro, 1, 1, "bad \xFF byte");
  Refused.Kernel = "k\xC3";
  Refused.Instantiation = Refused.Kernel;
  RunResult Run;
  Run.Arch = "sm_86";
  Run.Files = {{"p\xFF.cu", "", {Refused}}};
  std::string Text = text(toJson(Run));
  EXPECT_TRUE(llvm::json::isUTF8(Text));
  EXPECT_NE(Text.find("bad \xEF\xBF\xBD byte"), std::string::npos) << Text;
}

} // namespace
