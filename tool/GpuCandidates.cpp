#include "GpuCandidates.h"
#include "GpuProof.h"
#include "Legality/Verdict.h"
#include "Sass.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

/// May \p Mine be asked for where the user asked for \p Forced?
template <typename Choice>
bool agrees(const std::optional<Choice> &Forced, const std::optional<Choice> &Mine) {
  return !Forced || !Mine || *Forced == *Mine;
}

/// \p Mine, and what the user forces besides; none where the two contradict.
std::optional<Wish> within(const Wish &Forced, Wish Mine) {
  if (!agrees(Forced.Kind, Mine.Kind) || !agrees(Forced.Shape, Mine.Shape) ||
      !agrees(Forced.When, Mine.When) || !agrees(Forced.Addresses, Mine.Addresses) ||
      (Mine.Unroll.value_or(0) && !agrees(Forced.Unroll, Mine.Unroll)) ||
      (Forced.Stages && Mine.Stages && Forced.Stages != Mine.Stages))
    return std::nullopt;
  auto Fill = [](auto &To, const auto &From) {
    if (!To)
      To = From;
  };
  Fill(Mine.Kind, Forced.Kind);
  Fill(Mine.Shape, Forced.Shape);
  Fill(Mine.Stages, Forced.Stages);
  Fill(Mine.When, Forced.When);
  Fill(Mine.Addresses, Forced.Addresses);
  if (Forced.Unroll)
    Mine.Unroll = Forced.Unroll;
  return Mine;
}

/// All that is worth timing, as far as a plan can differ.
std::vector<Wish> tuneWishes() {
  std::vector<Wish> Wishes;
  auto Add = [&](Variant Kind, Form Shape, unsigned Stages, std::optional<Issue> When = {},
                 std::optional<Addressing> Addresses = {},
                 unsigned Unroll = 0) {
    Wishes.push_back({Kind, Shape, Stages, When, Addresses, Unroll});
  };
  for (Form Shape : {Form::Peel, Form::Predicate}) {
    Add(Variant::Ldg, Shape, 2, Issue::First);
    Add(Variant::CpAsync, Shape, 2);
    Add(Variant::RegisterPrefetch, Shape, 0, Issue::First);
  }
  for (Addressing Addresses : Addressings)
    Add(Variant::Ldg, Form::Predicate, 2, Issue::Last, Addresses);
  // With as many copies of the body as there are slots, each has one of its own.
  for (Variant Kind : {Variant::Ldg, Variant::CpAsync})
    Add(Kind, Form::Peel, 2, std::nullopt, std::nullopt, 2);
  // More slots than four have never paid on any card that was measured.
  Add(Variant::CpAsync, Form::Ring, 2);
  for (unsigned Stages : {3u, 4u})
    for (unsigned Unroll : {0u, Stages}) {
      Add(Variant::CpAsync, Form::Ring, Stages, Issue::First, std::nullopt, Unroll);
      for (Addressing Addresses : Addressings)
        Add(Variant::CpAsync, Form::Ring, Stages, Issue::Last, Addresses, Unroll);
    }
  return Wishes;
}

std::vector<Wish> wishesOf(BundleMode Mode, const Options &Opts) {
  std::vector<Wish> All;
  if (Mode == BundleMode::Verify)
    All.push_back(Opts);
  else if (Mode == BundleMode::Tune)
    All = tuneWishes();
  else
    for (Variant Kind : Variants)
      All.push_back({Kind});
  std::vector<Wish> Wishes;
  for (const Wish &Mine : All)
    if (std::optional<Wish> W = within(Opts, Mine))
      Wishes.push_back(*W);
  return Wishes;
}

std::string nameOf(const Wish &W, const LoopResult *Loop) {
  auto Kind = Loop && Loop->Kind ? Loop->Kind : W.Kind;
  auto Shape = Loop && Loop->Shape ? Loop->Shape : W.Shape;
  std::string Name = Kind ? toString(*Kind) : std::string("auto");
  // A wish for one variant that the plan answers with another keeps its name.
  if (W.Kind)
    Name = toString(*W.Kind);
  if (Shape)
    Name += std::string("-") + toString(*Shape);
  if (unsigned Stages = Loop ? Loop->Stages : W.Stages; Stages > 1)
    Name += "-" + std::to_string(Stages);
  if ((Loop ? Loop->When : W.When.value_or(Issue::First)) == Issue::Last)
    Name += "-last";
  if ((Loop ? Loop->Addresses : W.Addresses.value_or(Addressing::Indexed)) ==
      Addressing::Stepped)
    Name += "-stepped";
  if (unsigned Unroll = Loop ? Loop->Unroll : W.Unroll.value_or(0))
    Name += "-unroll" + std::to_string(Unroll);
  return Name;
}

const RewrittenFile *inputOf(const FileOutcome &Outcome) {
  for (const RewrittenFile &File : Outcome.Files)
    if (File.IsInput)
      return &File;
  return nullptr;
}

