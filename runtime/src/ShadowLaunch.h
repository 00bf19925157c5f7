#pragma once

#include "Machine.h"

#include <string>

namespace pr {

/// What the caller asked for, from the environment (lib/Verify sets it).
struct Settings {
  std::string OriginalPath, RewrittenPath;
  uint64_t Seed = 1;
  /// Seconds after which a single run of a launch takes no further blocks.
  double LaunchSeconds = 20;
  /// Seconds of processor time after which cases that may be left out are.
  double OptionalSeconds = 20;
  /// Seconds after which launches are no longer checked, only run.
  double TotalSeconds = 90;
  bool Bitwise = true;
  double Relative = 0, Absolute = 0;
  uint64_t Ulps = 0;
  /// The element type of buffers whose type is not known.
  std::string Type;
  /// Dynamic shared bytes of the rewritten kernel: "same", or what RecordPath
  /// noted, or "any" where it is not known and a large arena stands in.
  std::string RewrittenShared = "same";
  /// Only note the launches' dynamic shared bytes, in this file; `!` in front:
  /// the launch is refused.
  std::string RecordPath;
};
const Settings &settings();

/// A launch that the program makes: run as original and as rewritten on the
/// same memory, under several schedules, and compared. Memory afterwards is
/// what the original left. Does not return after a failure.
void shadowLaunch(const char *Kernel, Index3 Grid, Index3 Block,
                  uint32_t DynamicBytes, void **Arguments);

/// Bytes of shared memory that the static arrays of \p Kernel take, in the
/// version whose program runs.
uint64_t staticShared(const char *Kernel);

/// A launch that CUDA would refuse: counted, so that the launches of both
/// versions' programs keep their numbers. \p DynamicBytes: what it asked for.
void refusedLaunch(uint32_t DynamicBytes);

/// A value in the host's copy of a variable changes both versions' variable.
/// \returns the address in the original, or null.
void *variableAddress(const char *Name);
void writeVariable(const char *Name, uint64_t Offset, const void *From,
                   uint64_t Bytes);

/// Whether kernels may print: in the first run of the original only.
bool printingAllowed();

/// Another case of a sweep begins: its launches are checked in full. An
/// \p Optional case is one that the launch file did not ask for; where the
/// original cannot stand it, it is left out. \p Brief: under one schedule.
void newCase(bool Optional, bool Brief);
bool caseIsOptional();
/// Does a program run that was written from a launch file?
bool runsCases();
/// What the next launches of the rewritten kernel get as dynamic shared memory.
void setRewrittenShared(long Bytes);
/// Compares an output with what a CPU reference computed; a difference ends the
/// program with a failure.
void compareReference(const void *Result, const void *Reference,
                      double Absolute, double Relative);

/// Writes the totals; the program is about to end by itself.
void finishReport();

} // namespace pr
