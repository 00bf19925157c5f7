/// \file
/// Which elements of a tile statements store to, compared by what is written
/// there.
#pragma once

#include "Analysis/Facts.h"
#include <map>
#include <set>

namespace pipeline_rewrite {

/// The places that a list of statements stores to, in one tile. Each is spelled
/// with the control around it, and for each variable in it with what that is: the
/// counter of which loop around, the text of the declaration among the
/// statements, or the variable itself. So two lists whose places are equal store
/// to the same elements, as long as the variables in uses() are the same.
class StorePlaces {
public:
  /// \param AtMost conditions do not count: the places may be stored to.
  explicit StorePlaces(ObjectId Tile, bool AtMost = false)
      : Tile(Tile), AtMost(AtMost) {}

  /// \p Statement may change variables: to be called for all statements around
  /// before the first add().
  void learn(const Node &Statement);
  /// \p Statement comes before those that are added, and declares variables.
  void declareFrom(const Node &Statement);
  /// In their order.
  void add(const Node &Statement) { visit(Statement, ""); }

  const std::multiset<std::string> &places() const { return Places; }
  /// Of one store among the statements; empty: none of them.
  std::string placeOf(const TileStore &Store) const;
  /// False where some place cannot be spelled so.
  bool known() const { return Known; }
  /// Variables that stand for themselves in a place.
  const std::set<VarId> &uses() const { return Uses; }

private:
  void visit(const Node &N, const std::string &Control);
  void visitIf(const Node &N, const std::string &Control);
  void visitLoop(const Node &N, const std::string &Control);
  void declare(const Node &N);
  std::string spelled(const std::string &Text, const std::vector<VarRef> &Refs,
                      const std::vector<VarId> &Own = {});
  bool holdsStore(const Node &N) const;

  ObjectId Tile;
  bool AtMost;
  std::multiset<std::string> Places;
  std::map<const TileStore *, std::string> ByStore;
  std::set<VarId> Uses;
  std::set<VarId> Written;       ///< by other than a loop's own header
  std::set<VarId> CountedSomewhere; ///< by a loop's header
  std::vector<VarId> Counters;   ///< of the loops around, outermost first
  std::map<VarId, std::string> Meaning; ///< of what the statements declare
  bool Known = true;
};

/// Do both arms of the if statement \p N store to the same elements of \p Tile?
bool bothArmsStore(const Node &N, ObjectId Tile);

} // namespace pipeline_rewrite
