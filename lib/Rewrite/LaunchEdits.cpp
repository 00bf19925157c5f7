#include "Rewrite/LaunchEdits.h"
#include "Analysis/Branches.h"
#include "Analysis/LocalConstants.h"
#include "Plan/FreshNames.h"
#include "Rewrite/TextStyle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <tuple>

using llvm::StringRef;

namespace pipeline_rewrite {

namespace {

/// What a launch may give without cudaFuncSetAttribute, static arrays included
/// (CUDA C++ programming guide, compute capabilities: 48 KB).
constexpr uint64_t WithoutOptIn = 49152;

constexpr unsigned MaxColumns = 100;

/// The lines of comment directly above \p Begin belong to what begins there.
unsigned aboveComments(StringRef Buffer, unsigned Begin) {
  unsigned At = Buffer.take_front(Begin).find_last_of('\n') + 1;
  while (At > 0) {
    StringRef Above = Buffer.take_front(At - 1);
    size_t Start = Above.find_last_of('\n') + 1;
    StringRef Line = Above.substr(Start).trim();
    if (Line.ends_with("*/")) {
      size_t Open = Above.rfind("/*");
      if (Open == StringRef::npos)
        break;
      Start = Above.take_front(Open).find_last_of('\n') + 1;
      if (!Above.slice(Start, Open).trim().empty())
        break;
    } else if (!Line.starts_with("//")) {
      break;
    }
    At = Start;
  }
  return At;
}

/// Above the kernel, or above a launch that comes before it.
unsigned functionPlace(const KernelUses &Uses) {
  return Uses.EarlyPlace.value_or(Uses.Definition.Begin);
}

class LaunchEditor {
public:
  LaunchEditor(const KernelGrowth &Kernel, BufferOf Buffers)
      : Kernel(Kernel), Facts(*Kernel.Facts), Uses(Facts.Uses),
        Buffers(Buffers) {}

  llvm::Expected<std::vector<FileEdit>> run() {
    llvm::Expected<std::string> Function = sharedBytesFunction(Kernel, Buffers);
    if (!Function)
      return Function.takeError();
    StringRef Buffer = Buffers(Facts.File);
    insert(Facts.File, aboveComments(Buffer, functionPlace(Uses)), *Function);
    mergeSites();
    for (const LaunchSite &S : Sites) {
      editBytes(S);
      if (S.Kind != LaunchKind::Attribute && S.Kind != LaunchKind::Occupancy &&
          needsAttribute(S)) {
        insertStatement(S, attribute(S));
        Given.push_back(&S);
      }
    }
    for (const auto &[Place, Lines] : Inserted)
      Edits.push_back({Place.first, {Place.second, 0, llvm::join(Lines, "")}});
    return Edits;
  }

private:
  /// One site for each text, whatever the instantiations it is seen in.
  void mergeSites() {
    std::map<std::pair<std::string, unsigned>, size_t> Known;
    for (const LaunchSite &S : Uses.Sites) {
      auto [Entry, New] = Known.emplace(
          std::make_pair(S.File, S.LeadsStatement ? S.Statement.Begin : S.Bytes.Begin),
          Sites.size());
      if (New)
        Sites.push_back(S);
      else if (Sites[Entry->second].DynamicShared != S.DynamicShared)
        Sites[Entry->second].DynamicShared.reset();
    }
    llvm::stable_sort(Sites, [](const LaunchSite &A, const LaunchSite &B) {
      return std::tie(A.File, A.Statement.Begin, A.Bytes.Begin) <
             std::tie(B.File, B.Statement.Begin, B.Bytes.Begin);
    });
  }

