#include "Verify/LaunchFile.h"

#include "Budget/RuleFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

bool isIdentifier(StringRef Name) {
  return !Name.empty() && (isAlpha(Name[0]) || Name[0] == '_') &&
         all_of(Name, [](char C) { return isAlnum(C) || C == '_'; });
}

/// A C++ expression: any text that cannot end the place it is put into.
Expected<std::string> readExpression(const RuleNode &Node, StringRef What) {
  Expected<std::string> Text = readText(Node, What);
  if (!Text)
    return Text;
  StringRef Brackets = "()[]{}";
  std::string Open; // Closing brackets that are due, the last one first.
  bool Whole = !Text->empty();
  for (char C : *Text) {
    size_t Which = Brackets.find(C);
    if (C == ';' || C == '\n') {
      Whole = false;
    } else if (Which != StringRef::npos && Which % 2 == 0) {
      Open.push_back(Brackets[Which + 1]);
    } else if (Which != StringRef::npos) {
      Whole &= !Open.empty() && Open.back() == C;
      if (!Open.empty())
        Open.pop_back();
    }
  }
  if (!Whole || !Open.empty())
    return ruleError(Node, What + " must be one C++ expression");
  return Text;
}

Expected<std::string> readIdentifier(const RuleNode &Node, StringRef What) {
  Expected<std::string> Text = readText(Node, What);
  if (Text && !isIdentifier(*Text))
    return ruleError(Node, What + " must be a C++ name, not '" + *Text + "'");
  return Text;
}

Expected<std::vector<std::string>> readExtent(const RuleNode &Root,
                                              StringRef Key) {
  const RuleNode &Node = *Root.get(Key);
  bool IsList = Node.Type == RuleNode::Kind::List;
  if (Node.Type == RuleNode::Kind::Map ||
      (IsList && (Node.Items.empty() || Node.Items.size() > 3)))
    return ruleError(Node,
                     "'" + Key + "' must be a list of one to three sizes");
  std::vector<std::string> Sizes;
  // A size that stands alone is a list of one.
  for (const RuleNode &Item : IsList ? ArrayRef(Node.Items) : ArrayRef(Node)) {
    Expected<std::string> Size =
        readExpression(Item, "a size of '" + Key.str() + "'");
    if (!Size)
      return Size.takeError();
    Sizes.push_back(std::move(*Size));
  }
  return Sizes;
}

Error readSweep(const RuleNode &Node, LaunchFile &File) {
  if (Node.Type != RuleNode::Kind::Map)
    return ruleError(Node, "'sweep' must give each size a list of values");
  // Every combination is run; more than this would never end.
  constexpr uint64_t MaxCases = 4096;
  uint64_t Cases = 1;
  for (const auto &[Key, Values] : Node.Fields) {
    if (!isIdentifier(Key.Text))
      return ruleError(Key, "'" + Key.Text + "' is not a C++ name");
    bool IsList = Values.Type == RuleNode::Kind::List;
    if (Values.Type == RuleNode::Kind::Map || (IsList && Values.Items.empty()))
      return ruleError(Values, "'" + Key.Text + "' needs a list of values");
    std::vector<int64_t> Numbers;
    for (const RuleNode &Item :
         IsList ? ArrayRef(Values.Items) : ArrayRef(Values)) {
      int64_t Number = 0;
      if (Item.Type != RuleNode::Kind::Scalar ||
          StringRef(Item.Text).getAsInteger(0, Number) ||
          Number < -(int64_t(1) << 31) || Number >= int64_t(1) << 31)
        return ruleError(Item, "'" + Item.Text +
                                   "' is not a whole number of 32 bits");
      Numbers.push_back(Number);
    }
    Cases *= Numbers.size();
    if (Cases > MaxCases)
      return ruleError(Values, "the sweep has more than " + Twine(MaxCases) +
                                   " combinations");
    File.Sweep.emplace_back(Key.Text, std::move(Numbers));
  }
  return Error::success();
}

