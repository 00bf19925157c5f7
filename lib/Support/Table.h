#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace pipeline_rewrite {

/// A text table whose columns line up in a terminal and which is a Markdown
/// table at the same time.
class Table {
public:
  enum class Align { Left, Right };

  struct Column {
    std::string Title;
    Align Alignment = Align::Left;
  };

  explicit Table(std::vector<Column> Columns) : Columns(std::move(Columns)) {}

  /// Adds a row. Missing cells are empty; cells beyond the last column are an
  /// error of the caller.
  void addRow(std::vector<std::string> Cells);

  bool empty() const { return Rows.empty(); }

  /// Writes the head, a rule and the rows. A '|' in a cell is escaped and a
  /// line break becomes a blank, so that a cell can hold any text.
  void print(llvm::raw_ostream &Out) const;

private:
  std::vector<Column> Columns;
  std::vector<std::vector<std::string>> Rows;
};

} // namespace pipeline_rewrite
