/// \file
/// Names that hide nothing and that nothing hides: see LoopFacts::NamesInFunction.
#pragma once

#include "Analysis/Facts.h"
#include <algorithm>
#include <set>
#include <string>

namespace pipeline_rewrite {

class FreshNames {
public:
  /// \param Taken names that were given to other loops of the function.
  explicit FreshNames(const LoopFacts &Facts, std::set<std::string> Taken = {})
      : Facts(&Facts), Given(std::move(Taken)) {}

  /// Every name given so far.
  const std::set<std::string> &given() const { return Given; }

  /// \p Wanted, or the first of Wanted1, Wanted2, ... that is free. Of the
  /// variable behind `auto [r, c]`, whose name is no identifier, `r_c` is left.
  std::string get(std::string Wanted) {
    std::replace(Wanted.begin(), Wanted.end(), ',', '_');
    Wanted.erase(std::remove_if(Wanted.begin(), Wanted.end(),
                                [](unsigned char C) {
                                  return C == '[' || C == ' ' || C == ']';
                                }),
                 Wanted.end());
    std::string Name = Wanted;
    for (unsigned I = 1; taken(Name); ++I)
      Name = Wanted + std::to_string(I);
    Given.insert(Name);
    return Name;
  }

private:
  bool taken(const std::string &Name) const {
    return Given.count(Name) ||
           std::binary_search(Facts->NamesInFunction.begin(),
                              Facts->NamesInFunction.end(), Name);
  }

  const LoopFacts *Facts;
  std::set<std::string> Given;
};

} // namespace pipeline_rewrite
