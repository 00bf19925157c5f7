#!/usr/bin/env python3
"""The time model's predictions beside what was measured: model_order.py RESULTS.json...

For every sample of earlier GPU runs (bench/gpu_samples.py) this asks the tool for its candidates on that machine and compares: does
the measured speed-up of each variant lie in the predicted range, is the first choice the fastest, and what is lost where it is not.
The measured time of a variant is that of its best form. Needs no GPU.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The names under which bench/gpu_samples.py was given its programs.
VARIANTS = {"cp-async": "cp-async", "cpred": "cp-async", "cpeel": "cp-async", "cpredicate": "cp-async", "ring": "cp-async",
            "cring": "cp-async", "ldg": "ldg", "lpeel": "ldg", "register-prefetch": "register-prefetch"}


def measured(paths):
    """{sample: {variant: best speed-up}} over all runs."""
    best = {}
    for path in paths:
        for sample, name, speedup in rows(json.loads(Path(path).read_text())):
            if name in VARIANTS:
                variants = best.setdefault(sample, {})
                variants[VARIANTS[name]] = max(variants.get(VARIANTS[name], 0), speedup)
    return best


def rows(run):
    for sample, programs in run["samples"].items():
        for name, row in programs.items():
            if row.get("speedup"):
                yield sample, name, row["speedup"]


def candidates(tool, sample, arch):
    run = subprocess.run([tool, f"--arch={arch}", "--cuda-path=none", "--quiet", "--dry-run", "--json",
                          ROOT / "samples" / f"{sample}.cu"], capture_output=True, text=True, check=True)
    for loop in json.loads(run.stdout)["files"][0]["loops"]:
        if loop["candidates"]:
            return loop["candidates"]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", nargs="+")
    parser.add_argument("--tool", default=ROOT / "build" / "bin" / "pipeline-rewrite")
    parser.add_argument("--arch", default="sm_90")
    options = parser.parse_args()
    print("| sample | predicted, best first | measured | first choice | lost |\n|---|---|---|---|--:|")
    inside = total = right = judged = 0
    for sample, speedups in sorted(measured(options.results).items()):
        # Two stages are what was measured of cp-async.
        predicted = [c for c in candidates(options.tool, sample, options.arch)
                     if c["variant"] in speedups and c["stages"] <= 2]
        if not predicted:
            print(f"| {sample} | nothing: too little is known | | | |")
            continue
        ranges = [f"{c['variant']} {c['gain_low']:.2f}x to {c['gain_high']:.2f}x" for c in predicted]
        real = [f"{name} {speedup:.2f}x" for name, speedup in sorted(speedups.items(), key=lambda pair: -pair[1])]
        for c in predicted:
            total += 1
            inside += c["gain_low"] - 0.02 <= speedups[c["variant"]] <= c["gain_high"] + 0.02
        best, first = max(speedups.values()), speedups[predicted[0]["variant"]]
        judged += 1
        right += first >= 0.98 * best
        print(f"| {sample} | {'; '.join(ranges)} | {'; '.join(real)} | "
              f"{'yes' if first >= 0.98 * best else 'no'} | {100 * (1 - first / best):.1f} % |")
    print(f"\n{right} of {judged} first choices are the fastest, or within 2 % of it; {inside} of {total} figures lie within "
          "2 % of their range.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
