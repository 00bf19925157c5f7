#include "Budget/RuleFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <yaml-cpp/yaml.h>

#include <cmath>

namespace pipeline_rewrite {
namespace {

// Deeper than any rules file has reason to be; an alias that contains itself
// would otherwise never end.
constexpr unsigned MaxDepth = 16;

using FileName = std::shared_ptr<const std::string>;

llvm::Expected<RuleNode> convert(const YAML::Node &From, const FileName &File,
                                 unsigned Depth);

llvm::Error convertMap(const YAML::Node &From, const FileName &File,
                       unsigned Depth, RuleNode &To) {
  std::set<std::string> Seen;
  for (const auto &Field : From) {
    llvm::Expected<RuleNode> Key = convert(Field.first, File, Depth + 1);
    if (!Key)
      return Key.takeError();
    if (Key->Type != RuleNode::Kind::Scalar)
      return ruleError(*Key, "a key must be a plain word");
    if (!Seen.insert(Key->Text).second)
      return ruleError(*Key, "key '" + Key->Text + "' is given twice");
    llvm::Expected<RuleNode> Value = convert(Field.second, File, Depth + 1);
    if (!Value)
      return Value.takeError();
    To.Fields.emplace_back(std::move(*Key), std::move(*Value));
  }
  return llvm::Error::success();
}

llvm::Expected<RuleNode> convert(const YAML::Node &From, const FileName &File,
                                 unsigned Depth) {
  RuleNode To;
  To.File = File;
  To.Line = From.Mark().line + 1;
  To.Column = From.Mark().column + 1;
  if (Depth > MaxDepth)
    return ruleError(To, "this nests too deeply");
  if (From.IsMap()) {
    To.Type = RuleNode::Kind::Map;
    if (llvm::Error E = convertMap(From, File, Depth, To))
      return E;
  } else if (From.IsSequence()) {
    To.Type = RuleNode::Kind::List;
    for (const YAML::Node &Item : From) {
      llvm::Expected<RuleNode> Value = convert(Item, File, Depth + 1);
      if (!Value)
        return Value.takeError();
      To.Items.push_back(std::move(*Value));
    }
  } else if (From.IsScalar()) {
    To.Text = From.Scalar();
  }
  return To;
}

} // namespace

const RuleNode *RuleNode::get(llvm::StringRef Key) const {
  for (const auto &Field : Fields)
    if (Field.first.Text == Key)
      return &Field.second;
  return nullptr;
}

llvm::Error ruleError(const RuleNode &Node, const llvm::Twine &Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 llvm::Twine(*Node.File) + ":" +
                                     llvm::Twine(Node.Line) + ":" +
                                     llvm::Twine(Node.Column) + ": " + Message);
}

llvm::Expected<RuleNode> readRuleFile(llvm::StringRef Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return llvm::createStringError(
        Buffer.getError(),
        Path + ": cannot be read: " + Buffer.getError().message());
  RuleNode Start;
  Start.File = std::make_shared<const std::string>(Path.str());
  Start.Line = Start.Column = 1;
  // The parser reports by exceptions; none may leave this function.
  try {
    YAML::Node Root = YAML::Load((*Buffer)->getBuffer().str());
    if (!Root.IsMap())
      return ruleError(Start, "the file must hold keys and values");
    return convert(Root, Start.File, 0);
  } catch (const YAML::Exception &E) {
    Start.Line = E.mark.is_null() ? 1 : E.mark.line + 1;
    Start.Column = E.mark.is_null() ? 1 : E.mark.column + 1;
    return ruleError(Start, "not valid YAML: " + E.msg);
  }
}

