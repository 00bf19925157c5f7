#include "Budget/ArchReport.h"

#include "Budget/Occupancy.h"
#include "Support/Table.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace pipeline_rewrite {

std::string renderArchTable(const ArchTable &Archs) {
  using Align = Table::Align;
  std::vector<Table::Column> Columns = {
      {"arch", Align::Left},       {"shared/SM", Align::Right},
      {"opt-in", Align::Right},    {"static", Align::Right},
      {"reserved", Align::Right},  {"unit", Align::Right},
      {"registers", Align::Right}, {"warps", Align::Right},
      {"blocks", Align::Right},    {"cp.async", Align::Left}};
  for (unsigned N = 1; N <= ListedCliffs; ++N)
    Columns.push_back(
        {std::to_string(N) + (N == 1 ? " block" : " blocks"), Align::Right});
  Table Rows(Columns);
  auto Number = [](uint64_t Value) {
    return llvm::formatv("{0:N}", Value).str();
  };
  for (const Arch &A : Archs.all()) {
    std::vector<std::string> Cells = {A.Name,
                                      Number(A.SharedPerSM),
                                      Number(A.SharedOptin),
                                      Number(A.SharedStaticMax),
                                      Number(A.SharedReserved),
                                      Number(A.SharedGranularity),
                                      Number(A.RegistersPerSM),
                                      Number(A.MaxWarpsPerSM),
                                      Number(A.MaxBlocksPerSM),
                                      A.HasAsyncCopy ? "yes" : "no"};
    for (unsigned N = 1; N <= ListedCliffs; ++N)
      Cells.push_back(Number(maxSharedForBlocks(A, N)));
    Rows.addRow(std::move(Cells));
  }
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  Rows.print(Out);
  Out << "\nShared memory in bytes. The columns \"n blocks\" are the cliffs: "
         "the "
         "most shared memory a block,\nstatic and dynamic together, with which "
         "n blocks are resident on a multiprocessor.\nStatic arrays end at the "
         "column \"static\" everywhere.\n";
  return Text;
}

llvm::json::Value archTableJson(const ArchTable &Archs) {
  llvm::json::Array List;
  for (const Arch &A : Archs.all()) {
    llvm::json::Array Cliffs;
    for (unsigned N = 1; N <= ListedCliffs; ++N)
      Cliffs.push_back(maxSharedForBlocks(A, N));
    llvm::json::Array Carveouts;
    for (unsigned Size : A.CarveoutsKB)
      Carveouts.push_back(uint64_t(Size) * 1024);
    List.push_back(
        llvm::json::Object{{"name", A.Name},
                           {"shared_per_sm", A.SharedPerSM},
                           {"shared_optin_per_block", A.SharedOptin},
                           {"shared_static_max", A.SharedStaticMax},
                           {"shared_reserved_per_block", A.SharedReserved},
                           {"shared_granularity", A.SharedGranularity},
                           {"shared_carveouts", std::move(Carveouts)},
                           {"registers_per_sm", A.RegistersPerSM},
                           {"registers_per_thread", A.MaxRegistersPerThread},
                           {"warps_per_sm", A.MaxWarpsPerSM},
                           {"blocks_per_sm", A.MaxBlocksPerSM},
                           {"threads_per_block", A.MaxThreadsPerBlock},
                           {"async_copy", A.HasAsyncCopy},
                           {"cliffs", std::move(Cliffs)}});
  }
  return llvm::json::Object{{"schema", 1}, {"archs", std::move(List)}};
}

} // namespace pipeline_rewrite
