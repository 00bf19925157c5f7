#include "Gpu/Results.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace llvm;

namespace pipeline_rewrite {

namespace {

using Rows = std::vector<const json::Object *>;

std::string textOf(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

unsigned countOf(const json::Object &O, StringRef Key) {
  return static_cast<unsigned>(O.getNumber(Key).value_or(0));
}

std::optional<LoadedKernel> loadedOf(const json::Object &Row, StringRef Key) {
  const json::Object *O = Row.getObject(Key);
  if (!O)
    return std::nullopt;
  LoadedKernel K;
  K.Registers = countOf(*O, "registers");
  K.LocalBytes = static_cast<uint64_t>(O->getInteger("local_bytes").value_or(0));
  K.StaticShared =
      static_cast<uint64_t>(O->getInteger("static_shared").value_or(0));
  K.DynamicShared =
      static_cast<uint64_t>(O->getInteger("dynamic_shared").value_or(0));
  K.BlocksPerSM = countOf(*O, "blocks_per_sm");
  return K;
}

void stop(ProofResult &R, ProofStatus Status, StringRef Check,
          const Twine &Message) {
  R.Status = Status;
  R.Failures = {{Check.str(), Message.str(), ""}};
}

/// The row's place is a case of the sweep, not a line of a file.
std::string sizesOf(const std::string &Where) {
  return Where.empty() ? "" : " (" + Where + ")";
}

void readProof(const json::Object &Row, VersionResult &V) {
  ProofResult &R = V.Proof;
  R.Runs = countOf(Row, "runs");
  R.Comparisons = countOf(Row, "comparisons");
  std::string Status = textOf(Row, "status");
  R.Status = Status == "failed"            ? ProofStatus::Failed
             : Status == "original-broken" ? ProofStatus::OriginalBroken
                                           : ProofStatus::CouldNotRun;
  // Nothing compared is nothing proved, whatever the row says.
  if (Status == "proved" && R.Comparisons > 0)
    R.Status = ProofStatus::Proved;
  R.Failures.clear();
  if (const json::Array *Failures = Row.getArray("failures"))
    for (const json::Value &One : *Failures)
      if (const json::Object *F = One.getAsObject())
        R.Failures.push_back(
            {textOf(*F, "check"),
             textOf(*F, "message") + sizesOf(textOf(*F, "where")), ""});
  if (const json::Array *Notes = Row.getArray("notes"))
    for (const json::Value &Note : *Notes)
      R.Notes.push_back(Note.getAsString().value_or("").str());
  V.Original = loadedOf(Row, "original_resources");
  V.Loaded = loadedOf(Row, "resources");
}

/// What compute-sanitizer said of a version that compares equal.
void readSanitizer(const Rows &All, VersionResult &V) {
  std::map<std::string, std::string> OfOriginal;
  std::vector<std::string> Missing = {"memcheck", "racecheck", "synccheck"},
                           Clean;
  for (const json::Object *Row : All)
    if (textOf(*Row, "event") == "sanitize" &&
        textOf(*Row, "version") == "original")
      OfOriginal[textOf(*Row, "tool")] = textOf(*Row, "status");
  for (const json::Object *Row : All) {
    if (textOf(*Row, "event") != "sanitize" ||
        textOf(*Row, "version") != V.Name)
      continue;
    std::string Tool = textOf(*Row, "tool"), Status = textOf(*Row, "status");
    erase(Missing, Tool);
    if (Status == "errors" && OfOriginal[Tool] == "errors")
      stop(V.Proof, ProofStatus::OriginalBroken, "sanitizer-" + Tool,
           "compute-sanitizer finds errors in the original too: " +
               textOf(*Row, "message"));
    else if (Status == "errors")
      stop(V.Proof, ProofStatus::Failed, "sanitizer-" + Tool,
           "compute-sanitizer " + Tool + ": " + textOf(*Row, "message"));
    else if (Status == "clean")
      Clean.push_back(Tool);
    else
      V.Proof.Notes.push_back("compute-sanitizer " + Tool +
                              " could not be run to its end (" + Status + ")");
  }
  if (!Clean.empty())
    V.Proof.Notes.push_back("compute-sanitizer finds no error by " +
                            join(Clean, ", "));
  if (!Missing.empty())
    V.Proof.Notes.push_back("compute-sanitizer was not installed or not run: no " +
                            join(Missing, ", "));
}

void note(VersionResult &V) {
  if (!V.Original || !V.Loaded)
    return;
  auto Figures = [](const LoadedKernel &K) {
    return std::to_string(K.Registers) + " registers, " +
           std::to_string(K.LocalBytes) + " bytes of local memory, " +
           std::to_string(K.StaticShared + K.DynamicShared) +
           " bytes of shared memory, " + std::to_string(K.BlocksPerSM) +
           " blocks per multiprocessor";
  };
  V.Proof.Notes.push_back("the original has " + Figures(*V.Original));
  V.Proof.Notes.push_back("the rewrite has " + Figures(*V.Loaded));
  // A kernel that was given too little faults; that is not always its own
  // fault.
  if (V.Proof.Status == ProofStatus::Failed &&
      any_of(V.Proof.Failures, [](const ProofFailure &F) {
        return F.Check == "kernel-fault" || F.Check == "sanitizer-memcheck";
      }))
    V.Proof.Notes.push_back(
        "the rewrite was given " + std::to_string(V.Loaded->DynamicShared) +
        " bytes of dynamic shared memory; where it needs more, the launch file "
        "says so with shared_after");
}

/// What a compiler's complaint about the original means to the user.
void originalRefused(StringRef Said, ProofResult &R) {
  if (Said.contains("undefined reference to `main'"))
    stop(R, ProofStatus::CouldNotRun, "launch-file",
         "no launch file was given (--launch=FILE) and the source has no main "
         "to run");
  else if (Said.contains("drivers/original.cu("))
    stop(R, ProofStatus::CouldNotRun, "launch-file",
         "the launch file does not fit the kernel: " + Said);
  else
    stop(R, ProofStatus::CouldNotRun, "does-not-compile",
         "the original does not compile with nvcc: " + Said);
}

/// What the compiler said of both, which is known without a card too.
void noteBuild(const Rows &All, VersionResult &V) {
  const json::Object *Original = nullptr, *Own = nullptr;
  for (const json::Object *Row : All) {
    if (textOf(*Row, "event") != "built")
      continue;
    if (textOf(*Row, "version") == "original")
      Original = Row;
    if (textOf(*Row, "version") == V.Name)
      Own = Row;
  }
  if (!Original || !Own)
    return;
  auto Figures = [](const json::Object &Row) {
    return std::to_string(countOf(Row, "registers")) + " registers and " +
           std::to_string(countOf(Row, "spill_bytes")) + " bytes of spills";
  };
  std::string Note = "nvcc compiles both";
  if (countOf(*Own, "registers"))
    Note += ": the original with " + Figures(*Original) +
            ", the rewrite with " + Figures(*Own);
  V.Proof.Notes.push_back(Note);
}

VersionResult versionOf(const BundleVersion &Version, const Rows &All,
                        const BundleResults &Results, bool HasLaunchFile) {
  VersionResult V;
  V.Name = Version.Name;
  V.Proof.Backend = "gpu";
  stop(V.Proof, ProofStatus::CouldNotRun, "did-not-run",
       "the bundle holds no result of '" + Version.Name + "'");
  if (!Results.Problem.empty())
    stop(V.Proof, ProofStatus::CouldNotRun, "machine", Results.Problem);
  std::map<std::string, std::string> Uncompiled;
  for (const json::Object *Row : All) {
    std::string Event = textOf(*Row, "event"), Of = textOf(*Row, "version");
    if (Event == "compile")
      Uncompiled[Of] = textOf(*Row, "problem");
    if (Event == "verify" && Of == Version.Name)
      readProof(*Row, V);
  }
  if (Uncompiled.count("original"))
    originalRefused(Uncompiled["original"], V.Proof);
  else if (Uncompiled.count(Version.Name))
    stop(V.Proof, ProofStatus::Failed, "does-not-compile",
         "the rewritten file does not compile with nvcc: " +
             Uncompiled[Version.Name]);
  if (V.Proof.Status == ProofStatus::Proved && HasLaunchFile)
    readSanitizer(All, V);
  note(V);
  if (V.Proof.Status == ProofStatus::CouldNotRun)
    noteBuild(All, V);
  if (!HasLaunchFile && V.Proof.Status == ProofStatus::Proved)
    V.Proof.Notes.push_back("proved for what the program itself does: all "
                            "memory from cudaMalloc has the same bytes behind "
                            "every launch of it");
  return V;
}

TimingSamples timesOf(const json::Object &Row) {
  TimingSamples T;
  T.Version = textOf(Row, "version");
  T.Case = textOf(Row, "case");
  T.Problem = textOf(Row, "problem");
  StringRef Id = Row.getString("id").value_or("");
  Id.consume_front("time:");
  Id.consumeInteger(10, T.CaseNumber);
  T.Flops = Row.getNumber("flops");
  T.Bytes = Row.getNumber("bytes");
  if (auto N = Row.getInteger("registers"))
    T.Registers = static_cast<unsigned>(*N);
  if (auto N = Row.getInteger("blocks_per_sm"))
    T.BlocksPerSM = static_cast<unsigned>(*N);
  if (const json::Array *Samples = Row.getArray("samples_ms"))
    for (const json::Value &One : *Samples)
      if (auto Value = One.getAsNumber())
        T.Milliseconds.push_back(*Value);
  if (T.Milliseconds.empty() && T.Problem.empty())
    T.Problem = "no sample was written";
  return T;
}

void readMachine(const json::Object &Row, BundleResults &Results) {
  if (std::string Problem = textOf(Row, "problem"); !Problem.empty())
    Results.Problem = Problem;
  if (textOf(Row, "event") != "device")
    return;
  Results.Machine = {textOf(Row, "name"), textOf(Row, "arch"),
                     textOf(Row, "driver"), textOf(Row, "nvcc"),
                     textOf(Row, "date")};
}

} // namespace

Expected<BundleResults> readResults(StringRef Json, const Manifest &M) {
  Expected<json::Value> Value = json::parse(Json);
  if (!Value)
    return Value.takeError();
  const json::Object *Top = Value->getAsObject();
  const json::Array *List = Top ? Top->getArray("rows") : nullptr;
  if (!List || Top->getInteger("schema").value_or(0) != 1)
    return createStringError("it holds no results of this version of the tool");
  Rows All;
  for (const json::Value &One : *List)
    if (const json::Object *Row = One.getAsObject())
      All.push_back(Row);
  BundleResults Results;
  for (const json::Object *Row : All) {
    std::string Event = textOf(*Row, "event");
    if (Event == "device" || Event == "toolchain")
      readMachine(*Row, Results);
    if (Event == "time")
      Results.Times.push_back(timesOf(*Row));
  }
  for (const BundleVersion &Version : M.Versions)
    if (!Version.File.empty())
      Results.Versions.push_back(
          versionOf(Version, All, Results, M.HasLaunchFile));
  return Results;
}

} // namespace pipeline_rewrite
