"""Proves the rewrite of each kernel good_* of a file, in the forms peel and predicate.

  each_kernel.py PROGRAM FILE LAUNCH TMP [VARIANT]
"""
import re
import subprocess
import sys

program, source, launch, tmp = sys.argv[1:5]
variant = sys.argv[5] if len(sys.argv) > 5 else "ldg"
text = open(source).read()
kernels = re.findall(r"void (?:__launch_bounds__\(\d+\) )?(good_\w+)\(", text)
if not kernels:
    sys.exit("no kernel was found")
for number, kernel in enumerate(kernels):
    path = f"{tmp}.{kernel}.yaml"
    with open(path, "w") as out:
        instance = re.search(rf"void ({kernel}<\w+>)\(", text)
        out.write(open(launch).read().replace("KERNEL", instance[1] if instance else kernel))
    form = ("peel", "predicate")[number % 2]
    command = [program, "--cuda-path=none", f"--variant={variant}", f"--form={form}", "--verify=cpu"]
    command += [f"--launch={path}", f"--kernel=^{kernel}$", "-o", tmp + ".cu", source, "--"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0 or f"pipelined: {variant}" not in done.stderr:
        sys.exit(f"{kernel}: exit code {done.returncode}\n{done.stderr}")