const LoopResult *firstLoop(const RewrittenFile *File, LoopStatus Status) {
  if (File)
    for (const LoopResult &Loop : File->Result.Loops)
      if (Loop.Status == Status)
        return &Loop;
  return nullptr;
}

VersionText versionOf(const Wish &W, const FileOutcome &Outcome,
                      const Options &Opts) {
  const RewrittenFile *File = inputOf(Outcome);
  const LoopResult *Loop = firstLoop(File, LoopStatus::Rewritten);
  VersionText Version;
  Version.About.Name = nameOf(W, Loop);
  Version.About.Asked = W;
  if (Loop && File->Original != File->Rewritten) {
    Version.Text = File->Rewritten;
    Version.DynamicAfter = nvccBuildOf(Opts, Outcome, *File).DynamicAfter;
    if (Loop->Sass && Loop->Sass->Checked)
      Version.About.Overlap = toString(Loop->Sass->verdict());
    return Version;
  }
  Version.About.Reason = "no-loop";
  Version.About.Message = "there is no K loop";
  if (const LoopResult *Refused = firstLoop(File, LoopStatus::Refused);
      Refused && !Refused->Reasons.empty()) {
    Version.About.Reason = slugOf(Refused->Reasons.front().Id);
    Version.About.Message = Refused->Reasons.front().Message;
  }
  return Version;
}

} // namespace

Expected<std::vector<VersionText>> makeVersions(BundleMode Mode, StringRef Path,
                                                const SessionContext &Context) {
  std::vector<VersionText> Versions;
  for (const Wish &W : wishesOf(Mode, Context.Opts)) {
    Options Opts = Context.Opts;
    static_cast<Wish &>(Opts) = W;
    Opts.Dump.clear();
    // The loops have their lines from the first parse; here only texts count.
    Opts.Quiet = true;
    std::string Messages;
    SessionContext Changed{Opts, Context.Archs, Context.Rules, Context.Database};
    Expected<FileOutcome> Outcome = processFile(Path, Changed, Messages);
    if (!Outcome)
      return Outcome.takeError();
    // What cannot be checked leaves its cell of the table empty.
    if (Opts.Sass)
      checkSass(Changed, Path, *Outcome);
    VersionText Version = versionOf(W, *Outcome, Opts);
    auto Same = llvm::find_if(Versions, [&](const VersionText &Other) {
      return !Version.Text.empty() && Other.Text == Version.Text;
    });
    if (Same != Versions.end()) {
      Version.About.Name = nameOf(W, nullptr);
      Version.About.Reason = "same-text";
      Version.About.Message = "it is the same text as " + Same->About.Name;
      Version.Text.clear();
    }
    if (llvm::none_of(Versions, [&](const VersionText &Other) {
          return Other.About.Name == Version.About.Name;
        }))
      Versions.push_back(std::move(Version));
  }
  return Versions;
}

json::Object settingsOf(const Options &Opts) {
  json::Array Assume;
  for (const auto &[Name, Value] : Opts.Assume)
    Assume.push_back(json::Array{Name, Value});
  json::Object Settings{{"kernel", Opts.Kernel},
                        {"loop", Opts.Loop},
                        {"block", Opts.BlockThreads},
                        {"assume", std::move(Assume)},
                        {"assume_no_alias", Opts.AssumeNoAlias},
                        {"allow_cliff", Opts.AllowCliff},
                        {"keep_going", Opts.KeepGoing},
                        {"seed", static_cast<int64_t>(Opts.Seed)}};
  if (Opts.Ratio)
    Settings["ratio"] = *Opts.Ratio;
  return Settings;
}

void applySettings(const json::Object &Settings, Options &Opts) {
  Opts.Kernel = Settings.getString("kernel").value_or("").str();
  Opts.Loop = static_cast<unsigned>(Settings.getInteger("loop").value_or(0));
  Opts.BlockThreads =
      static_cast<unsigned>(Settings.getInteger("block").value_or(0));
  Opts.AssumeNoAlias = Settings.getBoolean("assume_no_alias").value_or(false);
  Opts.AllowCliff = Settings.getBoolean("allow_cliff").value_or(false);
  Opts.KeepGoing = Settings.getBoolean("keep_going").value_or(false);
  Opts.Seed = static_cast<uint64_t>(Settings.getInteger("seed").value_or(1));
  if (auto Ratio = Settings.getNumber("ratio"))
    Opts.Ratio = *Ratio;
  if (const json::Array *Assume = Settings.getArray("assume"))
    for (const json::Value &One : *Assume)
      if (const json::Array *Pair = One.getAsArray(); Pair && Pair->size() == 2)
        Opts.Assume.push_back({(*Pair)[0].getAsString().value_or("").str(),
                               (*Pair)[1].getAsString().value_or("").str()});
}

void applyVersion(const BundleVersion &Version, Options &Opts) {
  static_cast<Wish &>(Opts) = Version.Asked;
}

} // namespace pipeline_rewrite
