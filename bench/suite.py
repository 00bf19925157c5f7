#!/usr/bin/env python3
"""The suite behind our figures: every sample, every variant, form and stage count, at small, wave-sized and large sizes.

    bench/suite.py make  [--arch sm_90] [--out .gpu] [--only REGEX]     bundles of all samples
    bench/gpu_check.py .gpu/* --out results/                            on the machine with the GPU, alone
    bench/suite.py report results/ [--bundles .gpu] [--page FILE]       tables, winners, one Markdown page

`make` needs the tool, `gpu_check.py` nvcc and a GPU, `report` the tool and the bundles that were made.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def make(options):
    sources = [s for s in sorted((ROOT / "samples").glob("*.cu")) if re.search(options.only, s.stem)]

    def one(source):
        launch = source.with_suffix(".launch.yaml")
        done = subprocess.run([options.tool, "--quiet", f"--arch={options.arch}", "--tune", "--timeout=60",
                               f"--bundle={options.out / source.stem}", f"--launch={launch}", source, "--",
                               "-std=c++17", "-O3"], capture_output=True, text=True)
        return source.stem, done.returncode, done.stderr.strip()

    worst = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, code, said in pool.map(one, sources):
            worst = max(worst, code)
            print(f"{name}: {'made' if code == 0 else f'exit code {code}: {said}'}")
    return worst


def report(options):
    page = ["# Measured", ""]
    worst = 0
    for results in sorted(options.results.glob("*.json")):
        bundle = options.bundles / results.stem
        if not (bundle / "bundle.json").exists():
            print(f"{results.stem}: there is no bundle of it in {options.bundles}", file=sys.stderr)
            worst = max(worst, 2)
            continue
        shutil.copy(results, bundle / "results.json")
        # The source goes to a file of its own; the table is what stands on stderr then.
        done = subprocess.run([options.tool, "--quiet", "--tune", f"--report-bundle={bundle}",
                               f"--json={results.with_suffix('.report')}", "-o", options.bundles / f"{results.stem}.cu"],
                              capture_output=True, text=True)
        worst = max(worst, done.returncode)
        page += [f"## {results.stem}", "", done.stderr.strip(), ""]
    text = "\n".join(page)
    if options.page:
        options.page.write_text(text + "\n")
    print(text)
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default=ROOT / "build" / "bin" / "pipeline-rewrite", type=Path)
    steps = parser.add_subparsers(dest="step", required=True)
    maker = steps.add_parser("make", help="write the bundles")
    maker.add_argument("--arch", default="sm_90")
    maker.add_argument("--out", default=ROOT / ".gpu", type=Path)
    maker.add_argument("--only", default="", metavar="REGEX")
    maker.add_argument("--jobs", default=os.cpu_count() or 1, type=int)
    reader = steps.add_parser("report", help="read what came back")
    reader.add_argument("results", type=Path)
    reader.add_argument("--bundles", default=ROOT / ".gpu", type=Path)
    reader.add_argument("--page", type=Path)
    options = parser.parse_args()
    return make(options) if options.step == "make" else report(options)


if __name__ == "__main__":
    sys.exit(main())
