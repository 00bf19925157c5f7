#include "Verify/DriverWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

/// A type whose values must fit; others are converted as C++ does it.
bool isInteger(StringRef Type) {
  return is_contained({"int", "unsigned", "unsigned int", "long", "size_t",
                       "unsigned long", "long long", "unsigned long long",
                       "short", "unsigned short", "int32_t", "uint32_t",
                       "int64_t", "uint64_t"},
                      Type);
}

class Writer {
public:
  Writer(const LaunchFile &File, const ToleranceSpec &Reference,
         const ProofRequest &Request, raw_ostream &OS)
      : File(File), Reference(Reference), Request(Request), OS(OS) {}

  void head(StringRef Source) {
    // Only what the launch file says is checked for overflow.
    OS << "#include \"pr/driver.h\"\n#pragma clang attribute push("
          "__attribute__((no_sanitize(\"undefined\"))), apply_to = function)\n"
          "#define main pr_user_main\n#include \""
       << Source << "\"\n#undef main\n";
    grownFunction();
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
    OS << "#pragma clang attribute pop\n";
  }

  /// `ns::sgemm<64, 8>` as its parts.
  struct KernelName {
    StringRef Qualifier, Name, Arguments;
  };
  KernelName kernelName() const {
    StringRef Whole = StringRef(File.Kernel).trim();
    size_t Angle = std::min(Whole.find('<'), Whole.size());
    StringRef Front = Whole.take_front(Angle).rtrim();
    size_t Colons = Front.rfind("::");
    size_t Begin = Colons == StringRef::npos ? 0 : Colons + 2;
    return {Front.take_front(Begin), Front.substr(Begin), Whole.substr(Angle)};
  }

  /// What says how much dynamic memory the rewritten kernel gets, or null.
  const GrownShared *grown() const {
    KernelName Kernel = kernelName();
    for (const GrownShared &G : Request.Grown)
      if (G.Kernel == Kernel.Name && (!G.IsTemplate || !Kernel.Arguments.empty()))
        return &G;
    return nullptr;
  }

  /// The rewrite's own function, under a name that the rewrite does not have.
  void grownFunction() {
    const GrownShared *G = grown();
    if (!G)
      return;
    std::string Text = G->Text;
    Text.insert(Text.find(" " + G->Function + "(") + 1, "pr_");
    StringRef Space = kernelName().Qualifier;
    Space.consume_front("::");
    Space.consume_back("::");
    OS << (Space.empty() ? "" : "namespace " + Space.str() + " {\n") << Text
       << (Space.empty() ? "" : "}\n");
  }

  std::string grownBytes() const {
    const GrownShared *G = grown();
    if (!G)
      return "";
    KernelName Kernel = kernelName();
    std::string Call = (Kernel.Qualifier + "pr_" + G->Function + Kernel.Arguments + "()").str();
    std::string Given = "(size_t)(" + File.Shared + ")";
    return G->Largest ? Given + " > " + Call + " ? " + Given + " : " + Call
                      : Given + " + " + Call;
  }

  void oneCase() {
    OS << "static void pr_case(bool pr_optional, bool pr_hostile, "
          "bool pr_brief";
    for (const auto &Size : File.Sweep)
      OS << ", long long " << Size.first;
    OS << ") {\n  char pr_text[512];\n  std::snprintf(pr_text, sizeof pr_text, "
          "\"";
    for (const auto &[I, Size] : enumerate(File.Sweep))
      OS << (I ? ", " : "") << Size.first << "=%lld";
    OS << "\"";
    for (const auto &Size : File.Sweep)
      OS << ", " << Size.first;
    OS << ");\n  if (pr_hostile)\n    std::strncat(pr_text, \", inputs with NaN "
          "and infinity\", 511 - std::strlen(pr_text));\n"
          "  pr_begin_case(pr_text, pr_optional, pr_brief);\n";
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
    loops(File.Sweep, "false, false, false");
    loops(File.Sweep, "true, true, true");
    notAskedFor();
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
      OS << (I ? ", " : "") << "pr_driver::whole<unsigned>(" << Part
         << ", \"size of a block or grid\")";
    OS << ")";
  }

