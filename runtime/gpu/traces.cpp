// Programs with their own main: compares what shim.cpp wrote while the original and the rewritten program ran.
#include "support.h"

#include <fstream>
#include <sstream>

namespace pr {

namespace {

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> linesOf(const std::string &path) {
  std::vector<std::string> lines;
  std::istringstream text(contentOf(path));
  for (std::string line; std::getline(text, line);)
    lines.push_back(line);
  return lines;
}

// One run of a program: PREFIX.trace, PREFIX.out and PREFIX.exit.
struct Ran {
  std::vector<std::string> trace;
  std::string out, exit;
  explicit Ran(const std::string &prefix)
      : trace(linesOf(prefix + ".trace")), out(contentOf(prefix + ".out")), exit(contentOf(prefix + ".exit")) {
    while (!exit.empty() && exit.back() == '\n')
      exit.pop_back();
  }
};

bool damaged(const std::string &line) { return line.find(":damaged") != std::string::npos; }

// What differs first, in words; empty where nothing does.
std::string firstDifference(const Ran &a, const Ran &b) {
  for (size_t i = 0; i < a.trace.size() || i < b.trace.size(); ++i) {
    std::string x = i < a.trace.size() ? a.trace[i] : "", y = i < b.trace.size() ? b.trace[i] : "";
    if (x == y)
      continue;
    if (x.empty() || y.empty())
      return "one of them makes " + std::to_string(i) + " launches, the other more";
    std::istringstream left(x), right(y);
    std::string p, q, head;
    for (int word = 0; left >> p && right >> q; ++word) {
      if (word < 6)
        head += (head.empty() ? "" : " ") + q;
      if (p == q)
        continue;
      if (word < 6)
        return "line " + std::to_string(i) + " of the traces: '" + x.substr(0, 80) + "' and '" + y.substr(0, 80) + "'";
      size_t colon = q.find(':');
      return "behind " + head + " allocation " + q.substr(0, colon) + " (" +
             q.substr(colon + 1, q.find(':', colon + 1) - colon - 1) + " bytes) holds other bytes" +
             (damaged(q) ? ", and its guard zone was written" : "");
    }
    return "line " + std::to_string(i) + " of the traces has another number of allocations";
  }
  if (a.exit != b.exit)
    return "the exit codes are " + a.exit + " and " + b.exit;
  return "";
}

} // namespace

int compareTraces(const Options &options) {
  std::string name = options.text("name");
  Ran original(options.text("original") + ".1"), originalAgain(options.text("original") + ".2");
  Ran version(options.text("version") + ".1"), versionAgain(options.text("version") + ".2");
  std::string check, message, status = "proved";
  std::vector<std::string> notes;
  auto stop = [&](const char *how, const char *what, const std::string &text) {
    if (status != "proved")
      return;
    status = how;
    check = what;
    message = text;
  };
  if (original.trace.empty())
    stop("could-not-run", "nothing-compared", "the program launched no kernel that could be watched");
  if (!original.trace.empty() && original.trace.back().compare(0, 5, "error") == 0)
    stop("original-broken", "kernel-fault", "the original program: " + original.trace.back());
  if (std::string text = firstDifference(original, originalAgain); !text.empty())
    stop("original-broken", "not-deterministic", "two runs of the original differ: " + text);
  for (const std::string &line : original.trace)
    if (damaged(line))
      stop("original-broken", "out-of-bounds", "the original writes beside an allocation: " + line.substr(0, 60));
  if (std::string text = firstDifference(version, versionAgain); !text.empty())
    stop("failed", "race", "two runs of the rewritten program differ: " + text);
  if (!version.trace.empty() && version.trace.back().compare(0, 5, "error") == 0)
    stop("failed", "kernel-fault", "the rewritten program: " + version.trace.back());
  if (std::string text = firstDifference(original, version); !text.empty())
    stop("failed", "different-result", "original and rewritten program: " + text);
  if (original.out != originalAgain.out)
    notes.push_back("the program prints something else in each run; that was not compared");
  else if (original.out != version.out)
    stop("failed", "different-output", "the programs print different text");
  if (original.exit != "0")
    notes.push_back("the program itself ends with exit code " + original.exit);
  size_t watched = 0;
  for (const std::string &line : original.trace)
    watched += line.compare(0, 6, "launch") == 0;
  Row row("verify:" + name, "verify");
  row.add("version", name).add("status", status).add("runs", 4.0 * (double)watched).add("comparisons", 3.0 * (double)watched);
  row.raw("failures", check.empty() ? "[]"
                                    : "[{\"check\":" + quoted(check) + ",\"message\":" + quoted(message) +
                                          ",\"where\":\"\"}]");
  std::string list;
  for (const std::string &note : notes)
    list += (list.empty() ? "" : ",") + quoted(note);
  row.raw("notes", "[" + list + "]").write(options.text("rows"));
  return status == "proved" ? Fine : status == "could-not-run" ? Unable : Differs;
}

// PREFIX.ROUND.times of each version: one row a launch and version.
int collectTimes(const Options &options) {
  std::string prefix = options.text("prefix");
  int rounds = (int)options.number("rounds", 1);
  for (const std::string &name : options.rest) {
    std::map<std::string, std::string> samples; // By launch: "a,b,c".
    std::vector<std::string> order;
    for (int round = 1; round <= rounds; ++round)
      for (const std::string &line : linesOf(prefix + name + "." + std::to_string(round) + ".times")) {
        std::istringstream words(line);
        std::string word, head;
        for (int i = 0; i < 6 && words >> word; ++i)
          head += (i ? " " : "") + word;
        if (samples.find(head) == samples.end())
          order.push_back(head);
        while (words >> word)
          samples[head] += (samples[head].empty() ? "" : ",") + word;
      }
    for (size_t i = 0; i < order.size(); ++i) {
      Row row("time:" + std::to_string(i) + ":" + name, "time");
      row.add("version", name).add("case", order[i]).raw("samples_ms", "[" + samples[order[i]] + "]");
      row.write(options.text("rows"));
    }
  }
  return Fine;
}

} // namespace pr
