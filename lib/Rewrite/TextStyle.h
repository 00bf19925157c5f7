/// \file
/// How the author writes: line ends, indentation, braces.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace pipeline_rewrite {

struct TextStyle {
  std::string LineEnd = "\n";
  std::string Indent = "  "; ///< one level
  bool BraceOnOwnLine = false;
};

/// Learns the style from the text around the loop at \p Offset.
TextStyle detectStyle(llvm::StringRef Buffer, unsigned Offset);

/// The white space that the line holding \p Offset starts with.
llvm::StringRef lineIndent(llvm::StringRef Buffer, unsigned Offset);

/// \p Text, statements or less, without its comments: what is left of each line
/// that holds more.
std::string withoutComments(llvm::StringRef Text);

/// Collects code line by line at a current depth.
class CodeWriter {
public:
  CodeWriter(const TextStyle &Style, std::string Base)
      : Style(Style), Base(std::move(Base)) {}

  /// One line of generated code.
  void line(llvm::StringRef Text);
  /// Code of the author's, moved to the current depth: lines after the first
  /// lose \p OldIndent and gain the current one. A line that starts inside a
  /// literal stays as it is.
  void verbatim(llvm::StringRef Text, llvm::StringRef OldIndent);
  /// `Head {`, in the author's style; an empty head opens a plain block.
  void open(llvm::StringRef Head, llvm::StringRef Comment = "");
  void close();
  std::string take();

private:
  std::string indent() const;

  const TextStyle &Style;
  std::string Base;
  unsigned Depth = 0;
  std::string Out;
};

} // namespace pipeline_rewrite
