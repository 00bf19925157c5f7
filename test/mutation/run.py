#!/usr/bin/env python3
"""Breaks the tool's own output in every way of mutants.py and asks the proof.

    run.py --tool build/bin/pipeline-rewrite [--samples NAME ...] [--variants V:FORM:SLOTS[:ISSUE] ...]
           [--results FILE] [--list known_equivalent.txt] [--limit N] [--jobs N]

Every mutant must be caught, or stand in the list of those that a person has shown to be equivalent. Prints one line a
mutant and two tables at the end; exit code 1 where one slipped through, or where a kind of mutation that must be possible
in a rewrite was not. With --results each answer is kept as it comes; a later run with the same file goes on from there.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import itertools
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mutants import expected, mutants  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLES = ["sgemm_tiled", "sgemm_register_tile", "hgemm_wmma", "hgemm_wmma_dynamic", "igemm_wmma", "nbody",
           "conv2d_channels", "gemv", "attention_scores", "flash_attention"]
VARIANTS = ["ldg:peel:2", "ldg:predicate:2:first", "ldg:predicate:2:last", "cp-async:peel:2", "cp-async:predicate:2", "cp-async:ring:2",
            "cp-async:ring:3:first", "cp-async:ring:3:last", "cp-async:ring:4:first", "cp-async:ring:4:last",
            "register-prefetch:predicate:1"]
# Mutants of one rewrite that one run of the tool judges: the original is compiled once for them.
BATCH = 8


def keys(sample, variant, name, line_text):
    """What a list of equivalent mutants may call this one: no line numbers, which move, and no comments. The second of
    several lines that read the same has its number behind the mutation's name. A sample or variant may be `*`."""
    line = " ".join(line_text.split("//")[0].split())
    return [f"{s} {v} {name} | {line}" for s in (sample, "*") for v in (variant, "*")]


def read_list(path):
    if not path or not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as file:
        return {line.split("#")[0].strip() for line in file if line.split("#")[0].strip()}


def rewrite(tool, source, target, variant):
    """Empty, or why there is no rewrite."""
    kind, form, slots, *issue = variant.split(":")
    command = [tool, "--arch=sm_90", "--allow-cliff", f"--variant={kind}", f"--form={form}"]
    command += [f"--stages={slots}"] if slots != "1" else []
    command += [f"--issue={when}" for when in issue]
    done = subprocess.run(command + [source, "-o", target, "--"], capture_output=True, text=True, check=False)
    if os.path.exists(target):
        return ""
    why = re.search(r"not pipelined: (.*)", done.stderr)
    return why.group(1) if why else "not rewritten"


class Mutant:
    def __init__(self, sample, variant, name, line_text, text, path):
        self.names = keys(sample, variant, name, line_text)
        self.shown, self.kind = self.names[0], name.split("(")[0]
        self.sample, self.variant, self.path = sample, variant, path
        self.digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def mutants_of(options, sample, variant, folder, seen):
    """(mutants, original file, what is to be said about the rewrite)"""
    source = os.path.join(ROOT, "samples", sample + ".cu")
    target = os.path.join(folder, sample + ".cu")
    with open(source, encoding="utf-8") as file:
        original = file.read()
    with open(os.path.join(folder, "common.h"), "w", encoding="utf-8") as file:
        file.write(f'#include "{ROOT}/samples/common.h"\n')
    why = rewrite(options.tool, source, target, variant)
    if why:
        return [], source, why
    with open(target, encoding="utf-8") as file:
        text = file.read()
    if text in seen:
        return [], source, f"the same text as {seen[text]}"
    seen[text] = f"{sample} {variant}"
    same, found = collections.Counter(), []
    for number, (name, line, mutated) in enumerate(mutants(text, original)):
        if options.limit and number >= options.limit:
            break
        line_text = text.split("\n")[line - 1]
        same[name, line_text.strip()] += 1
        if same[name, line_text.strip()] > 1:
            name = f"{name}({same[name, line_text.strip()]})"
        found.append(Mutant(sample, variant, name, line_text, mutated, os.path.join(folder, f"mutant{number}.cu")))
    missing = expected(text, original) - {m.kind for m in found}
    if missing and not options.limit:
        return found, source, "MISSING: " + ", ".join(sorted(missing))
    return found, source, ""


def outcome_of(status, text):
    """What one answer means. A mutant that is no program says nothing about the checker."""
    check = re.search(r"error: .*\[([a-z][a-z-]+)\]", text)
    check = check.group(1) if check else ""
    if check == "does-not-compile":
        return "no program", check
    return {"proved": "proved", "failed": "caught"}.get(status, "unable"), check


