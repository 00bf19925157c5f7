/// \file
/// What a translation unit does with one kernel outside the kernel: where it is
/// launched, with how many bytes of dynamic shared memory, and who else takes
/// its address. Plain values; positions are byte offsets into the file named.
#pragma once

#include "Analysis/TextRange.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pipeline_rewrite {

enum class LaunchKind {
  Brackets,     ///< `kernel<<<grid, block, bytes, stream>>>(...)`
  LaunchKernel, ///< cudaLaunchKernel, cudaLaunchCooperativeKernel
  Config,       ///< cudaLaunchKernelEx(C): a member of a config struct
  Occupancy,    ///< an occupancy query, which is told the bytes as well
  Attribute     ///< cudaFuncSetAttribute(MaxDynamicSharedMemorySize)
};

/// A use of a macro's parameter, in the macro's definition, through which an
/// argument came to be what it is.
struct ParameterUse {
  std::string Parameter;   ///< and where its macro is defined, as one key
  unsigned At = 0;
  unsigned All = 0;        ///< uses of the parameter, as text (`#x`) aside
};

/// One place that says how many dynamic shared bytes the kernel gets.
struct LaunchSite {
  LaunchKind Kind = LaunchKind::Brackets;
  std::string File;
  unsigned Line = 0, Column = 0;
  /// What names the kernel there, where it is an alias `k`: `k`.
  std::string KernelText;
  std::string Qualifier;         ///< `ns::` of the kernel's own name
  std::string TemplateArguments; ///< `<BM, 64>` as spelled, or empty
  /// The bytes as spelled; empty range: where they would be inserted.
  TextRange Bytes;
  std::string BytesText; ///< empty: none were given
  /// Spelled before the bytes where none were given: `, ` or `config.x = `.
  std::string Lead;
  std::vector<ParameterUse> Through; ///< macros that hand the bytes on
  bool LeadsStatement = false; ///< Lead and bytes make a statement of their own
  /// The author gives bytes, other than a constant zero.
  bool HasDynamicShared = false;
  std::optional<uint64_t> DynamicShared; ///< their number, where constant
  std::optional<unsigned> BlockX, BlockY, BlockZ;
  TextRange Statement; ///< the statement; a further one may stand before it
  TextRange Block;     ///< the innermost braces around it, empty if none
  /// Statement is an item of Block and no jump target; an attribute call, besides,
  /// runs whenever Statement does.
  bool Unconditional = false;
  TextRange Function; ///< the innermost body of a function or lambda around it
  std::vector<TextRange> Loops; ///< the loops of Function around it
  std::string Checker; ///< `CHECK` of the author's `CHECK(cudaX(...))`
  /// Why the bytes cannot be edited, as the end of "the launch at line N ...";
  /// empty if they can.
  std::string Obstacle;
};

/// A use of the kernel that may launch it out of sight.
struct KernelEscape {
  std::string File;
  unsigned Line = 0, Column = 0;
  std::string What; ///< "its address is taken"
};

/// A place behind which an attribute that was set before may hold no longer.
struct AttributeLoss {
  std::string File;
  unsigned At = 0;
  /// Known to change the device or to reset it; else a call of which nothing is
  /// known, or a place that is jumped to.
  bool Certain = false;
  TextRange Switch; ///< of a `case`: its statement, inside of which it jumps
};

/// A name that the kernel's body declares, for expressions that use it outside.
struct LocalName {
  std::string Name;
  std::string Text; ///< `constexpr int BK = 8;`; empty if it is no constant
};

/// A static __shared__ variable of the kernel, as it is declared.
struct StaticArray {
  std::string Name;
  std::string Type; ///< of an element, as spelled, qualifiers included
  std::vector<std::string> Extents; ///< as spelled, outermost first
  uint64_t Bytes = 0;     ///< 0 unknown
  unsigned Alignment = 0; ///< declared or of its type, bytes; 0 unknown
  TextRange Declaration;  ///< the whole statement
};

struct KernelUses {
  std::vector<LaunchSite> Sites;
  std::vector<KernelEscape> Escapes;
  std::vector<AttributeLoss> Losses; ///< in the functions that Sites stand in
  TextRange Definition;       ///< with `template <...>`, in the kernel's file
  /// Where a function that gives the bytes has to stand, if not at Definition:
  /// above a launch that comes earlier.
  std::optional<unsigned> EarlyPlace;
  /// Names that the kernel uses and that are not declared yet at EarlyPlace.
  std::vector<std::string> HiddenNames;
  std::string TemplateHeader; ///< `template <int BM, int BK>`, or empty
  std::vector<std::string> TemplateParameters; ///< `BM`, `BK`; `Ts...` a pack
  std::vector<LocalName> Locals; ///< in order of declaration
  std::vector<StaticArray> StaticArrays; ///< in order of declaration
  /// Why the static arrays cannot become parts of a dynamic block, as a clause;
  /// empty if they can.
  std::string ArraysStay;
};

} // namespace pipeline_rewrite