llvm::Error checkKeys(const RuleNode &Node,
                      llvm::ArrayRef<llvm::StringRef> Required,
                      llvm::ArrayRef<llvm::StringRef> Optional) {
  if (Node.Type != RuleNode::Kind::Map)
    return ruleError(Node, "expected keys and values here");
  for (const auto &Field : Node.Fields)
    if (!llvm::is_contained(Required, Field.first.Text) &&
        !llvm::is_contained(Optional, Field.first.Text))
      return ruleError(Field.first, "unknown key '" + Field.first.Text + "'");
  for (llvm::StringRef Key : Required)
    if (!Node.get(Key))
      return ruleError(Node, "key '" + Key + "' is missing");
  return llvm::Error::success();
}

llvm::Expected<std::set<std::string>> readSources(const RuleNode &Root) {
  const RuleNode &Described = *Root.get("sources");
  if (Described.Type != RuleNode::Kind::Map)
    return ruleError(Described, "sources must be names and descriptions");
  std::set<std::string> Sources;
  for (const auto &Source : Described.Fields) {
    llvm::Expected<std::string> Text =
        readText(Source.second, "the description of a source");
    if (!Text)
      return Text.takeError();
    Sources.insert(Source.first.Text);
  }
  return Sources;
}

llvm::Expected<RuleFigure> readFigure(const RuleNode &Parent,
                                      llvm::StringRef Key,
                                      llvm::ArrayRef<llvm::StringRef> Units,
                                      const std::set<std::string> &Sources) {
  const RuleNode &Figure = *Parent.get(Key);
  if (llvm::Error E = checkKeys(Figure, {"value", "unit", "source"}))
    return E;
  const RuleNode &Unit = *Figure.get("unit");
  if (!llvm::is_contained(Units, Unit.Text))
    return ruleError(Unit, Key + " is counted in " + llvm::join(Units, " or ") +
                               ", not in '" + Unit.Text + "'");
  const RuleNode &From = *Figure.get("source");
  if (From.Type != RuleNode::Kind::List || From.Items.empty())
    return ruleError(From, Key + " needs a list of sources");
  for (const RuleNode &Source : From.Items)
    if (!Sources.count(Source.Text))
      return ruleError(Source, "source '" + Source.Text +
                                   "' is not described under 'sources'");
  return RuleFigure{Figure.get("value"), Unit.Text};
}

llvm::Expected<uint64_t> readUnsigned(const RuleNode &Node,
                                      llvm::StringRef Name, uint64_t Least,
                                      uint64_t Most) {
  uint64_t Value = 0;
  if (Node.Type != RuleNode::Kind::Scalar ||
      llvm::StringRef(Node.Text).getAsInteger(10, Value))
    return ruleError(Node, Name + " must be a whole number");
  if (Value < Least || Value > Most)
    return ruleError(Node, Name + " must lie between " + llvm::Twine(Least) +
                               " and " + llvm::Twine(Most));
  return Value;
}

llvm::Expected<double> readNumber(const RuleNode &Node, llvm::StringRef Name,
                                  double Least, double Most) {
  double Value = 0;
  if (Node.Type != RuleNode::Kind::Scalar ||
      llvm::StringRef(Node.Text).getAsDouble(Value) || !std::isfinite(Value))
    return ruleError(Node, Name + " must be a number");
  if (Value < Least || Value > Most)
    return ruleError(Node, Name + " must lie between " +
                               llvm::formatv("{0} and {1}", Least, Most).str());
  return Value;
}

llvm::Expected<bool> readFlag(const RuleNode &Node, llvm::StringRef Name) {
  if (Node.Type == RuleNode::Kind::Scalar && Node.Text == "true")
    return true;
  if (Node.Type == RuleNode::Kind::Scalar && Node.Text == "false")
    return false;
  return ruleError(Node, Name + " must be true or false");
}

llvm::Expected<std::string> readText(const RuleNode &Node,
                                     llvm::StringRef Name) {
  if (Node.Type != RuleNode::Kind::Scalar || Node.Text.empty())
    return ruleError(Node, Name + " must be a text");
  return Node.Text;
}

} // namespace pipeline_rewrite
