"""Fills the tables of docs/measured.md and draws its plots. The page's prose is written by hand; a table stands between
`<!-- begin NAME -->` and `<!-- end -->`."""

import re
import statistics

from suite_plots import bars
from suite_tables import machine, values

# The format under which cuBLAS was timed for a kernel.
LIBRARY = {"sgemm_tiled": "fp32", "sgemm_register_tile": "fp32", "sgemm_64x64x16": "fp32", "sgemm_batched": "fp32",
           "hgemm_wmma": "fp16", "hgemm_wmma_dynamic": "fp16", "hgemm_wmma_64": "fp16", "hgemm_wmma_deep": "fp16",
           "bgemm_wmma": "bf16", "igemm_wmma": "int8"}

# What was asked for: kernel, version (or `auto`), the least gain at its largest size.
TARGETS = [("sgemm_tiled", "auto", 1.12), ("sgemm_register_tile", "auto", 1.15), ("sgemm_register_tile", "ldg", 1.15),
           ("hgemm_wmma", "two slots", 1.17), ("hgemm_wmma", "four slots", 1.33), ("hgemm_wmma_deep", "auto", 2.0),
           ("igemm_wmma", "auto", 1.11)]
LEAST = 0.98  # what an `auto` may cost at most
KINDS = {"ldg": r"ldg-", "two slots": r"cp-async-\w+-2$", "four slots": r"cp-async-ring-4$"}


def cell(value, unit="x"):
    return "-" if value is None else f"{100 * value:.0f} %" if unit == "%" else f"{value:.2f}{unit}"


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" + "--:|" * (len(head) - 1),
                      *("| " + " | ".join(row) + " |" for row in rows)])


def last(kernel):
    return list(kernel.cases)[-1]


def sizes(kernel, versions):
    """One cell for each size, with the figures of the versions in it."""
    return [" / ".join(cell(kernel.gain(case, v)) for v in versions) for case in kernel.cases]


def speedups(kernels):
    rows = []
    for k in kernels:
        tuned = k.tuned()
        cells = sizes(k, [k.auto, tuned])
        # Two sizes are small and large, without one of one wave.
        cells[1:1] = ["-"] * (3 - len(cells))
        rows.append([f"`{k.name}`", *cells, cell(k.mean(k.auto)), cell(k.mean(tuned)), k.auto, tuned])
    return table(["kernel", "small", "one wave", "large", "auto, mean", "tuned, mean", "auto", "tuned"], rows)


def slow(kernels):
    """Where `auto` is slower than the original, and what would not have been."""
    rows = []
    for k in kernels:
        for case, times in k.cases.items():
            gain = k.gain(case, k.auto)
            if gain and gain < LEAST:
                best = min((v for v in times if v in k.by_tool), key=lambda v: times[v].median)
                rows.append([f"`{k.name}`", case, k.auto, cell(gain), best, cell(k.gain(case, best))])
    return table(["kernel", "size", "auto", "gain", "fastest", "gain"], rows)


def best_of_kind(kernel, kind):
    """The version that a target is about: `auto`, or the fastest of a kind."""
    if kind == "auto":
        return kernel.auto
    found = [v for v in kernel.by_tool if re.match(KINDS[kind], v) and kernel.gain(last(kernel), v)]
    return max(found, key=lambda v: kernel.gain(last(kernel), v), default=None)


def targets(kernels):
    named = {k.name: k for k in kernels}
    rows = []
    for name, kind, least in TARGETS:
        if name not in named:
            continue
        k = named[name]
        version = best_of_kind(k, kind)
        seen = k.gain(last(k), version) if version else None
        rows.append([f"`{name}`, {kind}", f"{least:.2f}x", f"{seen:.3f}x" if seen else "-", version or "-",
                     "-" if seen is None else "reached" if seen >= least else "missed"])
    gains = [(k.gain(case, k.auto), k.name) for k in kernels for case in k.cases if k.gain(case, k.auto)]
    below = sum(gain < LEAST for gain, _ in gains)
    rows.append(["every `auto`, every size", f"{LEAST}x", f"{min(gains)[0]:.3f}x", min(gains)[1],
                 f"missed {below} of {len(gains)} times" if below else "reached"])
    kept = [(k.gain(case, k.tuned()), k.name) for k in kernels for case in k.cases]
    # What is kept may be slower within the spread.
    rows.append(["every `--tune`, every size", "1.00x", f"{min(kept)[0]:.3f}x", min(kept)[1],
                 "reached" if min(kept)[0] >= 0.995 else "missed"])
    shares = [(k.best_by_hand(case) / k.cases[case][k.tuned()].median, k.name) for k in kernels if k.by_hand for case in k.cases]
    below = sum(share < 0.98 for share, _ in shares)
    seen = [f"{100 * min(shares)[0]:.0f} %", min(shares)[1]] if shares else ["-", "-"]
    rows.append(["tuned over by hand, every size", "98 %", *seen,
                 f"missed {below} of {len(shares)} times" if below else "reached" if shares else "-"])
    return table(["what", "asked", "seen", "by", ""], rows)


