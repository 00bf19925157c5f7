#include "Gpu/Manifest.h"

#include "Support/File.h"

using namespace llvm;

namespace pipeline_rewrite {

/// Of bundle.json and of results.json.
static constexpr int BundleSchema = 1;

const char *toString(BundleMode Mode) {
  switch (Mode) {
  case BundleMode::Verify:
    return "verify";
  case BundleMode::Bench:
    return "bench";
  case BundleMode::Tune:
    return "tune";
  }
  return "";
}

static json::Value text(StringRef Text) { return json::fixUTF8(Text); }

static std::string textOf(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

/// What is not asked for is absent.
static json::Object toJson(const Wish &W) {
  json::Object Asked;
  auto Put = [&](StringRef Key, const auto &Choice) {
    if (Choice)
      Asked[Key] = toString(*Choice);
  };
  Put("variant", W.Kind);
  Put("form", W.Shape);
  Put("issue", W.When);
  Put("addresses", W.Addresses);
  if (W.Stages)
    Asked["stages"] = W.Stages;
  if (W.Unroll)
    Asked["unroll"] = *W.Unroll;
  return Asked;
}

static Wish readWish(const json::Object &Asked) {
  Wish W;
  W.Kind = choiceOf(textOf(Asked, "variant"), Variants);
  W.Shape = choiceOf(textOf(Asked, "form"), Forms);
  W.When = choiceOf(textOf(Asked, "issue"), Issues);
  W.Addresses = choiceOf(textOf(Asked, "addresses"), Addressings);
  W.Stages = static_cast<unsigned>(Asked.getInteger("stages").value_or(0));
  if (auto Unroll = Asked.getInteger("unroll"))
    W.Unroll = static_cast<unsigned>(*Unroll);
  return W;
}

json::Value toJson(const Manifest &M) {
  json::Array Versions, Arguments;
  for (const std::string &Argument : M.Arguments)
    Arguments.push_back(text(Argument));
  for (const BundleVersion &V : M.Versions)
    Versions.push_back(json::Object{{"name", text(V.Name)},
                                    {"file", text(V.File)},
                                    {"asked", toJson(V.Asked)},
                                    {"reason", text(V.Reason)},
                                    {"message", text(V.Message)},
                                    {"sass_overlap", text(V.Overlap)}});
  return json::Object{{"schema", BundleSchema},
                      {"tool", "pipeline-rewrite"},
                      {"version", M.Tool},
                      {"mode", toString(M.Mode)},
                      {"source", text(M.Source)},
                      {"original", text(M.Original)},
                      {"arch", M.Arch},
                      {"launch", text(M.Launch)},
                      {"key", M.Key},
                      {"arguments", std::move(Arguments)},
                      {"settings", json::Object(M.Settings)},
                      {"versions", std::move(Versions)}};
}

static void readVersions(const json::Object &O, Manifest &M) {
  const json::Array *Versions = O.getArray("versions");
  if (!Versions)
    return;
  for (const json::Value &One : *Versions) {
    const json::Object *V = One.getAsObject();
    if (!V)
      continue;
    BundleVersion Version;
    Version.Name = textOf(*V, "name");
    Version.File = textOf(*V, "file");
    if (const json::Object *Asked = V->getObject("asked"))
      Version.Asked = readWish(*Asked);
    Version.Reason = textOf(*V, "reason");
    Version.Message = textOf(*V, "message");
    Version.Overlap = textOf(*V, "sass_overlap");
    M.Versions.push_back(std::move(Version));
  }
}

Expected<Manifest> readManifest(StringRef Dir) {
  std::string Path = (Dir + "/bundle.json").str();
  auto Wrong = [&](const Twine &Why) {
    return createStringError(std::make_error_code(std::errc::invalid_argument),
                             Path + ": " + Why);
  };
  Expected<std::string> Text = readFile(Path);
  if (!Text) {
    consumeError(Text.takeError());
    return createStringError(std::make_error_code(std::errc::invalid_argument),
                             "'" + Dir + "' is no bundle: it has no bundle.json");
  }
  Expected<json::Value> Value = json::parse(*Text);
  if (!Value)
    return Wrong(toString(Value.takeError()));
  const json::Object *O = Value->getAsObject();
  if (!O || O->getInteger("schema").value_or(0) != BundleSchema)
    return Wrong("this is no bundle of this version of the tool");
  Manifest M;
  M.Tool = textOf(*O, "version");
  std::string Mode = textOf(*O, "mode");
  for (BundleMode Known : {BundleMode::Bench, BundleMode::Tune})
    if (Mode == toString(Known))
      M.Mode = Known;
  M.Source = textOf(*O, "source");
  M.Original = textOf(*O, "original");
  M.Arch = textOf(*O, "arch");
  M.Launch = textOf(*O, "launch");
  M.HasLaunchFile = !M.Launch.empty();
  M.Key = textOf(*O, "key");
  if (const json::Array *Arguments = O->getArray("arguments"))
    for (const json::Value &Argument : *Arguments)
      M.Arguments.push_back(Argument.getAsString().value_or("").str());
  if (const json::Object *Settings = O->getObject("settings"))
    M.Settings = *Settings;
  readVersions(*O, M);
  if (M.Original.empty() || M.Versions.empty())
    return Wrong("it names no versions");
  return M;
}

} // namespace pipeline_rewrite
