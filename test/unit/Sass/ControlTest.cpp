#include "Listings.h"

using namespace pipeline_rewrite;

static const char *const AllInputs[] = {
    "conv2d_channels.sm_90.ldg",    "gemv.sm_86.original",
    "gemv.sm_86.register-prefetch", "hgemm_wmma.sm_90.cp-async",
    "hgemm_wmma.sm_90.original",    "sgemm_tiled.sm_75.ldg",
    "sgemm_tiled.sm_75.original",   "sgemm_tiled.sm_80.cp-async"};

TEST(SassControl, Fields) {
  // MOV R1, c[0x0][0x28]: two cycles, no scoreboard.
  EXPECT_EQ(describe(decodeControl(0x000fe40000000f00)), "S02 - W- R- B------");
  // S2R R0, SR_CTAID.X: the result is awaited through scoreboard 0.
  EXPECT_EQ(describe(decodeControl(0x000e220000002500)), "S01 - W0 R- B------");
  // STS that waits for scoreboard 2 and guards its operands with 0.
  SassControl Store = decodeControl(uint64_t(0x4 << 11 | 0 << 8 | 7 << 5 | 4) << 41);
  EXPECT_EQ(describe(Store), "S04 Y W- R0 B--2---");
  EXPECT_EQ(Store.ReadBarrier, 0u);
  EXPECT_EQ(Store.WaitMask, 4u);
}

// The disassembler prints the reuse flags as text: an independent reading of
// four of the bits, and of their place.
TEST(SassControl, ReuseFlagsAgreeWithTheDisassembler) {
  unsigned WithReuse = 0;
  for (const char *Name : AllInputs)
    for (const SassInstruction &I : input(Name).Code) {
      bool Printed = false;
      for (const std::string &Operand : I.Operands)
        Printed |= llvm::StringRef(Operand).contains(".reuse");
      ASSERT_TRUE(I.Control) << Name << " " << I.text();
      // Branches use these bits for something else.
      bool Jumps = I.base() == "BRA" || I.base() == "CALL" || I.base() == "RET";
      EXPECT_TRUE(Jumps || (I.Control->Reuse != 0) == Printed)
          << Name << " " << I.text();
      WithReuse += Printed;
    }
  EXPECT_GT(WithReuse, 50u);
}

// Whatever takes an unknown time has to announce its result, itself or by a
// later load, since those of one kind come back in order.
TEST(SassControl, LoadsSetAScoreboard) {
  unsigned Loads = 0, Alone = 0;
  for (const char *Name : AllInputs) {
    SassFunction F = input(Name);
    for (size_t L = 0; L < F.Code.size(); ++L) {
      SassKind Kind = kindOf(F.Code[L]);
      if (Kind != SassKind::GlobalLoad && Kind != SassKind::SharedLoad)
        continue;
      ++Loads;
      Alone += F.Code[L].Control->WriteBarrier.has_value();
      bool Announced = false;
      for (size_t I = L; I < F.Code.size() && !Announced; ++I)
        Announced = kindOf(F.Code[I]) == Kind && F.Code[I].Control->WriteBarrier;
      EXPECT_TRUE(Announced) << Name << " " << F.Code[L].text();
    }
  }
  EXPECT_GT(Loads, 100u);
  EXPECT_GT(Alone * 10, Loads * 8);
}

// In straight code nothing computes with a loaded register before somebody
// waited for its scoreboard: the fields for both stand where we read them.
TEST(SassControl, NobodyReadsALoadBeforeAWait) {
  unsigned Waits = 0;
  for (const char *Name : AllInputs) {
    SassFunction F = input(Name);
    for (size_t L = 0; L < F.Code.size(); ++L) {
      SassKind Kind = kindOf(F.Code[L]);
      if ((Kind != SassKind::GlobalLoad && Kind != SassKind::SharedLoad) ||
          !F.Code[L].Control->WriteBarrier)
        continue;
      unsigned Result = registersOf(F.Code[L]).Result->First;
      unsigned Bit = 1u << *F.Code[L].Control->WriteBarrier;
      for (size_t I = L + 1; I < F.Code.size(); ++I) {
        const SassInstruction &Now = F.Code[I];
        bool Waited = Now.Control->WaitMask & Bit;
        Waits += Waited;
        if (Waited || Now.base() == "BRA" || Now.base() == "DEPBAR")
          break;
        for (RegisterRange R : registersOf(Now).Values)
          EXPECT_NE(R.First, Result)
              << Name << ": " << Now.text() << " reads " << F.Code[L].text();
      }
    }
  }
  EXPECT_GT(Waits, 100u);
}
