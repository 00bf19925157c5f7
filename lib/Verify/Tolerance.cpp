#include "Verify/Tolerance.h"

#include "Budget/RuleFile.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace pipeline_rewrite {

static Expected<ToleranceSpec> namedTolerance(StringRef Name,
                                              StringRef RulesDir) {
  Expected<RuleNode> Root = readRuleFile((RulesDir + "/tolerances.yaml").str());
  if (!Root)
    return Root.takeError();
  if (Error E = checkKeys(*Root, {"schema", "sources", "types"}))
    return E;
  Expected<std::set<std::string>> Sources = readSources(*Root);
  if (!Sources)
    return Sources.takeError();
  const RuleNode *Types = Root->get("types"), *Row = Types->get(Name);
  if (!Row) {
    std::string Known;
    for (const auto &Field : Types->Fields)
      Known += (Known.empty() ? "" : ", ") + Field.first.Text;
    return createStringError("'" + Name +
                             "' is no tolerance: give bitwise, rel:X, abs:X, "
                             "ulp:N or one of " +
                             Known);
  }
  if (Error E = checkKeys(*Row, {"element", "absolute", "relative"}))
    return E;
  ToleranceSpec Spec;
  Expected<std::string> Element = readText(*Row->get("element"), "'element'");
  if (!Element)
    return Element.takeError();
  Spec.ElementType = *Element;
  for (auto [Key, Out] :
       {std::pair("absolute", &Spec.Absolute), {"relative", &Spec.Relative}}) {
    Expected<RuleFigure> Figure = readFigure(*Row, Key, {"1"}, *Sources);
    if (!Figure)
      return Figure.takeError();
    Expected<double> Value = readNumber(*Figure->Value, Key, 0, 1e6);
    if (!Value)
      return Value.takeError();
    *Out = *Value;
  }
  return Spec;
}

Expected<ToleranceSpec> readTolerance(StringRef Text, StringRef RulesDir) {
  ToleranceSpec Spec;
  if (Text.empty() || Text == "bitwise")
    return Spec;
  auto [Kind, Number] = Text.split(':');
  if (Kind == "ulp") {
    if (Number.getAsInteger(10, Spec.Ulps) || Spec.Ulps == 0)
      return createStringError("'" + Text +
                               "': ulp takes a whole number above 0");
    return Spec;
  }
  if (Kind == "rel" || Kind == "abs") {
    double Value = 0;
    if (!to_float(Number, Value) || !(Value > 0))
      return createStringError("'" + Text + "': " + Kind +
                               " takes a number above 0");
    (Kind == "rel" ? Spec.Relative : Spec.Absolute) = Value;
    return Spec;
  }
  return namedTolerance(Text, RulesDir);
}

} // namespace pipeline_rewrite
