#include "Budget/Variants.h"

#include "Budget/RuleFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <set>

namespace pipeline_rewrite {
namespace {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

struct RatioKey {
  StringRef Key;
  double VariantFigures::*To;
};
struct CountKey {
  StringRef Key, Unit;
  unsigned Least, Most;
  unsigned VariantFigures::*To;
};
struct FormKey {
  StringRef Key;
  Form VariantFigures::*To;
};

const RatioKey Ratios[] = {
    {"deep_ratio", &VariantFigures::DeepRatio},
    {"low_ratio", &VariantFigures::LowRatio},
    {"high_ratio", &VariantFigures::HighRatio},
    {"high_ratio_tensor", &VariantFigures::HighRatioTensor}};
const CountKey Counts[] = {
    {"low_min_copy", "bytes", 1, 64, &VariantFigures::LowMinCopy},
    {"either_min_copy", "bytes", 1, 64, &VariantFigures::EitherMinCopy},
    {"transposed_min_copy", "bytes", 1, 64, &VariantFigures::TransposedMinCopy},
    {"last_copies", "copies/thread", 0, 64, &VariantFigures::LastCopies},
    {"stepped_copies", "copies/thread", 0, 64, &VariantFigures::SteppedCopies},
    {"constant_slot_copies", "copies/thread", 0, 64, &VariantFigures::ConstantSlotCopies},
    {"constant_slot_stages", "slots", 2, 8, &VariantFigures::ConstantSlotStages},
    {"unroll_accumulators", "registers/thread", 1, 1024, &VariantFigures::UnrollAccumulators},
    {"async_stages", "slots", 2, 8, &VariantFigures::AsyncStages},
    {"deep_stages", "slots", 2, 8, &VariantFigures::DeepStages},
    {"async_tensor_stages", "slots", 2, 8, &VariantFigures::AsyncTensorStages}};
const FormKey Forms[] = {
    {"ldg_form", &VariantFigures::LdgForm},
    {"register_prefetch_form", &VariantFigures::PrefetchForm},
    {"register_tensor_form", &VariantFigures::RegisterTensorForm},
    {"async_form", &VariantFigures::AsyncForm},
    {"async_tensor_form", &VariantFigures::AsyncTensorForm}};

// Reads the figures of variants.yaml.
class VariantReader {
public:
  explicit VariantReader(std::set<std::string> Sources)
      : Sources(std::move(Sources)) {}
  // Fills To from the map Node; where All, every key has to be there.
  Error readFigures(const RuleNode &Node, bool All, VariantFigures &To) const;
  Expected<unsigned> readCount(const RuleNode &Parent, StringRef Key,
                               StringRef Unit, unsigned Least,
                               unsigned Most) const;

private:
  Error readChoices(const RuleNode &Node, VariantFigures &To) const;

