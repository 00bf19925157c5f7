#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pipeline_rewrite {

/// A value of a rules file, with the place where it was written. The YAML
/// parser stays behind this type, and its exceptions with it.
struct RuleNode {
  enum class Kind { Scalar, List, Map };

  Kind Type = Kind::Scalar;
  std::string Text;                                  ///< Of a scalar.
  std::vector<RuleNode> Items;                       ///< Of a list.
  std::vector<std::pair<RuleNode, RuleNode>> Fields; ///< Of a map, in order.
  std::shared_ptr<const std::string> File;
  unsigned Line = 0, Column = 0; ///< From 1.

  /// The value of \p Key, or null. Only maps have any.
  const RuleNode *get(llvm::StringRef Key) const;
};

/// Reads a rules file. What is not well-formed, has a key twice, is empty or
/// nests too deeply is an error "FILE:LINE:COLUMN: ...".
llvm::Expected<RuleNode> readRuleFile(llvm::StringRef Path);

/// "FILE:LINE:COLUMN: Message" for the place of \p Node.
llvm::Error ruleError(const RuleNode &Node, const llvm::Twine &Message);

/// An error unless \p Node is a map with every key of \p Required and none
/// besides those and \p Optional.
llvm::Error checkKeys(const RuleNode &Node,
                      llvm::ArrayRef<llvm::StringRef> Required,
                      llvm::ArrayRef<llvm::StringRef> Optional = {});

/// The names under the key "sources" of \p Root, each with a description.
llvm::Expected<std::set<std::string>> readSources(const RuleNode &Root);

/// A figure of the form { value: ..., unit: ..., source: [...] }.
struct RuleFigure {
  const RuleNode *Value = nullptr;
  std::string Unit; ///< One of those that were allowed.
};

/// The figure \p Key of \p Parent, which must be there, in one of \p Units and
/// from \p Sources.
llvm::Expected<RuleFigure> readFigure(const RuleNode &Parent,
                                      llvm::StringRef Key,
                                      llvm::ArrayRef<llvm::StringRef> Units,
                                      const std::set<std::string> &Sources);

/// Scalars of the wanted type and range; \p Name is what messages call them.
llvm::Expected<uint64_t> readUnsigned(const RuleNode &Node,
                                      llvm::StringRef Name, uint64_t Least,
                                      uint64_t Most);
llvm::Expected<double> readNumber(const RuleNode &Node, llvm::StringRef Name,
                                  double Least, double Most);
llvm::Expected<bool> readFlag(const RuleNode &Node, llvm::StringRef Name);
llvm::Expected<std::string> readText(const RuleNode &Node,
                                     llvm::StringRef Name);

} // namespace pipeline_rewrite
