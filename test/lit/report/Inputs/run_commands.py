"""Runs the commands of a page: run_commands.py PROGRAM PAGE SAMPLES FOLDER

A command stands in a block of ```console behind "$ " and begins with the program's name; "# exit N"
behind it names the exit code that it should have. Each runs with a fresh copy of the samples.
"""
import re
import shlex
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
COMMAND = re.compile(r"^\$ (pipeline-rewrite.*?)(?: # exit (\d+))?$", re.M)


def main():
    program, page, samples, folder = sys.argv[1:5]
    text = open(page, encoding="utf-8").read()
    failed = False
    for block in BLOCK.findall(text):
        for command, code in COMMAND.findall(block):
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(samples, f"{folder}/samples")
            words = [program, *shlex.split(command)[1:]]
            run = subprocess.run(words, cwd=folder, capture_output=True, text=True)
            wrong = run.returncode != int(code or 0)
            print(f"exit {run.returncode}{' (WRONG)' if wrong else ''}: {command}")
            if wrong:
                print(run.stderr)
            failed |= wrong
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
