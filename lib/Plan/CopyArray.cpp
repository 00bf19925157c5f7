#include "Plan/CopyArray.h"
#include "Support/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace pipeline_rewrite {

namespace {

std::string extentOf(const CountedLoop &L) {
  std::string Bound = L.Inclusive ? parenthesised(L.Bound) + " + 1" : L.Bound;
  bool Offset = L.InitConstant && !L.InitIsZero;
  if (Offset)
    Bound = parenthesised(Bound) + " - " + parenthesised(L.Init);
  if (L.StepIsOne)
    return Bound;
  std::string Step = parenthesised(L.Step);
  return "(" + (Offset || L.Inclusive ? Bound : parenthesised(Bound)) + " + " +
         Step + " - 1) / " + Step;
}

std::string indexOf(const LoopFacts &Facts, const CountedLoop &L) {
  std::string Index = Facts.Variables[L.Var].Name;
  if (!L.InitIsZero)
    Index = "(" + Index + " - " + parenthesised(L.Init) + ")";
  if (!L.StepIsOne)
    Index += " / " + parenthesised(L.Step);
  if (L.StepIsOne && !L.InitIsZero)
    Index = Index.substr(1, Index.size() - 2);
  return Index;
}

/// Does something in \p Loop declare a name that \p Text, read there, means another by?
bool hidesName(const LoopFacts &Facts, const Node &Loop, llvm::StringRef Text) {
  return llvm::any_of(Loop.Children, [&](const Node &Child) {
    return llvm::any_of(Child.Declares, [&](VarId Var) {
             llvm::StringRef Name = Facts.Variables[Var].Name;
             return anyWord(Text, [&](llvm::StringRef Word) { return Word == Name; });
           }) ||
           hidesName(Facts, Child, Text);
  });
}

} // namespace

bool namesLocal(const LoopFacts &Facts, llvm::StringRef Text) {
  return anyWord(Text, [&](llvm::StringRef Word) {
    return llvm::any_of(Facts.Variables, [&](const Variable &V) {
      return V.Scope == VarScope::Body && V.Name == Word;
    });
  });
}

std::string CopyArray::declare(llvm::StringRef Type, llvm::StringRef Name) const {
  bool Space = !Type.ends_with("*");
  std::string Line = Type.str() + (Space ? " " : "") + Name.str();
  for (const std::string &Extent : Extents)
    Line += "[" + Extent + "]";
  return Line;
}

std::variant<CopyArray, NoCopyArray> copyArray(const LoopFacts &Facts,
                                               const CopyLeaf &Leaf) {
  CopyArray Array;
  Array.Count = 1;
  unsigned UnevenLoops = 0;
  for (const Node *Control : Leaf.Control) {
    if (Control->Kind != NodeKind::Loop)
      continue;
    if (!Control->Counted || !Control->Counted->ConstantExtent)
      return NoCopyArray{Control,
                         "how many elements each thread copies is no compile-time "
                         "constant, so they cannot be held in registers"};
    const CountedLoop &Loop = *Control->Counted;
    // Another name would stand for it while the next tile is copied.
    if (Facts.Variables[Loop.Var].Scope != VarScope::Body)
      return NoCopyArray{Control,
                         "the loop over the elements that each thread copies counts with "
                         "a variable from outside of the K loop, so they cannot be held "
                         "in registers"};
    std::string Extent = extentOf(Loop);
    // The array is declared in front of the copy, where its names are not.
    if (namesLocal(Facts, Extent)) {
      if (!Loop.Trips || Facts.IsTemplate)
        return NoCopyArray{Control,
                           "how many elements each thread copies is spelled with "
                           "names that only the copy phase has"};
      Extent = std::to_string(*Loop.Trips);
    }
    Array.Extents.push_back(Extent);
    std::string Index = indexOf(Facts, Loop);
    if (hidesName(Facts, *Control, Index))
      return NoCopyArray{Control,
                         "a name that this loop counts with is declared anew in it, so "
                         "that its rounds cannot be told there"};
    Array.Index += "[" + Index + "]";
    UnevenLoops += !Loop.InitConstant;
    if (Array.Count && Loop.Trips)
      *Array.Count *= *Loop.Trips;
    else
      Array.Count.reset();
  }
  Array.Shifted = UnevenLoops > 0;
  Array.Uneven = UnevenLoops > 1;
  return Array;
}

} // namespace pipeline_rewrite
