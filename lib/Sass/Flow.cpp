#include "Sass/Flow.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace llvm;

namespace pipeline_rewrite {

namespace {

/// Instructions [Begin, End) that run one after the other.
struct Block {
  size_t Begin = 0, End = 0;
  std::vector<size_t> Next, Before;
};

class FlowGraph {
public:
  explicit FlowGraph(const SassFunction &F) : F(F) {
    cut();
    connect();
    number();
    dominate();
  }
  std::vector<SassLoop> loops() const;

private:
  void cut();
  void connect();
  void number();
  void dominate();
  bool dominates(size_t A, size_t B) const;
  size_t common(size_t A, size_t B) const;
  static bool endsBlock(const SassInstruction &I);
  static bool isConditional(const SassInstruction &I);

  const SassFunction &F;
  std::vector<Block> Blocks;
  std::map<uint64_t, size_t> AtAddress; ///< block that starts there
  std::vector<size_t> Order;            ///< reachable blocks, reverse postorder
  std::vector<size_t> Rank;             ///< position in Order, or none()
  std::vector<size_t> Dominator;
  static size_t none() { return size_t(-1); }
};

bool FlowGraph::endsBlock(const SassInstruction &I) {
  return I.base() == "BRA" || I.base() == "JMP" || I.base() == "EXIT" ||
         I.base() == "RET" || I.base() == "BRX" || I.base() == "JMX" ||
         I.base() == "KILL";
}

/// Branches are taken on a guard, or on a predicate among their operands.
bool FlowGraph::isConditional(const SassInstruction &I) {
  return (!I.Guard.empty() && I.Guard != "@PT") ||
         ((I.base() == "BRA" || I.base() == "JMP") && I.Operands.size() > 1);
}

void FlowGraph::cut() {
  std::set<uint64_t> Starts;
  for (const SassInstruction &I : F.Code)
    if (I.Target && endsBlock(I))
      Starts.insert(*I.Target);
  for (size_t I = 0; I < F.Code.size(); ++I) {
    if (I == 0 || Starts.count(F.Code[I].Address) || endsBlock(F.Code[I - 1])) {
      AtAddress[F.Code[I].Address] = Blocks.size();
      Blocks.push_back({I, I, {}, {}});
    }
    Blocks.back().End = I + 1;
  }
}

void FlowGraph::connect() {
  for (size_t B = 0; B < Blocks.size(); ++B) {
    const SassInstruction &Last = F.Code[Blocks[B].End - 1];
    auto Link = [&](size_t To) {
      Blocks[B].Next.push_back(To);
      Blocks[To].Before.push_back(B);
    };
    if (Last.Target && endsBlock(Last)) {
      auto To = AtAddress.find(*Last.Target);
      if (To != AtAddress.end())
        Link(To->second);
    }
    if ((!endsBlock(Last) || isConditional(Last)) && B + 1 < Blocks.size())
      Link(B + 1);
  }
}

/// Reverse postorder. Of two successors the one at the lower address comes
/// first in it, so that a loop's body precedes what follows the loop.
void FlowGraph::number() {
  Rank.assign(Blocks.size(), none());
  std::vector<bool> Seen(Blocks.size());
  std::vector<std::pair<size_t, size_t>> Stack; // block, successors done
  if (Blocks.empty())
    return;
  for (Block &B : Blocks)
    llvm::sort(B.Next, std::greater<size_t>());
  Seen[0] = true;
  Stack.push_back({0, 0});
  while (!Stack.empty()) {
    auto &[B, Done] = Stack.back();
    if (Done < Blocks[B].Next.size()) {
      size_t To = Blocks[B].Next[Done++];
      if (!Seen[To]) {
        Seen[To] = true;
        Stack.push_back({To, 0});
      }
    } else {
      Order.push_back(B);
      Stack.pop_back();
    }
  }
  std::reverse(Order.begin(), Order.end());
  for (size_t I = 0; I < Order.size(); ++I)
    Rank[Order[I]] = I;
}

size_t FlowGraph::common(size_t A, size_t B) const {
  while (A != B) {
    while (Rank[A] > Rank[B])
      A = Dominator[A];
    while (Rank[B] > Rank[A])
      B = Dominator[B];
  }
  return A;
}

/// The iterative algorithm: cheap for graphs of this size.
void FlowGraph::dominate() {
  Dominator.assign(Blocks.size(), none());
  if (Order.empty())
    return;
  Dominator[Order[0]] = Order[0];
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (size_t B : drop_begin(Order)) {
      size_t New = none();
      for (size_t P : Blocks[B].Before)
        if (Dominator[P] != none())
          New = New == none() ? P : common(P, New);
      if (New != Dominator[B]) {
        Dominator[B] = New;
        Changed = true;
      }
    }
  }
}

bool FlowGraph::dominates(size_t A, size_t B) const {
  while (Rank[B] > Rank[A])
    B = Dominator[B];
  return A == B;
}

std::vector<SassLoop> FlowGraph::loops() const {
  std::map<size_t, std::set<size_t>> Members; // by rank of the header
  for (size_t B : Order)
    for (size_t Header : Blocks[B].Next) {
      if (!dominates(Header, B))
        continue;
      std::set<size_t> &In = Members[Rank[Header]];
      std::vector<size_t> Work{B};
      In.insert(Rank[Header]);
      while (!Work.empty()) {
        size_t Now = Work.back();
        Work.pop_back();
        if (In.insert(Rank[Now]).second)
          for (size_t P : Blocks[Now].Before)
            if (Rank[P] != none())
              Work.push_back(P);
      }
    }
  std::vector<SassLoop> Result;
  std::vector<const std::set<size_t> *> Sets;
  for (const auto &[Header, In] : Members) {
    SassLoop L;
    L.Header = F.Code[Blocks[Order[Header]].Begin].Address;
    for (size_t B : In)
      for (size_t I = Blocks[Order[B]].Begin; I < Blocks[Order[B]].End; ++I)
        L.Body.push_back(I);
    // Headers of outer loops come first in the order; the last one that holds
    // this header is the smallest.
    for (size_t I = 0; I < Sets.size(); ++I)
      if (Sets[I]->count(Header))
        L.Parent = I;
    Sets.push_back(&In);
    Result.push_back(std::move(L));
  }
  return Result;
}

} // namespace

std::vector<SassLoop> findLoops(const SassFunction &F) {
  return FlowGraph(F).loops();
}

} // namespace pipeline_rewrite
