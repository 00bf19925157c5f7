#!/usr/bin/env python3
"""Compares rewritten samples with their originals on a machine with a GPU.

For every sample, and every NAME.VARIANT.cu that --rewritten holds, this
  1. compiles both with nvcc for the GPU and reads the compiler's register report,
  2. runs both over trip counts of zero, one, two, three, odd, even and ragged,
     and compares the bytes of their outputs,
  3. times both in alternation, a process of each in turn, by device events.

Results go to OUT/gpu_samples.json and OUT/gpu_samples.md. Exit code: 0 every
output is equal, 1 one differs or fails its check, 2 something did not compile.
Only the standard library and nvcc are needed.
"""

import argparse
import concurrent.futures
import dataclasses
import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclasses.dataclass(frozen=True)
class Sample:
    """How one sample is run: sizes are its positional arguments."""

    base: list  # sizes for the comparison, None where the trip count goes
    trips: list  # values of the size that the K loop runs over
    timed: list  # sizes for the timing
    work: float  # operations of one timed run, for the rate in the table


def gemm(timed, trips, edges=(128, 256)):
    m, n, k = timed
    return Sample([*edges, None], trips, timed, 2.0 * m * n * k)


CUBE = [4096, 4096, 4096]
SAMPLES = {
    "sgemm_tiled": gemm(CUBE, [0, 1, 31, 32, 33, 64, 70, 96, 128, 160, 1000], (65, 100)),
    "sgemm_register_tile": gemm(CUBE, [0, 8, 16, 24, 32, 40, 56, 1000]),
    "hgemm_wmma": gemm(CUBE, [0, 32, 64, 96, 128, 160, 224, 1024]),
    "hgemm_wmma_dynamic": gemm(CUBE, [0, 8, 32, 40, 64, 96, 104, 128, 160, 1000]),
    "igemm_wmma": gemm(CUBE, [0, 64, 128, 192, 256, 320, 1024]),
    # 20 operations for each pair of bodies, as is usual for this kernel.
    "nbody": Sample([300, None], [0, 1, 255, 256, 257, 512, 768, 1024, 1100],
                    [65536, 65536], 20.0 * 65536 * 65536),
    "conv2d_channels": Sample([3, None, 50, 70], [0, 1, 2, 3, 4, 5, 64],
                              [128, 128, 224, 224], 18.0 * 128 * 128 * 224 * 224),
    "gemv": Sample([300, None], [0, 1, 255, 256, 257, 512, 768, 1024, 1100],
                   [65536, 8192], 2.0 * 65536 * 8192),
    "attention_scores": Sample([70, None], [0, 1, 31, 32, 33, 64, 96, 128, 140],
                               [8192, 8192], 2.0 * 8192 * 8192 * 64),
    "flash_attention": Sample([2, 70, None, 0], [0, 1, 31, 32, 33, 64, 96, 128, 140],
                              [16, 4096, 4096, 0], 4.0 * 16 * 4096 * 4096 * 64),
}


class Failure(Exception):
    """A program that did not compile or did not run; the text says which."""


def run(command, timeout=600):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          timeout=timeout)
    return done.returncode, done.stdout, done.stderr


def compile_program(source, binary, arch, headers):
    """Compiles one source and returns what ptxas says of its kernels."""
    code, out, err = run(["nvcc", "-std=c++17", "-O3", f"-arch={arch}", "--resource-usage",
                          "-I", headers, "-o", binary, source])
    if code != 0:
        raise Failure(f"{source.name} does not compile:\n{out}{err}")
    report = out + err
    spills = [int(n) for n in re.findall(r"(\d+) bytes spill", report)]
    return {"registers": max(map(int, re.findall(r"Used (\d+) registers", report)), default=0),
            "static_shared": max(map(int, re.findall(r"(\d+) bytes smem", report)), default=0),
            "spill_bytes": sum(spills)}


def output_bytes(binary, sizes):
    """Runs a program and returns (exit code, its message, the output's bytes)."""
    with tempfile.NamedTemporaryFile() as file:
        code, out, err = run([binary, *sizes, "--dump", file.name])
        return code, (out + err).strip(), Path(file.name).read_bytes()


def fill(sample, trip):
    return [trip if size is None else size for size in sample.base]


def compare(original, rewritten, sample, pool):
    """Compares two programs over all trip counts; returns a list of rows."""

    def one(trip):
        sizes = fill(sample, trip)
        code_a, said_a, bytes_a = output_bytes(original, sizes)
        code_b, said_b, bytes_b = output_bytes(rewritten, sizes)
        return {"trip": trip, "sizes": sizes, "bytes": len(bytes_a),
                "original_ok": code_a == 0, "rewritten_ok": code_b == 0,
                "equal": bytes_a == bytes_b and code_a == code_b == 0,
                "message": "" if code_a == code_b == 0 else f"{said_a} / {said_b}"}

    return list(pool.map(one, sample.trips))


def time_once(binary, sizes, runs):
    code, out, err = run([binary, *sizes, "--time", runs])
    found = re.search(r"time: ([\d.]+) ms", out)
    if not found:
        raise Failure(f"{binary.name} printed no time (exit {code}): {out}{err}")
    return float(found.group(1))


def time_together(binaries, sizes, runs, rounds):
    """Times programs in alternation; returns {name: [median of each round]}."""
    times = {name: [] for name in binaries}
    for turn in range(rounds):
        # Every other round runs backwards, so that no program is always first.
        order = list(binaries) if turn % 2 == 0 else list(reversed(binaries))
        for name in order:
            times[name].append(time_once(binaries[name], sizes, runs))
    return times


