// The verdict on facts written by hand: copy, barrier, compute, barrier, and
// what one change to that does. Reading facts from source is test/lit/reasons.
#include "Legality/Verdict.h"

#include <gtest/gtest.h>

using namespace pipeline_rewrite;

namespace {

enum Object : ObjectId { Tile, Source, Target };
enum Var : VarId { K0, Tx, Acc };

VarRef reads(VarId V, unsigned At) {
  return {V, {At, At + 2}, true, false, false, false};
}
VarRef writes(VarId V, unsigned At) {
  return {V, {At, At + 2}, false, true, false, false};
}

Effect effect(EffectKind Kind, ObjectId On, unsigned Line) {
  Effect E;
  E.Kind = Kind;
  E.Object = On;
  E.Line = Line;
  E.Column = 5;
  return E;
}

Node node(NodeKind Kind, unsigned Line) {
  Node N;
  N.Kind = Kind;
  N.Line = Line;
  N.Column = 5;
  // Ten bytes a statement, so that ranges nest and follow each other.
  N.Range = N.Full = {Line * 10, Line * 10 + 9};
  return N;
}

Node barrier(unsigned Line) {
  Node N = node(NodeKind::Barrier, Line);
  Effect E;
  E.Kind = EffectKind::Barrier;
  E.Line = Line;
  N.Effects.push_back(E);
  return N;
}

/// As[tx] = A[k0 + tx];
Node copy(unsigned Line) {
  Node N = node(NodeKind::Expression, Line);
  unsigned At = Line * 10;
  N.Refs = {reads(Tx, At), reads(K0, At + 4), reads(Tx, At + 6)};
  N.Effects = {effect(EffectKind::Write, Tile, Line),
               effect(EffectKind::Read, Source, Line)};
  GlobalLoad L;
  L.Range = L.Address = {At + 3, At + 9};
  L.Type = "float";
  L.Bytes = 4;
  L.Objects = {Source};
  L.Refs = {reads(K0, At + 4), reads(Tx, At + 6)};
  N.Loads = {L};
  TileStore S;
  S.Tile = Tile;
  S.Destination = {At, At + 2};
  S.Value = L.Range;
  S.DestinationRefs = {reads(Tx, At)};
  S.Kind = ValueKind::Load;
  S.Bytes = 4;
  S.Type = "float";
  S.Line = Line;
  N.Stores = {S};
  return N;
}

/// acc += As[..];
Node compute(unsigned Line) {
  Node N = node(NodeKind::Expression, Line);
  N.Refs = {reads(Acc, Line * 10), writes(Acc, Line * 10)};
  N.Effects = {effect(EffectKind::Read, Tile, Line)};
  return N;
}

/// C[..] = acc;
Node store(unsigned Line) {
  Node N = node(NodeKind::Expression, Line);
  N.Refs = {reads(Acc, Line * 10)};
  N.Effects = {effect(EffectKind::Write, Target, Line)};
  return N;
}

Variable variable(const std::string &Name, VarScope Scope) {
  Variable V;
  V.Name = Name;
  V.Type = "int";
  V.Scope = Scope;
  return V;
}

/// for (int k0 = 0; k0 < ..; k0 += ..) { copy; barrier; compute; barrier; }
LoopFacts loop() {
  LoopFacts F;
  F.Function = F.Instantiation = "kernel";
  F.IsKernel = true;
  F.Line = 1;
  F.Column = 3;
  F.Variables = {variable("k0", VarScope::Header),
                 variable("tx", VarScope::Outside),
                 variable("acc", VarScope::Outside)};
  F.HeaderVars = {K0};
  MemoryObject Shared{"As", Space::Shared}, From{"A", Space::Global, true},
      To{"C", Space::Global, true};
  From.Restrict = To.Restrict = true;
  F.Objects = {Shared, From, To};
  SharedVariable S;
  S.Object = Tile;
  S.Name = "As";
  S.Bytes = 64;
  S.ElementBytes = 4;
  S.IsStaticArray = true;
  F.Shared = {S};
  F.Condition = {1, 3};
  F.ConditionNode = node(NodeKind::Expression, 0);
  F.ConditionNode.Refs = {reads(K0, 1)};
  Node Step = node(NodeKind::Expression, 0);
  Step.Refs = {reads(K0, 5), writes(K0, 5)};
  F.Increments = {Step};
  F.Body = {copy(2), barrier(3), compute(4), barrier(5)};
  return F;
}

std::vector<std::string> idsOf(const std::vector<Reason> &Reasons) {
  std::vector<std::string> Ids;
  for (const Reason &R : Reasons)
    Ids.push_back(slugOf(R.Id));
  return Ids;
}

using Ids = std::vector<std::string>;

} // namespace

TEST(Judge, TakesTheOrdinaryLoopApart) {
  LoopFacts F = loop();
  Verdict V = judge(F, {});
  EXPECT_EQ(idsOf(V.Reasons), Ids{});
  EXPECT_EQ(idsOf(V.SlotReasons), Ids{});
  EXPECT_EQ(V.Split.Copy, std::vector<size_t>{0});
  EXPECT_EQ(V.Split.CopyBarrier, 1u);
  EXPECT_EQ(V.Split.Compute, std::vector<size_t>{2});
  EXPECT_EQ(V.Split.TrailingBarrier, size_t(3));
  EXPECT_FALSE(V.Split.LeadingBarrier);
  EXPECT_EQ(V.Tiles, std::set<ObjectId>{Tile});
}

