#include "Rewrite/TextStyle.h"
#include "llvm/ADT/SmallVector.h"

using llvm::StringRef;

namespace pipeline_rewrite {

StringRef lineIndent(StringRef Buffer, unsigned Offset) {
  size_t Start = Buffer.take_front(Offset).find_last_of('\n');
  StringRef Line = Buffer.substr(Start == StringRef::npos ? 0 : Start + 1);
  size_t Length = Line.find_first_not_of(" \t");
  return Line.substr(0, Length == StringRef::npos ? 0 : Length);
}

TextStyle detectStyle(StringRef Buffer, unsigned Offset) {
  TextStyle Style;
  if (Buffer.contains("\r\n"))
    Style.LineEnd = "\r\n";
  StringRef Outer = lineIndent(Buffer, Offset);
  size_t Brace = Buffer.find('{', Offset);
  size_t LineBreak = Buffer.find('\n', Offset);
  if (Brace != StringRef::npos && LineBreak != StringRef::npos) {
    StringRef Between = Buffer.slice(LineBreak, Brace);
    Style.BraceOnOwnLine = Brace > LineBreak && Between.trim().empty();
  }
  // The first line further in than the loop shows one level.
  StringRef Rest = Buffer.substr(Brace == StringRef::npos ? Offset : Brace);
  while (!Rest.empty()) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    StringRef Trimmed = Line.trim();
    StringRef Inner = Line.take_while([](char C) { return C == ' ' || C == '\t'; });
    if (Trimmed.empty() || Trimmed.starts_with("#") || Trimmed.starts_with("{"))
      continue;
    if (Inner.size() > Outer.size() && Inner.starts_with(Outer))
      Style.Indent = Inner.substr(Outer.size()).str();
    if (Inner.size() <= Outer.size() || !Style.Indent.empty())
      break;
  }
  return Style;
}

std::string CodeWriter::indent() const {
  std::string Result = Base;
  for (unsigned I = 0; I < Depth; ++I)
    Result += Style.Indent;
  return Result;
}

void CodeWriter::line(StringRef Text) {
  if (!Text.empty())
    Out += (Text.starts_with("#") ? "" : indent()) + Text.str();
  Out += Style.LineEnd;
}

void CodeWriter::verbatim(StringRef Text, StringRef OldIndent) {
  Text = Text.trim("\r\n");
  Text = Text.rtrim();
  if (Text.trim().empty())
    return;
  bool First = true;
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    Line = Line.rtrim("\r");
    if (First)
      Line = Line.ltrim(" \t");
    else if (Line.starts_with(OldIndent))
      Line = Line.substr(OldIndent.size());
    else
      Line = Line.ltrim(" \t");
    if (Line.trim().empty())
      Out += Style.LineEnd;
    else
      Out += indent() + Line.str() + Style.LineEnd;
    First = false;
  }
}

void CodeWriter::open(StringRef Head, StringRef Comment) {
  std::string Tail = Comment.empty() ? "" : " // " + Comment.str();
  if (Head.empty()) {
    line("{" + Tail);
  } else if (Style.BraceOnOwnLine) {
    line(Head);
    line("{" + Tail);
  } else {
    line(Head.str() + " {" + Tail);
  }
  ++Depth;
}

void CodeWriter::close() {
  --Depth;
  line("}");
}

std::string CodeWriter::take() { return std::move(Out); }

} // namespace pipeline_rewrite
