#include "Support/Version.h"

#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"

using namespace pipeline_rewrite;

TEST(Version, HasThreeNumbers) {
  llvm::SmallVector<llvm::StringRef> Parts;
  toolVersion().split(Parts, '.');
  ASSERT_EQ(Parts.size(), 3u);
  for (llvm::StringRef Part : Parts) {
    unsigned Number;
    EXPECT_FALSE(Part.getAsInteger(10, Number)) << Part.str();
  }
}
