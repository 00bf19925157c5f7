"""Runs the commands of all pages: run_pages.py PROGRAM ROOT FOLDER [WITH...]

A command begins a line with "$ pipeline-rewrite" in a block of ```console, or stands indented by four spaces; "# exit N" behind
it names the exit code that it should have, other comments are passed over. Each page runs in a fresh folder that has what the pages
speak of: samples/, gemm.cu, sgemm.cu with its launch file, a rewrite by hand, a compile database. Commands that need what this
machine may lack run only if it is named: `nvcc` for --sass; those for a GPU never run here.
Prints one line a command and exits with 1 where one ends otherwise; a page without any is named, too.
"""
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

COMMAND = re.compile(r"^(?:\$ |    )(pipeline-rewrite(?: [^\s#][^\n]*?)?)(?:\s+#(?: exit (\d+))?[^\n]*)?$", re.M)
GPU = re.compile(r"--verify=(gpu|auto)|--bench|--tune|--(report-)?bundle")


def prepare(program, root, folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(root / "samples", folder / "samples")
    for name in ("common.h", "sgemm_tiled.cu"):
        shutil.copy(root / "samples" / name, folder)
    text = (root / "samples/sgemm_tiled.cu").read_text()
    for name in ("gemm.cu", "sgemm.cu"):
        (folder / name).write_text(text)
    shutil.copy(root / "samples/sgemm_tiled.launch.yaml", folder / "sgemm.launch.yaml")
    (folder / "build").mkdir()
    (folder / "build/compile_commands.json").write_text(json.dumps(
        [{"directory": str(folder), "file": "gemm.cu", "arguments": ["nvcc", "-arch=sm_86", "-c", "gemm.cu"]}]))
    subprocess.run([program, "--quiet", "--cuda-path=none", "--arch=sm_86", "-o", "sgemm_by_hand.cu", "sgemm.cu"],
                   cwd=folder, check=True)


def pages(root):
    return [root / "README.md", root / "rules/README.md", root / "CONTRIBUTING.md", root / "bench/README.md",
            *sorted((root / "docs").glob("*.md"))]


def main():
    program, root, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    has_nvcc = "nvcc" in sys.argv[4:]
    failed = False
    for page in pages(root):
        name = page.relative_to(root)
        prepare(program, root, folder)
        found = COMMAND.findall(page.read_text(encoding="utf-8"))
        if not found:
            print(f"{name}: no commands")
        for command, code in found:
            words = shlex.split(command)[1:]
            if "[options]" in words:
                continue
            if GPU.search(command) or ("--sass" in words and not has_nvcc):
                print(f"{name}: not here: {command}")
                continue
            run = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)
            wrong = run.returncode != int(code or 0)
            print(f"{name}: exit {run.returncode}{' (WRONG)' if wrong else ''}: {command}")
            if wrong:
                print(run.stderr)
            failed |= wrong
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