  void arguments(StringRef Prefix, StringRef Suffix) {
    for (const auto &[I, A] : enumerate(File.Arguments)) {
      OS << (I ? ", " : "");
      if (A.IsBuffer)
        OS << Prefix << A.Name << Suffix;
      else if (isInteger(A.Type))
        OS << "pr_driver::whole<" << A.Type << ">(" << A.Value << ", \""
           << "value of '" << A.Name << "'\")";
      else
        OS << "(" << A.Type << ")(" << A.Value << ")";
    }
  }

  void launch() {
    std::string After = Request.RewrittenShared;
    if (After.empty() && File.SharedAfter)
      After = *File.SharedAfter;
    if (After.empty())
      After = grownBytes();
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

  /// \p How: may the case be left out, is its data hostile, does one schedule
  /// do.
  void loops(const Sizes &Sweep, StringRef How) {
    unsigned Depth = 1;
    for (const auto &[Name, Values] : Sweep) {
      OS.indent(2 * Depth++) << "for (long long " << Name << " : {";
      for (const auto &[I, Value] : enumerate(Values))
        OS << (I ? ", " : "") << Value << "ll";
      OS << "})\n";
    }
    OS.indent(2 * Depth) << "pr_case(" << How;
    for (const auto &Size : Sweep)
      OS << ", " << Size.first;
    OS << ");\n";
  }

  /// Other values of one size, with a middle one of each other size: under one
  /// schedule those that `otherValues` adds, the small ones of every size first,
  /// as time may end; then one more than the largest under every schedule.
  void notAskedFor() {
    std::vector<std::pair<int64_t, size_t>> Brief, Full;
    for (const auto &[I, Size] : enumerate(File.Sweep)) {
      int64_t Largest = *llvm::max_element(Size.second);
      Full.emplace_back(Largest + 1, I);
      for (int64_t Value : otherValues(Size.second, Largest))
        Brief.emplace_back(Value, I);
    }
    llvm::stable_sort(Brief);
    llvm::stable_sort(Full);
    oneByOne(Brief, "true, false, true");
    oneByOne(Full, "true, false, false");
  }

  void oneByOne(const std::vector<std::pair<int64_t, size_t>> &Values,
                StringRef How) {
    for (const auto &[Value, Which] : Values) {
      Sizes Sweep = File.Sweep;
      for (const auto &[I, Size] : enumerate(Sweep))
        Size.second = {I == Which ? Value : Size.second[Size.second.size() / 2]};
      loops(Sweep, How);
    }
  }

  /// Which size bounds the pipelined loop, and in which steps, is not known to
  /// a proof that also judges code written by hand. These values hold trip
  /// counts 0, 1, 2, 3 and 5 of every step that is a power of two, and a
  /// ragged tail on either side of one and of two.
  static std::vector<int64_t> otherValues(const std::vector<int64_t> &Given,
                                          int64_t Largest) {
    // Three of the largest is what an only value needs to become three tiles;
    // where it is large already, the time is better spent elsewhere.
    int64_t Limit = Largest <= 512 ? 3 * Largest : Largest;
    SmallVector<int64_t> Wanted = {0};
    for (int64_t Step = 1; Step <= 256; Step *= 2) {
      for (int64_t Trips : {1, 2, 3, 5})
        Wanted.push_back(Trips * Step);
      if (Step >= 8)
        Wanted.append({Step - 1, Step + 1, 2 * Step - 1, 2 * Step + 1});
    }
    std::vector<int64_t> Others;
    sort(Wanted);
    for (int64_t Value : Wanted)
      if (Value <= Limit && !is_contained(Given, Value) &&
          !is_contained(Others, Value))
        Others.push_back(Value);
    return Others;
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
