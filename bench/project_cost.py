#!/usr/bin/env python3
"""Time and memory of one call over a project of many CUDA files, beside clang-tidy with one cheap check.

The project is generated: FILES sources, each with a kernel of its own that can be pipelined and one that cannot, and each
including two of ten headers with a kernel template that it instantiates. Both programs get the same compile_commands.json.
clang-tidy runs as one process over all files (one job), or under its own run-clang-tidy (several jobs); the memory of several
jobs is the sum over the processes that live at one time, sampled; that of one process its peak as the kernel reports it.

A report, not a test: it exits with 1 only if a program fails to run or a header was not edited exactly once.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADERS = 10

HEADER = """#pragma once
template <int BM, int BN, int BK>
__global__ void gemm_{n}(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K) {{
  __shared__ float As[BM][BK];
  __shared__ float Bs[BK][BN];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * BM + ty, col = blockIdx.x * BN + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += BK) {{
    As[ty][tx] = A[row * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }}
  C[row * N + col] = {n}.0f * acc;
}}
"""

SOURCE = """#include "gemm_{a}.cuh"
#include "gemm_{b}.cuh"
#include <cuda_fp16.h>

__global__ void smooth_{n}(const float *__restrict__ in, float *__restrict__ out, int K) {{
  __shared__ float tile[256];
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 256) {{
    tile[threadIdx.x] = in[k0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * {n}.5f;
    __syncthreads();
  }}
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}}

__global__ void in_place_{n}(float *data, int K) {{
  __shared__ float tile[256];
  for (int k0 = 0; k0 < K; k0 += 256) {{
    tile[threadIdx.x] = data[k0 + threadIdx.x];
    __syncthreads();
    data[k0 + threadIdx.x] = tile[255 - threadIdx.x];
    __syncthreads();
  }}
}}

void launch_{n}(const float *A, const float *B, float *C, int N, int K) {{
  dim3 block(32, 32), grid(N / 32, N / 32);
  gemm_{a}<32, 32, 32><<<grid, block>>>(A, B, C, N, K);
  gemm_{b}<32, 32, 32><<<grid, block>>>(A, B, C, N, K);
  smooth_{n}<<<16, 256>>>(A, C, K);
  in_place_{n}<<<1, 256>>>(C, K);
}}
"""


def generate(folder, count, options):
    for n in range(HEADERS):
        (folder / f"gemm_{n}.cuh").write_text(HEADER.format(n=n))
    # Clang 19 includes a header that CUDA 13 no longer has.
    (folder / "stubs").mkdir(exist_ok=True)
    (folder / "stubs" / "texture_fetch_functions.h").touch()
    commands = []
    for n in range(count):
        name = f"unit_{n:03}.cu"
        (folder / name).write_text(SOURCE.format(n=n, a=n % HEADERS, b=(n + 3) % HEADERS))
        commands.append({
            "directory": str(folder), "file": name,
            "arguments": ["clang++-19", "-std=c++17", "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch={options.arch}",
                          f"--cuda-path={options.cuda_path}", "-isystem", str(folder / "stubs"),
                          "-isystem", f"{options.cuda_path}/include/cccl", "-Wno-unknown-cuda-version", "-c", name]})
    (folder / "compile_commands.json").write_text(json.dumps(commands, indent=1))
    return [folder / command["file"] for command in commands]


def tree_memory(root):
    """Resident MiB of a process and all its descendants, now."""
    children, resident = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "status").read_text()
            except OSError:
                continue
            parent = re.search(r"^PPid:\s+(\d+)", status, re.M)
            rss = re.search(r"^VmRSS:\s+(\d+)", status, re.M)
            children.setdefault(int(parent.group(1)), []).append(int(entry.name))
            resident[int(entry.name)] = int(rss.group(1)) / 1024 if rss else 0
    total, todo = 0, [root]
    while todo:
        pid = todo.pop()
        total += resident.get(pid, 0)
        todo += children.get(pid, [])
    return total


def measure(command, folder, whole_tree):
    """Runs a command: (seconds, processor seconds, peak MiB, exit code, stderr)."""
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        process = subprocess.Popen([str(part) for part in command], cwd=folder, stdout=subprocess.DEVNULL, stderr=said)
        peak, ended = [0.0], threading.Event()

        def watch():
            while not ended.wait(0.1):
                peak[0] = max(peak[0], tree_memory(process.pid))

        watcher = threading.Thread(target=watch)
        if whole_tree:
            watcher.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        ended.set()
        if whole_tree:
            watcher.join()
        said.seek(0)
        message = said.read().decode(errors="replace")
    memory = peak[0] if whole_tree else usage.ru_maxrss / 1024
    return seconds, usage.ru_utime + usage.ru_stime, memory, os.waitstatus_to_exitcode(status), message


def commands(options, folder, sources, jobs):
    tidy = [options.clang_tidy, "-p", folder, "--quiet", f"--checks=-*,{options.check}"]
    if jobs > 1:
        tidy = [options.run_clang_tidy, "-p", folder, "-quiet", f"-j{jobs}", f"-checks=-*,{options.check}",
                f"-clang-tidy-binary={options.clang_tidy}"]
    else:
        tidy += sources
    return [(f"clang-tidy, {jobs} at a time", tidy),
            (f"pipeline-rewrite -j{jobs}", [options.tool, "-p", folder, "--diff", f"-j{jobs}", "--quiet"])]


def headers_edited_once(options, folder):
    """Rewrites in place and looks at the headers; returns what is wrong."""
    result = subprocess.run([options.tool, "-p", folder, "-i", "-j0", "--quiet"], capture_output=True, text=True)
    if result.returncode:
        return f"-i exited with {result.returncode}:\n{result.stderr}"
    wrong = [path.name for path in sorted(folder.glob("*.cuh")) if path.read_text().count("As_slots[2]") != 1]
    return "not edited exactly once: " + ", ".join(wrong) if wrong else ""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default=ROOT / "build" / "bin" / "pipeline-rewrite", type=os.path.abspath)
    parser.add_argument("--clang-tidy", default="clang-tidy-19")
    parser.add_argument("--run-clang-tidy", default="run-clang-tidy-19")
    parser.add_argument("--check", default="bugprone-suspicious-semicolon")
    parser.add_argument("--cuda-path", default="/usr/local/cuda")
    parser.add_argument("--arch", default="sm_86")
    parser.add_argument("--files", default=200, type=int)
    parser.add_argument("--jobs", default=[1, 2], type=int, nargs="+")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the table there too")
    return parser.parse_args()


def main():
    options = parse_arguments()
    lines = ["| program | wall s | processor s | peak MiB |", "|---|--:|--:|--:|"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = generate(folder, options.files, options)
        for jobs in options.jobs:
            for label, command in commands(options, folder, sources, jobs):
                seconds, processor, memory, code, message = measure(command, folder, jobs > 1)
                if code:
                    print(f"{label} exited with {code}:\n{message[-2000:]}", file=sys.stderr)
                    return 1
                lines.append(f"| {label} | {seconds:.1f} | {processor:.1f} | {memory:.0f} |")
                print(lines[-1], flush=True)
        wrong = headers_edited_once(options, folder)
    if wrong:
        print(wrong, file=sys.stderr)
        return 1
    lines += ["", f"{options.files} files, {HEADERS} headers with a kernel each, {options.arch}; check {options.check}. "
                  f"{os.cpu_count()} processors. Afterwards `-i -j0` edited each header exactly once."]
    text = "\n".join(lines) + "\n"
    print(text)
    if options.out:
        options.out.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
