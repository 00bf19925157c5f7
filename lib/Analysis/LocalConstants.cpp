#include "Analysis/LocalConstants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <set>

namespace pipeline_rewrite {

std::vector<std::string> identifiersIn(llvm::StringRef Expression) {
  std::vector<std::string> Result;
  auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  while (!Expression.empty()) {
    Expression = Expression.drop_until(IsWord);
    llvm::StringRef Word = Expression.take_while(IsWord);
    Expression = Expression.drop_front(Word.size());
    if (!Word.empty() && !llvm::isDigit(Word.front()) &&
        !llvm::is_contained(Result, Word))
      Result.push_back(Word.str());
  }
  return Result;
}

std::optional<std::vector<std::string>>
constantsFor(const KernelUses &Uses, llvm::StringRef Expression) {
  std::set<std::string> Needed;
  std::vector<std::string> Open = identifiersIn(Expression);
  while (!Open.empty()) {
    std::string Name = std::move(Open.back());
    Open.pop_back();
    if (llvm::is_contained(Uses.HiddenNames, Name))
      return std::nullopt;
    const LocalName *Found = nullptr;
    for (const LocalName &Local : Uses.Locals) {
      if (Local.Name != Name)
        continue;
      if (Local.Text.empty() || (Found && Found->Text != Local.Text))
        return std::nullopt;
      Found = &Local;
    }
    if (!Found || !Needed.insert(Name).second)
      continue;
    llvm::append_range(Open, identifiersIn(Found->Text));
  }
  std::vector<std::string> Result;
  for (const LocalName &Local : Uses.Locals)
    if (Needed.count(Local.Name) && !llvm::is_contained(Result, Local.Text))
      Result.push_back(Local.Text);
  return Result;
}

} // namespace pipeline_rewrite