/// One set of sizes: a value for every name of the sweep, and no other.
Expected<std::vector<int64_t>> readBenchCase(const RuleNode &Node,
                                             const LaunchFile &File) {
  if (Node.Type != RuleNode::Kind::Map)
    return ruleError(Node, "'bench' must give each size of the sweep one value");
  std::vector<int64_t> Values;
  for (const auto &Size : File.Sweep) {
    const RuleNode *Value = Node.get(Size.first);
    if (!Value)
      return ruleError(Node, "'bench' has no value for '" + Size.first + "'");
    Expected<uint64_t> Number =
        readUnsigned(*Value, "'" + Size.first + "'", 0, INT32_MAX);
    if (!Number)
      return Number.takeError();
    Values.push_back(static_cast<int64_t>(*Number));
  }
  if (Node.Fields.size() != File.Sweep.size())
    for (const auto &Field : Node.Fields)
      if (none_of(File.Sweep,
                  [&](const auto &S) { return S.first == Field.first.Text; }))
        return ruleError(Field.first, "'" + Field.first.Text +
                                          "' is no size of the sweep");
  return Values;
}

Error readBench(const RuleNode &Node, LaunchFile &File) {
  bool IsList = Node.Type == RuleNode::Kind::List;
  for (const RuleNode &Item : IsList ? ArrayRef(Node.Items) : ArrayRef(Node)) {
    Expected<std::vector<int64_t>> Case = readBenchCase(Item, File);
    if (!Case)
      return Case.takeError();
    File.Bench.push_back(std::move(*Case));
  }
  return Error::success();
}

Error readFormulas(const RuleNode &Root, LaunchFile &File) {
  for (auto [Key, Formula] : {std::pair("shared_after", &File.SharedAfter),
                              {"flops", &File.Flops},
                              {"bytes", &File.Bytes}}) {
    const RuleNode *Node = Root.get(Key);
    if (!Node)
      continue;
    Expected<std::string> Text =
        readExpression(*Node, "'" + std::string(Key) + "'");
    if (!Text)
      return Text.takeError();
    *Formula = std::move(*Text);
  }
  return Error::success();
}

Expected<LaunchArgument::Fill> readFill(const RuleNode &Node) {
  using Fill = LaunchArgument::Fill;
  auto Known = StringSwitch<std::optional<Fill>>(Node.Text)
                   .Case("uniform", Fill::Uniform)
                   .Case("normal", Fill::Normal)
                   .Case("integers", Fill::Integers)
                   .Case("iota", Fill::Iota)
                   .Case("zero", Fill::Zero)
                   .Case("nan", Fill::Nan)
                   .Default(std::nullopt);
  if (!Known)
    return ruleError(Node, "'" + Node.Text +
                               "' is no fill; there are uniform, normal, "
                               "integers, iota, zero and nan");
  return *Known;
}

Expected<LaunchArgument> readBuffer(const RuleNode &Node) {
  if (Error E = checkKeys(Node, {"name", "buffer", "count"},
                          {"fill", "seed", "output"}))
    return E;
  LaunchArgument A;
  A.IsBuffer = true;
  Expected<std::string> Type = readExpression(*Node.get("buffer"), "'buffer'");
  if (!Type)
    return Type.takeError();
  A.Type = *Type;
  Expected<std::string> Count = readExpression(*Node.get("count"), "'count'");
  if (!Count)
    return Count.takeError();
  A.Value = *Count;
  if (const RuleNode *FillNode = Node.get("fill")) {
    Expected<LaunchArgument::Fill> How = readFill(*FillNode);
    if (!How)
      return How.takeError();
    A.Contents = *How;
  }
  if (const RuleNode *SeedNode = Node.get("seed")) {
    Expected<uint64_t> Seed = readUnsigned(*SeedNode, "'seed'", 0, UINT32_MAX);
    if (!Seed)
      return Seed.takeError();
    A.Seed = *Seed;
  }
  if (const RuleNode *OutputNode = Node.get("output")) {
    Expected<bool> Output = readFlag(*OutputNode, "'output'");
    if (!Output)
      return Output.takeError();
    A.Output = *Output;
  }
  return A;
}

Expected<LaunchArgument> readScalar(const RuleNode &Node) {
  if (Error E = checkKeys(Node, {"name", "scalar", "value"}))
    return E;
  LaunchArgument A;
  Expected<std::string> Type = readExpression(*Node.get("scalar"), "'scalar'");
  if (!Type)
    return Type.takeError();
  A.Type = *Type;
  Expected<std::string> Value = readExpression(*Node.get("value"), "'value'");
  if (!Value)
    return Value.takeError();
  A.Value = *Value;
  return A;
}

