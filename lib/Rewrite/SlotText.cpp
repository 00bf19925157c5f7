#include "Rewrite/SlotText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace pipeline_rewrite {

namespace {

constexpr StringRef SharedWord = "__shared__";

std::string openClass(const TilePlan &Tile) {
  return "struct __align__(" + std::to_string(Tile.PadTo) + ") " + Tile.SlotType + " { ";
}

std::string slotsOf(const SlottedTile &T) {
  return T.Tile->SlotsName + "[" + std::to_string(T.Stages) + "]";
}

/// Writes the edits of one statement.
class DeclarationWriter {
public:
  DeclarationWriter(llvm::ArrayRef<SlottedTile> Tiles, StringRef Buffer, StringRef Break)
      : Tiles(Tiles), Any(*Tiles.front().Variable), Buffer(Buffer), Break(Break) {}

  std::vector<SourceEdit> run() {
    // A slot that is a class is declared on its own, and so are its neighbours.
    if (llvm::any_of(Tiles, [](const SlottedTile &T) { return T.Tile->PadTo != 0; }))
      declareEach();
    else
      declareTogether();
    std::string After;
    for (const SlottedTile &T : Tiles)
      After += checks(T);
    if (!After.empty())
      Edits.push_back({Any.DeclRange.End, 0, After});
    orderEdits(Edits);
    return std::move(Edits);
  }

private:
  void declareTogether() {
    std::vector<unsigned> Alignments;
    for (const SlottedTile &T : Tiles) {
      nameSlots(T);
      if (T.Alignment && !llvm::is_contained(Alignments, T.Alignment))
        Alignments.push_back(T.Alignment);
    }
    size_t Word = Buffer.slice(Any.DeclRange.Begin, Any.DeclRange.End).find(SharedWord);
    for (unsigned Alignment : Alignments)
      if (Word != StringRef::npos)
        Edits.push_back({unsigned(Any.DeclRange.Begin + Word + SharedWord.size()), 0,
                         aligned(Alignment)});
  }

  void declareEach() {
    const std::vector<TextRange> &Declarators = Any.Declarators;
    unsigned From = Any.DeclRange.Begin;
    std::string Close;
    for (size_t I = 0; I < Declarators.size(); ++I) {
      const SlottedTile *T = tileAt(Declarators[I]);
      bool Padded = T && T->Tile->PadTo;
      Edits.push_back({From, Declarators[I].Begin - From,
                       (I ? Close + ";" + Break : Break.take_front(0)).str() +
                           (Padded ? openClass(*T->Tile) + T->Variable->MemberType + " "
                                   : specifiers(T ? T->Alignment : 0))});
      if (T && !Padded)
        nameSlots(*T);
      Close = Padded ? ("; };" + Break + SharedWord + " " + T->Tile->SlotType + " " +
                        slotsOf(*T))
                           .str()
                     : "";
      From = Declarators[I].End;
    }
    if (!Close.empty())
      Edits.push_back({From, 0, Close});
  }

  void nameSlots(const SlottedTile &T) {
    const TextRange &Name = T.Variable->NameRange;
    Edits.push_back({Name.Begin, Name.End - Name.Begin, slotsOf(T)});
  }

  /// What stands before the first declarator.
  std::string specifiers(unsigned Alignment) const {
    std::string Text =
        Buffer.slice(Any.DeclRange.Begin, Any.Declarators.front().Begin).str();
    size_t Word = Text.find(SharedWord);
    if (Alignment && Word != std::string::npos)
      Text.insert(Word + SharedWord.size(), aligned(Alignment));
    return Text;
  }

  static std::string aligned(unsigned Alignment) {
    return " __align__(" + std::to_string(Alignment) + ")";
  }

  std::string checks(const SlottedTile &T) const {
    std::string Lines;
    if (T.Tile->CheckSlotSize)
      Lines += (Break + "static_assert(sizeof(" + T.Tile->SlotsName + "[0]) % " +
                std::to_string(T.Tile->SlotAlignment) +
                " == 0, \"every slot must be aligned\");")
                   .str();
    if (T.BindFirst)
      Lines += (Break + "auto &" + T.Variable->Name + " = " + T.Tile->inSlot("0") + ";").str();
    return Lines;
  }

  const SlottedTile *tileAt(const TextRange &Declarator) const {
    auto Found = llvm::find_if(Tiles, [&](const SlottedTile &T) {
      return Declarator.contains(T.Variable->NameRange);
    });
    return Found == Tiles.end() ? nullptr : &*Found;
  }

  llvm::ArrayRef<SlottedTile> Tiles;
  const SharedVariable &Any;
  StringRef Buffer, Break;
  std::vector<SourceEdit> Edits;
};

} // namespace

std::string slotClass(const TilePlan &Tile, const std::string &Member) {
  return openClass(Tile) + Member + "; };";
}

std::vector<SourceEdit> slottedDeclaration(llvm::ArrayRef<SlottedTile> Tiles,
                                           StringRef Buffer, StringRef Break) {
  if (Tiles.empty())
    return {};
  return DeclarationWriter(Tiles, Buffer, Break).run();
}

} // namespace pipeline_rewrite
