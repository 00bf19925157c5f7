// The figures that docs/budget.md shows are those that the tool computes.
#include "Budget/ArchReport.h"

#include "Rules.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace pipeline_rewrite;

namespace {

TEST(Docs, CliffTableIsTheTableOfTheTool) {
  auto Page = llvm::MemoryBuffer::getFile(std::string(PR_SOURCE_DIR) +
                                          "/docs/budget.md");
  ASSERT_TRUE(bool(Page));
  std::string Text = renderArchTable(archTable());
  llvm::StringRef Rows = llvm::StringRef(Text).split("\n\n").first;
  EXPECT_TRUE((*Page)->getBuffer().contains(Rows))
      << "put this table into docs/budget.md:\n"
      << Rows.str();
}

} // namespace
