#include "Verify/MachineReport.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

/// The lines, sorted by what they say.
struct Lines {
  std::vector<ProofFailure> Original, Rewritten, Unable;
  bool Totals = false;
  uint64_t Skipped = 0, Blocks = 0;
};

std::string text(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

void readLine(const json::Object &O, Lines &L, ProofResult &R) {
  std::string Event = text(O, "event");
  if (Event == "failure") {
    ProofFailure F{text(O, "check"), text(O, "message"), text(O, "where")};
    (text(O, "version") == "original" ? L.Original : L.Rewritten).push_back(F);
  } else if (Event == "unable") {
    L.Unable.push_back({text(O, "check"), text(O, "message"), ""});
  } else if (Event == "note") {
    R.Notes.push_back(text(O, "message"));
  } else if (Event == "totals") {
    L.Totals = true;
    R.Runs = static_cast<unsigned>(O.getInteger("runs").value_or(0));
    R.Comparisons =
        static_cast<unsigned>(O.getInteger("comparisons").value_or(0));
    L.Blocks = static_cast<uint64_t>(O.getInteger("blocks").value_or(0));
    L.Skipped = static_cast<uint64_t>(O.getInteger("skipped").value_or(0));
  }
}

} // namespace

std::string lastProgress(StringRef Text) {
  size_t At = Text.rfind("{\"event\":\"progress\"");
  if (At == StringRef::npos)
    return "";
  // The last line may not be there in full yet.
  Expected<json::Value> Value = json::parse(Text.substr(At).split('\n').first);
  if (!Value) {
    consumeError(Value.takeError());
    return "";
  }
  return text(*Value->getAsObject(), "message");
}

ProofResult readMachineReport(StringRef Text, StringRef Ended) {
  ProofResult R;
  Lines L;
  SmallVector<StringRef, 16> Rows;
  Text.split(Rows, '\n', -1, false);
  for (StringRef Row : Rows) {
    Expected<json::Value> Value = json::parse(Row);
    if (!Value)
      consumeError(Value.takeError());
    else if (const json::Object *O = Value->getAsObject())
      readLine(*O, L, R);
  }
  if (L.Skipped > 0)
    R.Notes.push_back("the launches are large: " + std::to_string(L.Blocks) +
                      " of " + std::to_string(L.Blocks + L.Skipped) +
                      " blocks were run, corners first");
  if (!L.Original.empty()) {
    R.Status = ProofStatus::OriginalBroken;
    R.Failures = std::move(L.Original);
  } else if (!L.Rewritten.empty()) {
    R.Status = ProofStatus::Failed;
    R.Failures = std::move(L.Rewritten);
  } else if (!L.Unable.empty()) {
    R.Failures = std::move(L.Unable);
  } else if (!L.Totals) {
    R.Failures = {
        {"did-not-finish", "the program did not finish: " + Ended.str(), ""}};
  } else if (R.Comparisons == 0) {
    R.Failures = {{"nothing-compared",
                   "the program launched no kernel that could be compared",
                   ""}};
  } else {
    R.Status = ProofStatus::Proved;
  }
  return R;
}

} // namespace pipeline_rewrite
