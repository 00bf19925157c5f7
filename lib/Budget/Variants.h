#pragma once

#include "Budget/Arch.h"
#include "Budget/Kinds.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>

namespace pipeline_rewrite {

struct RuleNode;

/// What is known about a loop when its variant is chosen.
struct DecisionInput {
  const Arch *Arch_ = nullptr;
  unsigned CudaMajor = 0;          ///< Toolkit, 0 unknown: taken as recent.
  std::optional<double> Ratio;     ///< Operations per byte copied.
  double Copies = 0;               ///< Of a thread for one tile, 0 unknown.
  unsigned CopyBytes = 0;          ///< Smallest qualifying cp.async, 0 none.
  bool EveryTileQualifies = false; ///< No tile needs to stay with ldg.
  bool TensorCore = false;         ///< The compute phase uses wmma or mma.
  bool Transposed = false;         ///< A qualifying copy scatters a tile.
};

/// The variant, the loop's shape and the reason, ready for a report.
struct Decision {
  Variant Kind = Variant::Ldg;
  Form Shape = Form::Predicate; ///< For two slots; see VariantRules::formFor.
  unsigned MaxStages = 2;       ///< The most that --stages=auto may take.
  bool HighRatio = false;       ///< Remark high-ratio: little to gain.
  std::string Because;          ///< One sentence.
};

/// The figures of rules/variants.yaml, as they hold for one architecture.
struct VariantFigures {
  double LowRatio = 0;        ///< Below: cp-async.
  double HighRatio = 0;       ///< Above: remark high-ratio.
  double HighRatioTensor = 0; ///< The same where a tensor core computes.
  unsigned LowMinCopy = 0; ///< Bytes a copy needs for cp-async below LowRatio.
  unsigned EitherMinCopy = 0; ///< Bytes a copy needs for cp-async elsewhere.
  unsigned TransposedMinCopy = 0; ///< Bytes a scattering copy needs, always.
  /// Copies of a thread and tile up to which those of a tensor core's loop set
  /// off behind the compute phase.
  unsigned LastCopies = 0;
  /// Up to so many, and last: a ring is unrolled by its slots, of which it may
  /// have ConstantSlotStages.
  unsigned ConstantSlotCopies = 0, ConstantSlotStages = 2;
  /// From so many accumulators (registers a thread) on, ldg in peeled form is
  /// unrolled by its slots.
  unsigned UnrollAccumulators = 0;
  /// From so many on each asynchronous copy has a pointer that moves on
  /// (Addressing::Stepped).
  unsigned SteppedCopies = 0;
  Variant Mixed = Variant::Ldg;   ///< Where some tile cannot be asynchronous.
  Form LdgForm = Form::Peel, PrefetchForm = Form::Peel;
  /// Of both, where plain copies feed a tensor core.
  Form RegisterTensorForm = Form::Peel;
  Form AsyncForm = Form::Peel, AsyncTensorForm = Form::Peel;
  unsigned AsyncStages = 2, AsyncTensorStages = 2; ///< --stages=auto, at most.
  double DeepRatio = 0;        ///< Below: as many as DeepStages.
  unsigned DeepStages = 2;

  /// The most slots of a ring that --stages=auto may take.
  /// \param Copies of a thread for one tile; 0: not known.
  unsigned mostStages(bool TensorCore, std::optional<double> Ratio, double Copies) const;
};

/// The rules by which --variant=auto and --form=auto decide.
class VariantRules {
public:
  /// Reads variants.yaml from the last of \p Dirs that has one. None at all and
  /// anything wrong in the file are errors as for ArchTable::load.
  static llvm::Expected<VariantRules> load(llvm::ArrayRef<std::string> Dirs);

  /// Never fails: the answer where nothing qualifies is ldg.
  Decision choose(const DecisionInput &Input) const;

  /// The shape for \p Stages slots; above two only a ring is possible.
  /// \p Plain: no copy changes what it moves.
  Form formFor(const Arch &A, Variant Kind, unsigned Stages, bool TensorCore,
               bool Plain) const;

  /// The figures after the overrides for \p A.
  const VariantFigures &figuresFor(const Arch &A) const;

  /// Architecture number and toolkit from which cp-async is considered.
  unsigned minArch() const { return MinArch; }
  unsigned minCuda() const { return MinCuda; }

private:
  static llvm::Expected<VariantRules> read(const RuleNode &Root);

  unsigned MinArch = 80, MinCuda = 11;
  VariantFigures Default;
  std::map<std::string, VariantFigures> Overrides;
};

} // namespace pipeline_rewrite
