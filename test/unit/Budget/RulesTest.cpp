#include "Budget/ArchReport.h"
#include "Budget/Variants.h"

#include "Rules.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace pipeline_rewrite;

namespace {

std::string textOf(llvm::StringRef Path) {
  return llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(
                            rulesDir() + Path.str())))
      ->getBuffer()
      .str();
}

// A rules directory of its own, removed with the test.
class Rules : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("rules", Dir));
    Text = textOf("/arch/sm_86.yaml");
    Variants = textOf("/variants.yaml");
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Dir); }

  void write(llvm::StringRef Name, llvm::StringRef Content) {
    llvm::SmallString<128> Path(Dir);
    llvm::sys::path::append(Path, Name);
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(Path));
    std::error_code Code;
    llvm::raw_fd_ostream Out(Path, Code);
    ASSERT_FALSE(Code);
    Out << Content;
  }

  // Old becomes New, once, in To.
  static void change(std::string &To, const std::string &Old,
                     const std::string &New) {
    size_t At = To.find(Old);
    ASSERT_NE(std::string::npos, At) << Old;
    To.replace(At, Old.size(), New);
  }

  // The message with which the directory is refused, without the directory.
  std::string archError() {
    write("arch/sm_86.yaml", Text);
    return strip(
        llvm::toString(ArchTable::load({std::string(Dir.str())}).takeError()));
  }
  std::string variantError() {
    write("variants.yaml", Variants);
    return strip(llvm::toString(
        VariantRules::load({std::string(Dir.str())}).takeError()));
  }

  std::string Text, Variants;
  llvm::SmallString<128> Dir;

private:
  std::string strip(std::string Message) {
    std::string Prefix = std::string(Dir.str()) + "/";
    return Message.rfind(Prefix, 0) == 0 ? Message.substr(Prefix.size())
                                         : Message;
  }
};

// "LINE:COLUMN" of the first Word in Text.
std::string placeOf(const std::string &Text, const std::string &Word) {
  size_t At = Text.find(Word);
  size_t Line = std::count(Text.begin(), Text.begin() + At, '\n') + 1;
  size_t Start = Text.rfind('\n', At);
  return std::to_string(Line) + ":" + std::to_string(At - Start);
}

TEST_F(Rules, HaveEveryArchitecture) {
  const char *Names[] = {"sm_70",  "sm_72",  "sm_75",  "sm_80", "sm_86",
                         "sm_87",  "sm_88",  "sm_89",  "sm_90", "sm_100",
                         "sm_103", "sm_110", "sm_120", "sm_121"};
  ASSERT_EQ(std::size(Names), archTable().all().size());
  for (size_t I = 0; I < std::size(Names); ++I)
    EXPECT_EQ(Names[I], archTable().all()[I].Name);
  EXPECT_EQ("sm_90", archTable().find("sm_90a")->Name);
  EXPECT_EQ(nullptr, archTable().find("sm_85"));
  EXPECT_EQ(nullptr, archTable().find(""));
}

TEST_F(Rules, FiguresOfSm86) {
  const Arch &A = arch("sm_86");
  EXPECT_EQ(102400u, A.SharedPerSM);
  EXPECT_EQ(101376u, A.SharedOptin);
  EXPECT_EQ(49152u, A.SharedStaticMax);
  EXPECT_EQ(1024u, A.SharedReserved);
  EXPECT_EQ(128u, A.SharedGranularity);
  EXPECT_EQ((std::vector<unsigned>{0, 8, 16, 32, 64, 100}), A.CarveoutsKB);
  EXPECT_EQ(65536u, A.RegistersPerSM);
  EXPECT_EQ(255u, A.MaxRegistersPerThread);
  EXPECT_EQ(48u, A.MaxWarpsPerSM);
  EXPECT_EQ(16u, A.MaxBlocksPerSM);
  EXPECT_TRUE(A.HasAsyncCopy);
  EXPECT_FALSE(arch("sm_75").HasAsyncCopy);
  EXPECT_EQ(24u, arch("sm_120").MaxBlocksPerSM);
  EXPECT_EQ(102400u, arch("sm_120").SharedPerSM);
}