TEST(Judge, TakesALeadingBarrierForTheTrailingOne) {
  LoopFacts F = loop();
  F.Body = {barrier(2), copy(3), barrier(4), compute(5)};
  Verdict V = judge(F, {});
  EXPECT_EQ(idsOf(V.Reasons), Ids{});
  EXPECT_EQ(V.Split.LeadingBarrier, size_t(0));
  EXPECT_FALSE(V.Split.TrailingBarrier);
}

TEST(Judge, ReportsARaceOfTheOriginal) {
  LoopFacts F = loop();
  F.Body.pop_back();
  Verdict V = judge(F, {});
  ASSERT_EQ(idsOf(V.Reasons), Ids{"missing-barrier"});
  EXPECT_EQ(V.Reasons[0].Line, 4u) << "the read that races is named";
}

TEST(Judge, RefusesAnUnknownAlias) {
  LoopFacts F = loop();
  F.Body.insert(F.Body.begin() + 3, store(6));
  EXPECT_EQ(idsOf(judge(F, {}).Reasons), Ids{}) << "both are __restrict__";
  F.Objects[Target].Restrict = false;
  EXPECT_EQ(idsOf(judge(F, {}).Reasons), Ids{}) << "one __restrict__ is enough";
  F.Objects[Source].Restrict = false;
  Verdict V = judge(F, {});
  ASSERT_EQ(idsOf(V.Reasons), Ids{"may-alias"});
  EXPECT_EQ(V.Reasons[0].Line, 6u);
  LegalityOptions Vouched;
  Vouched.AssumeNoAlias = true;
  EXPECT_EQ(idsOf(judge(F, Vouched).Reasons), Ids{});
  F.Objects[Source].ConstObject = true;
  EXPECT_EQ(idsOf(judge(F, {}).Reasons), Ids{}) << "nobody writes a constant";
}

TEST(Judge, RefusesAWriteToTheTileInTheComputePhase) {
  LoopFacts F = loop();
  F.Body[2].Effects.push_back(effect(EffectKind::Write, Tile, 4));
  EXPECT_EQ(idsOf(judge(F, {}).Reasons), Ids{"tile-written-in-compute"});
}

TEST(Judge, RefusesASideEffectInTheCondition) {
  LoopFacts F = loop();
  F.ConditionNode.Refs.push_back(writes(K0, 1));
  Verdict V = judge(F, {});
  ASSERT_FALSE(V.legal());
  EXPECT_EQ(V.Reasons[0].Id, ReasonId::LoopForm);
}

TEST(Judge, RefusesAJumpOutOfTheBody) {
  LoopFacts F = loop();
  Node Break = node(NodeKind::Other, 6);
  Break.LeavesLoop = true;
  Break.LeaveWord = "break";
  F.Body.insert(F.Body.begin() + 3, Break);
  Verdict V = judge(F, {});
  ASSERT_EQ(idsOf(V.Reasons), Ids{"loop-form"});
  EXPECT_EQ(V.Reasons[0].Line, 6u);
}

TEST(Judge, RefusesDivergence) {
  LoopFacts F = loop();
  F.ConditionThreadDependent = true;
  EXPECT_EQ(idsOf(judge(F, {}).Reasons), Ids{"divergent-barrier"});
  F = loop();
  F.DivergentControl = true;
  F.DivergentLine = 1;
  EXPECT_EQ(idsOf(judge(F, {}).Reasons), Ids{"divergent-barrier"});
}

TEST(Judge, KeepsTheOneSlotWhereTheTileIsPartial) {
  LoopFacts F = loop();
  // if (k0 ..) As[tx] = A[k0 + tx];
  Node Guard = node(NodeKind::If, 2);
  Guard.Refs = {reads(K0, 21)};
  Guard.Children = {copy(2)};
  F.Body[0] = Guard;
  Verdict V = judge(F, {});
  EXPECT_TRUE(V.legal()) << "registers ahead stay legal";
  EXPECT_EQ(idsOf(V.SlotReasons), Ids{"partial-tile"});
  // if (tx ..): the same elements in each iteration.
  F.Body[0].Refs = {reads(Tx, 21)};
  EXPECT_EQ(idsOf(judge(F, {}).SlotReasons), Ids{});
}

TEST(Judge, AsksForALaunchWhereTheTileIsDynamic) {
  LoopFacts F = loop();
  F.Shared[0].IsStaticArray = false;
  F.Shared[0].IsExtern = true;
  Verdict V = judge(F, {});
  EXPECT_TRUE(V.legal());
  EXPECT_EQ(idsOf(V.SlotReasons), Ids{"launch-not-visible"});
}

TEST(Judge, SeesWhatIsPipelinedAlready) {
  LoopFacts F = loop();
  F.UsesManualSlots = true;
  F.SlotLine = 4;
  EXPECT_EQ(idsOf(judge(F, {}).Reasons), Ids{"already-pipelined"});
}

TEST(Reasons, EachIdIsSpelledOnceAndSaysWhatToDo) {
  std::set<std::string> Slugs;
  for (ReasonId Id : allReasons()) {
    EXPECT_TRUE(Slugs.insert(slugOf(Id)).second) << slugOf(Id);
    EXPECT_STRNE(meaningOf(Id), "") << slugOf(Id);
    EXPECT_EQ(std::string(adviceFor(Id)).empty(), isRemark(Id)) << slugOf(Id);
  }
}
