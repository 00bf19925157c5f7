#include "Frontend/NvccTable.h"

#include "llvm/ADT/SmallVector.h"

namespace pipeline_rewrite {

// The options of nvcc 13 (`nvcc --help`) and those of Clang, gcc and Bazel that
// stand in front of a CUDA file in practice. What Clang would misread in
// silence must be here: `-lineinfo` would be the library `ineinfo`, `-G` would
// swallow its neighbour, `-t 4` would leave an input file named 4.
static constexpr ArgRule Table[] = {
    // 1. What the source means.
    {"-I --include-path", ArgValue::Joined, ArgAction::Path, "-I"},
    {"-isystem --system-include", ArgValue::Joined, ArgAction::Path,
     "-isystem"},
    {"-iquote", ArgValue::Joined, ArgAction::Path, "-iquote"},
    {"-idirafter", ArgValue::Joined, ArgAction::Path, "-idirafter"},
    {"-include --pre-include", ArgValue::Joined, ArgAction::Path, "-include"},
    {"-D --define-macro", ArgValue::Joined, ArgAction::List, "-D"},
    {"-U --undefine-macro", ArgValue::Joined, ArgAction::List, "-U"},
    {"-std --std", ArgValue::Required, ArgAction::Keep, "-std="},
    {"-stdlib", ArgValue::Required, ArgAction::Keep, "-stdlib="},
    {"--sysroot", ArgValue::Required, ArgAction::Keep, "--sysroot="},
    {"-isysroot", ArgValue::Joined, ArgAction::Keep, "-isysroot"},
    {"--gcc-toolchain", ArgValue::Required, ArgAction::Keep,
     "--gcc-toolchain="},
    {"--gcc-install-dir", ArgValue::Required, ArgAction::Keep,
     "--gcc-install-dir="},
    {"-ftemplate-depth --ftemplate-depth", ArgValue::Required, ArgAction::Keep,
     "-ftemplate-depth="},
    {"-nostdinc", ArgValue::None, ArgAction::Replace, "-nostdinc"},
    {"-nostdinc++", ArgValue::None, ArgAction::Replace, "-nostdinc++"},
    {"-Xclang", ArgValue::Required, ArgAction::Keep, "-Xclang "},
    {"-f", ArgValue::Prefix, ArgAction::Feature, ""},
    {"-W", ArgValue::Prefix, ArgAction::Warning, ""},
    {"-Werror --Werror", ArgValue::None, ArgAction::ErrorKind, ""},
    {"-expt-relaxed-constexpr --expt-relaxed-constexpr", ArgValue::None,
     ArgAction::Replace, "-D__CUDACC_RELAXED_CONSTEXPR__"},
    {"-extended-lambda --extended-lambda -expt-extended-lambda "
     "--expt-extended-lambda",
     ArgValue::None, ArgAction::Replace, "-D__CUDACC_EXTENDED_LAMBDA__"},
    {"-ewp --extensible-whole-program", ArgValue::None, ArgAction::Replace,
     "-D__CUDACC_EWP__"},
    {"-rdc --relocatable-device-code", ArgValue::Required, ArgAction::WhenTrue,
     "-fgpu-rdc -D__CUDACC_RDC__"},
    {"-dc --device-c -dw --device-w", ArgValue::None, ArgAction::Replace,
     "-fgpu-rdc -D__CUDACC_RDC__"},
    {"-default-stream --default-stream", ArgValue::Required,
     ArgAction::PerThread, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"},

    // 2. The machine and the toolkit.
    {"-arch --gpu-architecture --cuda-gpu-arch --offload-arch",
     ArgValue::Required, ArgAction::Arch, ""},
    {"-gencode --generate-code", ArgValue::Required, ArgAction::GenCode, ""},
    {"-code --gpu-code --no-cuda-gpu-arch --no-offload-arch --cuda-include-ptx "
     "--no-cuda-include-ptx",
     ArgValue::Required, ArgAction::Drop, ""},
    {"--cuda-path", ArgValue::Required, ArgAction::CudaPath, ""},
    {"-nocudainc -nogpuinc", ArgValue::None, ArgAction::NoToolkit, ""},

    // 3. Lists of more options.
    {"-Xcompiler --compiler-options", ArgValue::Required, ArgAction::HostFlags,
     ""},
    {"-optf --options-file", ArgValue::Required, ArgAction::OptionsFile, ""},

    // 4. What is made, and where.
    {"-o --output-file -MF --dependency-output -MT --dependency-target-name "
     "-MQ -MJ -odir --output-directory",
     ArgValue::Joined, ArgAction::Output, ""},
    {"-x --x", ArgValue::Joined, ArgAction::Output, ""},
    {"-c --compile -S -E --preprocess -ptx --ptx -cubin --cubin -fatbin "
     "--fatbin -optix-ir --optix-ir -ltoir --ltoir -cuda --cuda -lib --lib "
     "-link --link -dlink --device-link -run --run -M -MM -MD -MMD -MP -MG "
     "--generate-dependencies --generate-dependencies-with-compile "
     "--generate-nonsystem-dependencies "
     "--generate-nonsystem-dependencies-with-compile "
     "--generate-dependency-targets -fsyntax-only -fdevice-syntax-only "
     "--fdevice-syntax-only --cuda-device-only --cuda-host-only "
     "--cuda-compile-host-device",
     ArgValue::None, ArgAction::Output, ""},

    // 5. Code generation, linking and the tools behind nvcc: no meaning for a
    // parse.
    {"-Xptxas --ptxas-options -Xnvlink --nvlink-options -Xfatbin "
     "--fatbin-options -Xarchive --archive-options -Xlinker --linker-options "
     "-Xcudafe -Xcicc -Xcuda-ptxas -Xcuda-fatbinary -ccbin --compiler-bindir "
     "-arbin --archiver-binary -maxrregcount --maxrregcount -ftz --ftz -fmad "
     "--fmad -prec-div --prec-div -prec-sqrt --prec-sqrt -opt-info "
     "--optimization-info -dopt --dopt --optimize -Ofc -Ofast-compile "
     "--Ofast-compile -cudart --cudart -cudadevrt --cudadevrt -ldir "
     "--libdevice-directory -target-dir --target-directory -keep-dir "
     "--keep-dir --threads -split-compile --split-compile "
     "-split-compile-extended --split-compile-extended -fdevice-time-trace "
     "--fdevice-time-trace -time --time -jtd -jump-table-density "
     "--jump-table-density -diag-suppress --diag-suppress -diag_suppress "
     "--diag_suppress -diag-error --diag-error -diag-warn --diag-warn "
     "-brief-diag --brief-diagnostics -run-args --run-args -idp "
     "--input-drive-prefix -ddp --dependency-drive-prefix -dp --drive-prefix "
     "-e --entries --library --library-path --machine -hls "
     "--host-linker-script -static-global-template-stub "
     "--static-global-template-stub -device-entity-has-hidden-visibility "
     "--device-entity-has-hidden-visibility -device-stack-protector "
     "--device-stack-protector -compress-mode --compress-mode -frandom-seed "
     "--frandom-seed -sanitize --sanitize -ftemplate-backtrace-limit "
     "--ftemplate-backtrace-limit -mllvm -resource-dir -target --target "
     "-nvcc_options",
     ArgValue::Required, ArgAction::Drop, ""},
    {"-t -m -l -L -B -z -u", ArgValue::Joined, ArgAction::Drop, ""},
    {"-forward-unknown-to-host-compiler --forward-unknown-to-host-compiler "
     "-forward-unknown-to-host-linker --forward-unknown-to-host-linker "
     "-forward-unknown-opts --forward-unknown-opts -use_fast_math "
     "--use_fast_math -lineinfo --generate-line-info -G --device-debug "
     "--debug -pg --profile -dlto --dlink-time-opt -lto --lto -gen-opt-lto "
     "--gen-opt-lto -keep --keep -save-temps --save-temps -clean "
     "--clean-targets -objtemp --objdir-as-tempdir -res-usage "
     "--resource-usage -src-in-ptx --source-in-ptx -restrict --restrict "
     "-extra-device-vectorization --extra-device-vectorization "
     "-keep-device-functions --keep-device-functions "
     "-allow-unsupported-compiler --allow-unsupported-compiler "
     "-use-local-env --use-local-env -force-cl-env-setup "
     "--force-cl-env-setup -noeh --no-exceptions -nohdinitlist "
     "--no-host-device-initializer-list -nohdmoveforward "
     "--no-host-device-move-forward --no-align-double -brx-opt --brx-opt "
     "-err-no --display-error-number -no-err-no --no-display-error-number "
     "-nodlink --no-device-link -no-compress --no-compress -noprof "
     "--dont-use-profile -reloc-ptx --relocatable-ptx -r --relocatable-link "
     "-aug-hls --augment-host-linker-script -astoolspatch "
     "--compile-as-tools-patch -qpp-config --qpp-config -jobserver "
     "--jobserver -code-ls --list-gpu-code -arch-ls --list-gpu-arch -dryrun "
     "--dryrun -v --verbose -V --version -h --help -w --disable-warnings "
     "--m64 -s -p -shared --shared -static -pthread -rdynamic -pipe -pie "
     "-no-pie -ansi -pedantic -pedantic-errors -nostdlib -nodefaultlibs "
     "-undef -no-canonical-prefixes -stdpar -nocudalib -nogpulib "
     "--no-cuda-version-check --cuda-noopt-device-debug --offload-new-driver "
     "--no-offload-new-driver -Qunused-arguments --Wreorder "
     "--Wdefault-stream-launch --Wmissing-launch-bounds "
     "--Wext-lambda-captures-this --Wno-deprecated-declarations "
     "--Wno-deprecated-gpu-targets",
     ArgValue::None, ArgAction::Drop, ""},
    {"-g", ArgValue::Prefix, ArgAction::Drop, ""},
    {"-O", ArgValue::Prefix, ArgAction::Drop, ""},
    {"-Wl, -Wa, -Wp,", ArgValue::Prefix, ArgAction::Drop, ""},
};

namespace {

/// How well a name fits; the larger the better.
struct Fit {
  unsigned Rank = 0; ///< 3: exact, 2: name=value, 1: a prefix.
  size_t Length = 0;
  bool operator<(const Fit &Other) const {
    return Rank != Other.Rank ? Rank < Other.Rank : Length < Other.Length;
  }
};

} // namespace

static Fit fitOf(llvm::StringRef Name, ArgValue Value,
                 llvm::StringRef Argument) {
  if (!Argument.starts_with(Name))
    return {};
  llvm::StringRef Rest = Argument.drop_front(Name.size());
  if (Rest.empty())
    return {3, Name.size()};
  bool TakesValue = Value == ArgValue::Required || Value == ArgValue::Joined;
  if (TakesValue && Rest.front() == '=')
    return {2, Name.size()};
  // A long name is never joined to its value.
  bool Joins = Value == ArgValue::Prefix ||
               (Value == ArgValue::Joined && !Name.starts_with("--"));
  return Joins ? Fit{1, Name.size()} : Fit{};
}

std::optional<MatchedArg> matchArg(llvm::ArrayRef<std::string> Arguments) {
  llvm::StringRef Argument = Arguments.front();
  const ArgRule *Best = nullptr;
  Fit BestFit;
  for (const ArgRule &Rule : Table) {
    llvm::SmallVector<llvm::StringRef, 32> Names;
    Rule.Names.split(Names, ' ');
    for (llvm::StringRef Name : Names) {
      Fit F = fitOf(Name, Rule.Value, Argument);
      if (BestFit < F) {
        BestFit = F;
        Best = &Rule;
      }
    }
  }
  if (!Best)
    return std::nullopt;

  llvm::StringRef Rest = Argument.drop_front(BestFit.Length);
  if (Best->Value == ArgValue::None || Best->Value == ArgValue::Prefix)
    return MatchedArg{Best, Rest.str(), 1};
  if (BestFit.Rank == 2)
    return MatchedArg{Best, Rest.drop_front().str(), 1};
  if (BestFit.Rank == 1)
    return MatchedArg{Best, Rest.str(), 1};
  if (Arguments.size() < 2)
    return MatchedArg{Best, "", 1};
  return MatchedArg{Best, Arguments[1], 2};
}

} // namespace pipeline_rewrite
