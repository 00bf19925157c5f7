#include "Frontend/Frontend.h"

#include "Support/File.h"
#include "Support/TempDir.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "gtest/gtest.h"

using namespace pipeline_rewrite;

namespace {

class ParseTest : public testing::Test {
protected:
  TempDir Dir = llvm::cantFail(TempDir::create("pr-parse-test"));
  FrontendOptions Options;

  void SetUp() override {
    // The declarations of the test itself: neither a toolkit nor ours is
    // needed.
    write("pr_device_prelude.h",
          "#define __global__ __attribute__((global))\n"
          "#define __device__ __attribute__((device))\n"
          "#define __shared__ __attribute__((shared))\n");
    Options.CudaPath = "none";
    Options.RuntimeIncludeDir = Dir.path();
  }

  std::string write(const std::string &Name, llvm::StringRef Text) {
    std::string Path = Dir.path() + "/" + Name;
    EXPECT_FALSE(writeFileAtomically(Path, Text));
    return Path;
  }

  ParsedUnit parse(llvm::StringRef Text, std::vector<std::string> Args = {}) {
    return llvm::cantFail(parseCudaFile(write("a.cu", Text), Args, Options));
  }

  static const clang::FunctionDecl *function(const ParsedUnit &Unit,
                                             llvm::StringRef Name) {
    for (auto *D :
         Unit.AST->getASTContext().getTranslationUnitDecl()->decls()) {
      if (auto *Template = llvm::dyn_cast<clang::FunctionTemplateDecl>(D))
        D = Template->getTemplatedDecl();
      auto *F = llvm::dyn_cast<clang::FunctionDecl>(D);
      if (F && F->getNameAsString() == Name)
        return F;
    }
    return nullptr;
  }
};

TEST_F(ParseTest, KeepsBodiesAndAttributes) {
  ParsedUnit Unit = parse("template <int N> __global__ void t(float *p) { "
                          "__shared__ float s[N]; }\n"
                          "__global__ void k(float *p) { *p = 1; }\n");
  ASSERT_FALSE(Unit.HadErrors);
  for (llvm::StringRef Name : {"t", "k"}) {
    const clang::FunctionDecl *F = function(Unit, Name);
    ASSERT_NE(F, nullptr);
    EXPECT_TRUE(F->hasAttr<clang::CUDAGlobalAttr>());
    EXPECT_TRUE(F->hasBody());
  }
}

TEST_F(ParseTest, IsTheDevicePassOfTheArchAsked) {
  Options.BudgetArch = "sm_120";
  ParsedUnit Unit = parse("#if __CUDA_ARCH__ == 900\nvoid nine();\n#endif\n");
  EXPECT_EQ(Unit.BudgetArch, "sm_120");
  EXPECT_EQ(Unit.ParseArch, "sm_90");
  EXPECT_FALSE(Unit.ArchAssumed);
  EXPECT_NE(function(Unit, "nine"), nullptr);
}

TEST_F(ParseTest, TakesTheArchOfTheCommandAndElseAssumesOne) {
  ParsedUnit Unit =
      parse("int x;", {"nvcc", "-gencode", "arch=compute_75,code=sm_75",
                       "-gencode=arch=compute_86,code=sm_86", "a.cu"});
  EXPECT_EQ(Unit.BudgetArch, "sm_86");
  EXPECT_FALSE(Unit.ArchAssumed);
  Unit = parse("int x;");
  EXPECT_EQ(Unit.BudgetArch, "sm_80");
  EXPECT_TRUE(Unit.ArchAssumed);
}

TEST_F(ParseTest, PassesTheLanguageOptions) {
  ParsedUnit Unit =
      parse("int x[N]; static_assert(__cplusplus == 202002L, \"\");",
            {"-DN=3", "-std=c++20", "-lineinfo", "--made-up"});
  EXPECT_FALSE(Unit.HadErrors);
  EXPECT_EQ(Unit.LanguageArgs,
            (std::vector<std::string>{"-DN=3", "-std=c++20"}));
  ASSERT_EQ(Unit.Notes.size(), 2u);
  EXPECT_EQ(Unit.Notes[0], describeToolkit(ToolkitInfo()));
  EXPECT_NE(Unit.Notes[1].find("'--made-up'"), std::string::npos);
}

TEST_F(ParseTest, TakesAnAlignmentBehindShared) {
  std::string Text = "__global__ void k() {\n"
                     "  __shared__ alignas(16) float s[4];\n"
                     "  extern __shared__ alignas(128) char e[];\n"
                     "  s[0] = e[0];\n"
                     "}\n";
  ParsedUnit Unit = parse(Text);
  EXPECT_FALSE(Unit.HadErrors);
  EXPECT_NE(function(Unit, "k"), nullptr);
  // Whoever edits by the tree sees the file as it is.
  auto &Sources = Unit.AST->getSourceManager();
  EXPECT_EQ(Sources.getBufferData(Sources.getMainFileID()), Text);
}

TEST_F(ParseTest, ReportsErrorsOnceAndWarningsNever) {
  testing::internal::CaptureStderr();
  ParsedUnit Unit =
      parse("int f() { }\nvoid g() { int unused; undeclared(); }\n");
  std::string Text = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(Unit.HadErrors);
  EXPECT_NE(
      Text.find(Dir.path() + "/a.cu:2:24: error: use of undeclared identifier"),
      std::string::npos)
      << Text;
  EXPECT_EQ(Text.find("warning"), std::string::npos) << Text;
}

TEST_F(ParseTest, SaysWhichFunctionsHaveHoles) {
  testing::internal::CaptureStderr();
  ParsedUnit Unit = parse("void good() {}\nvoid bad() { undeclared(); }\n");
  testing::internal::GetCapturedStderr();
  ASSERT_EQ(Unit.ErrorLocations.size(), 1u);
  auto &Sources = Unit.AST->getSourceManager();
  EXPECT_EQ(Sources.getSpellingLineNumber(Unit.ErrorLocations[0]), 2u);
}

TEST_F(ParseTest, ToleratesAConstructorOfASharedObject) {
  testing::internal::CaptureStderr();
  ParsedUnit Unit =
      parse("struct B { __device__ B(); __device__ void wait(); };\n"
            "__global__ void k() { __shared__ B b; b.wait(); }\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_FALSE(Unit.HadErrors);
  EXPECT_EQ(Unit.ErrorLocations.size(), 1u);
}

TEST_F(ParseTest, KeepsGoingBehindManyErrors) {
  std::string Text;
  for (int I = 0; I != 30; ++I)
    Text += "int v" + std::to_string(I) + " = undeclared" + std::to_string(I) +
            ";\n";
  Options.KeepGoing = true;
  testing::internal::CaptureStderr();
  ParsedUnit Unit = parse(Text + "void last() {}\n");
  testing::internal::GetCapturedStderr();
  EXPECT_TRUE(Unit.HadErrors);
  ASSERT_NE(Unit.AST, nullptr);
  EXPECT_NE(function(Unit, "last"), nullptr);
}

TEST_F(ParseTest, OurOwnRemarksCanBePrintedAfterwards) {
  testing::internal::CaptureStderr();
  ParsedUnit Unit = parse("#include <nothere.h>\n__global__ void k() {}\n");
  auto &Engine = Unit.AST->getDiagnostics();
  unsigned Id = Engine.getCustomDiagID(clang::DiagnosticsEngine::Remark,
                                       "seen [some-id]");
  for (int Times = 0; Times != 2; ++Times)
    Engine.Report(function(Unit, "k")->getLocation(), Id);
  std::string Text = testing::internal::GetCapturedStderr();
  size_t At = Text.find("a.cu:2:17: remark: seen [some-id]");
  ASSERT_NE(At, std::string::npos) << Text;
  EXPECT_EQ(Text.find("seen", At + 40), std::string::npos) << Text;
}

TEST_F(ParseTest, AnswersAWrongSettingWithAnError) {
  std::string Source = write("a.cu", "int x;");
  for (auto Break :
       {+[](FrontendOptions &O) { O.BudgetArch = "ampere"; },
        +[](FrontendOptions &O) { O.CudaPath = "/nonexistent"; },
        +[](FrontendOptions &O) { O.ResourceDir = "/nonexistent"; }}) {
    FrontendOptions Wrong = Options;
    Break(Wrong);
    auto Unit = parseCudaFile(Source, {}, Wrong);
    ASSERT_FALSE(static_cast<bool>(Unit));
    EXPECT_EQ(llvm::errorToErrorCode(Unit.takeError()),
              std::errc::invalid_argument);
  }
  auto Unit = parseCudaFile(Dir.path() + "/none.cu", {}, Options);
  ASSERT_FALSE(static_cast<bool>(Unit));
  EXPECT_EQ(llvm::errorToErrorCode(Unit.takeError()),
            std::errc::no_such_file_or_directory);
}

} // namespace
