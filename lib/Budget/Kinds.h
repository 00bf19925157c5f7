#pragma once

#include <optional>
#include <string_view>

/// \file
/// The choices that every stage after the budget speaks of: how tiles travel,
/// which shape the loop gets, and what goes with it.

namespace pipeline_rewrite {

/// How the tiles of a loop travel from global to shared memory.
enum class Variant {
  Ldg,             ///< Global to registers early, registers to shared late.
  CpAsync,         ///< Global to shared, asynchronously (sm_80 and later).
  RegisterPrefetch ///< One slot, registers ahead, two barriers an iteration.
};

/// The shape of the rewritten loop.
enum class Form {
  Peel,      ///< Prologue, steady state, epilogue: the compute phase twice.
  Predicate, ///< The copy under a condition, the compute phase once.
  Ring       ///< Wait, barrier, issue, compute; the only form above two slots.
};

/// When, in an iteration, the copies of a later tile set off.
enum class Issue {
  First, ///< Before the compute phase.
  Last   ///< Behind it: they are in flight through the next iteration's.
};

/// How the copies of a tile find their addresses.
enum class Addressing {
  Indexed, ///< As the author does, anew for each tile.
  Stepped  ///< A pointer for each copy of a thread, which moves on.
};

inline constexpr Variant Variants[] = {Variant::Ldg, Variant::CpAsync,
                                       Variant::RegisterPrefetch};
inline constexpr Form Forms[] = {Form::Peel, Form::Predicate, Form::Ring};
inline constexpr Issue Issues[] = {Issue::First, Issue::Last};
inline constexpr Addressing Addressings[] = {Addressing::Indexed,
                                             Addressing::Stepped};

/// What is asked of one rewrite; what is not given the plan decides.
struct Wish {
  std::optional<Variant> Kind;
  std::optional<Form> Shape;
  unsigned Stages = 0; ///< 0: the plan decides
  std::optional<Issue> When;
  std::optional<Addressing> Addresses;
  /// How often the steady state is unrolled; 0: as the compiler likes.
  std::optional<unsigned> Unroll;
};

/// The spelling used on the command line and in reports.
constexpr const char *toString(Variant Kind) {
  switch (Kind) {
  case Variant::Ldg:
    return "ldg";
  case Variant::CpAsync:
    return "cp-async";
  case Variant::RegisterPrefetch:
    return "register-prefetch";
  }
  return "";
}

/// The spelling used on the command line and in reports.
constexpr const char *toString(Form Shape) {
  switch (Shape) {
  case Form::Peel:
    return "peel";
  case Form::Predicate:
    return "predicate";
  case Form::Ring:
    return "ring";
  }
  return "";
}

/// The spelling used on the command line and in reports.
constexpr const char *toString(Issue When) {
  return When == Issue::First ? "first" : "last";
}

/// The spelling used on the command line and in reports.
constexpr const char *toString(Addressing Addresses) {
  return Addresses == Addressing::Indexed ? "indexed" : "stepped";
}

/// The one of \p All that is spelled \p Text.
template <typename Choice, size_t N>
std::optional<Choice> choiceOf(std::string_view Text, const Choice (&All)[N]) {
  for (Choice C : All)
    if (Text == toString(C))
      return C;
  return std::nullopt;
}

} // namespace pipeline_rewrite
