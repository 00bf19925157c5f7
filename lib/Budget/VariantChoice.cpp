#include "Budget/Variants.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace pipeline_rewrite {
namespace {

/// A variant with the reason for it.
struct Pick {
  Variant Kind;
  std::string Because;
};

// 5 as "5", 7.5 as "7.5".
std::string number(double Value) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%g", Value);
  return Text;
}

std::string describeRatio(const DecisionInput &Input,
                          const VariantFigures &Figures, double High) {
  if (!Input.Ratio)
    return "the ratio is unknown";
  std::string Text = llvm::formatv("ratio {0:F1} ", *Input.Ratio).str();
  if (*Input.Ratio < Figures.LowRatio)
    return Text + "is below " + number(Figures.LowRatio);
  if (*Input.Ratio > High)
    return Text + "is above " + number(High);
  return Text + "lies between " + number(Figures.LowRatio) + " and " +
         number(High);
}

// The rules in their order; the first that applies decides.
Pick pick(const DecisionInput &Input, const VariantFigures &Figures,
          double High, unsigned MinArch, unsigned MinCuda) {
  const Arch &A = *Input.Arch_;
  if (A.number() < MinArch || !A.HasAsyncCopy)
    return {Variant::Ldg, A.Name + " has no asynchronous copy"};
  if (Input.CudaMajor && Input.CudaMajor < MinCuda)
    return {Variant::Ldg,
            llvm::formatv("CUDA {0} has no asynchronous copy, {1} has",
                          Input.CudaMajor, MinCuda)
                .str()};
  if (!Input.CopyBytes)
    return {Variant::Ldg, "no tile's copy can be asynchronous"};
  if (Input.Transposed && Input.CopyBytes < Figures.TransposedMinCopy)
    return {Variant::Ldg,
            llvm::formatv("a tile is stored transposed, in pieces of {0} bytes",
                          Input.CopyBytes)
                .str()};
  std::string Ratio = describeRatio(Input, Figures, High);
  bool Low = Input.Ratio && *Input.Ratio < Figures.LowRatio;
  unsigned Needed = Low ? Figures.LowMinCopy : Figures.EitherMinCopy;
  if (Input.CopyBytes < Needed)
    return {
        Variant::Ldg,
        llvm::formatv("{0} and the smallest asynchronous copy is {1} bytes, "
                      "below {2}",
                      Ratio, Input.CopyBytes, Needed)
            .str()};
  if (!Low && !Input.EveryTileQualifies)
    return {Figures.Mixed, Ratio + " and not every tile's copy can be "
                                   "asynchronous"};
  return {Variant::CpAsync,
          llvm::formatv("{0} and every asynchronous copy is {1} bytes or more",
                        Ratio, Input.CopyBytes)
              .str()};
}

} // namespace

unsigned VariantFigures::mostStages(bool TensorCore, std::optional<double> Ratio,
                                    double Copies) const {
  if (TensorCore && Copies > 0 && Copies <= ConstantSlotCopies)
    return std::max(ConstantSlotStages, AsyncTensorStages);
  if (TensorCore)
    return AsyncTensorStages;
  return Ratio && *Ratio < DeepRatio ? std::max(DeepStages, AsyncStages) : AsyncStages;
}

Decision VariantRules::choose(const DecisionInput &Input) const {
  const VariantFigures &Figures = figuresFor(*Input.Arch_);
  double High = Input.TensorCore ? Figures.HighRatioTensor : Figures.HighRatio;
  Pick Chosen = pick(Input, Figures, High, MinArch, MinCuda);
  Decision Result;
  Result.Kind = Chosen.Kind;
  Result.Because = std::move(Chosen.Because);
  Result.HighRatio = Input.Ratio && *Input.Ratio > High;
  if (Result.Kind == Variant::CpAsync)
    Result.MaxStages = Figures.mostStages(Input.TensorCore, Input.Ratio, Input.Copies);
  Result.Shape = formFor(*Input.Arch_, Result.Kind, 2, Input.TensorCore,
                         Input.EveryTileQualifies);
  return Result;
}

} // namespace pipeline_rewrite
