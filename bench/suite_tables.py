"""The figures of a run of the suite, and the tables of all its versions."""

import math
import re
import statistics


def quartiles(samples):
    return statistics.quantiles(samples, n=4, method="inclusive") if len(samples) > 1 else samples * 3


class Timing:
    """One version at one size: median and middle half in milliseconds."""

    def __init__(self, row):
        if "samples_ms" in row:
            self.low, self.median, self.high = quartiles(row["samples_ms"])
            self.count = len(row["samples_ms"])
        else:  # a row that kept() made
            self.low, self.median, self.high = (row[key] for key in ("quarter_ms", "median_ms", "three_quarters_ms"))
            self.count = row["rounds"]
        self.registers = row.get("registers")
        self.blocks = row.get("blocks_per_sm")

    def apart(self, other):
        """Whether the middle halves do not overlap: a difference that means something."""
        return self.low > other.high or self.high < other.low


def timed(rows):
    """Whether the original was timed: without that there is nothing to compare with."""
    return any(row["event"] == "time" and row["version"] == "original" and (row.get("samples_ms") or "median_ms" in row)
               for row in rows)


class Kernel:
    """All versions of one kernel."""

    def __init__(self, name, facts, rows):
        self.name = name
        self.facts = facts
        self.rows = rows
        self.device = next(row for row in rows if row["event"] == "device")
        self.proved = {row["version"] for row in rows if row["event"] == "verify" and row["status"] == "proved"}
        self.failed = {row["version"]: row["status"] for row in rows
                       if row["event"] == "verify" and row["status"] != "proved"}
        self.cases = {}
        for row in rows:
            version = row.get("version")
            if row["event"] == "time" and (row.get("samples_ms") or "median_ms" in row) and (version == "original" or version in self.proved):
                self.cases.setdefault(row["case"], {})[version] = Timing(row)
        self.by_hand = [v for v in facts["by_hand"] if v in self.proved]
        self.by_tool = sorted(v for v in self.proved if v not in facts["by_hand"])
        self.auto = (facts["auto"] or {}).get("version", "original")

    def gain(self, case, version):
        times = self.cases[case]
        return times["original"].median / times[version].median if version in times else None

    def mean(self, version):
        """Geometric mean of the gains, or None where the version lacks a size."""
        gains = [self.gain(case, version) for case in self.cases]
        return math.exp(statistics.fmean(map(math.log, gains))) if gains and None not in gains else None

    def tuned(self):
        """What --tune keeps: the best mean of those that are slower nowhere and faster somewhere, else the original."""
        best = "original"
        for version in self.by_tool:
            mean = self.mean(version)
            if mean is None or mean <= 1 or (best != "original" and mean <= self.mean(best)):
                continue
            judged = [(self.gain(case, version), times[version].apart(times["original"]))
                      for case, times in self.cases.items()]
            if any(clear and gain < 1 for gain, clear in judged) or not any(clear and gain > 1 for gain, clear in judged):
                continue
            best = version
        return best

    def best_by_hand(self, case):
        return min((self.cases[case][v].median for v in self.by_hand if v in self.cases[case]), default=None)

    def kept(self):
        """The rows without the single samples."""
        rows = []
        for row in self.rows:
            if row["event"] == "time" and row.get("samples_ms"):
                timing = Timing(row)
                row = {key: value for key, value in row.items() if key != "samples_ms"}
                row.update(median_ms=timing.median, quarter_ms=timing.low, three_quarters_ms=timing.high, rounds=timing.count)
            rows.append(row)
        return {"schema": 1, "kernel": self.name, **self.facts, "tuned": self.tuned(), "rows": rows}


def values(case):
    """`M=512, N=512` as a dictionary."""
    return {name: int(number) for name, number in re.findall(r"(\w+)=(-?\d+)", case)}


def machine(kernels):
    device = kernels[0].device
    return f"{device['name']}, driver {device['driver']}, nvcc {device['nvcc']}, {device['date']}"


def table_of(kernel):
    cases = list(kernel.cases)
    lines = [f"## {kernel.name}", "", f"`auto`: {kernel.auto}. `--tune` keeps: {kernel.tuned()}."]
    if kernel.failed:
        lines += ["", "Not proved: " + ", ".join(f"{v} ({why})" for v, why in sorted(kernel.failed.items())) + "."]
    lines += ["", "| version | " + " | ".join(cases) + " | mean | registers | blocks/SM |",
              "|---|" + "--:|" * (len(cases) + 3)]
    for version in ["original", *kernel.by_tool, *kernel.by_hand]:
        cells = []
        for case in cases:
            gain = kernel.gain(case, version)
            clear = gain and (version == "original" or kernel.cases[case][version].apart(kernel.cases[case]["original"]))
            cells.append("-" if gain is None else f"{gain:.3f}x" + ("" if clear else " (not significant)"))
        mean = kernel.mean(version)
        last = kernel.cases[cases[-1]].get(version)
        lines.append(f"| {version} | " + " | ".join(cells) + f" | {f'{mean:.3f}x' if mean else '-'} | "
                     f"{last.registers if last else '-'} | {last.blocks if last else '-'} |")
    return "\n".join([*lines, ""])


def page(kernels, note):
    proved = sum(len(kernel.proved) for kernel in kernels)
    failed = sum(len(kernel.failed) for kernel in kernels)
    head = ["# The suite", "", f"{machine(kernels)}. {len(kernels)} kernels; {proved} versions proved against their originals "
            f"(bits, guard zones, repeats), {failed} not. Speed-ups: the original's median over the version's, all versions of "
            "a kernel in turn in one process, cache flushed before each launch, 15 to 101 rounds; the mean is geometric. "
            "`by-hand...`: bench/by_hand/."]
    return "\n".join([*head, *(["", note] if note else []), "", *(table_of(kernel) for kernel in kernels)])
