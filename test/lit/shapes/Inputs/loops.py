"""Runs the program on a file of small kernels and checks what every such test wants to be true.

  loops.py refused PROGRAM FILE TMP ID [OPTION...]
      Each loop of a function bad* is refused with ID, the text comes back unchanged, and the messages
      match the CHECK lines of FILE.
  loops.py rewritten PROGRAM FILE TMP [OPTION...]
      Each loop of a function good* is rewritten, and the result is stable.
  loops.py shape PROGRAM FILE TMP PREFIX [OPTION...]
      Each loop of FILE is rewritten, the result is stable, and its text before it is formatted, without
      comments at the margin, matches the lines with PREFIX.

Stable: the program parses its own output, answers already-pipelined to each loop, and changes nothing.
"""
import json
import re
import subprocess
import sys


def run(program, options, source):
    command = [program, "--cuda-path=none", *options, source]
    done = subprocess.run(command, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}: {' '.join(command)}\n{done.stderr.decode()}")
    return done


def loops(program, options, source):
    report = json.loads(run(program, [*options, "--json"], source).stdout)
    return [loop for file in report["files"] for loop in file["loops"]]


def expect(condition, message):
    if not condition:
        sys.exit(message)


def file_check(source, prefix, text):
    command = ["FileCheck", source, f"--check-prefix={prefix}"]
    if subprocess.run(command, input=text).returncode != 0:
        sys.exit(1)


def expect_all(found, status, count):
    expect(len(found) == count, f"{len(found)} loops were answered instead of {count}")
    for loop in found:
        expect(
            loop["status"] == status,
            f"{loop['kernel']}, line {loop['line']}: {loop['status']}, {loop['reasons']}",
        )


def expect_stable(program, options, path):
    again = run(program, options, path)
    expect(again.stdout == open(path, "rb").read(), "a second run changes the text again")
    for loop in loops(program, options, path):
        ids = [reason["id"] for reason in loop["reasons"]]
        expect(ids == ["already-pipelined"], f"a second run says {loop['status']} {ids}")


def refused(program, source, tmp, wanted, *options):
    options = [*options, "--kernel=^bad"]
    text = open(source, "rb").read()
    done = run(program, options, source)
    expect(done.stdout == text, "the text changed although every loop is refused")
    found = loops(program, options, source)
    expect_all(found, "refused", len(re.findall(rb"\bbad\w*\(", text)))
    for loop in found:
        ids = [reason["id"] for reason in loop["reasons"]]
        expect(ids and ids[0] == wanted, f"{loop['kernel']}: {ids} instead of {wanted}")
        where = [(reason["line"], reason["column"]) for reason in loop["reasons"]]
        expect(all(line and column for line, column in where), f"{loop['kernel']}: no place")
    file_check(source, "CHECK", done.stderr)


def rewrite(program, source, tmp, options):
    done = run(program, options, source)
    path = tmp + ".out.cu"
    with open(path, "wb") as out:
        out.write(done.stdout)
    return path


def rewritten(program, source, tmp, *options):
    options = [*options, "--kernel=^good"]
    text = open(source).read()
    expect_all(loops(program, options, source), "rewritten", len(re.findall(r"\bgood\w*\(", text)))
    expect_stable(program, options, rewrite(program, source, tmp, options))


def shape(program, source, tmp, prefix, *options):
    found = loops(program, options, source)
    expect(found, "no loop was found")
    expect_all(found, "rewritten", len(found))
    plain = run(program, [*options, "--format-style=none"], source).stdout.decode()
    lines = plain.splitlines(keepends=True)
    # FileCheck's own lines, which the program copies as it should, would match themselves.
    code = "".join(line for line in lines if not line.startswith("//"))
    file_check(source, prefix, code.encode())
    expect_stable(program, options, rewrite(program, source, tmp, options))


if __name__ == "__main__":
    modes = {"refused": refused, "rewritten": rewritten, "shape": shape}
    modes[sys.argv[1]](*sys.argv[2:])
