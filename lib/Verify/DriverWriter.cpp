#include "Verify/DriverWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

const char *fillName(LaunchArgument::Fill F) {
  switch (F) {
  case LaunchArgument::Fill::Uniform:
    return "Uniform";
  case LaunchArgument::Fill::Normal:
    return "Normal";
  case LaunchArgument::Fill::Integers:
    return "Integers";
  case LaunchArgument::Fill::Iota:
    return "Iota";
  case LaunchArgument::Fill::Zero:
    return "Zero";
  case LaunchArgument::Fill::Nan:
    return "Nan";
  }
  llvm_unreachable("every fill has a name");
}

class Writer {
public:
  Writer(const LaunchFile &File, const ToleranceSpec &Reference,
         const ProofRequest &Request, raw_ostream &OS)
      : File(File), Reference(Reference), Request(Request), OS(OS) {}

  void head(StringRef Source) {
    OS << "#include \"pr/driver.h\"\n#define main pr_user_main\n#include \""
       << Source << "\"\n#undef main\n";
    // A size of the sweep is the launch file's, whatever the file calls so.
    for (const auto &Size : File.Sweep)
      OS << "#undef " << Size.first << "\n";
    if (File.Reference && !sys::path::is_absolute(File.Reference->File)) {
      SmallString<128> Path(sys::path::parent_path(File.Path));
      sys::path::append(Path, File.Reference->File);
      OS << "#include \"" << Path << "\"\n";
    } else if (File.Reference) {
      OS << "#include \"" << File.Reference->File << "\"\n";
    }
  }

  void oneCase() {
    OS << "static void pr_case(bool pr_optional, bool pr_hostile";
    for (const auto &Size : File.Sweep)
      OS << ", long long " << Size.first;
    OS << ") {\n  char pr_text[512];\n  std::snprintf(pr_text, sizeof pr_text, "
          "\"";
    for (const auto &[I, Size] : enumerate(File.Sweep))
      OS << (I ? ", " : "") << Size.first << "=%lld";
    OS << "\"";
    for (const auto &Size : File.Sweep)
      OS << ", " << Size.first;
    OS << ");\n  pr_begin_case(pr_text, pr_optional, pr_hostile);\n";
    for (const auto &Size : File.Sweep)
      OS << "  (void)" << Size.first << ";\n";
    for (const auto &[I, A] : enumerate(File.Arguments))
      if (A.IsBuffer)
        buffer(A, I);
    if (File.Reference)
      copies();
    launch();
    if (File.Reference)
      compare();
    OS << "}\n";
  }

  void mainFunction() {
    OS << "int main() {\n";
    loops(File.Sweep, false, false);
    loops(File.Sweep, true, true);
    for (const auto &Size : File.Sweep)
      beyond(Size.first);
    for (const TripHint &Hint : Request.Hints)
      hinted(Hint);
    OS << "  return 0;\n}\n";
  }

private:
  using Sizes = std::vector<std::pair<std::string, std::vector<int64_t>>>;

  void buffer(const LaunchArgument &A, size_t Number) {
    uint64_t Seed = A.Seed.value_or(Number + 1) + (Request.Seed - 1) * 1000;
    OS << "  pr_driver::Buffer<" << A.Type << "> pr_" << A.Name << "(\""
       << A.Name << "\", \"";
    OS.write_escaped(A.Type);
    OS << "\", (double)(" << A.Value
       << "), pr_driver::Fill::" << fillName(A.Contents) << ", " << Seed
       << "ull, " << (A.Output ? "true" : "false") << ", pr_hostile);\n";
  }

  /// The reference works on copies of the buffers as they are before.
  void copies() {
    for (const LaunchArgument &A : File.Arguments)
      if (A.IsBuffer)
        OS << "  std::vector<" << A.Type << "> pr_host_" << A.Name << "(pr_"
           << A.Name << ".Pointer, pr_" << A.Name << ".Pointer + pr_" << A.Name
           << ".Count);\n";
  }

  void extent(const std::vector<std::string> &Parts) {
    OS << "dim3(";
    for (const auto &[I, Part] : enumerate(Parts))
      OS << (I ? ", " : "") << "(unsigned)(" << Part << ")";
    OS << ")";
  }

