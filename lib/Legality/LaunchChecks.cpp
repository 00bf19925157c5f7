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

} // namespace

std::optional<Reason> checkLaunches(const LoopFacts &Facts) {
  const KernelUses &Uses = Facts.Uses;
  std::string Name = "'" + Facts.Function + "'";
  if (!Facts.IsKernel)
    return Reason{ReasonId::LaunchNotVisible, Facts.Line, Facts.Column,
                  Name + " is no kernel, so the launches that would have to give "
                         "its shared memory are those of its callers"};
  bool Launched = std::any_of(
      Uses.Sites.begin(), Uses.Sites.end(), [](const LaunchSite &S) {
        return S.Kind != LaunchKind::Attribute && S.Kind != LaunchKind::Occupancy;
      });
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
  for (const LaunchSite &S : Uses.Sites)
    if (!S.Obstacle.empty())
      return reasonAt(Facts, S.File, S.Line, S.Column,
                      "the shared bytes of " + Name + " at ",
                      std::string(" cannot be changed: that ") +
                          (S.Kind == LaunchKind::Attribute ? "call " : "launch ") +
                          S.Obstacle);
  return std::nullopt;
}

} // namespace pipeline_rewrite
