#include "Legality/LaunchChecks.h"
#include <algorithm>

namespace pipeline_rewrite {

namespace {

/// A reason at its place; in another file, at the loop with the place in words.
Reason reasonAt(const LoopFacts &Facts, const std::string &File, unsigned Line,
                unsigned Column, const std::string &Before,
                const std::string &Behind) {
  bool Here = File == Facts.File;
  std::string Place = Here ? "line " + std::to_string(Line)
                           : File + ":" + std::to_string(Line);
  return {ReasonId::LaunchNotVisible, Here ? Line : Facts.Line,
          Here ? Column : Facts.Column, Before + Place + Behind};
}

bool isLaunch(const LaunchSite &S) {
  return S.Kind != LaunchKind::Attribute && S.Kind != LaunchKind::Occupancy;
}

} // namespace

std::optional<Reason> checkLaunchesSeen(const LoopFacts &Facts) {
  const KernelUses &Uses = Facts.Uses;
  std::string Name = "'" + Facts.Function + "'";
  if (!Facts.IsKernel)
    return Reason{ReasonId::LaunchNotVisible, Facts.Line, Facts.Column,
                  Name + " is no kernel, so the launches that would have to give "
                         "its shared memory are those of its callers"};
  bool Launched = std::any_of(Uses.Sites.begin(), Uses.Sites.end(), isLaunch);
  if (!Launched && Uses.Escapes.empty())
    return Reason{ReasonId::LaunchNotVisible, Facts.Line, Facts.Column,
                  "no launch of " + Name +
                      " is in this file, and its dynamic shared memory is given "
                      "there"};
  if (!Uses.Escapes.empty()) {
    const KernelEscape &E = Uses.Escapes.front();
    return reasonAt(Facts, E.File, E.Line, E.Column,
                    "not every launch of " + Name + " can be seen: at ",
                    ", " + E.What);
  }
  return std::nullopt;
}

std::optional<Reason> checkLaunches(const LoopFacts &Facts) {
  if (std::optional<Reason> Unseen = checkLaunchesSeen(Facts))
    return Unseen;
  for (const LaunchSite &S : Facts.Uses.Sites)
    if (!S.Obstacle.empty())
      return reasonAt(Facts, S.File, S.Line, S.Column,
                      "the shared bytes of '" + Facts.Function + "' at ",
                      std::string(" cannot be changed: that ") +
                          (S.Kind == LaunchKind::Attribute ? "call " : "launch ") +
                          S.Obstacle);
  return std::nullopt;
}

bool launchesGive(const LoopFacts &Facts, uint64_t Bytes) {
  auto Gives = [&](const LaunchSite &S) {
    return S.DynamicShared.value_or(0) >= Bytes;
  };
  // What cannot be edited has to be known, whatever instantiation it launches.
  auto Stays = [&](const LaunchSite &S) {
    return !isLaunch(S) || S.Obstacle.empty() ||
           (Gives(S) && S.BlockX && S.BlockY && S.BlockZ);
  };
  return std::all_of(Facts.Launches.begin(), Facts.Launches.end(), Gives) &&
         std::all_of(Facts.Uses.Sites.begin(), Facts.Uses.Sites.end(), Stays);
}

} // namespace pipeline_rewrite
