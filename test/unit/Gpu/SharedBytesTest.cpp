#include "Gpu/SharedBytes.h"

#include "gtest/gtest.h"

using namespace pipeline_rewrite;

namespace {

const char *Plain = "constexpr size_t sgemm_shared_bytes() { return 4; }";

TEST(SharedBytes, BesideThePlainKernel) {
  EXPECT_EQ(sharedBytesCallIn(Plain, "sgemm"), "sgemm_shared_bytes()");
  EXPECT_EQ(sharedBytesCallIn("__host__ __device__ constexpr std::size_t\n"
                              "sgemm_shared_bytes()\n{",
                              "sgemm"),
            "sgemm_shared_bytes()");
}

TEST(SharedBytes, WithTheKernelsTemplateArguments) {
  std::string Text =
      "template <int BM,\n          int BK = 8>\n"
      "__host__ __device__ constexpr size_t sgemm_shared_bytes() {";
  EXPECT_EQ(sharedBytesCallIn(Text, "sgemm<64, 8>"),
            "sgemm_shared_bytes<64, 8>()");
  EXPECT_EQ(sharedBytesCallIn(Text, "sgemm"), "");
  EXPECT_EQ(sharedBytesCallIn(Plain, "sgemm<64, 8>"), "sgemm_shared_bytes()");
}

TEST(SharedBytes, InTheKernelsNamespace) {
  EXPECT_EQ(sharedBytesCallIn(Plain, "a::b::sgemm<2>"),
            "a::b::sgemm_shared_bytes()");
}

TEST(SharedBytes, NothingElseIsCalled) {
  EXPECT_EQ(sharedBytesCallIn(Plain, "gemm"), "");
  EXPECT_EQ(sharedBytesCallIn("", "sgemm"), "");
  EXPECT_EQ(sharedBytesCallIn(Plain, ""), "");
  EXPECT_EQ(
      sharedBytesCallIn(
          "constexpr size_t sgemm_shared_bytes(int n) { return n; }", "sgemm"),
      "");
  EXPECT_EQ(sharedBytesCallIn("size_t n = sgemm_shared_bytes();", "sgemm"), "");
  EXPECT_EQ(
      sharedBytesCallIn("template <int N> void other();\n" + std::string(Plain),
                        "sgemm"),
      "sgemm_shared_bytes()");
}

} // namespace
