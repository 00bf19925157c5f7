#include "ShadowLaunch.h"

#include <cstdlib>

namespace pr {

namespace {

std::string environment(const char *Name, const char *Otherwise = "") {
  const char *Value = std::getenv(Name);
  return Value ? Value : Otherwise;
}

Settings readSettings() {
  Settings S;
  S.OriginalPath = environment("PR_ORIGINAL");
  S.RewrittenPath = environment("PR_REWRITTEN");
  S.Seed = std::strtoull(environment("PR_SEED", "1").c_str(), nullptr, 10);
  S.LaunchSeconds = std::atof(environment("PR_LAUNCH_SECONDS", "20").c_str());
  S.TotalSeconds = std::atof(environment("PR_TOTAL_SECONDS", "90").c_str());
  S.OptionalSeconds =
      std::atof(environment("PR_OPTIONAL_SECONDS", "20").c_str());
  S.Relative = std::atof(environment("PR_RELATIVE", "0").c_str());
  S.Absolute = std::atof(environment("PR_ABSOLUTE", "0").c_str());
  S.Ulps = std::strtoull(environment("PR_ULPS", "0").c_str(), nullptr, 10);
  S.Bitwise = S.Relative == 0 && S.Absolute == 0 && S.Ulps == 0;
  S.Type = environment("PR_TYPE");
  S.RewrittenShared = environment("PR_REWRITTEN_SHARED", "same");
  S.RecordPath = environment("PR_RECORD");
  return S;
}

} // namespace

const Settings &settings() {
  static const Settings S = readSettings();
  return S;
}

} // namespace pr
