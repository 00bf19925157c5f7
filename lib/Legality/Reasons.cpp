#include "Legality/Verdict.h"

namespace pipeline_rewrite {

const char *slugOf(ReasonId Id) {
  switch (Id) {
#define REASON(Name, Slug, Says, Do)                                           \
  case ReasonId::Name:                                                         \
    return Slug;
#include "Legality/Reasons.def"
  }
  return "";
}

const char *meaningOf(ReasonId Id) {
  switch (Id) {
#define REASON(Name, Slug, Says, Do)                                           \
  case ReasonId::Name:                                                         \
    return Says;
#include "Legality/Reasons.def"
  }
  return "";
}

const char *adviceFor(ReasonId Id) {
  switch (Id) {
#define REASON(Name, Slug, Says, Do)                                           \
  case ReasonId::Name:                                                         \
    return Do;
#include "Legality/Reasons.def"
  }
  return "";
}

const std::vector<ReasonId> &allReasons() {
  static const std::vector<ReasonId> All = {
#define REASON(Name, Slug, Says, Do) ReasonId::Name,
#include "Legality/Reasons.def"
  };
  return All;
}

bool isRemark(ReasonId Id) {
  switch (Id) {
#define REASON(Name, Slug, Says, Do)
#define REMARK(Name, Slug, Says) case ReasonId::Name:
#include "Legality/Reasons.def"
    return true;
  default:
    return false;
  }
}

} // namespace pipeline_rewrite
