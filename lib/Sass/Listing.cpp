#include "Sass/Listing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace pipeline_rewrite {

StringRef SassInstruction::base() const {
  return StringRef(Opcode).take_until([](char C) { return C == '.'; });
}

bool SassInstruction::has(StringRef Name) const {
  StringRef Rest = StringRef(Opcode).drop_front(base().size());
  while (Rest.consume_front(".")) {
    StringRef Part = Rest.take_until([](char C) { return C == '.'; });
    if (Part == Name)
      return true;
    Rest = Rest.drop_front(Part.size());
  }
  return false;
}

std::string SassInstruction::text() const {
  std::string Text = Guard.empty() ? Opcode : Guard + " " + Opcode;
  for (size_t I = 0; I < Operands.size(); ++I)
    Text += (I ? ", " : " ") + Operands[I];
  return Text;
}

namespace {

/// Reads a listing line by line.
class ListingParser {
public:
  Expected<SassListing> run(StringRef Text);

private:
  void line(StringRef Line);
  void startFunction(StringRef Name);
  void comment(StringRef Line);
  void instruction(uint64_t Address, StringRef Text);
  void encoding(StringRef Line);
  Error resolveBranches(SassFunction &F) const;

  SassListing Result;
  StringMap<uint64_t> Labels; ///< of all functions; the names do not repeat
  std::vector<std::string> Waiting; ///< labels in front of an instruction
  std::vector<SassPlace> Places;
  bool PlacesEnded = true; ///< an instruction came since the last place
  bool HighWord = false;   ///< the next encoding is the upper half
};

} // namespace

/// Cuts at commas outside brackets.
static std::vector<std::string> splitOperands(StringRef Text) {
  std::vector<std::string> Parts;
  int Depth = 0;
  std::string Part;
  for (char C : Text) {
    Depth += C == '[' || C == '(' || C == '{';
    Depth -= C == ']' || C == ')' || C == '}';
    if (C == ',' && Depth == 0) {
      Parts.push_back(StringRef(Part).trim().str());
      Part.clear();
    } else {
      Part += C;
    }
  }
  if (!StringRef(Part).trim().empty())
    Parts.push_back(StringRef(Part).trim().str());
  return Parts;
}

void ListingParser::startFunction(StringRef Name) {
  if (!Result.Functions.empty() && Result.Functions.back().Name == Name &&
      Result.Functions.back().Code.empty())
    return;
  Result.Functions.push_back({Name.str(), {}});
  Waiting.clear();
  Places.clear();
  PlacesEnded = true;
}

/// `//## File "a.cu", line 20 inlined at "b.cu", line 3`: one line for each step
/// of an inlined call, the innermost first, the kernel's own line last.
void ListingParser::comment(StringRef Line) {
  if (!Line.consume_front("File \""))
    return;
  if (PlacesEnded)
    Places.clear();
  PlacesEnded = false;
  auto [File, Rest] = Line.split('"');
  Rest.consume_front(", line ");
  SassPlace Place;
  Place.File = File.str();
  Rest.consumeInteger(10, Place.Line);
  Places.push_back(std::move(Place));
}

void ListingParser::instruction(uint64_t Address, StringRef Text) {
  // Pairs of instructions may stand in braces.
  Text = Text.trim().ltrim("{").rtrim("}").trim();
  SassInstruction I;
  I.Address = Address;
  if (Text.starts_with("@")) {
    I.Guard = Text.take_until([](char C) { return C == ' '; }).str();
    Text = Text.drop_front(I.Guard.size()).ltrim();
  }
  I.Opcode = Text.take_until([](char C) { return C == ' '; }).str();
  I.Operands = splitOperands(Text.drop_front(I.Opcode.size()));
  I.Places = Places;
  PlacesEnded = true;
  for (const std::string &Label : Waiting)
    Labels[Label] = Address;
  Waiting.clear();
  if (Result.Functions.empty())
    startFunction("");
  Result.Functions.back().Code.push_back(std::move(I));
  HighWord = false;
}

/// `/* 0x000fe40000000f00 */`: the lower half stands behind the instruction,
/// the upper one on a line of its own.
void ListingParser::encoding(StringRef Line) {
  size_t At = Line.find("/* 0x");
  uint64_t Word = 0;
  if (At == StringRef::npos || Result.Functions.empty() ||
      Result.Functions.back().Code.empty())
    return;
  StringRef Digits = Line.drop_front(At + 5);
  if (Digits.consumeInteger(16, Word))
    return;
  if (HighWord)
    Result.Functions.back().Code.back().Control = decodeControl(Word);
  HighWord = !HighWord;
}

void ListingParser::line(StringRef Line) {
  Line = Line.trim();
  if (Line.consume_front("//## "))
    return comment(Line);
  if (Line.consume_front("Function : "))
    return startFunction(Line.trim());
  if (Line.consume_front(".target")) {
    Result.Arch = Line.trim().take_while(
        [](char C) { return isAlnum(C) || C == '_'; }).str();
    return;
  }
  if (Line.ends_with(":")) {
    StringRef Label = Line.drop_back();
    if (Label.consume_front(".text."))
      startFunction(Label);
    else
      Waiting.push_back(Label.str());
    return;
  }
  if (!Line.consume_front("/*"))
    return;
  uint64_t Address = 0;
  StringRef Rest = Line;
  if (Rest.starts_with(" 0x"))
    return encoding("/*" + Line.str());
  if (Rest.consumeInteger(16, Address) || !Rest.consume_front("*/"))
    return;
  size_t Comment = Rest.find("/*");
  StringRef Text = Rest.take_front(Comment).trim();
  if (!Text.contains(';'))
    return;
  instruction(Address, Text.take_front(Text.rfind(';')));
  if (Comment != StringRef::npos)
    encoding(Rest.drop_front(Comment));
}

/// A branch names a label, `(.L_x_3), or an address, 0x190. It is the last
/// operand: predicates and convergence registers stand before it.
Error ListingParser::resolveBranches(SassFunction &F) const {
  static const StringRef Jumps[] = {"BRA", "BSSY", "JMP", "CALL"};
  for (SassInstruction &I : F.Code) {
    if (I.Operands.empty() || !is_contained(Jumps, I.base()))
      continue;
    StringRef To = I.Operands.back();
    uint64_t Address = 0;
    if (To.consume_front("`(") && To.consume_back(")")) {
      auto Found = Labels.find(To);
      if (Found != Labels.end())
        I.Target = Found->second;
      else if (I.base() != "CALL") // of another function
        return createStringError(inconvertibleErrorCode(),
                                 "the listing has no label '" + To + "'");
    } else if (!To.getAsInteger(0, Address)) {
      I.Target = Address;
    }
  }
  return Error::success();
}

Expected<SassListing> ListingParser::run(StringRef Text) {
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    line(Line);
    Text = Rest;
  }
  // Data sections have labels as well.
  erase_if(Result.Functions, [](const SassFunction &F) { return F.Code.empty(); });
  if (Result.Functions.empty())
    return createStringError(inconvertibleErrorCode(),
                             "the disassembly holds no instruction");
  for (SassFunction &F : Result.Functions)
    if (Error Wrong = resolveBranches(F))
      return Wrong;
  return std::move(Result);
}

Expected<SassListing> parseSass(StringRef Text) {
  return ListingParser().run(Text);
}

} // namespace pipeline_rewrite
