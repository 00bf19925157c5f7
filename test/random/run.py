#!/usr/bin/env python3
"""Rewrites random kernels and proves each rewrite; breaks others and wants them refused.

    run.py --tool build/bin/pipeline-rewrite [--count 100] [--first SEED] [--illegal] [--seconds S] [--results FILE]

A legal kernel must be rewritten and proved, or refused with a reason. An illegal one must be refused with
the reason it was broken for. A failure prints the seed and the simplest kernel that still fails. With --results
each answer is kept as it comes; a later run with the same file goes on from there, and counts what is in it.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kernels import BREAKS, CHOICES, SIMPLEST, Writer, choose  # noqa: E402

VARIANTS = ["ldg:peel", "ldg:predicate", "ldg:predicate:last", "cp-async:peel", "cp-async:predicate", "cp-async:ring",
            "register-prefetch:predicate", "register-prefetch:predicate:last", "ldg:predicate:last:stepped",
            "cp-async:peel:stepped", "ldg:peel:stepped"]
# What stands behind variant and form; a number is the slots.
OPTIONS = {"last": "--issue=last", "stepped": "--addresses=stepped"}


def choose_variant(seed, choices):
    """One that the kernel can have in most cases: bytes travel unchanged, four at least, and registers are counted."""
    changed = choices["scale"] or (choices["type"] == "half" and choices["copy"] != "vector")
    if choices["slots"] > 2 and not changed:
        slots = choices["slots"]
        constant = f":unroll={slots}"
        return f"cp-async:ring:{slots}" + ["", ":last", ":last:stepped", constant, f":last:stepped{constant}"][seed % 5]
    fitting = [v for v in VARIANTS if not (changed and v.startswith("cp-async"))]
    return random.Random(seed * 7 + 1).choice(fitting or VARIANTS)


def rewrite(options, folder, source, variant):
    """(status, ids, text, messages) of the one loop."""
    path, out, report = (os.path.join(folder, name) for name in ("kernel.cu", "out.cu", "out.json"))
    for name in (out, report):
        if os.path.exists(name):
            os.remove(name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(source)
    kind, form, *more = variant.split(":")
    more = [OPTIONS.get(word) or (f"--{word}" if "=" in word else f"--stages={word}") for word in more]
    done = subprocess.run([options.tool, "--arch=sm_86", "--allow-cliff", f"--variant={kind}", f"--form={form}"]
                          + more + [path, "-o", out, f"--json={report}", "--"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0 or not os.path.exists(report):
        return "crashed", [], "", done.stderr
    with open(report, encoding="utf-8") as file:
        loops = [loop for entry in json.load(file)["files"] for loop in entry["loops"]]
    if not loops:
        return "not found", [], "", done.stderr
    ids = [reason["id"] for loop in loops for reason in loop["reasons"]]
    text = ""
    if os.path.exists(out):
        with open(out, encoding="utf-8") as file:
            text = file.read()
    return loops[-1]["status"], ids, text, done.stderr


def prove(options, folder, launch, text):
    """'proved', or what was said."""
    mutant, yaml = os.path.join(folder, "after.cu"), os.path.join(folder, "kernel.launch.yaml")
    for name, content in ((mutant, text), (yaml, launch)):
        with open(name, "w", encoding="utf-8") as file:
            file.write(content)
    command = options.prover.split() if options.prover else [options.tool, "--verify=cpu", "--launch={launch}",
                                                             "--compare={original}", "{mutant}", "--"]
    original = os.path.join(folder, "kernel.cu")
    command = [part.format(original=original, mutant=mutant, launch=yaml) for part in command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "proved" if done.returncode == 0 else (done.stdout + done.stderr).strip()


def judge_legal(options, choices, variant):
    """(outcome, details); the outcome is 'proved', 'refused' or 'wrong'."""
    writer = Writer(choices)
    with tempfile.TemporaryDirectory() as folder:
        status, ids, text, messages = rewrite(options, folder, writer.source(), variant)
        if status == "refused" and ids:
            return "refused", ids[0]
        if status != "rewritten":
            return "wrong", f"{status}: {messages}"
        said = prove(options, folder, writer.launch(), text)
        return ("proved", "") if said == "proved" else ("wrong", said + "\n" + text)


def shrink(options, choices, variant):
    """Simplifies one choice at a time while the failure stays."""
    for name in CHOICES:
        simpler = dict(choices, **{name: SIMPLEST[name]})
        if simpler != choices and judge_legal(options, simpler, variant)[0] == "wrong":
            choices = simpler
    return choices


def each(options, work):
    """Yields (seed, work's result) for each seed, several at a time, until the time is up."""
    end = time.monotonic() + options.seconds if options.seconds else float("inf")

    def unless_late(seed):
        return (seed, work(seed)) if time.monotonic() < end else (seed, None)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for seed, result in pool.map(unless_late, range(options.first, options.first + options.count)):
            if result is not None:
                yield seed, result


class Results:
    """Answers by seed, kept in a file as they come."""

    def __init__(self, path, kind):
        self.path, self.kind, self.known = path, kind, {}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    kind, seed, variant, outcome, details = line.rstrip("\n").split("\t")
                    if kind == self.kind:
                        self.known[int(seed)] = variant, outcome, details

    def add(self, seed, variant, outcome, details):
        if self.path and seed not in self.known:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(f"{self.kind}\t{seed}\t{variant}\t{outcome}\t{details.splitlines()[0] if details else ''}\n")


def run_legal(options):
    outcomes, failures, done = collections.Counter(), 0, 0
    results = Results(options.results, "legal")

    def work(seed):
        choices = choose(seed)
        variant = choose_variant(seed, choices)
        if seed in results.known and results.known[seed][1] != "wrong":
            return choices, variant, results.known[seed][1:]
        return choices, variant, judge_legal(options, choices, variant)

    for seed, (choices, variant, (outcome, details)) in each(options, work):
        done += 1
        results.add(seed, variant, outcome, details)
        outcomes[outcome if outcome != "refused" else f"refused: {details}"] += 1
        if outcome == "wrong":
            failures += 1
            small = shrink(options, choices, variant)
            print(f"seed {seed}, {variant}: {details}\n--- the simplest kernel that fails:\n{Writer(small).source()}",
                  flush=True)
    print(f"{done} random kernels, seeds from {options.first}")
    for outcome, count in sorted(outcomes.items()):
        print(f"{count:5} {outcome}")
    if outcomes["proved"] < done / 2:
        print("fewer than half were rewritten: this proves too little")
        failures += 1
    return failures


# Where another answer than the break's own is as right.
ALSO_RIGHT = {"budget": ["launch-not-visible"]}


def run_illegal(options):
    failures, done = 0, 0
    results = Results(options.results, "illegal")

    def work(seed):
        broken = sorted(BREAKS)[seed % len(BREAKS)]
        writer = Writer(choose(seed), broken)
        variant = "cp-async:ring:2" if broken == "no-async-copy" else "ldg:predicate:2"
        with tempfile.TemporaryDirectory() as folder:
            return writer, rewrite(options, folder, writer.source(), variant)

    for seed, (writer, (status, ids, text, messages)) in each(options, work):
        done += 1
        broken = writer.broken
        right = status == "refused" and not {broken, *ALSO_RIGHT.get(broken, [])}.isdisjoint(ids)
        results.add(seed, broken, "refused" if right else "wrong", ",".join(ids))
        if not right:
            failures += 1
            print(f"seed {seed}: wanted a refusal with {broken} ({BREAKS[broken]}), got {status} {ids} {messages}\n"
                  f"{writer.source()}\n{text}")
    print(f"{done - failures} of {done} broken kernels refused for the right reason, seeds from {options.first}")
    return failures if done else 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--illegal", action="store_true")
    parser.add_argument("--seconds", type=int, default=0, help="start no kernel after this time; 0: no limit")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--results", help="keep each answer here, and go on from what is here")
    parser.add_argument("--prover", help="command with {original}, {mutant}, {launch}; exit code 0: proved")
    options = parser.parse_args()
    return 1 if (run_illegal if options.illegal else run_legal)(options) else 0


if __name__ == "__main__":
    sys.exit(main())
