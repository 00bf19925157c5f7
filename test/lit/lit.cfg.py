# The lit suite. A test states what it needs with REQUIRES; nothing is excluded by name.
#
#   cuda-headers  a CUDA toolkit's headers        nvcc        its compiler
#   sass-tools    cuobjdump and nvdisasm          clang-host  clang++ of the same version
#
# Substitutions: pipeline-rewrite, %clangxx, %nvcc, %cuda_path, %source_root, %build_root, %samples,
# %python, and `%exits 3 pipeline-rewrite ...`, which wants exactly that exit code.
import os
import shutil

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "pipeline-rewrite"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".cuh", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)


def find_toolkit():
    """The root of a CUDA toolkit by the order that the tool itself uses, or None."""
    nvcc = shutil.which("nvcc")
    candidates = [
        os.environ.get("CUDA_PATH"),
        os.path.dirname(os.path.dirname(os.path.realpath(nvcc))) if nvcc else None,
        "/usr/local/cuda",
    ]
    for root in candidates:
        if root and os.path.exists(os.path.join(root, "include", "cuda_runtime.h")):
            return root
    return None


def find_program(name, *folders):
    path = os.pathsep.join(list(folders) + [os.environ.get("PATH", "")])
    return shutil.which(name, path=path)


cuda = find_toolkit()
cuda_bin = os.path.join(cuda, "bin") if cuda else ""
private_bin = os.path.join(config.pr_source_root, ".tools", "bin")
nvcc = find_program("nvcc", cuda_bin)
clangxx = find_program("clang++", config.llvm_tools_dir)

if cuda:
    config.available_features.add("cuda-headers")
if nvcc:
    config.available_features.add("nvcc")
if clangxx:
    config.available_features.add("clang-host")
if all(find_program(t, cuda_bin, private_bin) for t in ("cuobjdump", "nvdisasm")):
    config.available_features.add("sass-tools")

# split-file, not, FileCheck and count live beside Clang, not on the usual PATH.
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
if cuda_bin:
    llvm_config.with_environment("PATH", cuda_bin, append_path=True)
llvm_config.with_environment("PATH", private_bin, append_path=True)
for name in ("CUDA_PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

llvm_config.add_tool_substitutions(
    [ToolSubst("pipeline-rewrite", unresolved="fatal")], [config.pr_tools_dir]
)
config.substitutions += [
    ("%clangxx", clangxx or "clang++"),
    ("%nvcc", nvcc or "nvcc"),
    ("%cuda_path", cuda or "/nonexistent"),
    ("%source_root", config.pr_source_root),
    ("%samples", os.path.join(config.pr_source_root, "samples")),
    ("%build_root", config.pr_build_root),
    ("%exits", f"{config.python_executable} {config.test_source_root}/exits.py"),
    ("%python", config.python_executable),
]
