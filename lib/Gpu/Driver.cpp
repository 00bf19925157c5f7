#include "Gpu/Driver.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

std::string quoted(StringRef Text) {
  std::string Result = "\"";
  raw_string_ostream OS(Result);
  OS.write_escaped(Text) << "\"";
  return Result;
}

class Writer {
public:
  Writer(const DriverRequest &Request, raw_ostream &OS)
      : Request(Request), File(*Request.Launch), OS(OS) {}

  void write() {
    head();
    tables();
    describe();
    launch();
    resources();
    if (!Request.Reference.empty())
      reference();
    formula("pr_flops", File.Flops);
    formula("pr_bytes", File.Bytes);
    entry();
  }

private:
  void head() {
    OS << "// Generated: one version of the kernel, as the runner sees it.\n"
          "#include \"pr_abi.h\"\n#define main pr_user_main\n#include "
       << quoted(Request.Source) << "\n#undef main\n";
    if (!Request.Reference.empty())
      OS << "#include " << quoted(Request.Reference) << "\n";
    OS << "#include \"pr_types.h\"\n";
    // A size of the sweep is the launch file's, whatever the file calls so.
    for (const auto &Size : File.Sweep)
      OS << "#undef " << Size.first << "\n";
  }

  /// Every combination, the last name running fastest.
  std::vector<std::vector<int64_t>> combinations() const {
    std::vector<std::vector<int64_t>> All = {{}};
    for (const auto &Size : File.Sweep) {
      std::vector<std::vector<int64_t>> Longer;
      for (const std::vector<int64_t> &Start : All)
        for (int64_t Value : Size.second) {
          Longer.push_back(Start);
          Longer.back().push_back(Value);
        }
      All = std::move(Longer);
    }
    return All;
  }

  void table(StringRef Name, const std::vector<std::vector<int64_t>> &Cases) {
    OS << "static const long long " << Name << "[] = {\n";
    for (const std::vector<int64_t> &Case : Cases) {
      OS << "  ";
      for (int64_t Value : Case)
        OS << Value << "ll, ";
      OS << "\n";
    }
    OS << "  0}; // The last value is none: no table is empty.\n";
  }

  void tables() {
    OS << "\nstatic const char *const pr_names[] = {";
    for (const auto &Size : File.Sweep)
      OS << quoted(Size.first) << ", ";
    OS << "0};\n";
    table("pr_case_values", combinations());
    table("pr_bench_values", File.Bench);
  }

  void sizes() {
    for (const auto &[I, Size] : enumerate(File.Sweep))
      OS << "  const long long " << Size.first << " = pr_sizes[" << I
         << "]; (void)" << Size.first << ";\n";
  }

  void describe() {
    OS << "\nstatic void pr_describe(const long long *pr_sizes, PrBuffer "
          "*pr_out) {\n";
    sizes();
    unsigned Number = 0;
    for (const auto &[I, A] : enumerate(File.Arguments))
      if (A.IsBuffer)
        OS << "  pr_out[" << Number++ << "] = PrBuffer{" << quoted(A.Name)
           << ", " << quoted(A.Type) << ", (double)(" << A.Value
           << "), (unsigned)sizeof(" << A.Type << "), PrKindOf<" << A.Type
           << ">::value, Pr" << fillName(A.Contents) << ", "
           << A.Seed.value_or(I + 1) << "ull, " << (A.Output ? 1 : 0)
           << "};\n";
    OS << "  (void)pr_sizes; (void)pr_out;\n}\n";
  }

  void extent(StringRef Name, const std::vector<std::string> &Parts) {
    OS << "  const dim3 " << Name << "(";
    for (const auto &[I, Part] : enumerate(Parts))
      OS << (I ? ", " : "") << "(unsigned)(" << Part << ")";
    OS << ");\n";
  }

