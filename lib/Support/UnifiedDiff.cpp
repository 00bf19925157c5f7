#include "Support/UnifiedDiff.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

// dtl.hpp relies on its user for the standard headers.
#include <algorithm>
#include <string>
#include <vector>

#include <dtl/dtl.hpp>

namespace pipeline_rewrite {

static constexpr size_t ContextLines = 3;

namespace {

/// One line of the edit script: kept (' '), removed ('-') or added ('+').
struct Step {
  char Kind;
  std::string Line;
};

/// Where a run of steps stands in both files.
struct Hunk {
  size_t Begin, End;         ///< Steps [Begin, End).
  size_t OldStart, NewStart; ///< Lines of each file before the hunk.
  size_t OldCount, NewCount;
};

} // namespace

/// Lines with their line ends, so that a missing last one is a difference.
static std::vector<std::string> splitLines(llvm::StringRef Text) {
  std::vector<std::string> Lines;
  while (!Text.empty()) {
    size_t End = Text.find('\n');
    size_t Length = End == llvm::StringRef::npos ? Text.size() : End + 1;
    Lines.push_back(Text.take_front(Length).str());
    Text = Text.drop_front(Length);
  }
  return Lines;
}

static std::vector<Step> editScript(llvm::StringRef Old, llvm::StringRef New) {
  dtl::Diff<std::string, std::vector<std::string>> Diff(splitLines(Old),
                                                        splitLines(New));
  Diff.compose();
  std::vector<Step> Steps;
  for (const auto &[Line, Info] : Diff.getSes().getSequence()) {
    char Kind = Info.type == dtl::SES_ADD      ? '+'
                : Info.type == dtl::SES_DELETE ? '-'
                                               : ' ';
    Steps.push_back({Kind, Line});
  }
  // What is removed is shown before what takes its place.
  for (auto I = Steps.begin(); I != Steps.end();) {
    auto End = std::find_if(I, Steps.end(),
                            [](const Step &S) { return S.Kind == ' '; });
    std::stable_partition(I, End, [](const Step &S) { return S.Kind == '-'; });
    I = End == Steps.end() ? End : std::next(End);
  }
  return Steps;
}

/// Groups the changes whose contexts touch.
static std::vector<Hunk> groupHunks(const std::vector<Step> &Steps) {
  std::vector<Hunk> Hunks;
  for (size_t I = 0; I != Steps.size(); ++I) {
    if (Steps[I].Kind == ' ')
      continue;
    size_t Begin = I < ContextLines ? 0 : I - ContextLines;
    size_t End = std::min(Steps.size(), I + 1 + ContextLines);
    if (!Hunks.empty() && Begin <= Hunks.back().End)
      Hunks.back().End = End;
    else
      Hunks.push_back({Begin, End, 0, 0, 0, 0});
  }
  size_t Position = 0, OldLine = 0, NewLine = 0;
  for (Hunk &H : Hunks) {
    for (; Position != H.Begin; ++Position, ++OldLine, ++NewLine)
      ;
    H.OldStart = OldLine;
    H.NewStart = NewLine;
    for (; Position != H.End; ++Position) {
      OldLine += Steps[Position].Kind != '+';
      NewLine += Steps[Position].Kind != '-';
    }
    H.OldCount = OldLine - H.OldStart;
    H.NewCount = NewLine - H.NewStart;
  }
  return Hunks;
}

/// "@@ -start,count": the format counts lines from one, and from zero where
/// there are none.
static void printRange(llvm::raw_ostream &Out, char Sign, size_t Before,
                       size_t Count) {
  Out << Sign << (Count ? Before + 1 : Before);
  if (Count != 1)
    Out << ',' << Count;
}

static void printLabel(llvm::raw_ostream &Out, llvm::StringRef Mark,
                       llvm::StringRef Path) {
  // A trailing tab ends a name that holds blanks.
  Out << Mark << Path << (Path.contains(' ') ? "\t" : "") << '\n';
}

static std::string labelFor(llvm::StringRef Path) {
  llvm::SmallString<256> Label(Path), Here;
  if (llvm::sys::path::is_absolute(Label) &&
      !llvm::sys::fs::current_path(Here)) {
    Here += '/';
    if (llvm::StringRef(Label).starts_with(Here))
      Label = llvm::SmallString<256>(
          llvm::StringRef(Label).drop_front(Here.size()));
  }
  llvm::sys::path::remove_dots(Label, /*remove_dot_dot=*/true);
  return llvm::StringRef(Label).ltrim('/').str();
}

std::string unifiedDiff(llvm::StringRef Path, llvm::StringRef Old,
                        llvm::StringRef New) {
  if (Old == New)
    return "";
  std::vector<Step> Steps = editScript(Old, New);
  std::string Result, Label = labelFor(Path);
  llvm::raw_string_ostream Out(Result);
  printLabel(Out, "--- a/", Label);
  printLabel(Out, "+++ b/", Label);
  for (const Hunk &H : groupHunks(Steps)) {
    Out << "@@ ";
    printRange(Out, '-', H.OldStart, H.OldCount);
    Out << ' ';
    printRange(Out, '+', H.NewStart, H.NewCount);
    Out << " @@\n";
    for (size_t I = H.Begin; I != H.End; ++I) {
      Out << Steps[I].Kind << Steps[I].Line;
      if (Steps[I].Line.back() != '\n')
        Out << "\n\\ No newline at end of file\n";
    }
  }
  return Result;
}

} // namespace pipeline_rewrite
