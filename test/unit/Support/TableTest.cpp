#include "Support/Table.h"

#include "gtest/gtest.h"

using namespace pipeline_rewrite;

namespace {

std::string printed(const Table &T) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  T.print(Out);
  return Text;
}

TEST(Table, AlignsItsColumns) {
  Table T({{"kernel"}, {"bytes", Table::Align::Right}});
  T.addRow({"sgemm<64, 64>", "8192"});
  T.addRow({"nbody", "16"});
  EXPECT_EQ(printed(T), "| kernel        | bytes |\n"
                        "| ------------- | ----: |\n"
                        "| sgemm<64, 64> |  8192 |\n"
                        "| nbody         |    16 |\n");
}

TEST(Table, StaysOneTableWhateverACellHolds) {
  Table T({{"a"}, {"b"}});
  T.addRow({"x | y", "one\ntwo"});
  T.addRow({"only one"});
  EXPECT_EQ(printed(T), "| a        | b       |\n"
                        "| -------- | ------- |\n"
                        "| x \\| y   | one two |\n"
                        "| only one |         |\n");
}

TEST(Table, CountsWhatATerminalShows) {
  Table T({{"Größe"}, {"x"}});
  T.addRow({"1"});
  EXPECT_EQ(printed(T), "| Größe | x   |\n"
                        "| ----- | --- |\n"
                        "| 1     |     |\n");
}

} // namespace
