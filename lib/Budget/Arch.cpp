#include "Budget/Arch.h"

#include "Budget/RuleFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <set>

namespace pipeline_rewrite {
namespace {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

// One row a figure: the key, the unit it is counted in ("bytes" may also be
// given in KB), the range that is believed, and where it goes.
struct WideFigure {
  StringRef Key;
  uint64_t Least, Most;
  uint64_t Arch::*To;
};
struct Figure {
  StringRef Key, Unit;
  unsigned Least, Most;
  unsigned Arch::*To;
};
struct Rate {
  StringRef Key, Unit;
  double Least, Most;
  double ArchRates::*To;
};

constexpr uint64_t MostShared = uint64_t(4) << 20;

constexpr double MostRate = 1e6;

const WideFigure WideFigures[] = {
    {"shared_per_sm", 1, MostShared, &Arch::SharedPerSM},
    {"shared_optin_per_block", 1, MostShared, &Arch::SharedOptin},
    {"shared_static_max", 1, MostShared, &Arch::SharedStaticMax},
    {"shared_reserved_per_block", 0, MostShared, &Arch::SharedReserved},
    {"shared_granularity", 1, 65536, &Arch::SharedGranularity},
};

const Figure Figures[] = {
    {"registers_per_sm", "registers", 1, 1u << 24, &Arch::RegistersPerSM},
    {"registers_per_block", "registers", 1, 1u << 24, &Arch::RegistersPerBlock},
    {"register_unit", "registers/warp", 1, 65536, &Arch::RegisterUnit},
    {"register_files", "files/SM", 1, 64, &Arch::RegisterFiles},
    {"registers_per_thread", "registers", 1, 65536,
     &Arch::MaxRegistersPerThread},
    {"register_launch_limit", "registers", 1, 65536,
     &Arch::RegisterLaunchLimit},
    {"warp_size", "threads", 1, 1024, &Arch::WarpSize},
    {"warps_per_sm", "warps", 1, 4096, &Arch::MaxWarpsPerSM},
    {"blocks_per_sm", "blocks", 1, 4096, &Arch::MaxBlocksPerSM},
    {"threads_per_block", "threads", 1, 65536, &Arch::MaxThreadsPerBlock},
    {"barriers_per_sm", "barriers", 0, 65536, &Arch::BarriersPerSM},
};

const Rate Rates[] = {
    {"fp32_fma", "fma/clock/SM", 0.01, MostRate, &ArchRates::Fp32Fma},
    {"fp64_fma", "fma/clock/SM", 0.01, MostRate, &ArchRates::Fp64Fma},
    {"fp16_tensor", "fma/clock/SM", 0, MostRate, &ArchRates::Fp16Tensor},
    {"int8_tensor", "fma/clock/SM", 0, MostRate, &ArchRates::Int8Tensor},
    {"int8_dot", "fma/clock/SM", 0.01, MostRate, &ArchRates::Int8Dot},
    {"global_bytes", "bytes/clock/SM", 0.01, MostRate, &ArchRates::GlobalBytes},
    {"shared_bytes", "bytes/clock/SM", 0.01, MostRate, &ArchRates::SharedBytes},
    {"global_latency", "clocks", 0.01, MostRate, &ArchRates::GlobalLatency},
    {"barrier_latency", "clocks", 0, MostRate, &ArchRates::BarrierLatency},
    {"small_async_copy", "clocks/warp", 0, MostRate,
     &ArchRates::SmallAsyncCopy},
    {"scalar_reached", "share", 0.01, 1, &ArchRates::ScalarReached},
    {"tensor_reached", "share", 0.01, 1, &ArchRates::TensorReached},
};

// Reads one architecture file into an Arch.
class ArchReader {
public:
  explicit ArchReader(const RuleNode &Root) : Root(Root) {}
  Expected<Arch> read();

private:
  Error readHeader();
  Error readFigures();
  Error readCarveouts();
  Error readRates();
  Error checkTogether() const;

