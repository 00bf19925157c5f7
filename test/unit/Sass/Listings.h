/// \file
/// Listings for the tests: those in Inputs/, and small ones made here.
#pragma once

#include "Sass/SteadyState.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

namespace pipeline_rewrite {

inline std::string inputText(const std::string &Name) {
  auto Buffer = llvm::MemoryBuffer::getFile(PR_SOURCE_DIR "/test/unit/Sass/Inputs/" +
                                            Name + ".sass");
  EXPECT_TRUE(bool(Buffer)) << Name;
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

inline SassListing parsed(llvm::StringRef Text) {
  llvm::Expected<SassListing> Listing = parseSass(Text);
  EXPECT_TRUE(bool(Listing)) << (Listing ? "" : toString(Listing.takeError()));
  return Listing ? std::move(*Listing) : SassListing{"", {{"none", {}}}};
}

inline SassFunction input(const std::string &Name) {
  return parsed(inputText(Name)).Functions.front();
}

/// The control word for decodeControl. Scoreboards: 7 none.
inline uint64_t controlWord(unsigned Stall, unsigned Write = 7, unsigned Wait = 0) {
  uint64_t Control = Stall | 1u << 4 | Write << 5 | 7u << 8 | Wait << 11;
  return Control << 41;
}

/// One line of an assembled kernel.
struct Line {
  std::string Text;
  uint64_t Control = 0; ///< 0: the listing has no encodings
};

/// Lines as nvdisasm would print them; `loop:` is a label, as in
/// "@P0 BRA `(loop)".
inline std::string assembled(const std::vector<Line> &Lines) {
  std::string Text = "\t.target\tsm_86\n.text.kernel:\n";
  llvm::raw_string_ostream OS(Text);
  unsigned Address = 0;
  for (const Line &L : Lines) {
    if (llvm::StringRef(L.Text).ends_with(":")) {
      OS << L.Text << "\n";
      continue;
    }
    OS << llvm::format("        /*%04x*/   ", Address) << L.Text << " ;";
    if (L.Control)
      OS << "  /* 0x0000000000000000 */\n          "
         << llvm::format("/* 0x%016llx */", (unsigned long long)L.Control);
    OS << "\n";
    Address += 16;
  }
  return Text;
}

/// \p Body in a loop, between an entry and an exit.
inline SassFunction loopOf(std::vector<Line> Body) {
  std::vector<Line> Lines{{"MOV R1, c[0x0][0x28]"}, {"loop:"}};
  Lines.insert(Lines.end(), Body.begin(), Body.end());
  Lines.push_back({"@!P0 BRA `(loop)"});
  Lines.push_back({"EXIT"});
  return parsed(assembled(Lines)).Functions.front();
}

inline std::vector<Line> times(unsigned Count, const std::string &Text) {
  return std::vector<Line>(Count, Line{Text});
}

inline std::vector<Line> operator+(std::vector<Line> A, const std::vector<Line> &B) {
  A.insert(A.end(), B.begin(), B.end());
  return A;
}

inline SteadyLoop onlyLoop(const SassFunction &F) {
  std::vector<SteadyLoop> Found = findSteadyLoops(F, {});
  EXPECT_EQ(Found.size(), 1u);
  return Found.empty() ? SteadyLoop() : Found.front();
}

} // namespace pipeline_rewrite
