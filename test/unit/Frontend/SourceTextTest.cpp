#include "Frontend/SourceText.h"

#include "gtest/gtest.h"

using namespace pipeline_rewrite;

namespace {

std::string ordered(llvm::StringRef Text) {
  std::optional<std::string> Result = withAlignasFirst(Text);
  return Result ? *Result : "unchanged";
}

TEST(AlignasFirst, MovesBeforeEverySpecifier) {
  EXPECT_EQ(ordered("__shared__ alignas(16) float a[4];"),
            "alignas(16) __shared__ float a[4];");
  EXPECT_EQ(ordered("extern __shared__ alignas(1024) char e[];"),
            "alignas(1024) extern __shared__ char e[];");
  EXPECT_EQ(ordered("x;static  __shared__\n  alignas(f(2, (3))) int a;"),
            "x;alignas(f(2, (3)))\n  static  __shared__ int a;");
}

TEST(AlignasFirst, MovesEachOfSeveral) {
  EXPECT_EQ(ordered("__shared__ alignas(8) int a; __shared__ int b; __shared__ "
                    "alignas(T) int c;"),
            "alignas(8) __shared__ int a; __shared__ int b; alignas(T) "
            "__shared__ int c;");
}

TEST(AlignasFirst, LeavesEverythingElse) {
  for (llvm::StringRef Text :
       {"alignas(16) __shared__ float a[4];",
        "__shared__ float a; struct alignas(16) S {};",
        "// __shared__ alignas(16)\nint x;",
        "auto s = \"__shared__ alignas(16)\";",
        "__shared__ __align__(16) int a; alignas(4) int b;",
        "__shared__ alignas(16", "__shared__ alignas"})
    EXPECT_EQ(ordered(Text), "unchanged") << Text.str();
}

} // namespace
