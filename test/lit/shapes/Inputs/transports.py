"""Checks that the tile As of each kernel travels as the kernel's name begins: ldg_... or async_...

  transports.py REPORT FILE
"""
import json
import re
import sys

report, source = sys.argv[1:]
loops = [loop for file in json.load(open(report))["files"] for loop in file["loops"]]
kernels = re.findall(r"void ((?:ldg|async)_\w+)\(", open(source).read())
if len(kernels) < 10 or sorted(kernels) != sorted(loop["kernel"] for loop in loops):
    sys.exit(f"{len(loops)} loops were answered instead of {len(kernels)}")
for loop in loops:
    wanted = "ldg" if loop["kernel"].startswith("ldg_") else "cp-async"
    found = [tile["transport"] for tile in loop["tiles"] if tile["name"] == "As"]
    if loop["status"] != "rewritten" or found != [wanted]:
        sys.exit(f"{loop['kernel']}: {loop['status']}, As by {found}, {loop['reasons']}")
