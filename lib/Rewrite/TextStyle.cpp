#include "Rewrite/TextStyle.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>

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
    // The loop's own brace begins the text.
    bool OwnBrace = Inner.empty() && Trimmed.starts_with("{");
    if (Trimmed.empty() || Trimmed.starts_with("#") || OwnBrace)
      continue;
    if (Inner.size() > Outer.size() && Inner.starts_with(Outer))
      Style.Indent = Inner.substr(Outer.size()).str();
    if (Inner.size() <= Outer.size() || !Style.Indent.empty())
      break;
  }
  return Style;
}

/// Calls \p Visit with each token of \p Text but comments, and where it starts.
static void
everyToken(const std::string &Text,
           llvm::function_ref<void(const clang::Token &, unsigned Begin)> Visit) {
  clang::LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true;
  Options.RawStringLiterals = true;
  const char *Begin = Text.data(), *End = Begin + Text.size();
  clang::Lexer Raw(clang::SourceLocation(), Options, Begin, Begin, End);
  clang::Token T;
  for (Raw.LexFromRawLexer(T); T.isNot(clang::tok::eof); Raw.LexFromRawLexer(T))
    Visit(T, Raw.getBufferLocation() - Begin - T.getLength());
}

std::string withoutComments(StringRef Text) {
  std::string Copy = Text.str(), Result;
  unsigned End = 0;
  everyToken(Copy, [&](const clang::Token &T, unsigned Begin) {
    bool NewLine = StringRef(Copy).slice(End, Begin).contains('\n');
    if (!Result.empty())
      Result += NewLine ? "\n" : T.hasLeadingSpace() ? " " : "";
    Result += Copy.substr(Begin, T.getLength());
    End = Begin + T.getLength();
  });
  return Result.empty() ? Result : Result + "\n";
}

/// The places in \p Text where a line starts inside a literal.
static std::set<size_t> linesInLiterals(StringRef Text) {
  std::set<size_t> Lines;
  if (!Text.contains('"') && !Text.contains('\''))
    return Lines;
  everyToken(Text.str(), [&](const clang::Token &T, unsigned Begin) {
    size_t End = Begin + T.getLength();
    if (clang::tok::isLiteral(T.getKind()))
      for (size_t At = Text.find('\n', Begin); At < End; At = Text.find('\n', At + 1))
        Lines.insert(At + 1);
  });
  return Lines;
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
  const std::set<size_t> Kept = linesInLiterals(Text);
  const char *Begin = Text.data();
  while (!Text.empty()) {
    StringRef Line;
    bool Literal = Kept.count(Text.data() - Begin) != 0;
    std::tie(Line, Text) = Text.split('\n');
    Line = Line.rtrim("\r");
    if (Literal) {
      Out += Line.str() + Style.LineEnd;
      continue;
    }
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
