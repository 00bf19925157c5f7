#!/usr/bin/env python3
"""Runs many bundles on one GPU in one go: builds and proves them side by side, then times one after another.

    pipeline-rewrite --tune --bundle=.gpu/NAME ...      (for each; bench/suite.py makes those of the samples)
    bench/gpu_check.py .gpu/* --cublas bench/cublas.cu --out results/

Writes NAME.json for each bundle (its results.json; put it back for --report-bundle) as soon as it is timed, cublas.json, and
prints a few lines a bundle. Needs nvcc, a GPU and nothing but Python's standard library (and cuBLAS for --cublas). Exit
code: the worst of the bundles' (0, 4 or 5).
"""

import argparse
import concurrent.futures
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def run_bundle(bundle, *words, **environment):
    done = subprocess.run(["sh", str(bundle / "run.sh"), *words], capture_output=True, text=True,
                          env={**os.environ, **environment})
    return done.returncode, (done.stdout + done.stderr).strip()


def rows_of(bundle):
    try:
        return json.loads((bundle / "results.json").read_text())["rows"]
    except (OSError, ValueError) as problem:
        return [{"event": "none", "problem": str(problem)}]


def quartiles(samples):
    return statistics.quantiles(samples, n=4, method="inclusive") if len(samples) > 1 else samples * 3


def summary(bundle):
    """What a person needs to see of one bundle."""
    rows = rows_of(bundle)
    lines = []
    for row in rows:
        if row["event"] in ("toolchain", "none") or (row["event"] == "device" and "problem" in row):
            lines.append(f"  cannot run: {row.get('problem')}")
        elif row["event"] == "compile":
            lines.append(f"  {row['version']} does not compile: {row['problem'][:200]}")
        elif row["event"] == "verify" and row["status"] != "proved":
            first = (row["failures"] or [{}])[0]
            lines.append(f"  {row['version']}: {row['status']}: {first.get('message')} ({first.get('where')})")
        elif row["event"] == "sanitize" and row["status"] != "clean":
            lines.append(f"  {row['version']} {row['tool']}: {row['status']}: {row.get('message', '')[:200]}")
    proved = [row["version"] for row in rows if row["event"] == "verify" and row["status"] == "proved"]
    clean = [f"{row['version']} {row['tool']}" for row in rows
             if row["event"] == "sanitize" and row["status"] == "clean"]
    lines.insert(0, f"{bundle.name}: {len(proved)} proved; sanitizer clean: {', '.join(clean) or 'none run'}")
    cases = {}
    for row in rows:
        if row["event"] == "time":
            cases.setdefault(row["case"], []).append(row)
    for case, timed in cases.items():
        base = next((r for r in timed if r["version"] == "original" and r.get("samples_ms")), None)
        lines.append(f"  {case}")
        for row in timed:
            if not row.get("samples_ms"):
                lines.append(f"    {row['version']}: {row.get('problem')}")
                continue
            low, middle, high = quartiles(row["samples_ms"])
            gain = statistics.median(base["samples_ms"]) / middle if base else 0
            lines.append(f"    {row['version']:28} {middle:9.4f} ms [{low:.4f} {high:.4f}] {gain:6.3f}x "
                         f"{row.get('registers')} regs, {row.get('blocks_per_sm')} blocks, n={len(row['samples_ms'])}")
    return "\n".join(lines)


def keep(bundle, out):
    """A copy of what is known of the bundle by now."""
    if out and (bundle / "results.json").exists():
        out.mkdir(parents=True, exist_ok=True)
        shutil.copy(bundle / "results.json", out / f"{bundle.name}.json")


def build_cublas(source):
    """The program that times cuBLAS, or None; what stood in the way is printed."""
    program = Path(tempfile.mkdtemp()) / "cublas"
    done = subprocess.run([os.environ.get("NVCC", "nvcc"), "-std=c++17", "-O2", "-arch=native", source, "-lcublas", "-o", program],
                          capture_output=True, text=True)
    if done.returncode:
        print(f"cuBLAS is left out: {(done.stdout + done.stderr).strip()[:300]}")
        return None
    return program


def time_cublas(program, out):
    done = subprocess.run([program], capture_output=True, text=True)
    if done.returncode:
        print(f"cuBLAS is left out: {done.stderr.strip()}")
    elif out:
        out.mkdir(parents=True, exist_ok=True)
        (out / "cublas.json").write_text(done.stdout)


def sanitize_first(bundle):
    """compute-sanitizer takes long: one version of each bundle, the first that asks for the GPU's copies."""
    names = [row["version"] for row in rows_of(bundle) if row["event"] == "verify" and row["status"] == "proved"]
    chosen = [n for n in names if n.startswith("cp-async")][:1] or names[:1]
    return run_bundle(bundle, "verify", *chosen) if chosen else (0, "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bundles", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, help="folder for NAME.json")
    parser.add_argument("--no-sanitizer", action="store_true", help="leave compute-sanitizer out")
    parser.add_argument("--cublas", type=Path, help="bench/cublas.cu, to be timed too")
    parser.add_argument("--workers", type=int, default=max(1, min(8, (os.cpu_count() or 2) // 2)))
    options = parser.parse_args()
    bundles = [b for b in options.bundles if (b / "run.sh").exists()]
    begin = time.time()

    def tell(what):
        print(f"[{time.time() - begin:5.0f} s] {what}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
        cublas = pool.submit(build_cublas, options.cublas) if options.cublas else None
        list(pool.map(lambda b: run_bundle(b, "build", JOBS="3"), bundles))
        cublas = cublas.result() if cublas else None
        tell(f"{len(bundles)} bundles are built")
        list(pool.map(lambda b: run_bundle(b, "verify", SANITIZER="none"), bundles))
        tell("proofs are done")
        codes = []
        if cublas:
            time_cublas(cublas, options.out)
        for bundle in bundles:
            code, said = run_bundle(bundle, SANITIZER="none")
            codes.append(code)
            keep(bundle, options.out)
            if code not in (0, 4, 5):
                tell(f"{bundle.name}: exit code {code}: {said[-300:]}")
        tell("timing is done")
        if not options.no_sanitizer and shutil.which("compute-sanitizer"):
            list(pool.map(sanitize_first, bundles))
            # The last call's results.json holds all rows; only the exit code was that of one version.
            tell("compute-sanitizer is done")
    for bundle in bundles:
        print(summary(bundle))
        keep(bundle, options.out)
    device = next((row for row in rows_of(bundles[0]) if row["event"] == "device"), {}) if bundles else {}
    print("device:", {key: device.get(key) for key in ("name", "driver", "nvcc", "date", "problem")})
    return 4 if 4 in codes else 5 if 5 in codes else 0


if __name__ == "__main__":
    sys.exit(main())
