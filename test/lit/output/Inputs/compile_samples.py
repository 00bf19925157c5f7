"""Compiles rewritten samples: compile_samples.py TOOL NVCC SAMPLES FOLDER ARCH...

For each sample and architecture the rewrite must compile, and must not spill more than the original.
Prints one line a rewrite; exits with 1 where one does not compile or spills more.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys


def spilled_bytes(nvcc, samples, source, arch):
    """Bytes spilled, or the compiler's words where it refuses."""
    run = subprocess.run(
        [nvcc, f"-arch={arch}", "-cubin", f"-I{samples}", "-Xptxas", "-v", "-o", "/dev/null", source],
        capture_output=True, text=True)
    if run.returncode != 0:
        return None, run.stderr
    return sum(map(int, re.findall(r"(\d+) bytes spill", run.stderr))), ""


def check(tool, nvcc, samples, folder, sample, arch):
    rewritten = pathlib.Path(folder) / f"{sample.stem}.{arch}.cu"
    run = subprocess.run([tool, f"--arch={arch}", "--quiet", "-o", rewritten, sample])
    if run.returncode != 0:
        return False, f"exit code {run.returncode}"
    if rewritten.read_bytes() == sample.read_bytes():
        return True, "refused"
    before, _ = spilled_bytes(nvcc, samples, sample, arch)
    after, words = spilled_bytes(nvcc, samples, rewritten, arch)
    if after is None:
        return False, f"does not compile: {words}"
    return after <= before, f"compiles, {after} bytes spilled ({before} before)"


def main():
    tool, nvcc, samples, folder, *archs = sys.argv[1:]
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    pairs = [(s, a) for s in sorted(pathlib.Path(samples).glob("*.cu")) for a in archs]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda p: check(tool, nvcc, samples, folder, *p), pairs))
    for (sample, arch), (_, words) in zip(pairs, answers):
        print(f"{sample.stem} {arch}: {words}")
    return 0 if all(fine for fine, _ in answers) else 1


if __name__ == "__main__":
    sys.exit(main())
