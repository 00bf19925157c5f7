#include "Expansion.h"
#include "Rewrite/ExpandedText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

using Place = std::pair<unsigned, unsigned>; ///< line, column
using Texts = std::map<std::string, ExpandedText>;

const RewrittenFile *fileOf(const FileOutcome &Outcome, StringRef Path) {
  auto Found = find_if(Outcome.Files,
                       [&](const RewrittenFile &File) { return File.Path == Path; });
  return Found == Outcome.Files.end() ? nullptr : &*Found;
}

std::set<Place> pipelined(const RewrittenFile *File) {
  std::set<Place> Places;
  for (const LoopResult &Loop : File ? File->Result.Loops : std::vector<LoopResult>())
    if (Loop.Status == LoopStatus::Rewritten || Loop.Status == LoopStatus::Eligible)
      Places.insert({Loop.Line, Loop.Column});
  return Places;
}

Texts expandedTexts(const FileOutcome &Outcome, ArrayRef<WantedExpansion> Wanted) {
  std::map<std::string, std::vector<SourceEdit>> Blocks;
  for (const WantedExpansion &W : Wanted)
    Blocks[W.File].push_back(
        {W.Call.Call.Begin, W.Call.Call.End - W.Call.Call.Begin, W.Call.Block});
  Texts Result;
  for (auto &[Path, Edits] : Blocks) {
    orderEdits(Edits);
    Result.emplace(Path, ExpandedText(fileOf(Outcome, Path)->Original, Edits));
  }
  return Result;
}

std::vector<ReplacedText> replacements(const Texts &Expanded) {
  std::vector<ReplacedText> Result;
  for (const auto &[Path, Text] : Expanded)
    Result.push_back({Path, Text.text(), Text.lineNotes()});
  return Result;
}

/// Lets \p Outcome, of expanded texts, speak of the originals.
bool refersToOriginals(FileOutcome &Outcome, const FileOutcome &Before,
                       const Texts &Expanded) {
  for (RewrittenFile &File : Outcome.Files) {
    auto Text = Expanded.find(File.Path);
    if (Text != Expanded.end()) {
      if (!Text->second.coveredBy(File.Edits))
        return false;
      for (SourceEdit &Edit : File.Edits) {
        std::optional<SourceEdit> Old = Text->second.original(Edit);
        if (!Old)
          return false;
        Edit = std::move(*Old);
      }
      File.Original = File.Result.Text = fileOf(Before, File.Path)->Original;
    }
    for (LoopResult &Loop : File.Result.Loops)
      for (EditResult &Edit : Loop.Edits) {
        auto Other = Expanded.find(Edit.File);
        if (Other == Expanded.end())
          continue;
        std::optional<SourceEdit> Old =
            Other->second.original(SourceEdit{Edit.Offset, Edit.Length, ""});
        if (!Old)
          return false;
        Edit.Offset = Old->Offset;
        Edit.Length = Old->Length;
      }
  }
  return true;
}

} // namespace

std::vector<WantedExpansion> wantedExpansions(StringRef File, const SourceLoop &Loop) {
  std::vector<WantedExpansion> Wanted;
  if (Loop.Skipped)
    return Wanted;
  for (const CallExpansion &Call : Loop.Readings.front().Expansions) {
    bool Common = !Call.Block.empty() && all_of(Loop.Readings, [&](const LoopFacts &Facts) {
      return any_of(Facts.Expansions, [&](const CallExpansion &Other) {
        return Other.Call.Begin == Call.Call.Begin && Other.Block == Call.Block;
      });
    });
    if (Common)
      Wanted.push_back({File.str(), Loop.facts().Line, Loop.facts().Column, Call});
  }
  return Wanted;
}

Expected<FileOutcome> withCallsExpanded(FileOutcome Outcome, Reader Read) {
  std::vector<WantedExpansion> Wanted = Outcome.Expansions;
  while (!Wanted.empty()) {
    Texts Expanded = expandedTexts(Outcome, Wanted);
    Expected<FileOutcome> Other = Read(replacements(Expanded));
    if (!Other)
      return Other.takeError();
    if (Other->HadErrors != Outcome.HadErrors)
      return Outcome;
    size_t Before = Wanted.size();
    erase_if(Wanted, [&](const WantedExpansion &W) {
      return !pipelined(fileOf(*Other, W.File)).count({W.Line, W.Column});
    });
    if (Wanted.size() != Before)
      continue;
    bool Lost = any_of(Outcome.Files, [&](const RewrittenFile &File) {
      std::set<Place> Now = pipelined(fileOf(*Other, File.Path));
      return any_of(pipelined(&File), [&](Place At) { return !Now.count(At); });
    });
    if (Lost || !refersToOriginals(*Other, Outcome, Expanded))
      return Outcome;
    return Other;
  }
  return Outcome;
}

} // namespace pipeline_rewrite