  /// The bytes that a launch has to give where the author gave those of \p S.
  std::string combined(const LaunchSite &S) const {
    std::string Call = S.Qualifier + Kernel.Function +
                       (Uses.TemplateHeader.empty() ? "" : S.TemplateArguments) + "()";
    if (S.BytesText.empty() || S.DynamicShared == 0u)
      return Call;
    bool Word = llvm::all_of(S.BytesText, [](char C) {
      return llvm::isAlnum(C) || C == '_';
    });
    if (!Kernel.Need.Largest)
      return (Word ? S.BytesText : "(" + S.BytesText + ")") + " + " + Call;
    bool Known = S.DynamicShared && !Kernel.Need.KeepsGiven;
    if (Known && *S.DynamicShared <= Kernel.Need.Covers)
      return Call;
    if (Known && !Facts.IsTemplate && Kernel.Need.Bytes)
      return *S.DynamicShared <= Kernel.Need.Bytes ? Call : S.BytesText;
    std::string Given = "size_t(" + S.BytesText + ")";
    return "(" + Given + " > " + Call + " ? " + Given + " : " + Call + ")";
  }

  void editBytes(const LaunchSite &S) {
    std::string Bytes = combined(S);
    if (Bytes == S.BytesText)
      return;
    if (S.LeadsStatement)
      return insertStatement(S, S.Lead + Bytes + ";");
    Edits.push_back(
        {S.File, {S.Bytes.Begin, S.Bytes.End - S.Bytes.Begin, S.Lead + Bytes}});
  }

  bool needsAttribute(const LaunchSite &S) const {
    uint64_t Most = Kernel.Need.Bytes + Kernel.StaticBytes;
    bool Known = Kernel.Need.Bytes != 0;
    if (!Kernel.Need.Largest) {
      Known &= S.DynamicShared.has_value();
      Most += S.DynamicShared.value_or(0);
    }
    if (Known && Most <= WithoutOptIn)
      return false;
    for (const LaunchSite &Other : Sites) {
      if (Other.Kind != LaunchKind::Attribute ||
          Other.TemplateArguments != S.TemplateArguments)
        continue;
      // A launch that passed the limit before has been given its attribute.
      if (S.DynamicShared.value_or(0) + Facts.StaticSharedBytes > WithoutOptIn)
        return false;
      if (holdsAt(Other, S))
        return false;
    }
    return llvm::none_of(Given, [&](const LaunchSite *Other) {
      return Other->TemplateArguments == S.TemplateArguments &&
             combined(*Other) == combined(S) && holdsAt(*Other, S);
    });
  }

  /// Does an attribute that is set at, or before, the statement of \p Set hold
  /// whenever \p S is reached?
  bool holdsAt(const LaunchSite &Set, const LaunchSite &S) const {
    bool Before = Set.File == S.File && Set.Unconditional &&
                  Set.Block.contains(S.Statement) &&
                  Set.Statement.End <= S.Statement.Begin &&
                  Set.Function.Begin == S.Function.Begin &&
                  Set.Function.End == S.Function.End;
    if (!Before)
      return false;
    // What a loop does behind the launch comes before its next round.
    unsigned End = S.Statement.Begin;
    for (const TextRange &Loop : S.Loops)
      if (Set.Block.contains(Loop) && Set.Statement.End <= Loop.Begin)
        End = std::max(End, Loop.End);
    bool Lost = llvm::any_of(Uses.Losses, [&](const AttributeLoss &Loss) {
      bool Between = Loss.At >= Set.Statement.Begin && Loss.At < End;
      bool Inside = !Loss.Switch.empty() && Set.Block.contains(Loss.Switch);
      return Loss.File == S.File && Between && !Inside;
    });
    return !Lost && sameBranch(Buffers(S.File).slice(Set.Statement.End, S.Statement.Begin));
  }

  std::string attribute(const LaunchSite &S) const {
    std::string Name = S.KernelText;
    bool Plain = Name == S.Qualifier + Facts.Function || Name == Facts.Function;
    if (Plain)
      Name += S.TemplateArguments;
    std::string Begin = S.Checker.empty() ? "" : S.Checker + "(";
    std::string End = S.Checker.empty() ? ";" : ");";
    std::string Head = Begin + "cudaFuncSetAttribute(" + Name + ",";
    std::string Rest[] = {"cudaFuncAttributeMaxDynamicSharedMemorySize,",
                          combined(S) + ")" + End};
    StringRef Buffer = Buffers(S.File);
    StringRef Indent = lineIndent(Buffer, S.Statement.Begin);
    size_t Length = Indent.size() + Head.size() + Rest[0].size() + Rest[1].size() + 2;
    std::string Space = " ";
    if (Length > MaxColumns)
      Space = detectStyle(Buffer, S.Statement.Begin).LineEnd + Indent.str() +
              std::string(Begin.size() + 21, ' ');
    return Head + Space + Rest[0] + Space + Rest[1];
  }

