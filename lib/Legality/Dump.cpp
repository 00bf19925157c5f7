#include "Legality/Verdict.h"

namespace pipeline_rewrite {

std::string dumpVerdict(const LoopFacts &Facts, const Verdict &V) {
  std::string Text = "verdict: loop in " + Facts.Instantiation + " at line " +
                     std::to_string(Facts.Line) +
                     (V.legal() ? ", legal\n" : ", refused\n");
  for (const Reason &R : V.Reasons)
    Text += "  " + std::string(slugOf(R.Id)) + " at line " +
            std::to_string(R.Line) + ": " + R.Message + "\n";
  for (const Reason &R : V.SlotReasons)
    Text += "  one slot only: " + std::string(slugOf(R.Id)) + " at line " +
            std::to_string(R.Line) + ": " + R.Message + "\n";
  for (ObjectId Tile : V.Tiles)
    Text += "  tile " + Facts.Objects[Tile].Name + "\n";
  auto List = [&](const char *What, const std::vector<size_t> &Statements) {
    Text += std::string("  ") + What + ":";
    for (size_t I : Statements)
      Text += " " + std::to_string(Facts.Body[I].Line);
    Text += "\n";
  };
  List("copy phase, lines", V.Split.Copy);
  List("compute phase, lines", V.Split.Compute);
  List("tail, lines", V.Split.Tail);
  return Text;
}

} // namespace pipeline_rewrite
