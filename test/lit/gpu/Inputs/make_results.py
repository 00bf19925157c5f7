"""Writes results.json into a bundle: make_results.py DIR VERSION=WHAT...

WHAT is a middle time in milliseconds with its half spread (`2.0~0.1`), for each size one, joined by `/`; or a
status (`failed`, `could-not-run`, `original-broken`), or `sanitizer`, or `untimed`. `original` only has times.
"""
import json
import sys
from pathlib import Path

folder, *versions = sys.argv[1:]
rows = [{"id": "device", "event": "device", "name": "Card X", "arch": "sm_90", "driver": "1.2", "nvcc": "V13.0.1",
         "date": "2026-01-02"}]
for word in versions:
    name, what = word.split("=", 1)
    timed = what[0].isdigit()
    status = "proved" if timed or what in ("sanitizer", "untimed") else what
    if name != "original":
        failures = [] if status == "proved" else [{"check": "different-result", "message": "C[1] is 2", "where": "K=8"}]
        rows.append({"id": f"verify:{name}", "event": "verify", "version": name, "status": status, "runs": 10,
                     "comparisons": 20, "failures": failures})
    if what == "sanitizer":
        rows.append({"id": f"sanitize:{name}:racecheck", "event": "sanitize", "version": name, "tool": "racecheck",
                     "status": "errors", "message": "Error: Race reported between Write access and Read access"})
    if not timed:
        continue
    for number, size in enumerate(what.split("/")):
        middle, half = map(float, size.split("~"))
        samples = [middle + half * (i - 7) / 3.5 for i in range(15)]
        rows.append({"id": f"time:{number}:{name}", "event": "time", "version": name, "case": f"M=2, K={64 << number}",
                     "flops": 2e9, "samples_ms": samples, "registers": 40, "blocks_per_sm": 3})
Path(folder, "results.json").write_text(json.dumps({"schema": 1, "rows": rows}))