TEST_F(Rules, UnchangedFileIsTaken) {
  write("arch/sm_86.yaml", Text);
  llvm::Expected<ArchTable> Table = ArchTable::load({std::string(Dir.str())});
  ASSERT_TRUE(bool(Table)) << llvm::toString(Table.takeError());
  EXPECT_EQ(1u, Table->all().size());
}

TEST_F(Rules, UnknownKey) {
  change(Text, "warp_size:", "warp_sise:");
  EXPECT_EQ("arch/sm_86.yaml:" + placeOf(Text, "warp_sise") +
                ": unknown key 'warp_sise'",
            archError());
}

TEST_F(Rules, MissingKey) {
  size_t At = Text.find("blocks_per_sm:");
  Text.erase(At, Text.find('\n', At) - At + 1);
  EXPECT_EQ("arch/sm_86.yaml:4:1: key 'blocks_per_sm' is missing", archError());
}

TEST_F(Rules, KeyGivenTwice) {
  Text += "name: sm_86\n";
  std::string Message = archError();
  EXPECT_NE(std::string::npos, Message.find("key 'name' is given twice"))
      << Message;
}

TEST_F(Rules, WrongUnit) {
  change(Text, "value: 100, unit: KB", "value: 100, unit: MB");
  EXPECT_EQ("arch/sm_86.yaml:" + placeOf(Text, "MB") +
                ": shared_per_sm is counted in bytes or KB, not in 'MB'",
            archError());
}

TEST_F(Rules, WrongType) {
  change(Text, "value: 48, unit: warps", "value: many, unit: warps");
  EXPECT_EQ("arch/sm_86.yaml:" + placeOf(Text, "many") +
                ": warps_per_sm must be a whole number",
            archError());
}

TEST_F(Rules, OutOfRange) {
  change(Text, "value: 48, unit: warps", "value: 0, unit: warps");
  EXPECT_NE(std::string::npos,
            archError().find("warps_per_sm must lie between 1 and 4096"));
}

TEST_F(Rules, UndescribedSource) {
  change(Text, "unit: threads, source: [G]", "unit: threads, source: [X]");
  EXPECT_EQ("arch/sm_86.yaml:" + placeOf(Text, "X]") +
                ": source 'X' is not described under 'sources'",
            archError());
}

TEST_F(Rules, FiguresThatContradictEachOther) {
  change(Text, "value: 99, unit: KB", "value: 100, unit: KB");
  EXPECT_NE(std::string::npos,
            archError().find("must fit on a multiprocessor"));
  change(Text, "value: 100, unit: KB, source: [G] }",
         "value: 40, unit: KB, source: [G] }");
  EXPECT_NE(std::string::npos, archError().find("must not pass the opt-in"));
}

TEST_F(Rules, NameMustBeThatOfTheFile) {
  change(Text, "name: sm_86", "name: sm_87");
  EXPECT_NE(std::string::npos, archError().find("name must be sm_86"));
}

TEST_F(Rules, NotYaml) {
  Text = "schema: 1\nname: [sm_86\n";
  std::string Message = archError();
  EXPECT_EQ(0u, Message.find("arch/sm_86.yaml:3:1: not valid YAML")) << Message;
}

TEST_F(Rules, EmptyFileAndScalarFile) {
  Text = "";
  EXPECT_EQ("arch/sm_86.yaml:1:1: the file must hold keys and values",
            archError());
  Text = "sm_86\n";
  EXPECT_EQ("arch/sm_86.yaml:1:1: the file must hold keys and values",
            archError());
}

TEST_F(Rules, EndlessAliasIsRefused) {
  Text = "schema: &a [*a]\n";
  EXPECT_FALSE(archError().empty());
}

