#include "Sass/Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace pipeline_rewrite {

/// Where the bracket at \p Text[At] closes, or the end. A '>' inside round
/// brackets, as in `(a > b)`, closes nothing.
static size_t closingBracket(StringRef Text, size_t At) {
  int Angle = 0, Round = 0;
  for (size_t I = At; I < Text.size(); ++I) {
    Round += Text[I] == '(';
    Round -= Text[I] == ')';
    if (Round == 0) {
      Angle += Text[I] == '<';
      Angle -= Text[I] == '>';
      if (Angle == 0)
        return I;
    }
  }
  return Text.size();
}

/// Name and template arguments: everything before the parameters, without the
/// result type and the scopes.
static StringRef withoutScope(StringRef Demangled) {
  size_t Start = 0, I = 0;
  while (I < Demangled.size()) {
    char C = Demangled[I];
    // The parameters begin, unless this is `(anonymous namespace)::`.
    if (C == '(') {
      size_t Close = Demangled.find(')', I);
      if (Close == StringRef::npos || !Demangled.drop_front(Close + 1).starts_with("::"))
        return Demangled.slice(Start, I);
      I = Close;
    } else if (C == '<') {
      I = closingBracket(Demangled, I);
    } else if (C == ' ' || C == ':') {
      Start = I + 1;
    }
    ++I;
  }
  return Demangled.substr(Start);
}

std::string readableName(StringRef LinkerName) {
  return withoutScope(demangle(LinkerName)).str();
}

/// Template arguments in one spelling: `<128,128,8>` for `<128, (int)128, 8u>`.
static std::string normalArguments(StringRef Name) {
  std::string Result;
  StringRef Text = Name.drop_front(std::min(Name.find('<'), Name.size()));
  for (size_t I = 0; I < Text.size(); ++I) {
    StringRef Rest = Text.drop_front(I);
    size_t Close = Rest.find(')');
    if (Rest.starts_with("(") && Close != StringRef::npos &&
        Close + 1 < Rest.size() && (isDigit(Rest[Close + 1]) || Rest[Close + 1] == '-')) {
      I += Close; // a cast in front of a number
      continue;
    }
    bool Suffix = (Text[I] == 'u' || Text[I] == 'U' || Text[I] == 'l' ||
                   Text[I] == 'L') &&
                  I && (isDigit(Text[I - 1]) || Result.empty());
    if (Text[I] != ' ' && !Suffix)
      Result += Text[I];
  }
  return Result;
}

static StringRef lastComponent(StringRef Name) {
  StringRef Bare = Name.take_until([](char C) { return C == '<'; });
  size_t Colon = Bare.rfind("::");
  return Colon == StringRef::npos ? Name : Name.drop_front(Colon + 2);
}

std::vector<size_t> functionsNamed(const SassListing &Listing, StringRef Kernel,
                                   StringRef Instantiation) {
  StringRef Name = lastComponent(Kernel).take_until([](char C) { return C == '<'; });
  std::string Arguments = normalArguments(lastComponent(Instantiation));
  std::vector<size_t> Named, Same;
  for (size_t I = 0; I < Listing.Functions.size(); ++I) {
    std::string Readable = readableName(Listing.Functions[I].Name);
    StringRef Bare =
        StringRef(Readable).take_until([](char C) { return C == '<'; });
    if (Bare != Name)
      continue;
    Named.push_back(I);
    if (normalArguments(Readable) == Arguments)
      Same.push_back(I);
  }
  return Same.empty() ? Named : Same;
}

} // namespace pipeline_rewrite
