#include "Analysis/Analysis.h"
#include "llvm/Support/raw_ostream.h"

namespace pipeline_rewrite {

namespace {

const char *kindName(NodeKind Kind) {
  switch (Kind) {
  case NodeKind::Expression:
    return "expression";
  case NodeKind::Declaration:
    return "declaration";
  case NodeKind::SharedDeclaration:
    return "shared declaration";
  case NodeKind::Block:
    return "block";
  case NodeKind::If:
    return "if";
  case NodeKind::Loop:
    return "loop";
  case NodeKind::Barrier:
    return "barrier";
  case NodeKind::Empty:
    return "empty";
  case NodeKind::Other:
    return "other";
  }
  return "";
}

const char *effectName(EffectKind Kind) {
  switch (Kind) {
  case EffectKind::Read:
    return "reads";
  case EffectKind::Write:
    return "writes";
  case EffectKind::Atomic:
    return "atomic on";
  case EffectKind::Barrier:
    return "barrier";
  case EffectKind::AsyncCopy:
    return "asynchronous copy";
  case EffectKind::Opaque:
    return "opaque";
  }
  return "";
}

void dumpNode(llvm::raw_ostream &OS, const LoopFacts &Facts, const Node &N,
              unsigned Depth) {
  OS.indent(Depth * 2) << kindName(N.Kind) << " at line " << N.Line;
  if (N.WholeCall)
    OS << " (a call that copies)";
  if (N.MacroFused)
    OS << " (macro)";
  if (N.Counted && N.Counted->ConstantExtent) {
    OS << " (constant trips";
    if (N.Counted->Trips)
      OS << " " << *N.Counted->Trips;
    OS << ")";
  }
  OS << "\n";
  for (const VarRef &R : N.Refs)
    OS.indent(Depth * 2 + 2) << (R.Write ? (R.Read ? "changes " : "sets ") : "uses ")
                             << Facts.Variables[R.Var].Name
                             << (R.Partial ? " (part)" : "")
                             << (R.InMacro ? " (macro)" : "") << "\n";
  for (const Effect &E : N.Effects) {
    OS.indent(Depth * 2 + 2) << effectName(E.Kind);
    if (E.Object)
      OS << " " << Facts.Objects[*E.Object].Name;
    OS << (E.What.empty() ? "" : " (" + E.What + ")") << "\n";
  }
  for (const TileStore &S : N.Stores)
    OS.indent(Depth * 2 + 2) << "stores to tile " << Facts.Objects[S.Tile].Name
                             << ", " << S.Bytes << " bytes, value kind "
                             << static_cast<int>(S.Kind) << "\n";
  for (const GlobalLoad &L : N.Loads) {
    OS.indent(Depth * 2 + 2) << "loads " << L.Type << ", " << L.Bytes << " bytes";
    if (L.Step)
      OS << ", from iteration to iteration " << L.Step->Elements << " further";
    OS << "\n";
  }
  for (const Node &Child : N.Children)
    dumpNode(OS, Facts, Child, Depth + 1);
}

const char *launchName(LaunchKind Kind) {
  switch (Kind) {
  case LaunchKind::Brackets:
    return "launch";
  case LaunchKind::LaunchKernel:
    return "runtime launch";
  case LaunchKind::Config:
    return "configured launch";
  case LaunchKind::Occupancy:
    return "occupancy query";
  case LaunchKind::Attribute:
    return "attribute";
  }
  return "";
}

void dumpUses(llvm::raw_ostream &OS, const KernelUses &Uses) {
  for (const LaunchSite &S : Uses.Sites) {
    OS << "  " << launchName(S.Kind) << " at line " << S.Line << ": "
       << S.KernelText;
    if (!S.TemplateArguments.empty())
      OS << " with " << S.Qualifier << S.TemplateArguments;
    OS << ", bytes " << (S.BytesText.empty() ? "none" : S.BytesText);
    if (S.DynamicShared)
      OS << " = " << *S.DynamicShared;
    if (S.BlockX && S.BlockY && S.BlockZ)
      OS << ", block " << *S.BlockX << " x " << *S.BlockY << " x " << *S.BlockZ;
    if (!S.Checker.empty())
      OS << ", checked by " << S.Checker;
    if (!S.Obstacle.empty())
      OS << ", " << S.Obstacle;
    OS << "\n";
  }
  for (const KernelEscape &E : Uses.Escapes)
    OS << "  kernel used at line " << E.Line << ": " << E.What << "\n";
}

} // namespace

static std::string dumpRanges(const std::vector<ByteRange> &Ranges) {
  std::string Text;
  for (const ByteRange &R : Ranges)
    Text += " [" + std::to_string(R.Begin) + ", " + std::to_string(R.End) + ")";
  return Text.empty() ? " nothing" : Text;
}

static std::string dumpPart(const SharedVariable &S) {
  if (!S.Part)
    return "";
  std::string Text = ", dynamic bytes" + dumpRanges({S.Part->Bytes}) + " through";
  for (const BlockName &N : S.Part->Names)
    Text += " " + N.Name;
  return Text;
}

std::string dumpFacts(const LoopFacts &Facts) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "facts: loop in " << Facts.Instantiation << " at line " << Facts.Line
     << "\n";
  for (const Variable &V : Facts.Variables)
    OS << "  variable " << V.Name << ": " << V.Type
       << (V.Scope == VarScope::Outside  ? ", outside"
           : V.Scope == VarScope::Header ? ", header"
                                         : ", body")
       << (V.ReadAfterLoop ? ", read after" : "")
       << (V.ThreadDependent ? ", per thread" : "") << "\n";
  for (const SharedVariable &S : Facts.Shared)
    OS << "  shared " << S.Name << ": " << S.Bytes << " bytes (" << S.SymbolicBytes
       << "), accesses aligned to " << S.AccessAlignment
       << (S.DeclaredInLoop ? ", declared in the loop" : "")
       << (S.MentionedBefore ? ", used before" : "")
       << (S.MentionedAfter ? ", used after" : "") << dumpPart(S) << "\n";
  if (!Facts.BlockLoss.empty())
    OS << "  dynamic block: " << Facts.BlockLossLine << ":"
       << Facts.BlockLossColumn << ": " << Facts.BlockLoss << "\n";
  else if (Facts.BlockBytes)
    OS << "  dynamic block: " << Facts.BlockBytes << " bytes used, kept clear:"
       << dumpRanges(Facts.BlockKept) << "\n";
  dumpUses(OS, Facts.Uses);
  for (const Node &N : Facts.Body)
    dumpNode(OS, Facts, N, 1);
  for (const Node &N : Facts.Increments)
    dumpNode(OS, Facts, N, 1);
  return Text;
}

} // namespace pipeline_rewrite