def judge(options, prover, original, launch, batch):
    """Yields (mutant, outcome, check)."""
    if prover:  # Somebody else's: one file a call, exit code 4 where it is wrong.
        for mutant in batch:
            command = [part.format(original=original, mutant=mutant.path, launch=launch) for part in prover]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            status = {0: "proved", 4: "failed"}.get(done.returncode, "could-not-run")
            yield mutant, *outcome_of(status, done.stdout + done.stderr)
        return
    command = [options.tool, "--verify=cpu", "--timeout=40", f"--launch={launch}", f"--compare={original}"]
    done = subprocess.run(command + [m.path for m in batch] + ["--"], capture_output=True, text=True, check=False)
    parts = re.split(r"^(\S+): proof \(cpu\): ([a-z-]+), .*$", done.stderr, flags=re.MULTILINE)
    answers = {path: (status, text) for path, status, text in zip(parts[1::3], parts[2::3], parts[3::3])}
    for mutant in batch:
        yield mutant, *outcome_of(*answers.get(mutant.path, ("", done.stderr)))


class Results:
    """Answers by mutant, kept in a file as they come."""

    def __init__(self, path):
        self.path, self.known = path, {}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    digest, outcome, check, shown = line.rstrip("\n").split("\t")
                    self.known[digest, shown] = outcome, check

    def find(self, mutant):
        return self.known.get((mutant.digest, mutant.shown))

    def add(self, mutant, outcome, check):
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(f"{mutant.digest}\t{outcome}\t{check}\t{mutant.shown}\n")


COLUMNS = ["caught", "equivalent", "proved", "unable", "no program"]


def print_table(title, table, notes):
    print(f"\n| {title} | mutants | caught | equivalent | slipped through | unable | no program |\n|---|--:|--:|--:|--:|--:|--:|")
    for name in sorted(set(table) | set(notes)):
        row = table[name]
        if name in notes and not row:
            print(f"| {name} | {notes[name]} ||||||")
        else:
            print(f"| {name} | {sum(row.values())} | " + " | ".join(str(row[c]) for c in COLUMNS) + " |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--samples", nargs="*", default=SAMPLES)
    parser.add_argument("--variants", nargs="*", default=VARIANTS)
    parser.add_argument("--results", help="keep each answer here, and go on from what is here")
    parser.add_argument("--list", default=os.path.join(ROOT, "test", "mutation", "equivalent.txt"))
    parser.add_argument("--limit", type=int, default=0, help="mutants a rewrite at most")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--prover", help="command with {original}, {mutant}, {launch}; exit code 4: wrong")
    options = parser.parse_args()
    prover = options.prover.split() if options.prover else None
    equivalent, results = read_list(options.list), Results(options.results)
    kinds, rewrites, notes = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter), {}
    slipped, missing, seen = [], [], {}

    def enter(mutant, outcome, check):
        if outcome == "proved" and not equivalent.isdisjoint(mutant.names):
            outcome = "equivalent"
        kinds[mutant.kind][outcome] += 1
        rewrites[f"{mutant.sample} {mutant.variant}"][outcome] += 1
        print(f"{outcome:10} {check:24} {mutant.shown}", flush=True)
        if outcome in ("proved", "unable"):
            slipped.append(mutant.shown)

    for sample, variant in itertools.product(options.samples, options.variants):
        launch = os.path.join(ROOT, "samples", sample + ".launch.yaml")
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            every, source, note = mutants_of(options, sample, variant, folder, seen)
            if note:
                notes[f"{sample} {variant}"] = note
                print(f"-- {sample} {variant}: {note}", flush=True)
                missing += [f"{sample} {variant}: {note}"] if note.startswith("MISSING") else []
            for mutant in every:
                if results.find(mutant):
                    enter(mutant, *results.find(mutant))
            left = [m for m in every if not results.find(m)]
            batches = [left[i:i + BATCH] for i in range(0, len(left), BATCH)]
            for answers in pool.map(lambda batch: list(judge(options, prover, source, launch, batch)), batches):
                for mutant, outcome, check in answers:
                    results.add(mutant, outcome, check)
                    enter(mutant, outcome, check)
    print_table("mutation", kinds, {})
    print_table("rewrite", rewrites, notes)
    total = sum(sum(row.values()) for row in kinds.values())
    print(f"\n{total} mutants, {len(slipped)} slipped through")
    for line in slipped + missing:
        print(f"  {line}")
    return 1 if slipped or missing or not total else 0


if __name__ == "__main__":
    sys.exit(main())
