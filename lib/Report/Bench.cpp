#include "Report/Bench.h"
#include "Report/BenchTable.h"
#include "Support/Table.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace pipeline_rewrite {
namespace {

using llvm::formatv;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

Value text(llvm::StringRef Text) { return llvm::json::fixUTF8(Text); }

template <typename T> Value orNull(const std::optional<T> &Known) {
  return Known ? Value(*Known) : Value(nullptr);
}

std::string numberOrDash(const std::optional<unsigned> &Known) {
  return Known ? std::to_string(*Known) : "-";
}

std::string timeOf(const BenchRow &Row) {
  if (!Row.Median)
    return "-";
  return formatv("{0:f4} ms ({1:f4} to {2:f4})", *Row.Median, *Row.Low,
                 *Row.High)
      .str();
}

std::string speedUpOf(const BenchRow &Row) {
  if (!Row.SpeedUp)
    return Row.Median ? "1" : "-";
  std::string Text = formatv("{0:f3}x", *Row.SpeedUp).str();
  return Row.Significant ? Text : Text + " (not significant)";
}

/// What stands for the bytes `<`, `>` and `&` in a page.
std::string escape(llvm::StringRef Text) {
  std::string Result;
  for (char C : llvm::json::fixUTF8(Text))
    Result += C == '<'   ? "&lt;"
              : C == '>' ? "&gt;"
              : C == '&' ? "&amp;"
                         : std::string(1, C);
  return Result;
}

std::string machineLine(const BenchMachine &M) {
  std::string Line = M.Name.empty() ? "unknown card" : M.Name;
  for (auto [Before, What] : {std::pair(", ", &M.Arch),
                              {", driver ", &M.Driver},
                              {", nvcc ", &M.Nvcc},
                              {", ", &M.Date}})
    if (!What->empty())
      Line += Before + *What;
  return Line;
}

/// The longest time of a table: the length of its longest bar.
double longest(const BenchTable &Table) {
  double Longest = 0;
  for (const BenchRow &Row : Table.Rows)
    if (Row.High)
      Longest = std::max(Longest, *Row.High);
  return Longest;
}

/// One bar a version: its median, and the middle half as a thin line.
std::string barsSvg(const BenchTable &Table) {
  constexpr double LabelWidth = 190, BarWidth = 380, RowHeight = 22;
  double Longest = longest(Table);
  if (Longest <= 0)
    return "";
  std::string Svg =
      formatv("<svg viewBox=\"0 0 {0} {1}\" role=\"img\">\n",
              LabelWidth + BarWidth + 90, RowHeight * double(Table.Rows.size()))
          .str();
  double Y = 0;
  for (const BenchRow &Row : Table.Rows) {
    auto At = [&](double Milliseconds) {
      return LabelWidth + BarWidth * Milliseconds / Longest;
    };
    Svg += formatv("<text x=\"{0}\" y=\"{1}\" text-anchor=\"end\">{2}</text>",
                   LabelWidth - 6, Y + 15, escape(Row.Version));
    if (Row.Median)
      Svg += formatv("<rect class=\"{0}\" x=\"{1}\" y=\"{2}\" width=\"{3:f1}\" "
                     "height=\"14\"/><line class=\"stairs\" x1=\"{4:f1}\" "
                     "x2=\"{5:f1}\" y1=\"{6}\" y2=\"{6}\"/>"
                     "<text class=\"mark\" x=\"{7:f1}\" y=\"{8}\">{9}</text>",
                     Row.Version == "original" ? "before" : "after", LabelWidth,
                     Y + 4, At(*Row.Median) - LabelWidth, At(*Row.Low),
                     At(*Row.High), Y + 11, At(*Row.High) + 6, Y + 15,
                     speedUpOf(Row).substr(0, 6));
    Svg += "\n";
    Y += RowHeight;
  }
  return Svg + "</svg>";
}

} // namespace

