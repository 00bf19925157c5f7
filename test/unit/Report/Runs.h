#pragma once

#include "Budget/Arch.h"
#include "Report/Report.h"

#include "llvm/Support/ErrorHandling.h"

#include "gtest/gtest.h"

namespace pipeline_rewrite {

/// sm_86 from the rules of this repository.
inline const Arch &sm86() {
  static const ArchTable Table =
      llvm::cantFail(ArchTable::load({std::string(PR_SOURCE_DIR) + "/rules"}));
  const Arch *Found = Table.find("sm_86");
  if (!Found)
    llvm::report_fatal_error("rules/ has no sm_86");
  return *Found;
}

/// A source of which bytes and lines are easily counted.
inline std::string sampleText() {
  return "__global__ void sgemm() {\n"     // line 1, bytes 0 to 25
         "  for (;;) { step(); }\n"        // line 2, bytes 26 to 48
         "  // \xC3\xA4 two-byte letter\n" // line 3
         "}\n";
}

/// A loop that may be rewritten: 256 threads, 32 registers, 16 KB of tiles.
inline LoopResult eligibleLoop() {
  LoopResult Loop;
  Loop.Kernel = "sgemm";
  Loop.Instantiation = "sgemm<128, 128, 8>";
  Loop.Line = 2;
  Loop.Column = 3;
  Loop.Status = LoopStatus::Eligible;
  Loop.Kind = Variant::CpAsync;
  Loop.Shape = Form::Peel;
  Loop.Stages = 2;
  Loop.Tiles = {{"As", 8192, "", "cp-async", 16}, {"Bs", 8192, "", "ldg", 0}};
  Loop.SizesKnown = true;
  Loop.Threads = 256;
  Loop.Registers = {64,    70,   0,
                    0,     true, /*AfterReported=*/false,
                    "64 reported + 2 staged + 4 one tile ahead"};
  StageRequest Request;
  Request.Machine = &sm86();
  Request.OneSlot.Threads = 256;
  Request.OneSlot.RegistersPerThread = 64;
  Request.OneSlot.StaticShared = 16384;
  Request.BytesPerSlot = 8192;
  Loop.Budget = chooseStages(Request);
  Loop.StaticLimit = sm86().SharedStaticMax;
  Loop.OptinLimit = sm86().SharedOptin;
  Loop.Ratio = 8.0;
  Loop.RatioSource = "computed";
  Loop.RatioDerivation = "2*128*128*8 / ((128*8 + 8*128)*4)";
  Loop.TripCount = 512;
  Loop.Because = "ratio 8.0 and 16-byte copies";
  return Loop;
}

inline LoopResult refusedLoop(ReasonId Id, unsigned Line, unsigned Column,
                              std::string Message) {
  LoopResult Loop;
  Loop.Kernel = Loop.Instantiation = "scale";
  Loop.Line = 2;
  Loop.Column = 3;
  Loop.Status = LoopStatus::Refused;
  Loop.Reasons = {{Id, Line, Column, std::move(Message)}};
  return Loop;
}

/// A loop of which two slots would cost a block: 25,600 bytes on sm_86.
inline LoopResult overBudgetLoop() {
  LoopResult Loop = refusedLoop(ReasonId::Budget, 2, 3, "");
  StageRequest Request;
  Request.Machine = &sm86();
  Request.OneSlot.Threads = 256;
  Request.OneSlot.RegistersPerThread = 128;
  Request.OneSlot.DynamicShared = 25600;
  Request.BytesPerSlot = 25600;
  Request.Dynamic = true;
  Loop.Budget = chooseStages(Request);
  Loop.Reasons.front().Message = Loop.Budget.Reason;
  Loop.SizesKnown = true;
  Loop.Threads = 256;
  return Loop;
}

/// A loop of which only the shape is known.
inline LoopResult symbolicLoop() {
  LoopResult Loop = eligibleLoop();
  Loop.Instantiation.clear();
  Loop.SizesKnown = false;
  Loop.Budget = StageChoice();
  Loop.StaticLimit = Loop.OptinLimit = 0;
  Loop.Threads = 0;
  Loop.Tiles = {{"As", 0, "BM*BK*4", "cp-async", 4}};
  Loop.Ratio.reset();
  Loop.RatioSource = "unknown";
  Loop.TripCount.reset();
  Loop.Remarks = {{ReasonId::SymbolicSize, 2, 3, "the size of As is BM*BK*4"}};
  return Loop;
}

/// One loop of every kind, in two files.
inline RunResult sampleRun() {
  RunResult Run;
  Run.Arch = "sm_86";
  Run.Machine = &sm86();
  Run.UsedToolkit = true;
  LoopResult Skipped;
  Skipped.Kernel = "other";
  Skipped.Line = 2;
  Skipped.Status = LoopStatus::Skipped;
  Run.Files = {
      {"src/gemm.cu",
       sampleText(),
       {eligibleLoop(),
        refusedLoop(ReasonId::MayAlias, 3, 7, "the store to C may write A"),
        overBudgetLoop()}},
      {"src/other.cu", "", {symbolicLoop(), Skipped}}};
  return Run;
}

} // namespace pipeline_rewrite