  const RuleNode &Root;
  std::set<std::string> Sources;
  Arch A;
};

Error ArchReader::readHeader() {
  std::vector<StringRef> Keys = {
      "schema",     "name", "compute_capability", "sources", "shared_carveouts",
      "async_copy", "rates"};
  for (const WideFigure &F : WideFigures)
    Keys.push_back(F.Key);
  for (const Figure &F : Figures)
    Keys.push_back(F.Key);
  if (Error E = checkKeys(Root, Keys))
    return E;
  Expected<uint64_t> Schema = readUnsigned(*Root.get("schema"), "schema", 1, 1);
  if (!Schema)
    return Schema.takeError();
  Expected<std::set<std::string>> Described = readSources(Root);
  if (!Described)
    return Described.takeError();
  Sources = std::move(*Described);

  const RuleNode &Name = *Root.get("name");
  const RuleNode &Version = *Root.get("compute_capability");
  auto [Major, Minor] = StringRef(Version.Text).split('.');
  if (Major.getAsInteger(10, A.Major) || Minor.getAsInteger(10, A.Minor) ||
      A.Minor > 9)
    return ruleError(Version, "compute_capability must look like \"8.6\"");
  A.Name = "sm_" + std::to_string(A.number());
  if (Name.Text != A.Name)
    return ruleError(Name, "name must be " + A.Name +
                               ", after the compute capability");
  if (llvm::sys::path::stem(*Root.File) != A.Name)
    return ruleError(Name, "the file must be called " + A.Name + ".yaml");
  return Error::success();
}

Error ArchReader::readFigures() {
  for (const WideFigure &F : WideFigures) {
    Expected<RuleFigure> Given =
        readFigure(Root, F.Key, {"bytes", "KB"}, Sources);
    if (!Given)
      return Given.takeError();
    uint64_t Scale = Given->Unit == "KB" ? 1024 : 1;
    Expected<uint64_t> Value =
        readUnsigned(*Given->Value, F.Key, F.Least, F.Most / Scale);
    if (!Value)
      return Value.takeError();
    A.*F.To = *Value * Scale;
  }
  for (const Figure &F : Figures) {
    Expected<RuleFigure> Given = readFigure(Root, F.Key, {F.Unit}, Sources);
    if (!Given)
      return Given.takeError();
    Expected<uint64_t> Value =
        readUnsigned(*Given->Value, F.Key, F.Least, F.Most);
    if (!Value)
      return Value.takeError();
    A.*F.To = unsigned(*Value);
  }
  Expected<RuleFigure> Async =
      readFigure(Root, "async_copy", {"flag"}, Sources);
  if (!Async)
    return Async.takeError();
  Expected<bool> HasAsync = readFlag(*Async->Value, "async_copy");
  if (!HasAsync)
    return HasAsync.takeError();
  A.HasAsyncCopy = *HasAsync;
  return Error::success();
}

Error ArchReader::readCarveouts() {
  Expected<RuleFigure> Given =
      readFigure(Root, "shared_carveouts", {"KB"}, Sources);
  if (!Given)
    return Given.takeError();
  for (const RuleNode &Item : Given->Value->Items) {
    Expected<uint64_t> Size =
        readUnsigned(Item, "a carve-out", 0, MostShared / 1024);
    if (!Size)
      return Size.takeError();
    if (!A.CarveoutsKB.empty() && *Size <= A.CarveoutsKB.back())
      return ruleError(Item, "carve-outs must ascend");
    A.CarveoutsKB.push_back(unsigned(*Size));
  }
  if (A.CarveoutsKB.empty() ||
      uint64_t(A.CarveoutsKB.back()) * 1024 != A.SharedPerSM)
    return ruleError(*Given->Value,
                     "the last carve-out must equal shared_per_sm");
  return Error::success();
}

Error ArchReader::readRates() {
  const RuleNode &Map = *Root.get("rates");
  std::vector<StringRef> Keys;
  for (const Rate &R : Rates)
    Keys.push_back(R.Key);
  if (Error E = checkKeys(Map, Keys))
    return E;
  for (const Rate &R : Rates) {
    Expected<RuleFigure> Given = readFigure(Map, R.Key, {R.Unit}, Sources);
    if (!Given)
      return Given.takeError();
    Expected<double> Value = readNumber(*Given->Value, R.Key, R.Least, R.Most);
    if (!Value)
      return Value.takeError();
    A.Rates.*R.To = *Value;
  }
  return Error::success();
}

// Figures that contradict each other come from a typing mistake.
Error ArchReader::checkTogether() const {
  if (A.SharedOptin + A.SharedReserved > A.SharedPerSM)
    return ruleError(*Root.get("shared_optin_per_block"),
                     "a block that opts in, with what is reserved, must fit on "
                     "a multiprocessor");
  if (A.SharedStaticMax > A.SharedOptin)
    return ruleError(*Root.get("shared_static_max"),
                     "the static limit must not pass the opt-in limit");
  if (A.RegistersPerSM % A.RegisterFiles)
    return ruleError(*Root.get("register_files"),
                     "the register files must divide registers_per_sm");
  return Error::success();
}

Expected<Arch> ArchReader::read() {
  if (Error E = readHeader())
    return E;
  if (Error E = readFigures())
    return E;
  if (Error E = readCarveouts())
    return E;
  if (Error E = readRates())
    return E;
  if (Error E = checkTogether())
    return E;
  return A;
}

// The files DIR/arch/sm_*.yaml in the order of their names.
Expected<std::vector<std::string>> archFiles(StringRef Dir) {
  llvm::SmallString<256> Path(Dir);
  llvm::sys::path::append(Path, "arch");
  std::vector<std::string> Files;
  if (!llvm::sys::fs::is_directory(Dir))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   Dir + ": is not a directory of rules files");
  if (!llvm::sys::fs::is_directory(Path))
    return Files;
  std::error_code Code;
  for (llvm::sys::fs::directory_iterator It(Path, Code), End;
       !Code && It != End; It.increment(Code))
    if (llvm::sys::path::extension(It->path()) == ".yaml")
      Files.push_back(It->path());
  if (Code)
    return llvm::createStringError(
        Code, Path + ": cannot be read: " + Code.message());
  std::sort(Files.begin(), Files.end());
  return Files;
}

} // namespace

Expected<ArchTable> ArchTable::load(llvm::ArrayRef<std::string> Dirs) {
  ArchTable Table;
  for (const std::string &Dir : Dirs) {
    Expected<std::vector<std::string>> Files = archFiles(Dir);
    if (!Files)
      return Files.takeError();
    for (const std::string &File : *Files) {
      Expected<RuleNode> Root = readRuleFile(File);
      if (!Root)
        return Root.takeError();
      Expected<Arch> Read = ArchReader(*Root).read();
      if (!Read)
        return Read.takeError();
      llvm::erase_if(Table.Archs,
                     [&](const Arch &A) { return A.Name == Read->Name; });
      Table.Archs.push_back(std::move(*Read));
    }
  }
  if (Table.Archs.empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "no arch/sm_*.yaml in " +
                                       llvm::join(Dirs, ", "));
  std::sort(
      Table.Archs.begin(), Table.Archs.end(),
      [](const Arch &X, const Arch &Y) { return X.number() < Y.number(); });
  return Table;
}

const Arch *ArchTable::find(StringRef Name) const {
  StringRef Base = Name.rtrim("abcdefghijklmnopqrstuvwxyz");
  for (const Arch &A : Archs)
    if (A.Name == Base)
      return &A;
  return nullptr;
}

} // namespace pipeline_rewrite
