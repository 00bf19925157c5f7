#!/usr/bin/env python3
"""Breaks correct pipelined kernels in one place at a time.

Each mutant is one textual change of the kind that a wrong rewrite would make.
`mutants(text, original)` yields (name, line, mutated text). Lines that the
original has too are left alone: the rewrite is on trial, not the author.
"""

import difflib
import re


def _drop(pattern):
    """Removes a statement that matches, leaving the semicolon."""
    return re.compile(pattern), lambda match: ";"


def _replace(pattern, substitute):
    return re.compile(pattern), lambda match: match.expand(substitute)


BARRIER = (r"(?:__syncthreads\(\)|\w+\.sync\(\)|"
           r"(?:cooperative_groups|cg)::sync\(\w+\));")
SLOT = r"\w*slot\w*"
# The rewritten loop goes on where the prologue left off: it declares nothing. Loops that do are the author's.
AHEAD = r"\b(for \((?!(?:const )?(?:int|unsigned|size_t|auto|long)\b)[^;]*; *\w+)"

def operators(step):
    """What is done to single statements; `step` is how far one tile reaches."""
    return [
        ("drop-barrier", _drop(BARRIER)),
        ("drop-commit", _drop(r"__pipeline_commit\(\);")),
        ("drop-wait", _drop(r"__pipeline_wait_prior\([^)]*\);")),
        ("drop-copy", _drop(r"__pipeline_memcpy_async\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\);")),
        ("wait-one-group-too-few", _replace(r"__pipeline_wait_prior\((\d+)\)",
                                            r"__pipeline_wait_prior(\1 + 1)")),
        ("flip-slot", _replace(r"\b(" + SLOT + r") \^ 1\b", r"\1")),
        ("flip-slot", _replace(r"\[(" + SLOT + r")\]", r"[\1 ^ 1]")),
        ("drop-swap", _drop(r"\b" + SLOT + r" \^= 1;")),
        ("drop-swap", _drop(r"\b" + SLOT + r" = [^;]*% *\w+[^;]*;")),
        ("flip-slot", _replace(r"(_slots)\[0\]", r"\1[1]")),
        ("drop-guard", _replace(r"\? 0 : (?:sizeof\([^()]*\)|\d+)", r"? 0 : 0")),
        ("drop-guard", _replace(r"\? 0 : ([\w* ]*sizeof\([^()]*\))\)", r"? 0 : 0)")),
        ("one-tile-too-far", _replace(AHEAD + r" < (\w+)", r"\1 < \2 + " + step)),
        ("one-tile-too-far", _replace(r"\bif \(([^();]+) < (\w+)\)", rf"if (\1 < \2 + {step})")),
        ("one-tile-too-few", _replace(r"\bif \(([^();]+) < (\w+)\)", rf"if (\1 < \2 - {step})")),
        ("one-tile-too-few", _replace(AHEAD + r" < (\w+)", r"\1 < \2 - " + step)),
    ]


def changed_lines(text, original):
    """Numbers of the lines of `text` that `original` does not have."""
    new, old = text.split("\n"), original.split("\n")
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    changed = set()
    for tag, _, _, start, end in matcher.get_opcodes():
        if tag != "equal":
            changed.update(range(start, end))
    return changed


def _swap_wait_and_commit(lines, i):
    """The commit right before or after a wait changes places with it."""
    if "__pipeline_commit();" in lines[i]:
        for j in range(i + 1, len(lines)):
            if "__pipeline_wait_prior" in lines[j]:
                out = list(lines)
                out[i], out[j] = out[j], out[i]
                yield out
                return


def _barrier_before_wait(lines, i):
    if "__pipeline_wait_prior" in lines[i]:
        for j in range(i + 1, min(i + 3, len(lines))):
            if re.search(BARRIER, lines[j]):
                out = list(lines)
                out[i], out[j] = out[j], out[i]
                yield out
                return


def _other_tile(lines, i):
    """Two neighbouring shared stores exchange what they store."""
    store = re.compile(r"^(\s*\w+(?:\[[^=]*\])+ = )(\w+(?:\[[^;]*\])?);$")
    if i + 1 < len(lines):
        first, second = store.match(lines[i]), store.match(lines[i + 1])
        if first and second and first.group(2) != second.group(2):
            out = list(lines)
            out[i] = first.group(1) + second.group(2) + ";"
            out[i + 1] = second.group(1) + first.group(2) + ";"
            yield out


BLOCK_OPERATORS = [
    ("commit-after-wait", _swap_wait_and_commit),
    ("barrier-before-wait", _barrier_before_wait),
    ("store-other-register", _other_tile),
]


def _drop_epilogue(lines, changed):
    """The compute phase after the loop: the last compute loop of the kernel."""
    for i in reversed(sorted(changed)):
        if i < len(lines) and "Epilogue" in lines[i]:
            depth, j = 0, i
            while j < len(lines):
                depth += lines[j].count("{") - lines[j].count("}")
                if depth <= 0 and j >= i:
                    break
                j += 1
            return i, lines[:i] + lines[j + 1:]
    return None


def mutants(text, original):
    lines = text.split("\n")
    changed = changed_lines(text, original)
    seen = {text}
    step = re.search(r"\b\w+ \+= (\w+)(?=[;)])", "\n".join(lines[i] for i in sorted(changed)))
    step = step.group(1) if step else "1"
    # A barrier reads the same wherever it stands: within the rewritten part all of them are on trial.
    part = range(min(changed), max(changed) + 1) if changed else []
    for i in part:
        candidates = []
        start = sum(len(line) + 1 for line in lines[:i])
        for name, (pattern, substitute) in operators(step) if i in changed else operators(step)[:1]:
            for match in pattern.finditer(text, start):
                # A statement belongs to the line it starts on.
                if match.start() > start + len(lines[i]):
                    break
                if "//" in text[start:match.start()]:
                    break
                candidates.append((name, text[:match.start()] + substitute(match) + text[match.end():]))
        for name, operator in BLOCK_OPERATORS if i in changed else []:
            for out in operator(lines, i):
                candidates.append((name, "\n".join(out)))
        for name, mutated in candidates:
            if mutated not in seen:
                seen.add(mutated)
                yield name, i + 1, mutated
    dropped = _drop_epilogue(lines, changed)
    if dropped:
        mutated = "\n".join(dropped[1])
        if mutated not in seen:
            yield "drop-epilogue", dropped[0] + 1, mutated
