#include "Plan/Plan.h"

namespace pipeline_rewrite {

std::string dumpPlan(const LoopFacts &Facts, const LoopPlan &Plan) {
  std::string Text = "plan: loop in " + Facts.Instantiation + " at line " +
                     std::to_string(Facts.Line) + ": " + toString(Plan.Kind) +
                     ", " + toString(Plan.Shape) + ", " +
                     std::to_string(Plan.Stages) + " slot(s)\n";
  for (const TilePlan &T : Plan.Tiles) {
    Text += "  tile " + T.Name + " by ";
    if (T.How == Transport::CpAsync)
      Text += "cp-async, " + std::to_string(T.CopyBytes) + " bytes a copy\n";
    else
      Text += "ldg" + (T.WhyLdg.empty() ? "" : " (" + T.WhyLdg + ")") + "\n";
  }
  for (const StagedLoad &S : Plan.Staged)
    Text += "  register " + S.Type + " " + S.Register + "\n";
  auto List = [&](const char *What, const std::set<VarId> &Vars) {
    Text += std::string("  ") + What + ":";
    for (VarId V : Vars)
      Text += " " + Facts.Variables[V].Name;
    Text += "\n";
  };
  List("runs ahead", Plan.Slice.Ahead);
  List("cloned", Plan.Places.Cloned);
  return Text;
}

} // namespace pipeline_rewrite
