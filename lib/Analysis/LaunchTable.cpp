#include "Analysis/EarlyLaunches.h"
#include "Analysis/LaunchConfig.h"
#include "Analysis/LaunchPlaces.h"
#include "Analysis/Launches.h"
#include "Analysis/StaticArrays.h"
#include "clang/AST/Attr.h"
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
  // Nor can one call that several instantiations make of different functions.
  std::map<unsigned, std::set<Key>> Calls;
  for (const auto &[Kernel, Entries] : Sites)
    for (const Entry &E : Entries)
      Calls[E.Call].insert(KeyOf(E.Site));
  for (auto &[Kernel, Entries] : Sites)
    for (Entry &E : Entries)
      if (Calls[E.Call].size() > 1)
        E.Site.Obstacle = "gives its shared bytes to another parameter in another "
                          "instantiation";
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

/// What a macro does with its argument besides handing it to launches would change
/// with the bytes.
void LaunchTable::findOtherUses() {
  using Key = std::pair<std::string, std::string>;
  std::map<Key, std::set<unsigned>> Seen;
  auto KeyOf = [](const LaunchSite &S, const ParameterUse &Use) {
    return Key(S.File + ":" + std::to_string(S.Bytes.Begin), Use.Parameter);
  };
  for (const auto &[Kernel, Entries] : Sites)
    for (const Entry &E : Entries)
      for (const ParameterUse &Use : E.Site.Through)
        Seen[KeyOf(E.Site, Use)].insert(Use.At);
  for (auto &[Kernel, Entries] : Sites)
    for (Entry &E : Entries)
      for (const ParameterUse &Use : E.Site.Through)
        if (Seen[KeyOf(E.Site, Use)].size() != Use.All && E.Site.Obstacle.empty())
          E.Site.Obstacle = "gives its shared bytes to a macro that uses them "
                            "elsewhere, too";
}

/// Nothing can be put between the parts of a statement that goes to another
/// device before it launches.
void LaunchTable::findSplitStatements() {
  for (auto &[Kernel, Entries] : Sites)
    for (Entry &E : Entries)
      for (const AttributeLoss &Loss : Losses.in(E.Site.File, E.Site.Statement))
        if (Loss.Certain && E.Site.Kind != LaunchKind::Attribute &&
            E.Site.Kind != LaunchKind::Occupancy && E.Site.Obstacle.empty())
          E.Site.Obstacle = "shares its statement with a call that changes or "
                            "resets the device";
}

/// Launches of this configuration are in the tree; others are text only.
void LaunchTable::noteHidden(const FunctionDecl *F, KernelUses &Uses) {
  if (!F->hasAttr<CUDAGlobalAttr>() || !F->getIdentifier())
    return;
  if (!Hidden)
    Hidden = std::make_unique<HiddenMentions>(Context);
  std::vector<SoughtName> Names = AliasNames[patternOf(F)];
  Names.push_back({F->getName().str(), "", {}});
  for (HiddenMention &M : Hidden->of(Names))
    Uses.Escapes.push_back({std::move(M.File), M.Line, M.Column,
                            "it is mentioned in text that the compiler skips here"});
}

/// Above the first of the launches that come before the kernel.
void LaunchTable::placeFunction(const FunctionDecl *F, LoopFacts &Facts) {
  auto Known = Sites.find(patternOf(F));
  std::optional<unsigned> Place;
  if (Known != Sites.end())
    for (const Entry &E : Known->second)
      if (E.Early && E.Site.Obstacle.empty())
        Place = std::min(Place.value_or(*E.Early), *E.Early);
  if (!Place || describeEarlyPlace(F, Facts, *Place, Context))
    return;
  for (size_t I = 0; I < Known->second.size(); ++I)
    if (Known->second[I].Early && Facts.Uses.Sites[I].Obstacle.empty())
      Facts.Uses.Sites[I].Obstacle = TooEarly;
}

void LaunchTable::describe(const FunctionDecl *F, LoopFacts &Facts) {
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
  std::set<std::pair<std::string, unsigned>> Functions;
  for (const LaunchSite &S : Facts.Uses.Sites)
    if (Functions.insert({S.File, S.Function.Begin}).second)
      llvm::append_range(Facts.Uses.Losses, Losses.in(S.File, S.Function));
  noteHidden(F, Facts.Uses);
  describeKernelText(F, Facts, Context);
  describeStaticArrays(F, Facts, Context, Host);
  placeFunction(F, Facts);
}

} // namespace pipeline_rewrite