Error readArguments(const RuleNode &Node, LaunchFile &File) {
  if (Node.Type != RuleNode::Kind::List)
    return ruleError(Node, "'args' must be a list in the kernel's order");
  for (const RuleNode &Item : Node.Items) {
    bool Buffer = Item.get("buffer"), Scalar = Item.get("scalar");
    if (Item.Type != RuleNode::Kind::Map || Buffer == Scalar)
      return ruleError(Item, "an argument has either 'buffer' or 'scalar'");
    Expected<LaunchArgument> A = Buffer ? readBuffer(Item) : readScalar(Item);
    if (!A)
      return A.takeError();
    Expected<std::string> Name = readIdentifier(*Item.get("name"), "'name'");
    if (!Name)
      return Name.takeError();
    for (const LaunchArgument &Other : File.Arguments)
      if (Other.Name == *Name)
        return ruleError(Item, "two arguments are called '" + *Name + "'");
    A->Name = *Name;
    File.Arguments.push_back(std::move(*A));
  }
  return Error::success();
}

Error readReference(const RuleNode &Node, LaunchFile &File) {
  if (Error E = checkKeys(Node, {"file", "function"}, {"tolerance"}))
    return E;
  LaunchReference R;
  Expected<std::string> Name = readText(*Node.get("file"), "'file'");
  if (!Name)
    return Name.takeError();
  R.File = *Name;
  Expected<std::string> Function =
      readExpression(*Node.get("function"), "'function'");
  if (!Function)
    return Function.takeError();
  R.Function = *Function;
  if (const RuleNode *T = Node.get("tolerance")) {
    Expected<std::string> Text = readText(*T, "'tolerance'");
    if (!Text)
      return Text.takeError();
    R.Tolerance = *Text;
  }
  File.Reference = std::move(R);
  return Error::success();
}

Error readTop(const RuleNode &Root, LaunchFile &File) {
  if (Error E = checkKeys(Root, {"kernel", "block", "grid", "args"},
                          {"sweep", "shared", "shared_after", "reference",
                           "bench", "flops", "bytes"}))
    return E;
  Expected<std::string> Kernel =
      readExpression(*Root.get("kernel"), "'kernel'");
  if (!Kernel)
    return Kernel.takeError();
  File.Kernel = *Kernel;
  for (auto [Key, Extent] :
       {std::pair("block", &File.Block), {"grid", &File.Grid}}) {
    Expected<std::vector<std::string>> Sizes = readExtent(Root, Key);
    if (!Sizes)
      return Sizes.takeError();
    *Extent = std::move(*Sizes);
  }
  if (const RuleNode *Node = Root.get("sweep"))
    if (Error E = readSweep(*Node, File))
      return E;
  if (const RuleNode *Node = Root.get("shared")) {
    Expected<std::string> Shared = readExpression(*Node, "'shared'");
    if (!Shared)
      return Shared.takeError();
    File.Shared = *Shared;
  }
  if (Error E = readFormulas(Root, File))
    return E;
  if (const RuleNode *Node = Root.get("bench"))
    if (Error E = readBench(*Node, File))
      return E;
  if (const RuleNode *Node = Root.get("reference"))
    if (Error E = readReference(*Node, File))
      return E;
  return readArguments(*Root.get("args"), File);
}

} // namespace

Expected<LaunchFile> readLaunchFile(StringRef Path) {
  Expected<RuleNode> Root = readRuleFile(Path);
  if (!Root)
    return Root.takeError();
  LaunchFile File;
  File.Path = Path.str();
  if (Error E = readTop(*Root, File))
    return E;
  return File;
}

const char *fillName(LaunchArgument::Fill F) {
  switch (F) {
  case LaunchArgument::Fill::Uniform:
    return "Uniform";
  case LaunchArgument::Fill::Normal:
    return "Normal";
  case LaunchArgument::Fill::Integers:
    return "Integers";
  case LaunchArgument::Fill::Iota:
    return "Iota";
  case LaunchArgument::Fill::Zero:
    return "Zero";
  case LaunchArgument::Fill::Nan:
    return "Nan";
  }
  llvm_unreachable("every fill has a name");
}

} // namespace pipeline_rewrite
