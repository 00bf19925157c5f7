#include "Rewrite/BlockText.h"
#include "Plan/FreshNames.h"
#include "Plan/SharedLayout.h"
#include "Rewrite/SlotText.h"
#include "Rewrite/TextStyle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using llvm::StringRef;

namespace pipeline_rewrite {

namespace {

/// Prints the declarations of one kernel's block.
class BlockWriter {
public:
  BlockWriter(const SharedLayout &Layout, const PlannedLoop &Loop, StringRef Buffer)
      : Layout(Layout), Facts(*Loop.Facts), Moved(*Loop.Moved), Buffer(Buffer),
        Block(FreshNames(Facts).get(Facts.Function + "_shared")) {}

  std::vector<SourceEdit> run() {
    std::vector<SourceEdit> Edits;
    std::string Offset =
        Layout.OldBytes ? " + " + std::to_string(Layout.OldBytes) : "";
    for (size_t I = 0; I < Layout.Parts.size();) {
      TextRange Place = Layout.Parts[I].Array->Declaration;
      std::vector<std::string> Lines;
      if (Edits.empty())
        Lines.push_back("extern __shared__ __align__(" +
                        std::to_string(Layout.Alignment) + ") unsigned char " +
                        Block + "[];");
      for (; I < Layout.Parts.size() &&
             Layout.Parts[I].Array->Declaration.Begin == Place.Begin;
           ++I) {
        declare(Layout.Parts[I], Offset, Lines);
        std::string Size = "sizeof(" + Layout.Parts[I].Name + ")";
        Offset += " + " + (Layout.Parts[I].Rounded
                               ? roundedUp(Size, Layout.Alignment)
                               : Size);
      }
      if (I == Layout.Parts.size() && !Moved.BytesCall.empty())
        Lines.push_back("static_assert(" + StringRef(Offset).substr(3).str() +
                        " <= " + Moved.BytesCall +
                        ", \"every launch gives the whole block\");");
      std::string Indent = lineIndent(Buffer, Place.Begin).str();
      std::string Break = detectStyle(Buffer, Place.Begin).LineEnd + Indent;
      Edits.push_back(
          {Place.Begin, Place.End - Place.Begin, llvm::join(Lines, Break)});
    }
    return Edits;
  }

private:
  /// A reference that has the author's name and type, or the slots'.
  void declare(const LayoutPart &Part, const std::string &Offset,
               std::vector<std::string> &Lines) const {
    std::string Slots = Part.Slots ? "[" + std::to_string(Part.Slots) + "]" : "";
    std::string Extents = Slots;
    for (const std::string &Extent : Part.Array->Extents)
      Extents += "[" + Extent + "]";
    std::string Type = Part.Array->Type;
    if (Part.Padded) {
      Lines.push_back(slotClass(*Part.Padded, Type + " " + Part.Array->Name +
                                                  StringRef(Extents).substr(Slots.size()).str()));
      Type = Part.Padded->SlotType;
      Extents = Slots;
    }
    std::string Pointer = Extents.empty() ? " *" : " (*)" + Extents;
    Lines.push_back("auto &" + Part.Name + " = *reinterpret_cast<" + Type + Pointer +
                    ">(" + Block + Offset + ");");
    if (Facts.IsTemplate && !Part.Rounded && !Part.Padded)
      Lines.push_back("static_assert(sizeof(" + Part.Name + ") % " +
                      std::to_string(Layout.Alignment) +
                      " == 0, \"every array must be aligned\");");
    if (Part.SlotAlignment)
      Lines.push_back("static_assert(sizeof(" + Part.Name + "[0]) % " +
                      std::to_string(Part.SlotAlignment) +
                      " == 0, \"every slot must be aligned\");");
    if (Part.BindFirst)
      Lines.push_back("auto &" + Part.Array->Name + " = " +
                      (Part.Padded ? Part.Padded->inSlot("0") : Part.Name + "[0]") + ";");
  }

  const SharedLayout &Layout;
  const LoopFacts &Facts;
  const MovedArrays &Moved;
  StringRef Buffer;
  std::string Block;
};

} // namespace

std::vector<SourceEdit> moveArrays(const std::vector<PlannedLoop> &Loops,
                                   StringRef Buffer) {
  std::map<unsigned, std::vector<const PlannedLoop *>> Kernels;
  for (const PlannedLoop &L : Loops)
    if (L.Moved)
      Kernels[L.Facts->FunctionRange.Begin].push_back(&L);
  std::vector<SourceEdit> Edits;
  for (const auto &[Begin, Own] : Kernels) {
    std::vector<std::pair<const LoopFacts *, const LoopPlan *>> Plans;
    for (const PlannedLoop *L : Own)
      Plans.push_back({L->Facts, L->Plan});
    SharedLayout Layout = layOutShared(Plans, Own.front()->Moved->Round);
    llvm::append_range(Edits, BlockWriter(Layout, *Own.front(), Buffer).run());
  }
  return Edits;
}

} // namespace pipeline_rewrite
