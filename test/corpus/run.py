#!/usr/bin/env python3
"""Runs pipeline-rewrite over public CUDA files and says what became of each.

The files are not part of this repository. --corpus names a folder that holds
them as OWNER__REPO/PATH; files.tsv beside this script lists which, with the
flags each one needs, what is expected of it and where its K loops are.

Each file is rewritten in place in a copy of its repository, so that edits of
included headers count too, and is then compiled with nvcc. The table goes to
stdout and to WORK/results.tsv; WORK also keeps the log, the JSON and the edited
tree of each file. Exit code: 0 no crash, no silence and every rewrite compiles;
1 otherwise.
"""

import argparse
import collections
import csv
import dataclasses
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
INTERNAL_ERROR = 70


@dataclasses.dataclass
class Entry:
    """One line of files.tsv."""

    number: int
    file: str
    flags: list
    expected: str
    lines: str


@dataclasses.dataclass
class Result:
    """What the tool did with one file, and what nvcc says to that."""

    entry: Entry
    exit_code: object  # an int, or "timeout"
    seconds: float
    loops: list
    compiles: str  # "ok", "FAIL ...", or "-" when nothing was rewritten

    @property
    def crashed(self):
        code = self.exit_code
        return code == "timeout" or code < 0 or code == INTERNAL_ERROR or code >= 128

    @property
    def silent(self):
        return self.exit_code == 0 and not self.loops and self.entry.lines != "-"

    @property
    def broken(self):
        return self.compiles.startswith("FAIL")


def read_list(path):
    with open(path, newline="") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if row and row[0][0] != "#"]
    return [Entry(number, name, [] if flags == "-" else flags.split(), expected, lines)
            for number, (name, flags, expected, lines) in enumerate(rows)]


def copy_repository(corpus, entry, work):
    """A private copy of the entry's repository and of the shared stubs. Hard
    links are enough: the tool replaces a file, it never writes into one."""
    folder = work / f"{entry.number:02d}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in (entry.file.split("/")[0], "stubs"):
        if (corpus / name).exists():
            subprocess.run(["cp", "-al", corpus / name, folder], check=True)
    return folder


def run_tool(options, entry, folder):
    """Runs the tool in the folder; returns (exit code, seconds)."""
    command = [options.tool, f"--arch={options.arch}", "-i", "--json=loops.json", *options.extra,
               entry.file, "--", "-std=c++17", "-w", *entry.flags]
    start = time.monotonic()
    with open(folder / "log", "w") as log:
        try:
            code = subprocess.run(command, cwd=folder, stdout=log, stderr=log,
                                  timeout=options.timeout).returncode
        except subprocess.TimeoutExpired:
            code = "timeout"
    return code, time.monotonic() - start


def read_loops(folder):
    report = folder / "loops.json"
    if not report.exists():
        return []
    return [loop for file in json.loads(report.read_text())["files"] for loop in file["loops"]]


def compile_result(options, entry, folder):
    command = ["nvcc", "-std=c++17", f"-arch={options.arch}", "-cubin", "-w", "--resource-usage",
               *entry.flags, entry.file, "-o", "/dev/null"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    said = done.stdout + done.stderr
    (folder / "nvcc.log").write_text(said)
    if done.returncode == 0:
        return "ok"
    return "FAIL " + next((line for line in said.splitlines() if "error" in line), "")[:120]


def process(options, entry):
    folder = copy_repository(options.corpus, entry, options.work)
    code, seconds = run_tool(options, entry, folder)
    loops = read_loops(folder)
    rewritten = any(loop["status"] == "rewritten" for loop in loops)
    compiles = compile_result(options, entry, folder) if rewritten and options.nvcc else "-"
    return Result(entry, code, seconds, loops, compiles)


def describe(loop):
    """LINE:STATUS:IDS, and how it was rewritten."""
    ids = ",".join(reason["id"] for reason in loop.get("reasons", [])) or "-"
    text = f"{loop['line']}:{loop['status']}:{ids}"
    if loop["status"] in ("rewritten", "eligible"):
        text += f":{loop.get('variant')}/{loop.get('form')}/{loop.get('stages')}"
    return text


def totals(results):
    """The lines under the table."""
    status = collections.Counter(loop["status"] for r in results for loop in r.loops)
    first = collections.Counter(loop["reasons"][0]["id"] for r in results for loop in r.loops
                                if loop["status"] == "refused" and loop.get("reasons"))
    exits = collections.Counter(str(r.exit_code) for r in results)

    def names(wanted):
        return ", ".join(f"{r.entry.number:02d} {r.entry.file}" for r in results if wanted(r))

    def counts(counter):
        return ", ".join(f"{key} {count}" for key, count in counter.most_common())

    return [f"files: {len(results)}", f"exit codes: {counts(exits)}",
            f"loops: {counts(status)}", f"first reason of a refusal: {counts(first)}",
            f"crashed: {names(lambda r: r.crashed) or 'none'}",
            f"no answer where K loops are known: {names(lambda r: r.silent) or 'none'}",
            f"rewritten but does not compile: {names(lambda r: r.broken) or 'none'}"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpus", type=Path, required=True, help="folder of OWNER__REPO folders")
    parser.add_argument("--work", type=Path, help="default: CORPUS/work")
    parser.add_argument("--list", type=Path, default=HERE / "files.tsv")
    parser.add_argument("--tool", default=HERE.parent.parent / "build/bin/pipeline-rewrite")
    parser.add_argument("--arch", default="sm_86")
    parser.add_argument("--match", default="", metavar="REGEX", help="files to run")
    parser.add_argument("--timeout", default=60, type=int, help="seconds for one file")
    parser.add_argument("--no-nvcc", dest="nvcc", action="store_false",
                        help="do not compile what was rewritten")
    parser.add_argument("extra", nargs="*", metavar="-- OPTION", help="more options for the tool")
    options = parser.parse_args()
    options.work = options.work or options.corpus / "work"
    return options


def main():
    options = parse_arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    results = []
    with open(options.work / "results.tsv", "w") as file:
        def emit(line):
            print(line, flush=True)
            print(line, file=file, flush=True)

        emit("n\tfile\texit\tseconds\texpected\tloops\tnvcc")
        for entry in read_list(options.list):
            if not re.search(options.match, entry.file):
                continue
            result = process(options, entry)
            results.append(result)
            loops = " ; ".join(map(describe, result.loops)) or "(none)"
            emit(f"{entry.number:02d}\t{entry.file}\t{result.exit_code}\t{result.seconds:.1f}\t"
                 f"{entry.expected}\t{loops}\t{result.compiles}")
        emit("")
        for line in totals(results):
            emit(line)
    return 1 if any(r.crashed or r.silent or r.broken for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
