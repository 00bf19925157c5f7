#include "Rewrite/Edits.h"
#include "Rewrite/TextStyle.h"
#include "clang/Format/Format.h"
#include "clang/Tooling/Core/Replacement.h"
#include "clang/Tooling/Refactoring/AtomicChange.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using llvm::StringRef;

namespace pipeline_rewrite {

namespace {

/// What several loops want of one shared declaration.
struct DeclarationEdit {
  const SharedVariable *Variable = nullptr;
  const TilePlan *Tile = nullptr;
  unsigned Stages = 0;
  unsigned Alignment = 0;
  bool BindFirst = false;
};

void addEdit(std::vector<SourceEdit> &Edits, SourceEdit E) {
  if (!llvm::is_contained(Edits, E))
    Edits.push_back(std::move(E));
}

void editDeclaration(const DeclarationEdit &D, StringRef Buffer,
                     std::vector<SourceEdit> &Edits) {
  const SharedVariable &S = *D.Variable;
  addEdit(Edits, {S.NameRange.Begin, S.NameRange.End - S.NameRange.Begin,
                  D.Tile->SlotsName + "[" + std::to_string(D.Stages) + "]"});
  StringRef Text = Buffer.slice(S.DeclRange.Begin, S.DeclRange.End);
  size_t Word = Text.find("__shared__");
  if (D.Alignment && Word != StringRef::npos)
    addEdit(Edits, {unsigned(S.DeclRange.Begin + Word + 10), 0,
                    " __align__(" + std::to_string(D.Alignment) + ")"});
  std::string Indent = lineIndent(Buffer, S.DeclRange.Begin).str();
  std::string LineEnd = detectStyle(Buffer, S.DeclRange.Begin).LineEnd;
  std::string After;
  if (D.Tile->CheckSlotSize)
    After += LineEnd + Indent + "static_assert(sizeof(" + D.Tile->SlotsName +
             "[0]) % 16 == 0, \"every slot must be aligned\");";
  if (D.BindFirst)
    After += LineEnd + Indent + "auto &" + S.Name + " = " + D.Tile->SlotsName +
             "[0];";
  if (!After.empty())
    addEdit(Edits, {S.DeclRange.End, 0, After});
}

/// `#include <cuda_pipeline.h>` behind the last include of the file's head.
void addInclude(StringRef Path, StringRef Buffer, std::vector<SourceEdit> &Edits) {
  if (Buffer.contains("cuda_pipeline.h") ||
      Buffer.contains("cuda_pipeline_primitives.h"))
    return;
  std::string LineEnd = detectStyle(Buffer, 0).LineEnd;
  unsigned At = Buffer.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  bool Conditional = false;
  unsigned Offset = 0, Depth = 0;
  StringRef Rest = Buffer;
  while (!Rest.empty()) {
    auto [Line, Tail] = Rest.split('\n');
    StringRef Trimmed = Line.trim();
    if (Trimmed.starts_with("#if"))
      ++Depth;
    if (Trimmed.starts_with("#endif") && Depth)
      --Depth;
    Offset += Line.size() + 1;
    if (Trimmed.starts_with("#include") && Depth == 0)
      At = std::min<unsigned>(Offset, Buffer.size());
    Rest = Tail;
  }
  (void)Conditional;
  addEdit(Edits, {At, 0, "#include <cuda_pipeline.h>" + LineEnd});
}

} // namespace

std::vector<SourceEdit> emitEdits(const std::vector<PlannedLoop> &Loops,
                                  StringRef Buffer) {
  std::vector<SourceEdit> Edits;
  std::map<unsigned, DeclarationEdit> Declarations;
  bool Async = false;
  for (const PlannedLoop &L : Loops) {
    Async |= L.Plan->HasAsync();
    addEdit(Edits, {L.Facts->Range.Begin, L.Facts->Range.End - L.Facts->Range.Begin,
                    emitLoop(L, Buffer)});
    for (const SharedVariable &S : L.Facts->Shared) {
      const TilePlan *T = L.Plan->tile(S.Object);
      if (!T || L.Plan->Stages < 2 || S.DeclaredInLoop)
        continue;
      DeclarationEdit &D = Declarations[S.NameRange.Begin];
      D.Variable = &S;
      D.Tile = T;
      D.Stages = std::max(D.Stages, L.Plan->Stages);
      D.Alignment = std::max(D.Alignment, T->Alignment);
      D.BindFirst |= L.Plan->BindBefore.count(S.Object) != 0;
    }
  }
  for (const auto &Entry : Declarations)
    editDeclaration(Entry.second, Buffer, Edits);
  if (Async)
    addInclude("", Buffer, Edits);
  llvm::stable_sort(Edits, [](const SourceEdit &A, const SourceEdit &B) {
    return A.Offset < B.Offset;
  });
  return Edits;
}

llvm::Expected<std::string> applyEdits(StringRef Path, StringRef Buffer,
                                       const std::vector<SourceEdit> &Edits,
                                       StringRef FormatStyle) {
  clang::tooling::Replacements All;
  for (const SourceEdit &E : Edits)
    if (llvm::Error Conflict = All.add(clang::tooling::Replacement(
            Path, E.Offset, E.Length, E.Text)))
      return std::move(Conflict);
  if (!FormatStyle.empty() && FormatStyle != "none") {
    auto Style = clang::format::getStyle(FormatStyle, Path, "none", Buffer);
    if (!Style)
      return Style.takeError();
    auto Formatted = clang::format::formatReplacements(Buffer, All, *Style);
    if (!Formatted)
      return Formatted.takeError();
    return clang::tooling::applyAllReplacements(Buffer, *Formatted);
  }
  return clang::tooling::applyAllReplacements(Buffer, All);
}

std::string dumpEdits(const std::vector<SourceEdit> &Edits) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const SourceEdit &E : Edits)
    OS << "edit at " << E.Offset << ", " << E.Length << " bytes:\n"
       << E.Text << "\n";
  return Text;
}

} // namespace pipeline_rewrite
