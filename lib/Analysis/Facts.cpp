#include "Analysis/Facts.h"

namespace pipeline_rewrite {

bool mayAlias(const LoopFacts &Facts, ObjectId First, ObjectId Second) {
  const MemoryObject &A = Facts.Objects[First], &B = Facts.Objects[Second];
  if (A.ConstObject || B.ConstObject)
    return false;
  if (First == Second)
    return true;
  if (A.Where == Space::Unknown || B.Where == Space::Unknown)
    return true;
  if (A.Where == Space::Shared || B.Where == Space::Shared)
    return false;
  if (!A.OfKernel && !B.OfKernel && A.Restrict && B.Restrict)
    return false;
  if (A.IsParameter || B.IsParameter)
    return !(A.Restrict || B.Restrict);
  return false; // two variables of the program
}

} // namespace pipeline_rewrite
