/// \file
/// A file in which some calls are replaced by blocks, and the way back from its
/// places to those of the file as it is.
#pragma once

#include "Rewrite/Edits.h"
#include "Support/OriginalLines.h"

namespace pipeline_rewrite {

class ExpandedText {
public:
  /// \param Blocks what takes the place of which bytes of \p Original; in order,
  /// apart from each other.
  ExpandedText(llvm::StringRef Original, std::vector<SourceEdit> Blocks);

  const std::string &text() const { return Text; }
  /// Lets each line have the number that it has in the original; those of a block
  /// have the number of the last line of what it replaces.
  std::vector<LineNote> lineNotes() const;
  /// The same place of the original; nothing for one within a block.
  std::optional<unsigned> original(unsigned Offset) const;
  /// \p Edit of the expanded text as one of the original; nothing where it begins
  /// or ends within a block.
  std::optional<SourceEdit> original(const SourceEdit &Edit) const;
  /// Is each block part of what one of \p Edits replaces?
  bool coveredBy(const std::vector<SourceEdit> &Edits) const;

private:
  struct Block {
    unsigned Begin, End;       ///< in the expanded text
    unsigned OldBegin, OldEnd; ///< in the original
  };
  std::string Original, Text;
  std::vector<Block> Blocks;
};

} // namespace pipeline_rewrite
