#pragma once

/// \file
/// The two choices that every stage after the budget speaks of: how tiles
/// travel and which shape the loop gets. This header depends on nothing.

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

} // namespace pipeline_rewrite
