#include "Rewrite/Edits.h"
#include "Rewrite/BlockText.h"
#include "Rewrite/SlotText.h"
#include "Rewrite/TextStyle.h"
#include "clang/Format/Format.h"
#include "clang/Lex/Lexer.h"
#include "clang/Tooling/Core/Replacement.h"
#include "clang/Tooling/Refactoring/AtomicChange.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using llvm::StringRef;

namespace pipeline_rewrite {

namespace {

/// The end of a line and the indentation of the one that \p At stands in.
std::string lineBreak(StringRef Buffer, unsigned At) {
  return detectStyle(Buffer, At).LineEnd + lineIndent(Buffer, At).str();
}

void addEdit(std::vector<SourceEdit> &Edits, SourceEdit E) {
  if (!llvm::is_contained(Edits, E))
    Edits.push_back(std::move(E));
}

/// Enters what \p L wants of the declaration of \p S, by statement.
void noteDeclaration(const PlannedLoop &L, const SharedVariable &S, const TilePlan &T,
                     std::map<unsigned, std::vector<SlottedTile>> &Declarations) {
  std::vector<SlottedTile> &Tiles = Declarations[S.DeclRange.Begin];
  auto Known = llvm::find_if(Tiles, [&](const SlottedTile &Tile) {
    return Tile.Variable->NameRange.Begin == S.NameRange.Begin;
  });
  SlottedTile &D = Known == Tiles.end() ? Tiles.emplace_back() : *Known;
  D.Variable = &S;
  D.Tile = &T;
  D.Stages = std::max(D.Stages, L.Plan->Stages);
  D.Alignment = std::max(D.Alignment, T.Alignment);
  D.BindFirst |= L.Plan->BindBefore.count(S.Object) != 0;
}

/// `#include <cuda_pipeline.h>` behind the last include above \p Use that stands under
/// no condition and in no braces; comments do not count.
void addInclude(StringRef Buffer, unsigned Use, std::vector<SourceEdit> &Edits) {
  clang::LangOptions Options;
  Options.CPlusPlus = Options.LineComment = true;
  clang::Lexer Raw(clang::SourceLocation(), Options, Buffer.begin(),
                   Buffer.begin(), Buffer.end());
  unsigned At = Buffer.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  unsigned Depth = 0, Braces = 0;
  clang::Token T;
  for (Raw.LexFromRawLexer(T); T.isNot(clang::tok::eof); Raw.LexFromRawLexer(T)) {
    Braces += T.is(clang::tok::l_brace);
    Braces -= T.is(clang::tok::r_brace) && Braces;
    if (T.isNot(clang::tok::hash) || !T.isAtStartOfLine())
      continue;
    size_t Begin = Raw.getBufferLocation() - Buffer.begin();
    if (Begin > Use)
      break;
    StringRef Line = Buffer.substr(Begin).split('\n').first.trim();
    if (Line.starts_with("if"))
      ++Depth;
    else if (Line.starts_with("endif") && Depth)
      --Depth;
    if (!Line.starts_with("include"))
      continue;
    if (Braces == 0 && (Line.contains("cuda_pipeline.h") ||
                        Line.contains("cuda_pipeline_primitives.h")))
      return;
    size_t End = Buffer.find('\n', Begin);
    if (Depth == 0 && Braces == 0)
      At = End == StringRef::npos ? Buffer.size() : End + 1;
  }
  addEdit(Edits, {At, 0, "#include <cuda_pipeline.h>" +
                             detectStyle(Buffer, 0).LineEnd});
}

} // namespace

std::vector<SourceEdit> emitEdits(const std::vector<PlannedLoop> &Loops,
                                  StringRef Buffer) {
  std::vector<SourceEdit> Edits;
  std::map<unsigned, std::vector<SlottedTile>> Declarations;
  std::optional<unsigned> FirstAsync; ///< where the function of the first begins
  for (const PlannedLoop &L : Loops) {
    if (L.Plan->HasAsync())
      FirstAsync = std::min(FirstAsync.value_or(Buffer.size()), L.Facts->FunctionRange.Begin);
    addEdit(Edits, {L.Facts->Range.Begin, L.Facts->Range.End - L.Facts->Range.Begin,
                    emitLoop(L, Buffer)});
    for (const SharedVariable &S : L.Facts->Shared) {
      const TilePlan *T = L.Plan->tile(S.Object);
      if (!T || L.Plan->Stages < 2 || S.DeclaredInLoop || S.Part)
        continue;
      for (const TextRange &Name : S.Unevaluated)
        if (!L.Moved || !S.DeclRange.contains(Name)) // that text is written anew
          addEdit(Edits, {Name.Begin, Name.End - Name.Begin, T->inSlot("0")});
      if (!L.Moved)
        noteDeclaration(L, S, *T, Declarations);
    }
  }
  for (SourceEdit &E : moveArrays(Loops, Buffer))
    addEdit(Edits, std::move(E));
  for (const auto &[Begin, Tiles] : Declarations)
    for (SourceEdit &E : slottedDeclaration(Tiles, Buffer, lineBreak(Buffer, Begin)))
      addEdit(Edits, std::move(E));
  if (FirstAsync)
    addInclude(Buffer, *FirstAsync, Edits);
  orderEdits(Edits);
  return Edits;
}

void orderEdits(std::vector<SourceEdit> &Edits) {
  llvm::stable_sort(Edits, [](const SourceEdit &A, const SourceEdit &B) {
    return A.Offset < B.Offset;
  });
  std::vector<SourceEdit> Result;
  for (SourceEdit &E : Edits) {
    bool Joins = !Result.empty() && Result.back().Offset == E.Offset &&
                 !Result.back().Length && !E.Length;
    if (Joins)
      Result.back().Text += E.Text;
    else
      Result.push_back(std::move(E));
  }
  Edits = std::move(Result);
}

llvm::Expected<std::string> applyEdits(StringRef Path, StringRef Buffer,
                                       const std::vector<SourceEdit> &Edits,
                                       StringRef FormatStyle) {
  clang::tooling::Replacements All;
  for (const SourceEdit &E : Edits)
    if (llvm::Error Conflict = All.add(clang::tooling::Replacement(
            Path, E.Offset, E.Length, E.Text)))
      return Conflict;
  if (!FormatStyle.empty() && FormatStyle != "none") {
    auto Style = clang::format::getStyle(FormatStyle, Path, "none", Buffer);
    if (!Style)
      return llvm::createStringError(
          std::make_error_code(std::errc::invalid_argument),
          "--format-style: " + llvm::toString(Style.takeError()));
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
