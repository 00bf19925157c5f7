#include "LaunchRows.h"
#include <set>

namespace pipeline_rewrite {

namespace {

LaunchRow rowFor(const SourceLoop &Loop, size_t I, const LaunchSite *Site,
                 const Arch &Machine) {
  const LoopFacts &Facts = Loop.Readings[I];
  const PlanResult &Plan = Loop.Plans[I];
  LaunchRow Row;
  Row.Instantiation = Facts.Instantiation;
  Row.Threads = Plan.Threads;
  if (Site) {
    Row.Line = Site->Line;
    if (Site->BlockX && Site->BlockY && Site->BlockZ)
      Row.Threads = *Site->BlockX * *Site->BlockY * *Site->BlockZ;
    if (Site->DynamicShared)
      Row.Dynamic = *Site->DynamicShared;
  }
  if (!Plan.SizesKnown || Plan.Budget.Table.empty())
    return Row;
  uint64_t Static = Facts.StaticSharedKnown ? Facts.StaticSharedBytes
                                            : Facts.AssumedSharedBytes;
  BlockResources Block;
  Block.Threads = Row.Threads;
  Block.RegistersPerThread = Plan.RegistersBefore.Estimated
                                 ? 0
                                 : Plan.RegistersBefore.Registers;
  Block.StaticShared = Static;
  Block.DynamicShared = Row.Dynamic;
  Row.SharedBefore = Static + Row.Dynamic;
  Row.Before = computeOccupancy(Machine, Block);
  if (!Loop.planned() || !Plan.Plan)
    return Row;
  Row.SharedAfter =
      *Row.SharedBefore + (Plan.Budget.SharedAfter - Plan.Budget.SharedBefore);
  if (I < Loop.Registers.size() && Loop.Registers[I].AfterReported)
    Block.RegistersPerThread = Loop.Registers[I].After;
  // As dynamic memory: whether static arrays end sooner was decided before.
  Block.StaticShared = 0;
  Block.DynamicShared = *Row.SharedAfter;
  Row.After = computeOccupancy(Machine, Block);
  return Row;
}

} // namespace

std::vector<LaunchRow> launchRows(const SourceLoop &Loop, const Arch &Machine) {
  std::vector<LaunchRow> Rows;
  for (size_t I = 0; I < Loop.Plans.size(); ++I) {
    std::set<std::pair<unsigned, uint64_t>> Seen;
    for (const LaunchSite &Site : Loop.Readings[I].Launches) {
      LaunchRow Row = rowFor(Loop, I, &Site, Machine);
      if (Seen.insert({Row.Threads, Row.Dynamic}).second)
        Rows.push_back(std::move(Row));
    }
    if (Seen.empty())
      Rows.push_back(rowFor(Loop, I, nullptr, Machine));
  }
  return Rows;
}

} // namespace pipeline_rewrite
