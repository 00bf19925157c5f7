#include "Analysis/LaunchConfig.h"
#include "Analysis/LaunchPlaces.h"
#include "Analysis/Launches.h"
#include "Analysis/StaticArrays.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clang;

namespace pipeline_rewrite {

/// What a template says is known better where it is instantiated.
void LaunchTable::dropPatterns() {
  for (auto &[Kernel, Entries] : Sites) {
    std::set<std::pair<std::string, unsigned>> Known;
    for (const Entry &E : Entries)
      if (!E.Dependent)
        Known.insert({E.Site.File, E.Site.Bytes.Begin});
    llvm::erase_if(Entries, [&](const Entry &E) {
      return E.Dependent && Known.count({E.Site.File, E.Site.Bytes.Begin});
    });
  }
}

/// One text that launches several kernels cannot name the bytes of each.
void LaunchTable::findConflicts() {
  using Key = std::pair<std::string, unsigned>;
  std::map<Key, std::pair<const FunctionDecl *, std::string>> First;
  std::set<Key> Shared;
  auto KeyOf = [](const LaunchSite &S) { return Key(S.File, S.Bytes.Begin); };
  for (const auto &[Kernel, Entries] : Sites)
    for (const Entry &E : Entries) {
      auto Value = std::make_pair(Kernel, E.Site.TemplateArguments);
      if (First.emplace(KeyOf(E.Site), Value).first->second != Value)
        Shared.insert(KeyOf(E.Site));
    }
  for (auto &[Kernel, Entries] : Sites)
    for (Entry &E : Entries)
      if (Shared.count(KeyOf(E.Site)))
        E.Site.Obstacle = "is one text for several kernels";
}

void LaunchTable::describe(const FunctionDecl *F, LoopFacts &Facts) const {
  const FunctionDecl *Key = patternOf(F);
  if (auto Known = Sites.find(Key); Known != Sites.end())
    for (const Entry &E : Known->second) {
      Facts.Uses.Sites.push_back(E.Site);
      bool IsLaunch = E.Site.Kind != LaunchKind::Attribute &&
                      E.Site.Kind != LaunchKind::Occupancy;
      if (IsLaunch && E.Kernel == F->getCanonicalDecl())
        Facts.Launches.push_back(E.Site);
    }
  if (auto Known = Escapes.find(Key); Known != Escapes.end())
    Facts.Uses.Escapes = Known->second;
  describeKernelText(F, Facts, Context);
  describeStaticArrays(F, Facts, Context);
}

} // namespace pipeline_rewrite
