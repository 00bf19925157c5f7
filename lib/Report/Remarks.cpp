#include "Report/Figures.h"
#include "Report/Report.h"

#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkSerializer.h"
#include "llvm/Support/FormatVariadic.h"

namespace pipeline_rewrite {
namespace {

using llvm::remarks::Remark;
using llvm::remarks::RemarkLocation;
using llvm::remarks::Type;

constexpr const char PassName[] = "pipeline-rewrite";

/// The strings that a remark refers to, kept until it has been written.
using Arguments = std::vector<std::pair<std::string, std::string>>;

void emit(llvm::remarks::RemarkSerializer &Out, Type Kind, llvm::StringRef Name,
          llvm::StringRef Function, const RemarkLocation &Where,
          const Arguments &Args) {
  Remark One;
  One.RemarkType = Kind;
  One.PassName = PassName;
  One.RemarkName = Name;
  One.FunctionName = Function;
  One.Loc = Where;
  for (const auto &[Key, Text] : Args) {
    llvm::remarks::Argument Arg;
    Arg.Key = Key;
    Arg.Val = Text;
    One.Args.push_back(Arg);
  }
  Out.emit(One);
}

/// A remark's text is that of its arguments, one after the other; the keys are
/// for programs.
Arguments rewriteArguments(const LoopResult &Loop) {
  LoopFigures Figures = figuresOf(Loop);
  Arguments Args = {
      {"String", std::string("loop ") + toString(Loop.Status) + " by "},
      {"Variant", describeRewrite(Loop)}};
  if (Figures.SharedBefore && Figures.SharedAfter) {
    Args.push_back({"String", ", shared bytes "});
    Args.push_back({"BytesBefore", std::to_string(*Figures.SharedBefore)});
    Args.push_back({"String", " -> "});
    Args.push_back({"BytesAfter", std::to_string(*Figures.SharedAfter)});
  }
  if (Figures.Before && Figures.After) {
    Args.push_back({"String", ", blocks a multiprocessor "});
    Args.push_back(
        {"BlocksBefore", std::to_string(Figures.Before->BlocksPerSM)});
    Args.push_back({"String", " -> "});
    Args.push_back({"BlocksAfter", std::to_string(Figures.After->BlocksPerSM)});
    Args.push_back({"String", ", limit "});
    Args.push_back({"Limit", toString(Figures.After->Limit)});
  }
  if (Loop.Ratio) {
    Args.push_back({"String", ", ratio "});
    Args.push_back({"Ratio", llvm::formatv("{0:F1}", *Loop.Ratio).str()});
  }
  return Args;
}

void emitLoop(llvm::remarks::RemarkSerializer &Out, const FileResult &File,
              const LoopResult &Loop) {
  RemarkLocation Where{File.Path, Loop.Line, Loop.Column};
  std::string Name = displayName(Loop);
  if (isAccepted(Loop))
    emit(Out, Type::Passed, toString(Loop.Status), Name, Where,
         rewriteArguments(Loop));
  if (Loop.Status == LoopStatus::Skipped)
    emit(Out, Type::Analysis, toString(Loop.Status), Name, Where,
         {{"String", "loop not considered"}});
  auto EmitReasons = [&](const std::vector<Reason> &List, Type Kind) {
    for (const Reason &Why : List) {
      RemarkLocation At = Where;
      if (Why.Line)
        At = {File.Path, Why.Line, Why.Column};
      Arguments Args;
      if (Kind == Type::Missed)
        Args.push_back({"String", "loop not pipelined: "});
      Args.push_back({"Reason", Why.Message});
      emit(Out, Kind, slugOf(Why.Id), Name, At, Args);
    }
  };
  EmitReasons(Loop.Reasons, Type::Missed);
  EmitReasons(Loop.Remarks, Type::Analysis);
}

} // namespace

std::string toRemarksYaml(const RunResult &Run) {
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  // Fails only for a format that does not exist.
  std::unique_ptr<llvm::remarks::RemarkSerializer> Out =
      llvm::cantFail(llvm::remarks::createRemarkSerializer(
          llvm::remarks::Format::YAML, llvm::remarks::SerializerMode::Separate,
          Stream));
  for (const FileResult &File : Run.Files)
    for (const LoopResult &Loop : File.Loops)
      emitLoop(*Out, File, Loop);
  return Text;
}

} // namespace pipeline_rewrite