// Whatever is left of a file, the answer is an error that names it.
TEST_F(Rules, FileCutOffAnywhere) {
  std::string Whole = Text;
  for (size_t Length = 0; Length + 80 < Whole.size(); Length += 13) {
    Text = Whole.substr(0, Length);
    EXPECT_EQ(0u, archError().find("arch/sm_86.yaml:")) << Length;
  }
}

TEST_F(Rules, NoDirectory) {
  EXPECT_NE(std::string::npos,
            llvm::toString(ArchTable::load({"/no/such/rules"}).takeError())
                .find("is not a directory"));
  EXPECT_NE(
      std::string::npos,
      llvm::toString(ArchTable::load({std::string(Dir.str())}).takeError())
          .find("no arch/sm_*.yaml in"));
}

TEST_F(Rules, LaterDirectoryAddsAndReplaces) {
  change(Text, "value: 16, unit: blocks", "value: 7, unit: blocks");
  write("arch/sm_86.yaml", Text);
  std::string Added = textOf("/arch/sm_90.yaml");
  change(Added, "name: sm_90", "name: sm_91");
  change(Added, "\"9.0\"", "\"9.1\"");
  write("arch/sm_91.yaml", Added);
  llvm::Expected<ArchTable> Table =
      ArchTable::load({rulesDir(), std::string(Dir.str())});
  ASSERT_TRUE(bool(Table)) << llvm::toString(Table.takeError());
  EXPECT_EQ(archTable().all().size() + 1, Table->all().size());
  EXPECT_EQ(7u, Table->find("sm_86")->MaxBlocksPerSM);
  EXPECT_NE(nullptr, Table->find("sm_91"));
}

TEST_F(Rules, VariantFileErrors) {
  change(Variants, "low_ratio: ", "lowest_ratio: ");
  EXPECT_EQ("variants.yaml:" + placeOf(Variants, "lowest_ratio") +
                ": unknown key 'lowest_ratio'",
            variantError());
  Variants = textOf("/variants.yaml");
  change(Variants, "ldg_form:               { value: peel", "ldg_form: { value: unrolled");
  EXPECT_EQ("variants.yaml:" + placeOf(Variants, "unrolled") +
                ": ldg_form must be peel, predicate or ring",
            variantError());
  Variants = textOf("/variants.yaml");
  change(Variants, "ldg_form:               { value: peel", "ldg_form: { value: ring");
  EXPECT_NE(std::string::npos, variantError().find("it needs cp-async"));
  Variants = textOf("/variants.yaml");
  change(Variants, "value: 5, unit: operations/byte",
         "value: 50, unit: operations/byte");
  EXPECT_NE(std::string::npos,
            variantError().find("low_ratio must not pass the high ratios"));
}

TEST_F(Rules, NoVariantFile) {
  llvm::Expected<VariantRules> Read =
      VariantRules::load({std::string(Dir.str())});
  ASSERT_FALSE(bool(Read));
  EXPECT_NE(std::string::npos,
            llvm::toString(Read.takeError()).find("no variants.yaml in"));
}

TEST_F(Rules, TableListsCliffs) {
  std::string Table = renderArchTable(archTable());
  EXPECT_NE(std::string::npos, Table.find("| sm_86 "));
  EXPECT_NE(std::string::npos, Table.find("50,176"));
  llvm::json::Value Json = archTableJson(archTable());
  const llvm::json::Array &Archs = *Json.getAsObject()->getArray("archs");
  ASSERT_EQ(14u, Archs.size());
  const llvm::json::Object &Sm86 = *Archs[4].getAsObject();
  EXPECT_EQ("sm_86", *Sm86.getString("name"));
  ASSERT_EQ(8u, Sm86.getArray("cliffs")->size());
  EXPECT_EQ(50176, *(*Sm86.getArray("cliffs"))[1].getAsInteger());
}

} // namespace