def hand_shares(kernels):
    rows, plotted = [], []
    for k in (k for k in kernels if k.by_hand):
        for case in k.cases:
            best = k.best_by_hand(case)
            times = k.cases[case]
            share = {v: best / times[v].median for v in (k.auto, k.tuned()) if v in times}
            fastest = min(k.by_hand, key=lambda v: times[v].median)
            rows.append([f"`{k.name}`", case, cell(times["original"].median / best), fastest, cell(share.get(k.auto), "%"),
                         cell(share.get(k.tuned()), "%")])
        plotted.append((k.name, [share.get(k.auto), share.get(k.tuned())]))
    return table(["kernel", "size", "by hand over original", "by hand", "auto of it", "tuned of it"], rows), plotted


def library_shares(kernels, library):
    found = {}
    for row in library["rows"]:
        found[row["format"], row["batch"], row["M"], row["N"], row["K"]] = statistics.median(row["samples_ms"])
    rows, plotted = [], []
    for k in (k for k in kernels if k.name in LIBRARY):
        for case, times in k.cases.items():
            size = values(case)
            theirs = found.get((LIBRARY[k.name], size.get("Z", 1), size["M"], size["N"], size["K"]))
            if not theirs:
                continue
            hand = k.best_by_hand(case)
            shares = [theirs / times["original"].median, theirs / times[k.auto].median if k.auto in times else None,
                      theirs / times[k.tuned()].median, theirs / hand if hand else None]
            rows.append([f"`{k.name}`", case, *(cell(s, "%") for s in shares)])
            if case == last(k):
                plotted.append((k.name, shares))
    return table(["kernel", "size", "original", "auto", "tuned", "by hand"], rows), plotted


def slot_count(version):
    """The slots that a version's name tells; by hand two, where it tells none."""
    found = re.search(r"\d", version)
    return 1 if version == "original" or version.startswith("register-prefetch") else int(found.group()) if found else 2


def slots(kernels):
    """Registers, blocks and bytes of the tensor-core kernels."""
    rows = []
    for k in (k for k in kernels if "wmma" in k.name):
        tile = (k.facts["auto"] or {}).get("tile_bytes")
        for version in ["original", *(v for v in k.by_tool if v.startswith("cp-async") or v == k.auto), *k.by_hand]:
            timing = k.cases[last(k)].get(version)
            if timing:
                rows.append([f"`{k.name}`", version + (" (auto)" if version == k.auto else ""), str(timing.registers),
                             str(timing.blocks), f"{tile * slot_count(version):,}" if tile else "-", cell(k.gain(last(k), version))])
    return table(["kernel, largest size", "version", "registers", "blocks/SM", "bytes of all slots", "gain"], rows)


def write(page, kernels, library, out):
    folder = page.with_suffix("")
    folder.mkdir(exist_ok=True)
    blocks = {"machine": machine(kernels) + (f", cuBLAS {library['cublas']}" if library else "") + ".",
              "targets": targets(kernels), "speedups": speedups(kernels), "slots": slots(kernels), "slow": slow(kernels),
              "cublas": "cuBLAS was not timed in this run."}
    blocks["hand"], hand_plot = hand_shares(kernels)
    plots = {"by-hand": bars("Speed in per cent of by hand, largest size", ["auto", "tuned"],
                             [(n, [100 * v if v else None for v in s]) for n, s in hand_plot], line=100, unit=" %")}
    if library:
        blocks["cublas"], cublas_plot = library_shares(kernels, library)
        plots["cublas"] = bars("Speed in per cent of cuBLAS, largest size", ["original", "auto", "tuned", "by hand"],
                               [(n, [100 * v if v else None for v in s]) for n, s in cublas_plot], line=100, unit=" %")
    for name, pick, kept in (("small", 0, kernels), ("wave", 1, [k for k in kernels if len(k.cases) == 3]), ("large", -1, kernels)):
        rows = []
        for k in kept:
            case = list(k.cases)[pick]
            rows.append((k.name, [k.gain(case, k.auto), k.gain(case, k.tuned())]))
        title = {"small": "a small problem", "wave": "a problem of about one wave of blocks", "large": "a large problem"}[name]
        plots[f"speedup-{name}"] = bars(f"Speed-up over the original, {title}", ["auto", "tuned"], rows, line=1)
    for name, drawing in plots.items():
        (folder / f"{name}.svg").write_text(drawing)
    text = page.read_text()
    for name, content in blocks.items():
        text, count = re.subn(rf"(<!-- begin {name} -->\n).*?(<!-- end -->)",
                              lambda found: found.group(1) + content + "\n" + found.group(2), text, flags=re.S)
        if count != 1:
            raise ValueError(f"{page} has no place for the table '{name}'")
    page.write_text(text)