  /// A statement of its own before the statement of \p S.
  void insertStatement(const LaunchSite &S, const std::string &Text) {
    StringRef Buffer = Buffers(S.File);
    StringRef Indent = lineIndent(Buffer, S.Statement.Begin);
    StringRef Before = Buffer.take_front(S.Statement.Begin);
    bool OwnLine = Before.rtrim(" \t").ends_with("\n");
    insert(S.File, S.Statement.Begin,
           Text + (OwnLine ? detectStyle(Buffer, S.Statement.Begin).LineEnd +
                                 Indent.str()
                           : " "));
  }

  void insert(const std::string &File, unsigned At, std::string Text) {
    std::vector<std::string> &Lines = Inserted[{File, At}];
    if (!llvm::is_contained(Lines, Text))
      Lines.push_back(std::move(Text));
  }

  const KernelGrowth &Kernel;
  const LoopFacts &Facts;
  const KernelUses &Uses;
  BufferOf Buffers;
  std::vector<LaunchSite> Sites;
  std::vector<const LaunchSite *> Given; ///< Sites that an attribute is put before
  std::map<std::pair<std::string, unsigned>, std::vector<std::string>> Inserted;
  std::vector<FileEdit> Edits;
};

} // namespace

std::string sharedBytesName(const LoopFacts &Facts,
                            const std::set<std::string> &Taken,
                            BufferOf Buffers) {
  FreshNames Names(Facts, Taken);
  for (;;) {
    std::string Name = Names.get(Facts.Function + "_shared_bytes");
    bool Free = llvm::none_of(Facts.Uses.Sites, [&](const LaunchSite &S) {
      return S.File != Facts.File && Buffers(S.File).contains(Name);
    });
    if (Free)
      return Name;
  }
}

std::string sharedBytesCall(const KernelGrowth &Kernel) {
  const std::vector<std::string> &Parameters = Kernel.Facts->Uses.TemplateParameters;
  std::string Arguments =
      Parameters.empty() ? "" : "<" + llvm::join(Parameters, ", ") + ">";
  return Kernel.Function + Arguments + "()";
}

llvm::Expected<std::string> sharedBytesFunction(const KernelGrowth &Kernel,
                                                BufferOf Buffers) {
  const LoopFacts &Facts = *Kernel.Facts;
  const KernelUses &Uses = Facts.Uses;
    StringRef Buffer = Buffers(Facts.File);
    std::optional<std::vector<std::string>> Constants =
        constantsFor(Uses, Kernel.Need.Spelled);
    std::string Value = Kernel.Need.Spelled;
    if (!Constants || Value.empty()) {
      if (Facts.IsTemplate || !Kernel.Need.Bytes)
        return llvm::createStringError(
            std::make_error_code(std::errc::invalid_argument),
            "the bytes of '" + Facts.Function + "' cannot be spelled beside it");
      Constants.emplace();
      Value = std::to_string(Kernel.Need.Bytes);
    }
    TextStyle Style = detectStyle(Buffer, Facts.LoopText.Begin);
    std::string Base = lineIndent(Buffer, functionPlace(Uses)).str();
    CodeWriter Out(Style, Base);
    Out.line("// Dynamic shared memory of " + Facts.Function + ", in bytes.");
    if (!Uses.TemplateHeader.empty())
      Out.verbatim(Uses.TemplateHeader, Base);
    Out.open("__host__ __device__ constexpr size_t " + Kernel.Function + "()");
    for (const std::string &Constant : *Constants)
      Out.line(Constant);
    Out.line("return " + Value + ";");
    Out.close();
    Out.line("");
    return Out.take();
}

llvm::Expected<std::vector<FileEdit>> emitLaunchEdits(const KernelGrowth &Kernel,
                                                      BufferOf Buffers) {
  return LaunchEditor(Kernel, Buffers).run();
}

} // namespace pipeline_rewrite
