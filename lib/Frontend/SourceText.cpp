#include "Frontend/SourceText.h"

#include "Support/File.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"

namespace pipeline_rewrite {

/// Generated sources of some megabytes exist; beyond this it is data.
static constexpr uint64_t MaxSourceBytes = 64ull << 20;

/// Text may hold a stray control character. One in this many bytes is more than
/// stray.
static constexpr size_t TextBytesPerControl = 100;

static bool isControl(char C) {
  return static_cast<unsigned char>(C) < 0x20 &&
         !llvm::StringRef("\t\n\v\f\r\x1b\x1a").contains(C);
}

static llvm::Error unusable(llvm::StringRef Path, const llvm::Twine &Why,
                            std::errc Code) {
  return llvm::createStringError(std::make_error_code(Code),
                                 "cannot parse '" + Path + "': " + Why);
}

llvm::Expected<std::string> readSourceFile(llvm::StringRef Path) {
  llvm::sys::fs::file_status Status;
  if (std::error_code EC = llvm::sys::fs::status(Path, Status))
    return unusable(Path, EC.message(), static_cast<std::errc>(EC.value()));
  if (llvm::sys::fs::is_directory(Status))
    return unusable(Path, "it is a folder", std::errc::is_a_directory);
  if (!llvm::sys::fs::is_regular_file(Status))
    return unusable(Path, "it is not a file", std::errc::not_supported);
  if (Status.getSize() == 0)
    return unusable(Path, "it is empty", std::errc::no_message);
  if (Status.getSize() > MaxSourceBytes)
    return unusable(Path,
                    "it has " + llvm::Twine(Status.getSize()) +
                        " bytes, and the limit is " +
                        llvm::Twine(MaxSourceBytes),
                    std::errc::file_too_large);

  llvm::Expected<std::string> Text = readFile(Path);
  if (!Text)
    return Text;
  if (size_t Zero = Text->find('\0'); Zero != std::string::npos)
    return unusable(
        Path, "it is no text (a zero byte at offset " + llvm::Twine(Zero) + ")",
        std::errc::illegal_byte_sequence);
  size_t Controls = llvm::count_if(*Text, isControl);
  if (Controls > Text->size() / TextBytesPerControl)
    return unusable(Path,
                    "it is no text (" + llvm::Twine(Controls) +
                        " control characters)",
                    std::errc::illegal_byte_sequence);
  return Text;
}

namespace {

/// A stretch of the text.
struct Stretch {
  size_t Begin, End;
};

/// Walks over the tokens of a text without preprocessing it.
class TokenWalk {
public:
  explicit TokenWalk(const std::string &Text)
      : Start(Text.data()), Lexer(clang::SourceLocation(), Options, Text.data(),
                                  Text.data(), Text.data() + Text.size()) {
    next();
  }

  bool atEnd() const { return Token.is(clang::tok::eof); }
  bool is(clang::tok::TokenKind Kind) const { return Token.is(Kind); }
  llvm::StringRef word() const {
    return Token.is(clang::tok::raw_identifier) ? Token.getRawIdentifier() : "";
  }
  size_t end() const {
    return static_cast<size_t>(Lexer.getBufferLocation() - Start);
  }
  size_t begin() const { return end() - Token.getLength(); }
  void next() { Lexer.LexFromRawLexer(Token); }

private:
  static clang::LangOptions cxx() {
    clang::LangOptions Options;
    Options.CPlusPlus = Options.CPlusPlus11 = Options.CPlusPlus14 =
        Options.CPlusPlus17 = true;
    return Options;
  }

  clang::LangOptions Options = cxx();
  const char *Start;
  clang::Lexer Lexer;
  clang::Token Token;
};

} // namespace

/// Moves behind `alignas(...)`, and \returns where that ends; nothing where it
/// has no end.
static std::optional<size_t> skipAlignas(TokenWalk &Walk) {
  unsigned Depth = 0;
  for (Walk.next(); !Walk.atEnd(); Walk.next()) {
    Depth += Walk.is(clang::tok::l_paren);
    if (!Depth)
      return std::nullopt;
    if (!Walk.is(clang::tok::r_paren) || --Depth)
      continue;
    size_t End = Walk.end();
    Walk.next();
    return End;
  }
  return std::nullopt;
}

std::optional<std::string> withAlignasFirst(llvm::StringRef Original) {
  if (!Original.contains("__shared__") || !Original.contains("alignas"))
    return std::nullopt;
  std::string Text = Original.str();
  bool Changed = false;
  TokenWalk Walk(Text);
  while (!Walk.atEnd()) {
    // The specifiers in front: "extern __shared__".
    Stretch Words{Walk.begin(), Walk.begin()};
    bool IsShared = false;
    for (; llvm::is_contained(
             {"extern", "static", "volatile", "const", "__shared__"},
             Walk.word());
         Walk.next()) {
      IsShared |= Walk.word() == "__shared__";
      Words.End = Walk.end();
    }
    if (!IsShared || Walk.word() != "alignas") {
      if (Words.Begin == Words.End)
        Walk.next();
      continue;
    }
    size_t Alignas = Walk.begin();
    if (std::optional<size_t> End = skipAlignas(Walk)) {
      // "words blank alignas" -> "alignas blank words"
      auto At = [&](size_t Offset) {
        return Text.begin() + static_cast<ptrdiff_t>(Offset);
      };
      std::string Blank(At(Words.End), At(Alignas));
      std::string Swapped = std::string(At(Alignas), At(*End)) + Blank +
                            std::string(At(Words.Begin), At(Words.End));
      std::copy(Swapped.begin(), Swapped.end(), At(Words.Begin));
      Changed = true;
    }
  }
  if (!Changed)
    return std::nullopt;
  return Text;
}

} // namespace pipeline_rewrite
