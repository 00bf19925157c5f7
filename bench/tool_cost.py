#!/usr/bin/env python3
"""Time and peak memory of pipeline-rewrite beside those of the compiler.

For every sample this runs `pipeline-rewrite` and `clang++-19 -fsyntax-only` on
the same file with the same flags, in turn, and prints the medians and their
ratios. The aim is at most 1.5 times the compiler's time and memory. It is a
report, not a test: it exits with 1 only when a program fails to run.

Time is the wall clock. Memory is the peak resident set of the process, as the
kernel reports it when the process ends.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def measure(command):
    """Runs a command; returns (seconds, peak MiB, exit code, what it said)."""
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        process = subprocess.Popen([str(part) for part in command],
                                   stdout=subprocess.DEVNULL, stderr=said)
        # wait4 gives the usage of this one child; getrusage would give the
        # largest child so far.
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        said.seek(0)
        message = said.read().decode(errors="replace")
    return seconds, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status), message


def header_stub(folder):
    """A folder with the header that clang 19 wants and CUDA 13 dropped."""
    (Path(folder) / "texture_fetch_functions.h").touch()
    return folder


def commands(options, source, stubs):
    """The two commands that are compared. Only what the tool adds by itself,
    because no user would write it, is spelled out for the compiler."""
    flags = ["-std=c++17", f"-I{ROOT / 'samples'}"]
    cuda = Path(options.cuda_path)
    resources = subprocess.run([options.clang, "-print-resource-dir"], capture_output=True,
                               text=True, check=True).stdout.strip()
    compiler = [options.clang, "-fsyntax-only", "-x", "cuda", "--cuda-device-only",
                f"--offload-arch={options.arch}", f"--cuda-path={cuda}",
                "-resource-dir", resources, "-isystem", stubs,
                "-isystem", cuda / "include" / "cccl", "-Wno-unknown-cuda-version",
                *flags, source]
    tool = [options.tool, f"--arch={options.arch}", source, "--",
            f"--cuda-path={cuda}", *flags]
    return {"clang": compiler, "tool": tool}


def compare(options, source, stubs):
    """Medians of both programs as {name: (seconds, MiB)}."""
    samples = {"clang": [], "tool": []}
    for _ in range(options.runs):
        for name, command in commands(options, source, stubs).items():
            seconds, memory, code, message = measure(command)
            if code != 0:
                raise RuntimeError(f"{command[0]} exited with {code} on {source.name}:\n{message}")
            samples[name].append((seconds, memory))
    return {name: tuple(statistics.median(column) for column in zip(*rows))
            for name, rows in samples.items()}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default=ROOT / "build" / "bin" / "pipeline-rewrite", type=os.path.abspath)
    parser.add_argument("--clang", default="clang++-19")
    parser.add_argument("--cuda-path", default="/usr/local/cuda")
    parser.add_argument("--arch", default="sm_86")
    parser.add_argument("--runs", default=5, type=int)
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the table there too")
    parser.add_argument("sources", nargs="*", type=Path, metavar="FILE.cu",
                        help="default: all samples")
    return parser.parse_args()


def main():
    options = parse_arguments()
    for program in (str(options.tool), options.clang):
        if not shutil.which(program):
            print(f"{program} is not there", file=sys.stderr)
            return 1
    lines = ["| file | clang ms | tool ms | time ratio | clang MiB | tool MiB | memory ratio |",
             "|---|--:|--:|--:|--:|--:|--:|"]
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        stubs = header_stub(folder)
        for source in options.sources or sorted((ROOT / "samples").glob("*.cu")):
            try:
                both = compare(options, source, stubs)
            except RuntimeError as error:
                print(error, file=sys.stderr)
                return 1
            (clang_s, clang_m), (tool_s, tool_m) = both["clang"], both["tool"]
            ratios.append((tool_s / clang_s, tool_m / clang_m))
            lines.append(f"| {source.name} | {clang_s * 1e3:.0f} | {tool_s * 1e3:.0f} | "
                         f"{tool_s / clang_s:.2f} | {clang_m:.0f} | {tool_m:.0f} | "
                         f"{tool_m / clang_m:.2f} |")
    worst = [max(column) for column in zip(*ratios)]
    lines += ["", f"Worst ratio: time {worst[0]:.2f}, memory {worst[1]:.2f} "
                  f"(aim: 1.50). Medians of {options.runs} runs, {options.arch}."]
    text = "\n".join(lines) + "\n"
    print(text)
    if options.out:
        options.out.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
