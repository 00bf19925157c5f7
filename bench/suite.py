#!/usr/bin/env python3
"""The suite behind our figures: samples/ and bench/kernels/, every variant, form and stage count, at small, wave-sized and
large sizes, beside versions written by hand (bench/by_hand/) and cuBLAS.

    bench/suite.py make                                                       here: bundles and suite.json in .gpu/
    bench/gpu_check.py .gpu/* --cublas bench/cublas.cu --out results/         on the machine with the GPU, alone
    bench/suite.py report results/ --out DIR [--page docs/measured.md]        here: tables, plots, one page

`make` needs the tool, `gpu_check.py` nvcc and a GPU, `report` nothing but Python.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import bundles
import suite_page
import suite_tables

ROOT = Path(__file__).resolve().parent.parent
FLAGS = ["--", "-std=c++17", "-O3"]


def sources(only):
    found = [*(ROOT / "samples").glob("*.cu"), *(ROOT / "bench" / "kernels").glob("*.cu")]
    return sorted((s for s in found if re.search(only, s.stem)), key=lambda s: s.stem)


def by_hand(name):
    """{version name: file} of what was written by hand for a kernel: NAME.cu and NAME.KIND.cu."""
    folder = ROOT / "bench" / "by_hand"
    found = {}
    for file in [folder / f"{name}.cu", *sorted(folder.glob(f"{name}.*.cu"))]:
        if file.exists():
            kind = file.name[len(name):-len(".cu")].lstrip(".")
            found[f"{bundles.ANCHOR}-{kind}" if kind else bundles.ANCHOR] = file
    return found


def version_of(options, source, bundle):
    """The version of the bundle that has the text of what `auto` writes: --json names neither issue nor unrolling."""
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / source.name
        done = subprocess.run([options.tool, "--quiet", f"--arch={options.arch}", source, "-o", written, *FLAGS],
                              capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        text = written.read_text()
    for version in json.loads((bundle / "bundle.json").read_text())["versions"]:
        file = bundle / version["file"]
        if version["file"] and file.exists() and file.read_text() == text:
            return version["name"]
    raise ValueError("no version of the bundle is what auto writes")


def automatic(options, source, bundle):
    """What `auto` makes of the kernel: the name that its version has in a bundle, its tiles and bytes."""
    done = subprocess.run([options.tool, "--quiet", f"--arch={options.arch}", "--json", source, *FLAGS],
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    loops = [loop for file in json.loads(done.stdout)["files"] for loop in file["loops"] if loop["status"] == "rewritten"]
    if not loops:
        return None
    loop = loops[0]
    return {"version": version_of(options, source, bundle), "shared_bytes": loop["shared_bytes"],
            "occupancy": loop["occupancy"], "tile_bytes": sum(tile["bytes"] for tile in loop["tiles"])}


def make_one(options, source):
    """Makes the bundle of one kernel and returns what the report has to know of it."""
    name = source.stem
    bundle = options.out / name
    hand = by_hand(name)
    command = [options.tool, "--quiet", f"--arch={options.arch}", "--tune", "--timeout=60", f"--bundle={bundle}",
               f"--launch={source.with_suffix('.launch.yaml')}"]
    command += [f"--compare={source}", hand[bundles.ANCHOR]] if hand else [source]
    done = subprocess.run([*command, *FLAGS], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr.strip()}")
    for version, file in hand.items():
        if version != bundles.ANCHOR:
            bundles.add_version(bundle, version, file)
    if hand:
        bundles.settle_anchor(bundle)
    return {"source": str(source.relative_to(ROOT)), "auto": automatic(options, source, bundle), "by_hand": list(hand)}


def make(options):
    known, failed = {}, False
    options.out.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = {s.stem: pool.submit(make_one, options, s) for s in sources(options.only)}
        for name, job in jobs.items():
            try:
                known[name] = job.result()
                print(f"{name}: auto is {(known[name]['auto'] or {}).get('version', 'refused')}")
            except (RuntimeError, ValueError, OSError) as problem:
                failed = True
                print(f"{name}: {problem}")
    (options.out / "suite.json").write_text(json.dumps(known, indent=2) + "\n")
    return 1 if failed else 0


def read_kernels(options):
    """The kernels of a run, and the names of those without a result. What a report kept can be read again."""
    file = options.bundles / "suite.json"
    known = json.loads(file.read_text()) if file.exists() else {}
    kernels = []
    for file in sorted(options.results.glob("*.json")):
        content = json.loads(file.read_text())
        facts = {key: content[key] for key in ("source", "auto", "by_hand")} if "kernel" in content else known.get(file.stem)
        if facts and suite_tables.timed(content["rows"]):
            kernels.append(suite_tables.Kernel(file.stem, facts, content["rows"]))
    return kernels, sorted(set(known) - {kernel.name for kernel in kernels})


def report(options):
    kernels, missing = read_kernels(options)
    for name in missing:
        print(f"{name}: there is no result", file=sys.stderr)
    if not kernels:
        print(f"{options.results} holds no result of a kernel that {options.bundles}/suite.json knows", file=sys.stderr)
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    for kernel in kernels:
        (options.out / f"{kernel.name}.json").write_text(json.dumps(kernel.kept(), indent=1) + "\n")
    library = None
    if (options.results / "cublas.json").exists():
        text = (options.results / "cublas.json").read_text()
        library = json.loads(text)
        (options.out / "cublas.json").write_text(text)
    (options.out / "README.md").write_text(suite_tables.page(kernels, options.note))
    if options.page:
        suite_page.write(options.page, kernels, library, options.out)
    return 1 if missing else 0


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
    reader.add_argument("--out", required=True, type=Path, help="folder for the tables and the figures behind them")
    reader.add_argument("--page", type=Path, help="page with plots, which go to a folder of its name")
    reader.add_argument("--note", default="", help="a line for the head of the tables")
    options = parser.parse_args()
    return make(options) if options.step == "make" else report(options)


if __name__ == "__main__":
    sys.exit(main())
