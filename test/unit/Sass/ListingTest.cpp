#include "Listings.h"

using namespace pipeline_rewrite;

TEST(SassListing, BothDisassemblersSayTheSame) {
  SassListing A = parsed(inputText("sgemm_tiled.sm_75.original"));
  SassListing B = parsed(inputText("sgemm_tiled.sm_75.original.cuobjdump"));
  EXPECT_EQ(A.Arch, "sm_75");
  EXPECT_EQ(B.Arch, "sm_75");
  ASSERT_EQ(A.Functions.size(), 1u);
  ASSERT_EQ(B.Functions.size(), 1u);
  EXPECT_EQ(A.Functions[0].Name, "_Z11sgemm_tiledPKfS0_Pfiii");
  EXPECT_EQ(B.Functions[0].Name, A.Functions[0].Name);
  ASSERT_EQ(A.Functions[0].Code.size(), B.Functions[0].Code.size());
  for (size_t I = 0; I < A.Functions[0].Code.size(); ++I) {
    const SassInstruction &X = A.Functions[0].Code[I];
    const SassInstruction &Y = B.Functions[0].Code[I];
    EXPECT_EQ(X.Address, Y.Address);
    EXPECT_EQ(X.Opcode, Y.Opcode);
    EXPECT_EQ(X.Target, Y.Target) << X.text();
    EXPECT_TRUE(X.Control == Y.Control) << X.text();
  }
}

TEST(SassListing, PartsOfAnInstruction) {
  SassFunction F = parsed("\t\tFunction : kernel\n"
                          "        /*0230*/  @!P2 LDG.E.64.CONSTANT R8, "
                          "desc[UR4][R2.64+0x10] ; /* 0x1 */\n"
                          "        /*0240*/  BRA.U !UP0, 0x230 ; /* 0x2 */\n")
                       .Functions.front();
  const SassInstruction &I = F.Code[0];
  EXPECT_EQ(I.Address, 0x230u);
  EXPECT_EQ(I.Guard, "@!P2");
  EXPECT_EQ(I.base(), "LDG");
  EXPECT_TRUE(I.has("64"));
  EXPECT_FALSE(I.has("6"));
  EXPECT_EQ(I.Operands, (std::vector<std::string>{"R8", "desc[UR4][R2.64+0x10]"}));
  EXPECT_FALSE(I.Control); // half an encoding is none
  EXPECT_EQ(F.Code[1].Target, 0x230u);
}

TEST(SassListing, PlacesOfInlinedCode) {
  SassFunction F = parsed(".text.kernel:\n"
                          "\t//## File \"in.h\", line 7 inlined at \"a.cu\", line 3\n"
                          "\t//## File \"a.cu\", line 3\n"
                          "        /*0000*/  NOP ;\n"
                          "        /*0010*/  NOP ;\n"
                          "\t//## File \"a.cu\", line 4\n"
                          "        /*0020*/  NOP ;\n")
                       .Functions.front();
  EXPECT_EQ(F.Code[0].Places.size(), 2u);
  EXPECT_EQ(lineIn(F.Code[0], {"a.cu"}), 3u);
  EXPECT_EQ(lineIn(F.Code[1], {"in.h"}), 7u);
  EXPECT_EQ(lineIn(F.Code[2], {"a.cu"}), 4u);
  EXPECT_EQ(lineIn(F.Code[2], {"in.h"}), 0u);
}

// A device function of the same file: the lines of the loop, not of the call.
TEST(SassListing, PlacesOfADeviceFunction) {
  SassFunction F = parsed(".text.kernel:\n"
                          "\t//## File \"a.cu\", line 7 inlined at \"a.cu\", line 30\n"
                          "\t//## File \"a.cu\", line 30\n"
                          "        /*0000*/  NOP ;\n")
                       .Functions.front();
  EXPECT_EQ(lineIn(F.Code[0], {"a.cu", 5, 10}), 7u);
  EXPECT_EQ(lineIn(F.Code[0], {"a.cu", 25, 35}), 30u);
  EXPECT_EQ(lineIn(F.Code[0], {"a.cu", 40, 50}), 30u);
}

TEST(SassListing, SeveralFunctions) {
  SassListing L = parsed(".text.one:\n /*0000*/ EXIT ;\n.text.two:\n /*0000*/ NOP ;\n"
                         " /*0010*/ EXIT ;\n");
  ASSERT_EQ(L.Functions.size(), 2u);
  EXPECT_EQ(L.Functions[1].Name, "two");
  EXPECT_EQ(L.Functions[1].Code.size(), 2u);
}

TEST(SassListing, WhatIsNone) {
  for (const char *Text : {"", "no device code\n", ".text.empty:\n"}) {
    llvm::Expected<SassListing> L = parseSass(Text);
    ASSERT_FALSE(L);
    EXPECT_EQ(toString(L.takeError()), "the disassembly holds no instruction");
  }
  llvm::Expected<SassListing> L =
      parseSass(".text.k:\n /*0000*/ BRA `(.L_x_7) ;\n /*0010*/ EXIT ;\n");
  ASSERT_FALSE(L);
  EXPECT_EQ(toString(L.takeError()), "the listing has no label '.L_x_7'");
}
