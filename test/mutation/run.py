#!/usr/bin/env python3
"""Breaks the tool's own output in every way of mutants.py and asks the proof.

    run.py --tool build/bin/pipeline-rewrite [--samples NAME ...] [--variants V:FORM ...]
           [--list known_equivalent.txt] [--limit N] [--jobs N]

Every mutant must be caught, or stand in the list of those that a person has shown to be equivalent.
Prints one line a mutant and a table at the end; exit code 1 where one slipped through.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mutants import mutants  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLES = ["sgemm_tiled", "sgemm_register_tile", "hgemm_wmma", "igemm_wmma", "nbody", "conv2d_channels",
           "gemv", "attention_scores", "flash_attention"]
VARIANTS = ["ldg:peel", "ldg:predicate", "cp-async:peel", "cp-async:predicate", "cp-async:ring",
            "register-prefetch:predicate"]


def key(sample, variant, name, line_text):
    """What a list of equivalent mutants names: no line numbers, which move, and no comments. The second
    of several lines that read the same has its number behind the mutation's name."""
    return f"{sample} {variant} {name} | {' '.join(line_text.split('//')[0].split())}"


def read_list(path):
    if not path or not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as file:
        return {line.split("#")[0].strip() for line in file if line.split("#")[0].strip()}


def rewrite(tool, source, target, variant):
    kind, form = variant.split(":")
    command = [tool, "--arch=sm_86", "--allow-cliff", "--quiet", f"--variant={kind}", f"--form={form}", source,
               "-o", target, "--"]
    subprocess.run(command, capture_output=True, text=True, check=False)
    return os.path.exists(target)


def verdict(prover, original, mutant, launch):
    """'caught', 'proved' or 'unable', and the check that decided."""
    command = [part.format(original=original, mutant=mutant, launch=launch) for part in prover]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    text = done.stdout + done.stderr
    check = re.search(r"\[([a-z][a-z-]+)\]", text)
    outcome = {0: "proved", 4: "caught"}.get(done.returncode, "unable")
    return outcome, check.group(1) if check else ""


def mutants_of(options, sample, variant, folder):
    """Writes each mutant of one rewrite; yields (name, key, key for any variant, original, file, launch)."""
    source = os.path.join(ROOT, "samples", sample + ".cu")
    launch = os.path.join(ROOT, "samples", sample + ".launch.yaml")
    with open(source, encoding="utf-8") as file:
        original = file.read()
    target = os.path.join(folder, sample + ".cu")
    with open(os.path.join(folder, "common.h"), "w", encoding="utf-8") as file:
        file.write(f'#include "{ROOT}/samples/common.h"\n')
    if not rewrite(options.tool, source, target, variant):
        return
    with open(target, encoding="utf-8") as file:
        text = file.read()
    same = collections.Counter()
    for number, (name, line, mutated) in enumerate(mutants(text, original)):
        if options.limit and number >= options.limit:
            break
        mutant = os.path.join(folder, f"mutant{number}.cu")
        with open(mutant, "w", encoding="utf-8") as file:
            file.write(mutated)
        line_text = text.split("\n")[line - 1]
        same[name, line_text.strip()] += 1
        if same[name, line_text.strip()] > 1:
            name = f"{name}({same[name, line_text.strip()]})"
        yield name, key(sample, variant, name, line_text), key(sample, "*", name, line_text), source, mutant, launch


def print_table(table):
    print("\n| mutation | caught | equivalent | slipped through | unable |\n|---|--:|--:|--:|--:|")
    for name in sorted(table):
        row = table[name]
        print(f"| {name} | {row['caught']} | {row['equivalent']} | {row['proved']} | {row['unable']} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--samples", nargs="*", default=SAMPLES)
    parser.add_argument("--variants", nargs="*", default=VARIANTS)
    parser.add_argument("--list", default=os.path.join(ROOT, "test", "mutation", "equivalent.txt"))
    parser.add_argument("--limit", type=int, default=0, help="mutants a rewrite at most")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--prover", help="command with {original}, {mutant}, {launch}; exit code 4: wrong")
    options = parser.parse_args()
    default = f"{options.tool} --verify=cpu --launch={{launch}} --compare={{original}} {{mutant}} --"
    prover = (options.prover or default).split()
    equivalent = read_list(options.list)
    table = collections.defaultdict(collections.Counter)
    slipped = []

    def judge(mutant):
        return mutant, verdict(prover, *mutant[3:])

    for sample, variant in itertools.product(options.samples, options.variants):
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            every = list(mutants_of(options, sample, variant, folder))
            for (name, shown, anywhere, *_), (outcome, check) in pool.map(judge, every):
                if outcome == "proved" and not equivalent.isdisjoint({shown, anywhere}):
                    outcome = "equivalent"
                table[name.split('(')[0]][outcome] += 1
                print(f"{outcome:10} {check:24} {shown}", flush=True)
                if outcome not in ("caught", "equivalent"):
                    slipped.append(shown)
    print_table(table)
    print(f"\n{sum(sum(row.values()) for row in table.values())} mutants, {len(slipped)} slipped through")
    return 1 if slipped or not table else 0


if __name__ == "__main__":
    sys.exit(main())
