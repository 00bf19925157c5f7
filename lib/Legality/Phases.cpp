#include "Legality/Phases.h"
#include <algorithm>

namespace pipeline_rewrite {

namespace {

bool isShared(const LoopFacts &Facts, const Effect &E) {
  return E.Object && Facts.Objects[*E.Object].Where == Space::Shared;
}

bool writesShared(const LoopFacts &Facts, const Node &N) {
  bool Writes = false;
  visitNodes(N, [&](const Node &Each) {
    for (const Effect &E : Each.Effects)
      Writes |= isShared(Facts, E) && E.Kind != EffectKind::Read;
  });
  return Writes;
}

bool readsAny(const Node &N, const std::set<ObjectId> &Objects) {
  bool Reads = false;
  visitNodes(N, [&](const Node &Each) {
    for (const Effect &E : Each.Effects)
      Reads |= E.Kind != EffectKind::Write && E.Object && Objects.count(*E.Object);
  });
  return Reads;
}

class PhaseSplitter {
public:
  PhaseSplitter(const LoopFacts &Facts, Verdict &V) : Facts(Facts), V(V) {}

  void run() {
    for (size_t I = 0; I < Facts.Body.size(); ++I)
      if (Facts.Body[I].Kind == NodeKind::Barrier)
        Barriers.push_back(I);
    size_t FirstWrite = 0;
    while (FirstWrite < Facts.Body.size() &&
           !writesShared(Facts, Facts.Body[FirstWrite]))
      ++FirstWrite;
    if (Barriers.empty() || FirstWrite == Facts.Body.size())
      return noTopLevelBarrier();
    auto After = std::upper_bound(Barriers.begin(), Barriers.end(), FirstWrite);
    if (After == Barriers.end())
      return copyBehindLastBarrier(FirstWrite);
    V.Split.CopyBarrier = *After;
    assign(FirstWrite);
    if (V.Reasons.empty())
      collectTiles();
    if (V.Reasons.empty())
      checkReaders();
  }

private:
  void refuse(ReasonId Id, const Node &At, std::string Message) {
    V.Reasons.push_back({Id, At.Line, At.Column, std::move(Message)});
  }

  void noTopLevelBarrier() {
    for (const Node &N : Facts.Body)
      if (N.DivergentBarrier || N.NestedBarrier)
        return refuse(N.DivergentBarrier ? ReasonId::DivergentBarrier
                                         : ReasonId::PhaseOrder,
                      N,
                      N.DivergentBarrier
                          ? "a barrier stands under a condition that differs "
                            "between threads of the block"
                          : "no barrier is a statement of the loop body itself");
    V.Reasons.push_back({ReasonId::PhaseOrder, Facts.Line, Facts.Column,
                         "no statement of the body fills shared memory before a "
                         "barrier"});
  }

  void copyBehindLastBarrier(size_t FirstWrite) {
    std::set<ObjectId> Written;
    visitNodes(Facts.Body[FirstWrite], [&](const Node &N) {
      for (const Effect &E : N.Effects)
        if (isShared(Facts, E) && E.Kind == EffectKind::Write)
          Written.insert(*E.Object);
    });
    refuse(ReasonId::PhaseOrder, Facts.Body[FirstWrite],
           "the copy stands behind the last barrier of the body, after the "
           "statements that read the tile");
  }

  /// Hands the statements to their phases.
  void assign(size_t FirstWrite) {
    for (size_t I = 0; I < V.Split.CopyBarrier; ++I) {
      if (Facts.Body[I].Kind != NodeKind::Barrier) {
        V.Split.Copy.push_back(I);
        continue;
      }
      if (V.Split.LeadingBarrier || !onlyPrivate(I))
        return refuse(ReasonId::PhaseOrder, Facts.Body[I],
                      "the copy is not the first phase of the body: a barrier "
                      "and other work on memory stand before it");
      V.Split.LeadingBarrier = I;
    }
    bool LastIsTrailing = Barriers.back() > V.Split.CopyBarrier;
    if (!V.Split.LeadingBarrier && LastIsTrailing)
      V.Split.TrailingBarrier = Barriers.back();
    for (size_t I = V.Split.CopyBarrier + 1; I < Facts.Body.size(); ++I) {
      if (I == V.Split.TrailingBarrier)
        continue;
      bool Tail = V.Split.TrailingBarrier && I > *V.Split.TrailingBarrier;
      (Tail ? V.Split.Tail : V.Split.Compute).push_back(I);
    }
  }

  /// No memory is touched before statement \p End except to read global memory.
  bool onlyPrivate(size_t End) const {
    for (size_t I = 0; I < End; ++I) {
      bool Fine = true;
      visitNodes(Facts.Body[I], [&](const Node &N) {
        for (const Effect &E : N.Effects)
          Fine &= E.Kind == EffectKind::Read && !isShared(Facts, E);
      });
      if (!Fine)
        return false;
    }
    return true;
  }

  void collectTiles() {
    for (size_t I : V.Split.Copy)
      visitNodes(Facts.Body[I], [&](const Node &N) {
        for (const Effect &E : N.Effects) {
          if (isShared(Facts, E) && E.Kind != EffectKind::Read)
            V.Tiles.insert(*E.Object);
          else if (E.Kind == EffectKind::Write || E.Kind == EffectKind::Atomic)
            V.Reasons.push_back(
                {ReasonId::PhaseOrder, E.Line, E.Column,
                 "a store to global memory ('" + Facts.Objects[*E.Object].Name +
                     "') stands in the copy phase"});
        }
      });
    for (size_t I : V.Split.Copy)
      visitNodes(Facts.Body[I], [&](const Node &N) { checkCopyNode(N); });
  }

  void checkCopyNode(const Node &N) {
    if (N.NestedBarrier)
      return;
    for (const Effect &E : N.Effects) {
      bool Reads = E.Object && E.Kind == EffectKind::Read && E.What.empty();
      if (Reads && V.Tiles.count(*E.Object) && V.Reasons.empty())
        V.Reasons.push_back({ReasonId::PhaseOrder, E.Line, E.Column,
                             "the copy phase reads '" +
                                 Facts.Objects[*E.Object].Name +
                                 "', the tile that it fills"});
    }
  }

  /// Whoever reads a tile does so before the barrier that allows its next write.
  void checkReaders() {
    bool AnyReader = false;
    for (size_t I : V.Split.Compute)
      AnyReader |= readsAny(Facts.Body[I], V.Tiles);
    bool Closed = V.Split.LeadingBarrier || V.Split.TrailingBarrier;
    auto Racing = [&](const std::vector<size_t> &Statements) {
      for (size_t I : Statements)
        if (readsAny(Facts.Body[I], V.Tiles)) {
          refuse(ReasonId::MissingBarrier, Facts.Body[I],
                 "no barrier stands between this read of the tile and its next "
                 "write, in the following iteration: the loop races as written");
          return true;
        }
      return false;
    };
    if (!Closed && Racing(V.Split.Compute))
      return;
    if (Racing(V.Split.Tail))
      return;
    if (!AnyReader)
      V.Reasons.push_back({ReasonId::PhaseOrder, Facts.Line, Facts.Column,
                           "no statement behind the barrier reads what the copy "
                           "phase fills"});
  }

  const LoopFacts &Facts;
  Verdict &V;
  std::vector<size_t> Barriers;
};

} // namespace

void splitPhases(const LoopFacts &Facts, Verdict &V) {
  PhaseSplitter(Facts, V).run();
}

} // namespace pipeline_rewrite