  void arguments(StringRef Prefix, StringRef Suffix) {
    for (const auto &[I, A] : enumerate(File.Arguments)) {
      OS << (I ? ", " : "");
      if (A.IsBuffer)
        OS << Prefix << A.Name << Suffix;
      else
        OS << "(" << A.Type << ")(" << A.Value << ")";
    }
  }

  void launch() {
    std::string After = Request.RewrittenShared;
    if (After.empty() && File.SharedAfter)
      After = *File.SharedAfter;
    if (!After.empty())
      OS << "  pr_rewritten_shared((long)(" << After << "));\n";
    OS << "  " << File.Kernel << "<<<";
    extent(File.Grid);
    OS << ", ";
    extent(File.Block);
    OS << ", (size_t)(" << File.Shared << ")>>>(";
    arguments("pr_", ".Pointer");
    OS << "); " << DriverLaunchMarker << "\n"
       << "  pr_check_launch(cudaGetLastError());\n";
  }

  void compare() {
    OS << "  " << File.Reference->Function << "(";
    arguments("pr_host_", ".data()");
    OS << ");\n";
    for (const LaunchArgument &A : File.Arguments)
      if (A.IsBuffer && A.Output)
        OS << "  pr_compare_reference(pr_" << A.Name << ".Pointer, pr_host_"
           << A.Name << ".data(), " << formatv("{0:e10}", Reference.Absolute)
           << ", " << formatv("{0:e10}", Reference.Relative) << ");\n";
  }

  void loops(const Sizes &Sweep, bool Optional, bool Hostile) {
    unsigned Depth = 1;
    for (const auto &[Name, Values] : Sweep) {
      OS.indent(2 * Depth++) << "for (long long " << Name << " : {";
      for (const auto &[I, Value] : enumerate(Values))
        OS << (I ? ", " : "") << Value << "ll";
      OS << "})\n";
    }
    OS.indent(2 * Depth) << "pr_case(" << (Optional ? "true, " : "false, ")
                         << (Hostile ? "true" : "false");
    for (const auto &Size : Sweep)
      OS << ", " << Size.first;
    OS << ");\n";
  }

  /// One more than the largest value of a size: where the kernel takes any
  /// size, the last tile then holds one element.
  void beyond(StringRef Size) {
    Sizes Sweep = File.Sweep;
    for (auto &[Name, Values] : Sweep)
      Values = {Name == Size ? *llvm::max_element(Values) + 1 : Values.front()};
    loops(Sweep, true, false);
  }

  /// Trip counts 0 to 5 and ragged ones, each with the first of the other
  /// sizes.
  void hinted(const TripHint &Hint) {
    auto A = find_if(File.Arguments, [&](const auto &Argument) {
      return !Argument.IsBuffer && Argument.Name == Hint.Parameter;
    });
    if (A == File.Arguments.end())
      return;
    Sizes Sweep = File.Sweep;
    int64_t S = static_cast<int64_t>(Hint.Step);
    bool Any = false;
    for (auto &[Name, Values] : Sweep) {
      if (Name != A->Value) {
        Values.resize(1);
        continue;
      }
      std::vector<int64_t> Extra;
      for (int64_t V : {int64_t(0), int64_t(1), S, 2 * S, 3 * S, 4 * S, 5 * S,
                        2 * S + 1, 3 * S - 1})
        if (!is_contained(Values, V) && !is_contained(Extra, V))
          Extra.push_back(V);
      Any = !Extra.empty();
      Values = std::move(Extra);
    }
    if (Any)
      loops(Sweep, true, false);
  }

  const LaunchFile &File;
  const ToleranceSpec &Reference;
  const ProofRequest &Request;
  raw_ostream &OS;
};

} // namespace

std::string writeDriver(const LaunchFile &File, StringRef Source,
                        const ToleranceSpec &Reference,
                        const ProofRequest &Request) {
  std::string Text;
  raw_string_ostream OS(Text);
  Writer W(File, Reference, Request, OS);
  W.head(Source);
  W.oneCase();
  W.mainFunction();
  return Text;
}

} // namespace pipeline_rewrite
