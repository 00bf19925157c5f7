#include "Report/Figures.h"
#include "Report/Report.h"

namespace pipeline_rewrite {
namespace {

/// docs/diagnostics.md, which the build makes part of the program.
constexpr char Page[] =
#include "DiagnosticsPage.inc"
    ;

/// What stands below the heading `## id` of the page, without blank lines at
/// its ends. Empty where there is no such section.
llvm::StringRef sectionOf(llvm::StringRef Id) {
  llvm::StringRef Rest = Page;
  while (!Rest.empty()) {
    auto [Line, Behind] = Rest.split('\n');
    Rest = Behind;
    if (Line.consume_front("## ") && Line.trim() == Id)
      return Rest.substr(0, Rest.find("\n## ")).trim();
  }
  return "";
}

} // namespace

std::string explain(llvm::StringRef Id) {
  for (ReasonId Known : allReasons()) {
    if (Id != slugOf(Known))
      continue;
    std::string Text = slugOf(Known);
    Text += isRemark(Known) ? ": a remark, refuses nothing\n\n"
                            : ": the loop is refused\n\n";
    Text += std::string("Meaning: ") + meaningOf(Known) + ".\n";
    llvm::StringRef Advice = adviceFor(Known);
    if (!Advice.empty())
      Text += "What to do: " + Advice.str() + "\n";
    llvm::StringRef Section = sectionOf(Id);
    if (!Section.empty())
      Text += "\n" + Section.str() + "\n";
    return Text + "\nSee " + docsPage(Known) + "\n";
  }
  return "";
}

} // namespace pipeline_rewrite
