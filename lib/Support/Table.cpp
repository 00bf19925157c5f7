#include "Support/Table.h"

#include "llvm/Support/Unicode.h"

#include <algorithm>
#include <cassert>

namespace pipeline_rewrite {

static std::string escapeCell(llvm::StringRef Text) {
  std::string Result;
  for (char C : Text) {
    if (C == '|')
      Result += '\\';
    Result += (C == '\n' || C == '\r' || C == '\t') ? ' ' : C;
  }
  return Result;
}

/// Columns that a terminal uses for the text; bytes where it is no valid UTF-8.
static size_t displayWidth(llvm::StringRef Text) {
  int Width = llvm::sys::unicode::columnWidthUTF8(Text);
  return Width < 0 ? Text.size() : static_cast<size_t>(Width);
}

void Table::addRow(std::vector<std::string> Cells) {
  assert(Cells.size() <= Columns.size() && "more cells than columns");
  Cells.resize(Columns.size());
  std::transform(Cells.begin(), Cells.end(), Cells.begin(), escapeCell);
  Rows.push_back(std::move(Cells));
}

void Table::print(llvm::raw_ostream &Out) const {
  std::vector<size_t> Widths;
  for (size_t I = 0; I != Columns.size(); ++I) {
    // A rule needs three dashes to be one.
    size_t Width =
        std::max<size_t>(3, displayWidth(escapeCell(Columns[I].Title)));
    for (const auto &Row : Rows)
      Width = std::max(Width, displayWidth(Row[I]));
    Widths.push_back(Width);
  }

  auto PrintCell = [&](size_t I, llvm::StringRef Text) {
    size_t Pad = Widths[I] - displayWidth(Text);
    bool Right = Columns[I].Alignment == Align::Right;
    Out << "| ";
    Out.indent(Right ? Pad : 0) << Text;
    Out.indent(Right ? 0 : Pad) << ' ';
  };

  for (size_t I = 0; I != Columns.size(); ++I)
    PrintCell(I, escapeCell(Columns[I].Title));
  Out << "|\n";
  for (size_t I = 0; I != Columns.size(); ++I) {
    bool Right = Columns[I].Alignment == Align::Right;
    Out << "| " << std::string(Widths[I] - (Right ? 1 : 0), '-')
        << (Right ? ":" : "") << ' ';
  }
  Out << "|\n";
  for (const auto &Row : Rows) {
    for (size_t I = 0; I != Columns.size(); ++I)
      PrintCell(I, Row[I]);
    Out << "|\n";
  }
}

} // namespace pipeline_rewrite