void printBench(const BenchReport &Report, llvm::raw_ostream &Out) {
  Out << machineLine(Report.Machine) << '\n';
  for (const BenchTable &Bench : Report.Tables) {
    if (!Bench.Case.empty())
      Out << '\n' << Bench.Case << '\n';
    Out << '\n';
    using Align = Table::Align;
    std::string Rate = Bench.RateUnit.empty() ? "Rate" : Bench.RateUnit;
    Table Text({{"Variant", Align::Left},
                {"Time", Align::Left},
                {Rate, Align::Right},
                {"Speed-up", Align::Left},
                {"Registers", Align::Right},
                {"Blocks/SM", Align::Right},
                {"SASS overlap", Align::Left}});
    for (const BenchRow &Row : Bench.Rows)
      Text.addRow({Row.Version, Row.Problem.empty() ? timeOf(Row) : Row.Problem,
                   Row.Rate ? formatv("{0:f0}", *Row.Rate).str() : "-",
                   speedUpOf(Row), numberOrDash(Row.Registers),
                   numberOrDash(Row.BlocksPerSM),
                   Row.Overlap.empty() ? "-" : Row.Overlap});
    Text.print(Out);
  }
  if (!Report.Winner.empty())
    Out << "\nKept: " << Report.Winner << " (" << Report.Because << ")\n";
}

Value toJson(const BenchReport &Report) {
  Array Tables;
  for (const BenchTable &Bench : Report.Tables) {
    Array Rows;
    for (const BenchRow &Row : Bench.Rows)
      Rows.push_back(Object{
          {"version", text(Row.Version)},
          {"median_ms", orNull(Row.Median)},
          {"low_ms", orNull(Row.Low)},
          {"high_ms", orNull(Row.High)},
          {"samples", Row.Samples},
          {"rate", orNull(Row.Rate)},
          {"speedup", orNull(Row.SpeedUp)},
          {"significant", Row.Significant},
          {"registers", orNull(Row.Registers)},
          {"blocks_per_sm", orNull(Row.BlocksPerSM)},
          {"sass_overlap",
           Row.Overlap.empty() ? Value(nullptr) : text(Row.Overlap)},
          {"problem", Row.Problem.empty() ? Value(nullptr) : text(Row.Problem)}});
    Tables.push_back(Object{{"case", text(Bench.Case)},
                            {"rate_unit", text(Bench.RateUnit)},
                            {"rows", std::move(Rows)}});
  }
  const BenchMachine &M = Report.Machine;
  return Object{{"machine", Object{{"name", text(M.Name)},
                                   {"arch", text(M.Arch)},
                                   {"driver", text(M.Driver)},
                                   {"nvcc", text(M.Nvcc)},
                                   {"date", text(M.Date)}}},
                {"tables", std::move(Tables)},
                {"winner", Report.Winner.empty() ? Value(nullptr)
                                                 : text(Report.Winner)},
                {"because", Report.Because.empty() ? Value(nullptr)
                                                   : text(Report.Because)}};
}

std::string benchHtml(const BenchReport &Report) {
  std::string Html = "<section class=\"loop\" id=\"bench\">\n<h2>Measured</h2>"
                     "\n<p>" +
                     escape(machineLine(Report.Machine)) +
                     ". Bars are medians, the line on each its middle half."
                     "</p>\n";
  if (!Report.Winner.empty())
    Html += "<p>Kept: <b>" + escape(Report.Winner) + "</b>, " +
            escape(Report.Because) + ".</p>\n";
  for (const BenchTable &Bench : Report.Tables) {
    Html += "<h3>" + escape(Bench.Case) + "</h3>\n<figure style=\"max-width:"
            "46rem\">" + barsSvg(Bench) + "</figure>\n<div class=\"wide\">"
            "<table>\n<tr><th>Variant</th><th>Time</th><th class=\"figure\">" +
            escape(Bench.RateUnit.empty() ? "Rate" : Bench.RateUnit) +
            "</th><th>Speed-up</th><th class=\"figure\">Registers</th>"
            "<th class=\"figure\">Blocks/SM</th><th>SASS overlap</th></tr>\n";
    for (const BenchRow &Row : Bench.Rows)
      Html +=
          formatv("<tr><td>{0}</td><td>{1}</td><td class=\"figure\">{2}</td>"
                  "<td>{3}</td><td class=\"figure\">{4}</td>"
                  "<td class=\"figure\">{5}</td><td>{6}</td></tr>\n",
                  escape(Row.Version),
                  escape(Row.Problem.empty() ? timeOf(Row) : Row.Problem),
                  Row.Rate ? formatv("{0:f0}", *Row.Rate).str() : "-",
                  speedUpOf(Row), numberOrDash(Row.Registers),
                  numberOrDash(Row.BlocksPerSM),
                  escape(Row.Overlap.empty() ? "-" : Row.Overlap))
              .str();
    Html += "</table></div>\n";
  }
  return Html + "</section>\n";
}

} // namespace pipeline_rewrite
