#include "Report/Figures.h"
#include "Report/Positions.h"
#include "Report/Report.h"
#include "Support/Version.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace pipeline_rewrite {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

/// The rule of a loop that was or would be rewritten. It is no diagnostic of
/// Reasons.def, since nothing stands in the way.
constexpr const char RewriteRule[] = "pipelined";

Value text(llvm::StringRef Text) { return llvm::json::fixUTF8(Text); }

Object message(llvm::StringRef Text) { return Object{{"text", text(Text)}}; }

/// An address by RFC 3986; a relative path stays relative to the checkout.
std::string uriOf(llvm::StringRef Path) {
  constexpr llvm::StringRef Unescaped = "-._~/:@!$&'()*+,;=";
  std::string Uri = Path.starts_with("/") ? "file://" : "";
  for (unsigned char C : Path) {
    if (llvm::isAlnum(C) || Unescaped.contains(C))
      Uri += C;
    else
      Uri += {'%', llvm::hexdigit(C >> 4), llvm::hexdigit(C & 15)};
  }
  // A first segment with a colon would read as a scheme.
  size_t Colon = llvm::StringRef(Uri).split('/').first.find(':');
  return Path.starts_with("/") || Colon == llvm::StringRef::npos ? Uri
                                                                 : "./" + Uri;
}

Object artifact(llvm::StringRef Path) { return Object{{"uri", uriOf(Path)}}; }

Object region(unsigned Line, unsigned Column) {
  Object Result{{"startLine", std::max(Line, 1u)}};
  if (Column)
    Result["startColumn"] = Column;
  return Result;
}

Array location(llvm::StringRef Path, unsigned Line, unsigned Column) {
  return Array{
      Object{{"physicalLocation", Object{{"artifactLocation", artifact(Path)},
                                         {"region", region(Line, Column)}}}}};
}

Object rule(llvm::StringRef Id, llvm::StringRef Says, llvm::StringRef Do,
            llvm::StringRef Page, llvm::StringRef Level) {
  std::string Help = Says.str() + ".";
  if (!Do.empty())
    Help += " " + Do.str();
  return Object{{"id", Id},
                {"shortDescription", message(Says)},
                {"fullDescription", message(Help)},
                {"help", message(Help)},
                {"helpUri", text(Page)},
                {"defaultConfiguration", Object{{"level", Level}}}};
}

Array rules() {
  Array Result;
  for (ReasonId Id : allReasons())
    Result.push_back(rule(slugOf(Id), meaningOf(Id), adviceFor(Id),
                          docsPage(Id), isRemark(Id) ? "note" : "warning"));
  Result.push_back(rule(RewriteRule, "the loop can be software-pipelined",
                        "Apply the fix, or run the tool with -i.",
                        "docs/usage.md", "note"));
  return Result;
}

/// The edits of one loop as a fix. None where a file's text is not at hand,
/// since SARIF wants lines and columns.
std::optional<Object> fixOf(const FileResult &File, const LoopResult &Loop) {
  if (Loop.Edits.empty() || File.Text.empty())
    return std::nullopt;
  LineTable Lines(File.Text);
  Array Replacements;
  for (const EditResult &Edit : Loop.Edits) {
    if (Edit.File != File.Path)
      return std::nullopt;
    Position Begin = Lines.codePointsAt(Edit.Offset);
    Position End = Lines.codePointsAt(Edit.Offset + Edit.Length);
    Replacements.push_back(
        Object{{"deletedRegion", Object{{"startLine", Begin.Line},
                                        {"startColumn", Begin.Column},
                                        {"endLine", End.Line},
                                        {"endColumn", End.Column}}},
               {"insertedContent", message(Edit.Text)}});
  }
  return Object{
      {"description", message("Pipeline the loop: " + describeRewrite(Loop))},
      {"artifactChanges",
       Array{Object{{"artifactLocation", artifact(File.Path)},
                    {"replacements", std::move(Replacements)}}}}};
}

Object result(llvm::StringRef Id, size_t Index, llvm::StringRef Kind,
              llvm::StringRef Level, llvm::StringRef Message, Array Locations) {
  return Object{{"ruleId", Id},
                {"ruleIndex", Index},
                {"kind", Kind},
                {"level", Level},
                {"message", message(Message)},
                {"locations", std::move(Locations)}};
}

void addReasons(const FileResult &File, const LoopResult &Loop,
                const std::vector<Reason> &List, Array &To) {
  for (const Reason &Why : List) {
    bool Remark = isRemark(Why.Id);
    // The compiler counts bytes; so the column is one only where the text can
    // be read.
    unsigned Line = Why.Line ? Why.Line : Loop.Line;
    unsigned Column = Why.Line ? Why.Column : Loop.Column;
    if (Column && !File.Text.empty()) {
      LineTable Lines(File.Text);
      Column = Lines.codePointsAt(Lines.offsetOf(Line) + Column - 1).Column;
    }
    std::string Text = Why.Message.empty() ? meaningOf(Why.Id) : Why.Message;
    To.push_back(result(
        slugOf(Why.Id), size_t(Why.Id), Remark ? "informational" : "fail",
        Remark ? "none" : "warning", Text, location(File.Path, Line, Column)));
  }
}

void addLoop(const FileResult &File, const LoopResult &Loop, Array &To) {
  addReasons(File, Loop, Loop.Reasons, To);
  if (isAccepted(Loop)) {
    std::string Text = displayName(Loop) + ": " + toString(Loop.Status) +
                       " by " + describeRewrite(Loop) +
                       (Loop.Because.empty() ? "" : " (" + Loop.Because + ")");
    Object Found =
        result(RewriteRule, allReasons().size(), "informational", "none", Text,
               location(File.Path, Loop.Line, Loop.Column));
    if (std::optional<Object> Fix = fixOf(File, Loop))
      Found["fixes"] = Array{std::move(*Fix)};
    To.push_back(std::move(Found));
  }
  addReasons(File, Loop, Loop.Remarks, To);
}

} // namespace

Value toSarif(const RunResult &Run) {
  Array Results, Notifications;
  for (const FileResult &File : Run.Files)
    for (const LoopResult &Loop : File.Loops)
      addLoop(File, Loop, Results);
  for (const std::string &Path : Run.FilesWithErrors)
    Notifications.push_back(Object{{"level", "error"},
                                   {"message", message("did not parse")},
                                   {"locations", location(Path, 1, 0)}});
  Object Invocation{{"executionSuccessful", Run.FilesWithErrors.empty()},
                    {"toolExecutionNotifications", std::move(Notifications)}};
  Object Driver{{"name", "pipeline-rewrite"},
                {"version", toolVersion()},
                {"semanticVersion", toolVersion()},
                {"rules", rules()}};
  return Object{
      {"$schema",
       "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
       "sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", Array{Object{{"tool", Object{{"driver", std::move(Driver)}}},
                            {"columnKind", "unicodeCodePoints"},
                            {"invocations", Array{std::move(Invocation)}},
                            {"results", std::move(Results)}}}}};
}

} // namespace pipeline_rewrite