  void arguments() {
    unsigned Number = 0;
    for (const auto &[I, A] : enumerate(File.Arguments)) {
      OS << (I ? ", " : "");
      if (A.IsBuffer)
        OS << "(" << A.Type << " *)pr_pointers[" << Number++ << "]";
      else
        OS << "(" << A.Type << ")(" << A.Value << ")";
    }
  }

  void launch() {
    OS << "\nstatic int pr_launch(const long long *pr_sizes, void *const "
          "*pr_pointers, PrFailure *pr_failure) {\n";
    sizes();
    extent("pr_grid", File.Grid);
    extent("pr_block", File.Block);
    OS << "  const unsigned long long pr_shared = (unsigned long long)("
       << Request.Shared << ");\n"
       // A grid without blocks is no launch, and no mistake.
       << "  if (pr_grid.x == 0 || pr_grid.y == 0 || pr_grid.z == 0)\n"
          "    return 0;\n#ifndef PR_NO_ADDRESS\n"
          "  if (int pr_code = pr_ask_for_shared("
       << File.Kernel
       << ", pr_shared, pr_failure, __FILE__, __LINE__))\n"
          "    return pr_code;\n#endif\n  "
       << File.Kernel << "<<<pr_grid, pr_block, (size_t)pr_shared>>>(";
    arguments();
    OS << ");\n  (void)pr_pointers;\n"
          "  return pr_failed(cudaGetLastError(), "
       << quoted("the launch of " + File.Kernel)
       << ", __FILE__, __LINE__, pr_failure);\n}\n";
  }

  void resources() {
    OS << "\n#ifndef PR_NO_ADDRESS\nstatic int pr_resources(const long long "
          "*pr_sizes, PrResources *pr_out, PrFailure *pr_failure) {\n";
    sizes();
    extent("pr_block", File.Block);
    OS << "  return pr_resources_of(" << File.Kernel
       << ", pr_block, (unsigned long long)(" << Request.Shared
       << "), pr_out, pr_failure, __FILE__, __LINE__);\n}\n#endif\n";
  }

  void reference() {
    OS << "\nstatic void pr_reference(const long long *pr_sizes, void *const "
          "*pr_pointers) {\n";
    sizes();
    OS << "  " << File.Reference->Function << "(";
    arguments();
    OS << ");\n}\n";
  }

  void formula(StringRef Name, const std::optional<std::string> &Text) {
    if (!Text)
      return;
    OS << "\nstatic double " << Name << "(const long long *pr_sizes) {\n";
    sizes();
    OS << "  return (double)(" << *Text << ");\n}\n";
  }

  void entry() {
    size_t Buffers =
        count_if(File.Arguments, [](const auto &A) { return A.IsBuffer; });
    OS << "\nextern \"C\" __attribute__((visibility(\"default\"))) const "
          "PrVersion *pr_version() {\n  static const PrVersion pr_this = {\n"
          "      PR_ABI, "
       << quoted(File.Kernel) << ", " << File.Sweep.size()
       << ", pr_names,\n      " << combinations().size() << ", "
       << File.Bench.size() << ", pr_case_values, pr_bench_values, " << Buffers
       << ", pr_describe, pr_launch,\n#ifndef PR_NO_ADDRESS\n"
          "      pr_resources,\n#else\n      0,\n#endif\n      "
       << (Request.Reference.empty() ? "0" : "pr_reference") << ", "
       << formatv("{0:e10}, {1:e10}", Request.ReferenceTolerance.Absolute,
                  Request.ReferenceTolerance.Relative)
       << ",\n      " << (File.Flops ? "pr_flops" : "0") << ", "
       << (File.Bytes ? "pr_bytes" : "0") << "};\n  return &pr_this;\n}\n";
  }

  const DriverRequest &Request;
  const LaunchFile &File;
  raw_ostream &OS;
};

} // namespace

std::string writeGpuDriver(const DriverRequest &Request) {
  std::string Text;
  raw_string_ostream OS(Text);
  Writer(Request, OS).write();
  return Text;
}

} // namespace pipeline_rewrite
