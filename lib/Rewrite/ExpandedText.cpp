#include "Rewrite/ExpandedText.h"
#include "llvm/ADT/STLExtras.h"

namespace pipeline_rewrite {

ExpandedText::ExpandedText(llvm::StringRef Original, std::vector<SourceEdit> Edits)
    : Original(Original) {
  unsigned At = 0;
  for (const SourceEdit &E : Edits) {
    Text += Original.slice(At, E.Offset);
    At = E.Offset + E.Length;
    unsigned Begin = Text.size();
    Text += E.Text;
    Blocks.push_back({Begin, unsigned(Text.size()), E.Offset, At});
  }
  Text += Original.substr(At);
}

std::vector<LineNote> ExpandedText::lineNotes() const {
  std::vector<LineNote> Notes;
  for (const Block &B : Blocks) {
    unsigned Last = 1 + llvm::StringRef(Original).take_front(B.OldEnd).count('\n');
    unsigned LineBegin = B.Begin;
    for (unsigned At = B.Begin; At < B.End; ++At)
      if (Text[At] == '\n') {
        Notes.push_back({LineBegin, Last});
        LineBegin = At + 1;
      }
    Notes.push_back({LineBegin, Last + 1});
  }
  return Notes;
}

std::optional<unsigned> ExpandedText::original(unsigned Offset) const {
  unsigned Shorter = 0;
  for (const Block &B : Blocks) {
    if (Offset <= B.Begin)
      break;
    if (Offset < B.End)
      return std::nullopt;
    Shorter = B.End - B.OldEnd;
  }
  return Offset - Shorter;
}

std::optional<SourceEdit> ExpandedText::original(const SourceEdit &Edit) const {
  std::optional<unsigned> Begin = original(Edit.Offset);
  std::optional<unsigned> End = original(Edit.Offset + Edit.Length);
  if (!Begin || !End)
    return std::nullopt;
  return SourceEdit{*Begin, *End - *Begin, Edit.Text};
}

bool ExpandedText::coveredBy(const std::vector<SourceEdit> &Edits) const {
  return llvm::all_of(Blocks, [&](const Block &B) {
    return llvm::any_of(Edits, [&](const SourceEdit &E) {
      return E.Offset <= B.Begin && B.End <= E.Offset + E.Length;
    });
  });
}

} // namespace pipeline_rewrite
