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

def _count(pattern, change):
    """The number that is the second of three groups, changed."""
    return re.compile(pattern), lambda match: match.group(1) + str(int(match.group(2)) + change) + match.group(3)


def operators(step, ring):
    """What is done to single statements; `step` is how far one tile reaches, `ring` the variable that names the
    slot the next copy fills, where there are more than two slots."""
    ring = ring or "no such name"
    return [
        ("drop-barrier", _drop(BARRIER)),
        ("drop-commit", _drop(r"__pipeline_commit\(\);")),
        ("drop-wait", _drop(r"__pipeline_wait_prior\([^)]*\);")),
        ("drop-copy", _drop(r"__pipeline_memcpy_async\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\);")),
        ("wait-one-group-too-few", _count(r"(__pipeline_wait_prior\()(\d+)(\))", 1)),
        ("wait-one-group-too-many", _count(r"(__pipeline_wait_prior\()([1-9]\d*)(\))", -1)),
        ("drop-store", _drop(r"(?<=[;{}] )?\b\w+(?:\[[^;=]*\])+ = \w+_next(?:\[[^;]*\])?;")),
        ("drop-advance", _drop(r"\b\w+_next \+= [^;()]+;")),
        ("drop-advance", _drop(r"\+\+\w+_next;")),
        ("flip-slot", _replace(r"\b(" + SLOT + r") \^ 1\b", r"\1")),
        ("flip-slot", _replace(r"\[(" + SLOT + r")\]", r"[\1 ^ 1]")),
        ("drop-swap", _drop(r"\b" + SLOT + r" \^= 1;")),
        ("drop-swap", _drop(r"\b" + SLOT + r" = [^;]*% *\w+[^;]*;")),
        ("drop-swap", _drop(r"\b(\w+) = \1 \+ 1 == \d+ \? 0 : \1 \+ 1;")),
        ("wrap-one-slot-early", _count(r"(\b\w+ = \w+ \+ 1 == )(\d+)( \?)", -1)),
        ("wrap-one-slot-late", _count(r"(\b\w+ = \w+ \+ 1 == )(\d+)( \?)", 1)),
        ("flip-slot", _replace(r"(_slots)\[0\]", r"\1[1]")),
        ("flip-slot", _replace(r"(_slots)\[" + ring + r"\]", r"\1[slot]")),
        ("flip-slot", _replace(r"(_slots)\[slot\]", r"\1[" + ring + "]")),
        ("flip-slot", _count(r"(\bint " + ring + r" = )(\d+)(;)", -1)),
        ("stride-too-short", _replace(r"\(slot_stride / ", "(slot_stride / 2 / ")),
        ("stride-too-short", _replace(r"\bstruct __align__\(\d+\) (\w+_slot \{)", r"struct \1")),
        ("one-slot-too-few", _count(r"(__shared__ [^;]*_slots\[)(\d+)(\])", -1)),
        ("one-slot-too-few", _count(r"(reinterpret_cast<[^;]*\(\*\)\[)(\d+)(\])", -1)),
        ("fill-one-tile-too-few", _count(r"(\b\w+_filled < )(\d+)(;)", -1)),
        ("fill-one-tile-too-many", _count(r"(\b\w+_filled < )(\d+)(;)", 1)),
        ("drop-guard", _replace(r"\? 0 : (?:sizeof\([^()]*\)|\d+)", r"? 0 : 0")),
        ("drop-guard", _replace(r"\? 0 : ([\w* ]*sizeof\([^()]*\))\)", r"? 0 : 0)")),
        ("drop-guard", _replace(r"(= *|return )[^;=]*\? (\w+\[[^;]*\]) : (?:0|0\.0f|make_float4\([^)]*\))(?=;)", r"\1\2")),
        ("one-tile-too-far", _replace(r"(= \w+_next) < (\w+);", rf"\1 < \2 + {step};")),
        ("one-tile-too-few", _replace(r"(= \w+_next) < (\w+);", rf"\1 < \2 - {step};")),
        ("one-tile-too-far", _replace(r"\bwhile \(([^();]+?) < (\w+)\)", rf"while (\1 < \2 + {step})")),
        ("one-tile-too-few", _replace(r"\bwhile \(([^();]+?) < (\w+)\)", rf"while (\1 < \2 - {step})")),
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


def _commit_in_the_branch(lines, i):
    """The commit behind a branch moves into it: no group is made where nothing was issued."""
    if lines[i].strip() == "__pipeline_commit();" and i > 0 and lines[i - 1].strip() == "}":
        indent = len(lines[i - 1]) - len(lines[i - 1].lstrip())
        opening = next(line for line in reversed(lines[:i - 1]) if line.strip() and not line.startswith(("#", " " * (indent + 1))))
        if not opening.strip().startswith("if ("):
            return
        out = list(lines)
        out[i - 1], out[i] = out[i], out[i - 1]
        yield out


def _copy_this_tile(lines, i):
    """A copy reads the state of the tile that is computed instead of the one ahead."""
    if re.search(r"\bif \(|\bfor \(|\bwhile \(|\+\+|[+-]=|= \w+_next <|^\s*(?:int|unsigned|auto|size_t|long) \w+_next =", lines[i]):
        return
    ahead = set(re.findall(r"\b(?:int|unsigned|auto|size_t|long) (\w+)_next = ", "\n".join(lines)))
    for match in re.finditer(r"\b(\w+)_next\b", lines[i]):
        if match.group(1) in ahead:
            out = list(lines)
            out[i] = lines[i][:match.start()] + match.group(1) + lines[i][match.end():]
            yield out


BLOCK_OPERATORS = [
    ("copy-this-tile-again", _copy_this_tile),
    ("commit-skipped-in-the-tail", _commit_in_the_branch),
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
    ring = re.search(r"\bint (\w+) = \d+; // the slot that the next copy fills", text)
    every = operators(step, ring.group(1) if ring else "")
    # A barrier reads the same wherever it stands: within the rewritten part all of them are on trial.
    part = range(min(changed), max(changed) + 1) if changed else []
    for i in part:
        candidates = []
        start = sum(len(line) + 1 for line in lines[:i])
        for name, (pattern, substitute) in every if i in changed else every[:1]:
            for match in pattern.finditer(text, start):
                # A statement belongs to the line it starts on.
                if match.start() > start + len(lines[i]):
                    break
                # Neither a comment nor an assertion is what the kernel does.
                if re.search("//|static_assert", text[start:match.start()]):
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


def expected(text, original):
    """The kinds of mutation that must be possible in a rewrite: an operator that no longer matches the tool's
    output would prove nothing, in silence."""
    new = "\n".join(text.split("\n")[i] for i in sorted(changed_lines(text, original)))
    kinds = {"drop-barrier", "one-tile-too-far", "one-tile-too-few"}
    if "_slots[" in new:
        kinds |= {"flip-slot", "drop-swap", "one-slot-too-few"}
    if "__pipeline_commit" in new:
        kinds |= {"drop-commit", "drop-wait", "drop-copy", "wait-one-group-too-few", "commit-after-wait",
                  "barrier-before-wait"}
    if re.search(r"__pipeline_wait_prior\([1-9]", new):
        kinds |= {"wait-one-group-too-many", "commit-skipped-in-the-tail", "wrap-one-slot-early", "wrap-one-slot-late",
                  "fill-one-tile-too-few", "fill-one-tile-too-many"}
    if re.search(r"\bstruct [^;]*_slot \{", new):
        kinds.add("stride-too-short")
    if "Epilogue" in new:
        kinds.add("drop-epilogue")
    if re.search(r"\? 0 : (?:sizeof|\d)", new):
        kinds.add("drop-guard")
    return kinds