def summary(times):
    middle = statistics.median(times)
    return {"ms": middle, "rounds": times, "spread": (max(times) - min(times)) / middle}


def find_variants(folder, name):
    """{variant: file} of all NAME.VARIANT.cu in the folder."""
    if not folder:
        return {}
    return {file.name[len(name) + 1:-len(".cu")]: file
            for file in sorted(Path(folder).glob(f"{name}.*.cu"))}


def build_all(options, work, pool):
    """Compiles everything; returns {name: {variant: (binary, resources)}}."""
    jobs = {}
    for name in SAMPLES:
        if not re.search(options.only, name):
            continue
        sources = {"original": ROOT / "samples" / f"{name}.cu",
                   **find_variants(options.rewritten, name)}
        for variant, source in sources.items():
            binary = Path(work) / f"{name}.{variant}"
            jobs[name, variant] = (binary, pool.submit(compile_program, source, binary,
                                                       options.arch, ROOT / "samples"))
    built = {}
    for (name, variant), (binary, job) in jobs.items():
        try:
            built.setdefault(name, {})[variant] = (binary, job.result())
        except Failure as failure:
            built.setdefault(name, {})[variant] = (None, {"error": str(failure)})
    return built


def measure(name, programs, options, pool):
    """All results of one sample, as {variant: row}."""
    sample = SAMPLES[name]
    rows = {variant: dict(resources) for variant, (_, resources) in programs.items()}
    ready = {variant: binary for variant, (binary, _) in programs.items() if binary}
    if "original" not in ready:
        return rows
    for variant, binary in ready.items():
        rows[variant]["comparison"] = compare(ready["original"], binary, sample, pool)
        rows[variant]["equal"] = all(row["equal"] for row in rows[variant]["comparison"])
    if options.rounds == 0:
        return rows
    # A program whose output is wrong is not worth a time.
    right = {variant: binary for variant, binary in ready.items() if rows[variant]["equal"]}
    for variant, times in time_together(right, sample.timed, options.runs,
                                        options.rounds).items():
        rows[variant].update(summary(times))
        rows[variant]["gops"] = sample.work / rows[variant]["ms"] / 1e6
    for row in rows.values():
        if "ms" in row and "ms" in rows["original"]:
            row["speedup"] = rows["original"]["ms"] / row["ms"]
    return rows


def markdown(results, machine):
    """The results as one table for people."""
    lines = [f"# Samples on {machine['gpu']}", "",
             f"{machine['date']}, driver {machine['driver']}, {machine['nvcc']}, "
             f"-arch={machine['arch']}. Each time is the median of {machine['rounds']} rounds, "
             f"each round the median of {machine['runs']} launches, all programs in turn. "
             "Equal: the bytes of the output are those of the original at every trip count.", "",
             "| sample | variant | equal | ms | spread | Gop/s | speed-up | registers | "
             "static shared | spills |", "|---|---|---|--:|--:|--:|--:|--:|--:|--:|"]
    for name, rows in results.items():
        for variant, row in rows.items():
            if "error" in row:
                lines.append(f"| {name} | {variant} | does not compile | | | | | | | |")
                continue
            compared = row.get("comparison", [])
            equal = f"{sum(r['equal'] for r in compared)} of {len(compared)}"
            timing = (f"{row['ms']:.4f} | {row['spread']:.1%} | {row['gops']:.0f} | "
                      f"{row['speedup']:.3f}x" if "ms" in row else " | | | ")
            lines.append(f"| {name} | {variant} | {equal} | {timing} | {row['registers']} | "
                         f"{row['static_shared']} | {row['spill_bytes']} |")
    return "\n".join(lines) + "\n"


def describe_machine(options):
    _, gpu, _ = run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    _, nvcc, _ = run(["nvcc", "--version"])
    name, _, driver = gpu.strip().splitlines()[0].partition(", ")
    version = re.search(r"release ([\d.]+)", nvcc)
    return {"gpu": name, "driver": driver, "arch": options.arch, "runs": options.runs,
            "rounds": options.rounds, "nvcc": f"CUDA {version.group(1)}",
            "date": datetime.date.today().isoformat()}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rewritten", metavar="DIR", help="folder with NAME.VARIANT.cu files")
    parser.add_argument("--out", default=ROOT / "bench" / "results", type=Path)
    parser.add_argument("--arch", default="native", help="for nvcc (default: the GPU's own)")
    parser.add_argument("--only", default="", metavar="REGEX", help="samples to run")
    parser.add_argument("--runs", default=15, type=int, help="launches of one round")
    parser.add_argument("--rounds", default=5, type=int, help="rounds; 0 compares only")
    return parser.parse_args()


def main():
    options = parse_arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    workers = os.cpu_count() or 4
    with tempfile.TemporaryDirectory() as work, \
            concurrent.futures.ThreadPoolExecutor(workers) as pool:
        built = build_all(options, work, pool)
        results = {}
        for name, programs in built.items():
            try:
                results[name] = measure(name, programs, options, pool)
            except Failure as failure:
                results[name] = {"original": {"error": str(failure)}}
    machine = describe_machine(options)
    text = markdown(results, machine)
    (options.out / "gpu_samples.json").write_text(
        json.dumps({"machine": machine, "samples": results}, indent=1) + "\n")
    (options.out / "gpu_samples.md").write_text(text)
    print(text)

    rows = [row for sample in results.values() for row in sample.values()]
    for row in rows:
        if "error" in row:
            print(row["error"], file=sys.stderr)
        for entry in row.get("comparison", []):
            if not entry["equal"]:
                print(f"not equal at {entry['sizes']}: {entry['message']}", file=sys.stderr)
    if any("error" in row for row in rows):
        return 2
    return 0 if all(row["equal"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
