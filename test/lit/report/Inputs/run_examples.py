"""Runs the examples of docs/diagnostics.md: run_examples.py PROGRAM PAGE FOLDER

Each section has a block that must lead to its id and, as a near miss, one that must be rewritten
without it. Prints one line an example and exits with 1 where one behaves otherwise.
"""
import json
import re
import subprocess
import sys

PLACE = "  // the example\n"
BLOCK = re.compile(r"^```cuda (frame|fires|near-miss)\n(.*?)^```$", re.M | re.S)


def sections(page):
    """Pairs of id and section text."""
    parts = re.split(r"^## (\S+)\n", page, flags=re.M)
    return zip(parts[1::2], parts[2::2])


def command(program, source, example):
    options = ["--arch=sm_86", "--cuda-path=none"]
    first = example.split("\n", 1)[0]
    if first.startswith("// --"):
        options += first[3:].split()
    # A later --arch replaces the first; an empty one takes it away.
    archs = [option for option in options if option.startswith("--arch=")]
    options = [option for option in options if option not in archs]
    if archs[-1] != "--arch=":
        options.append(archs[-1])
    return [program, *options, "--dry-run", "--json", source, "--"]


def loops_of(program, source, example):
    run = subprocess.run(command(program, source, example), capture_output=True, text=True)
    if run.returncode != 0:
        return f"exit code {run.returncode}: {run.stderr.strip()}", []
    return "", [loop for file in json.loads(run.stdout)["files"] for loop in file["loops"]]


def judge(kind, name, loops):
    """What is wrong with the answer; empty where it is right."""
    if len(loops) != 1:
        return f"{len(loops)} loops were found"
    ids = [reason["id"] for reason in loops[0]["reasons"]]
    remarks = [remark["id"] for remark in loops[0]["remarks"]]
    if kind == "fires":
        return "" if name in ids + remarks else f"got {ids} and remarks {remarks}"
    if loops[0]["status"] != "eligible" or name in remarks:
        return f"got {loops[0]['status']} {ids} and remarks {remarks}"
    return ""


def main():
    program, page, folder = sys.argv[1:4]
    text = open(page, encoding="utf-8").read()
    frame = BLOCK.search(text).group(2)
    failed = False
    for name, section in sections(text):
        for kind, example in BLOCK.findall(section):
            source = f"{folder}/{name}-{kind}.cu"
            whole = example if "__global__" in example else frame.replace(PLACE, example)
            with open(source, "w", encoding="utf-8") as file:
                file.write(whole)
            wrong, loops = loops_of(program, source, example)
            wrong = wrong or judge(kind, name, loops)
            print(f"{kind} [{name}]: {wrong or 'as described'}")
            failed |= bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