  std::set<std::string> Sources;
};

Expected<unsigned> VariantReader::readCount(const RuleNode &Parent,
                                            StringRef Key, StringRef Unit,
                                            unsigned Least,
                                            unsigned Most) const {
  Expected<RuleFigure> Node = readFigure(Parent, Key, {Unit}, Sources);
  if (!Node)
    return Node.takeError();
  Expected<uint64_t> Count = readUnsigned(*Node->Value, Key, Least, Most);
  if (!Count)
    return Count.takeError();
  return unsigned(*Count);
}

Error VariantReader::readChoices(const RuleNode &Node,
                                 VariantFigures &To) const {
  for (const FormKey &F : Forms) {
    if (!Node.get(F.Key))
      continue;
    Expected<RuleFigure> Given = readFigure(Node, F.Key, {"form"}, Sources);
    if (!Given)
      return Given.takeError();
    bool Known = false;
    for (Form Shape : {Form::Peel, Form::Predicate, Form::Ring})
      if (Given->Value->Text == toString(Shape)) {
        To.*F.To = Shape;
        Known = true;
      }
    if (!Known)
      return ruleError(*Given->Value,
                       F.Key + " must be peel, predicate or ring");
    if (To.*F.To == Form::Ring && (F.To == &VariantFigures::LdgForm ||
                                   F.To == &VariantFigures::PrefetchForm))
      return ruleError(*Given->Value,
                       F.Key + " cannot be ring: it needs cp-async");
  }
  if (!Node.get("mixed"))
    return Error::success();
  Expected<RuleFigure> Mixed = readFigure(Node, "mixed", {"variant"}, Sources);
  if (!Mixed)
    return Mixed.takeError();
  if (Mixed->Value->Text != toString(Variant::Ldg) &&
      Mixed->Value->Text != toString(Variant::CpAsync))
    return ruleError(*Mixed->Value, "mixed must be ldg or cp-async");
  To.Mixed = Mixed->Value->Text == toString(Variant::Ldg) ? Variant::Ldg
                                                          : Variant::CpAsync;
  return Error::success();
}

Error VariantReader::readFigures(const RuleNode &Node, bool All,
                                 VariantFigures &To) const {
  std::vector<StringRef> Keys = {"mixed"};
  for (const RatioKey &R : Ratios)
    Keys.push_back(R.Key);
  for (const CountKey &C : Counts)
    Keys.push_back(C.Key);
  for (const FormKey &F : Forms)
    Keys.push_back(F.Key);
  if (Error E = All ? checkKeys(Node, Keys) : checkKeys(Node, {}, Keys))
    return E;
  for (const RatioKey &R : Ratios) {
    if (!Node.get(R.Key))
      continue;
    Expected<RuleFigure> Given =
        readFigure(Node, R.Key, {"operations/byte"}, Sources);
    if (!Given)
      return Given.takeError();
    Expected<double> Ratio = readNumber(*Given->Value, R.Key, 0, 1e9);
    if (!Ratio)
      return Ratio.takeError();
    To.*R.To = *Ratio;
  }
  for (const CountKey &C : Counts) {
    if (!Node.get(C.Key))
      continue;
    Expected<unsigned> Count = readCount(Node, C.Key, C.Unit, C.Least, C.Most);
    if (!Count)
      return Count.takeError();
    To.*C.To = *Count;
  }
  if (To.LowRatio > To.HighRatio || To.LowRatio > To.HighRatioTensor)
    return ruleError(Node, "low_ratio must not pass the high ratios");
  return readChoices(Node, To);
}

} // namespace

Expected<VariantRules> VariantRules::read(const RuleNode &Root) {
  if (Error E = checkKeys(Root, {"schema", "sources", "min_arch", "min_cuda",
                                 "default", "overrides"}))
    return E;
  Expected<uint64_t> Schema = readUnsigned(*Root.get("schema"), "schema", 1, 1);
  if (!Schema)
    return Schema.takeError();
  Expected<std::set<std::string>> Sources = readSources(Root);
  if (!Sources)
    return Sources.takeError();
  VariantReader Reader(std::move(*Sources));
  VariantRules Rules;
  Expected<unsigned> Arch =
      Reader.readCount(Root, "min_arch", "compute capability x 10", 10, 9999);
  if (!Arch)
    return Arch.takeError();
  Expected<unsigned> Cuda =
      Reader.readCount(Root, "min_cuda", "toolkit major version", 1, 999);
  if (!Cuda)
    return Cuda.takeError();
  Rules.MinArch = *Arch;
  Rules.MinCuda = *Cuda;
  if (Error E = Reader.readFigures(*Root.get("default"), true, Rules.Default))
    return E;
  const RuleNode &Overrides = *Root.get("overrides");
  if (Overrides.Type != RuleNode::Kind::Map)
    return ruleError(Overrides, "overrides must be architectures and figures");
  for (const auto &Field : Overrides.Fields) {
    if (!StringRef(Field.first.Text).starts_with("sm_"))
      return ruleError(Field.first,
                       "an override is for an architecture, sm_XX");
    VariantFigures Figures = Rules.Default;
    if (Error E = Reader.readFigures(Field.second, false, Figures))
      return E;
    Rules.Overrides[Field.first.Text] = Figures;
  }
  return Rules;
}

Expected<VariantRules> VariantRules::load(llvm::ArrayRef<std::string> Dirs) {
  std::string Path;
  for (const std::string &Dir : Dirs) {
    llvm::SmallString<256> File(Dir);
    llvm::sys::path::append(File, "variants.yaml");
    if (llvm::sys::fs::exists(File))
      Path = std::string(File);
  }
  if (Path.empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "no variants.yaml in " +
                                       llvm::join(Dirs, ", "));
  Expected<RuleNode> Root = readRuleFile(Path);
  if (!Root)
    return Root.takeError();
  return read(*Root);
}

const VariantFigures &VariantRules::figuresFor(const Arch &A) const {
  auto Found = Overrides.find(A.Name);
  return Found == Overrides.end() ? Default : Found->second;
}

Form VariantRules::formFor(const Arch &A, Variant Kind, unsigned Stages,
                           bool TensorCore, bool Plain) const {
  const VariantFigures &Figures = figuresFor(A);
  if (Stages > 2)
    return Form::Ring;
  if (Kind != Variant::CpAsync && TensorCore && Plain)
    return Figures.RegisterTensorForm;
  if (Kind == Variant::Ldg)
    return Figures.LdgForm;
  if (Kind == Variant::RegisterPrefetch)
    return Figures.PrefetchForm;
  return TensorCore ? Figures.AsyncTensorForm : Figures.AsyncForm;
}

} // namespace pipeline_rewrite
