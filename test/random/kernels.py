#!/usr/bin/env python3
"""Random kernels with one K loop, legal by construction or broken in one known way.

A kernel is a dict of choices (`choose`), turned into text by `source` and into a launch file by `launch`.
The same seed gives the same kernel on every machine.
"""

import random

CHOICES = {
    "tile": [8, 16],
    "type": ["float", "float", "double", "int", "half"],
    "loop": ["for-k0", "for-tile", "while", "descending", "pointers", "two-variables", "unsigned"],
    "barrier": ["trailing", "leading"],
    "pad": [0, 1, 4],
    "rank": [1, 2],
    "tiles": [1, 2],
    "guard": ["none", "ternary", "if-else"],
    "temporary": [False, True],
    "scale": [False, False, True],
    "uses_k": [False, True],
    "early_return": [False, True],
    "device_function": [False, True],
    "unroll": [False, True],
    "outer": [False, False, True],
    "copy": ["element", "element", "strided", "strided-while"],
}
SIMPLEST = {name: values[0] for name, values in CHOICES.items()}

# How a legal kernel is broken, and what the tool must say.
BREAKS = {
    "missing-barrier": "the barrier after the compute phase is missing",
    "loop-form": "the loop can end early",
    "tile-written-in-compute": "the compute phase writes the tile",
    "divergent-barrier": "a barrier stands under a thread-dependent condition",
    "may-alias": "the loop stores to memory that may be what it copies",
    "opaque-effect": "a printf stands in the copy phase",
    "address-depends-on-compute": "the next address comes from the compute phase",
}


def choose(seed):
    dice = random.Random(seed)
    return {name: dice.choice(values) for name, values in CHOICES.items()}


class Writer:
    def __init__(self, choices, broken=None):
        self.c = dict(choices)
        self.broken = broken
        if broken:  # The simplest loop that can be broken so.
            self.c.update(loop="for-k0", outer=False, early_return=False, device_function=False, copy="element")
        if broken == "missing-barrier":
            self.c.update(barrier="trailing")
        # A strided copy takes each thread round twice: its tiles are twice as deep.
        self.depth = self.c["tile"] * (1 if self.c["copy"] == "element" else 2)

    def width(self, name):
        return (self.depth if name == "As" else self.c["tile"]) + self.c["pad"]

    def index(self, name, row, column):
        width = self.width(name)
        if self.c["rank"] == 1:
            return f"{name}[({row}) * {width} + ({column})]"
        return f"{name}[{row}][{column}]"

    def declarations(self):
        lines = []
        for name, rows in [("As", self.c["tile"]), ("Bs", self.depth)][:self.c["tiles"]]:
            width = self.width(name)
            shape = f"[{rows} * {width}]" if self.c["rank"] == 1 else f"[{rows}][{width}]"
            lines.append(f"__shared__ {self.c['type']} {name}{shape};")
        return lines

    def value(self, address, guard):
        zero = f"({self.c['type']})0.0f" if self.c["type"] == "half" else f"({self.c['type']})0"
        scaled = f"{address} * ({self.c['type']})2.0f" if self.c["scale"] else address
        return scaled if guard is None else f"({guard}) ? {scaled} : {zero}", zero, scaled

    def store(self, name, address, guard, number, row="ty", column="tx"):
        target = self.index(name, row, column)
        if self.c["guard"] == "none":
            guard = None
        value, zero, scaled = self.value(address, guard)
        if guard and self.c["guard"] == "if-else":
            return [f"if ({guard})", f"  {target} = {scaled};", "else", f"  {target} = {zero};"]
        if self.c["temporary"]:
            return [f"const {self.c['type']} v{number} = {value};", f"{target} = v{number};"]
        return [f"{target} = {value};"]

    def strided(self, name, across, address, guard, number):
        """Every thread copies each t * t-th element of a tile that is `across` wide."""
        t, total = self.c["tile"], self.c["tile"] * self.depth
        body = [f"  const int r = i / {across}, c = i % {across};"]
        body += ["  " + line for line in self.store(name, address, guard, number, "r", "c")]
        if self.c["copy"] == "strided":
            return [f"for (int i = ty * {t} + tx; i < {total}; i += {t * t}) {{"] + body + ["}"]
        return ["{", f"  int i = ty * {t} + tx;", f"  while (i < {total}) {{"] + ["  " + line for line in body] + [
            f"    i += {t * t};", "  }", "}"]

    def strided_copies(self):
        t, pointers = self.c["tile"], self.c["loop"] == "pointers"
        k = "base" if pointers else "k0"
        row, column = f"(row - ty + r)", f"(col - tx + c)"
        a = "Ap[(r - ty) * K + c]" if pointers else f"A[{row} * K + {k} + c]"
        b = "Bp[r * N + c - tx]" if pointers else f"B[({k} + r) * N + {column}]"
        lines = self.strided("As", self.depth, a, f"{row} < M && {k} + c < K", 0)
        if self.c["tiles"] == 2:
            lines += self.strided("Bs", t, b, f"{k} + r < K && {column} < N", 1)
        return lines

    def copy(self):
        if self.c["copy"] != "element":
            return self.strided_copies()
        pointers = self.c["loop"] == "pointers"
        k = "base" if pointers else "k0"
        a = "Ap[tx]" if pointers else f"A[row * K + {k} + tx]"
        if self.broken == "address-depends-on-compute":
            a = f"A[row * K + {k} + tx + ((int)acc & 0)]"
        lines = self.store("As", a, f"row < M && {k} + tx < K", 0)
        if self.c["tiles"] == 2:
            b = "Bp[ty * N]" if pointers else f"B[({k} + ty) * N + col]"
            lines += self.store("Bs", b, f"{k} + ty < K && col < N", 1)
        if self.broken == "opaque-effect":
            lines.append('if (K < 0) printf("%d\\n", K);')
        return lines

    def compute(self):
        left = self.index("As", "ty", "k")
        right = self.index("Bs", "k", "tx") if self.c["tiles"] == 2 else f"({self.c['type']})(k + 1)"
        accumulate = f"acc += (Sum){left} * (Sum){right}"
        if self.c["uses_k"] and self.c["loop"] != "pointers":
            accumulate += " * (Sum)(k0 % 3 + 1)"
        lines = ["#pragma unroll"] if self.c["unroll"] else []
        if self.c["device_function"] and self.c["rank"] == 2:
            return lines[:0] + [f"acc += dot(As, ty) * (Sum){'(k0 % 3 + 1)' if self.c['uses_k'] and self.c['loop'] != 'pointers' else '1'};"]
        lines += [f"for (int k = 0; k < {self.depth}; ++k)", f"  {accumulate};"]
        if self.broken == "tile-written-in-compute":
            lines.append(f"{self.index('As', 'ty', 'tx')} = ({self.c['type']})1;")
        if self.broken == "may-alias":
            lines.append("C[(row < M && col < N) ? row * N + col : 0] = acc;")
        if self.broken == "loop-form":
            lines += ["if (k0 > M * N + K)", "  break;"]
        return lines

    def body(self):
        barrier = ["__syncthreads();"]
        copy, compute = self.copy(), self.compute()
        after = [] if self.broken == "missing-barrier" else barrier
        if self.broken == "divergent-barrier":
            after = ["if (tx < 1000)", "  __syncthreads();"]
        if self.c["barrier"] == "leading" and self.broken != "divergent-barrier":
            return barrier + copy + barrier + compute
        return copy + barrier + compute + after

    def loop(self):
        t, kind = self.depth, self.c["loop"]
        body = ["  " + line for line in self.body()]
        if kind == "for-tile":
            body = [f"  const int k0 = tile * {t};"] + body
            return [f"for (int tile = 0; tile < (K + {t - 1}) / {t}; ++tile) {{"] + body + ["}"]
        if kind == "while":
            return ["int k0 = 0;", "while (k0 < K) {"] + body + [f"  k0 += {t};", "}"]
        if kind == "descending":
            return [f"for (int k0 = (K + {t - 1}) / {t} * {t} - {t}; k0 >= 0; k0 -= {t}) {{"] + body + ["}"]
        if kind == "pointers":
            setup = [f"const {self.c['type']} *Ap = A + row * K;"]
            bump = [f"  Ap += {t};"]
            if self.c["tiles"] == 2:
                setup.append(f"const {self.c['type']} *Bp = B + col;")
                bump.append(f"  Bp += {t} * N;")
            return setup + [f"for (int base = 0; base < K; base += {t}) {{"] + body + bump + ["}"]
        if kind == "two-variables":
            return [f"for (int k0 = 0, step = 0; k0 < K; k0 += {t}, ++step) {{"] + body + ["}"]
        variable = "unsigned" if kind == "unsigned" else "int"
        bound = "(unsigned)K" if kind == "unsigned" else "K"
        return [f"for ({variable} k0 = 0; k0 < {bound}; k0 += {t}) {{"] + body + ["}"]

    def source(self):
        c, t = self.c, self.c["tile"]
        element = c["type"]
        total = {"half": "float", "int": "int", "double": "double"}.get(element, "float")
        restrict = "" if self.broken == "may-alias" else "__restrict__ "
        constant = "" if self.broken == "may-alias" else "const "
        lines = ["#include <cuda_fp16.h>", "#include <cstdio>", "", f"typedef {total} Sum;", ""]
        if c["device_function"] and c["rank"] == 2:
            lines += [f"__device__ Sum dot(const {element} (&tile)[{t}][{self.width('As')}], int row) {{", "  Sum s = 0;",
                      f"  for (int k = 0; k < {self.depth}; ++k)", "    s += (Sum)tile[row][k];", "  return s;", "}", ""]
        lines += [f"__global__ void kernel({constant}{element} *{restrict}A, {constant}{element} *{restrict}B,",
                  f"                       {'Sum' if self.broken != 'may-alias' else element} *{restrict}C, int M, int N, int K) {{"]
        body = self.declarations()
        body += ["const int tx = threadIdx.x, ty = threadIdx.y;",
                 f"const int row = blockIdx.y * {t} + ty, col = blockIdx.x * {t} + tx;"]
        if c["early_return"] and c["guard"] == "none":
            body += ["if (blockIdx.x > 1000)", "  return;"]
        body.append("Sum acc = 0;")
        loop = self.loop()
        if c["outer"]:
            loop = ["for (int round = 0; round < 2; ++round) {"] + ["  " + line for line in loop]
            if c["barrier"] == "leading":
                loop.append("  __syncthreads();")
            loop.append("}")
        body += loop
        body += ["if (row < M && col < N)",
                 f"  C[row * N + col] = {'acc' if self.broken != 'may-alias' else '(' + element + ')acc'};"]
        lines += ["  " + line if not line.startswith("#") else line for line in body]
        return "\n".join(lines + ["}", ""])

    def launch(self):
        t, d, element = self.c["tile"], self.depth, self.c["type"]
        ragged = self.c["guard"] != "none"
        output = {"half": "float", "int": "int", "double": "double"}.get(element, "float")
        sizes = [t, 2 * t] + ([t + 3] if ragged else [])
        depth = [0, d, 2 * d, 3 * d, 5 * d] + ([1, d + 1, 2 * d - 1] if ragged else [])
        return "\n".join([
            "kernel: kernel", f"sweep: {{ M: {sizes}, N: {sizes[1:]}, K: {depth} }}", f"block: [{t}, {t}]",
            f'grid: ["(N + {t - 1}) / {t}", "(M + {t - 1}) / {t}"]', "args:",
            f'  - {{ name: A, buffer: {element}, count: "M * K", fill: integers }}',
            f'  - {{ name: B, buffer: {element}, count: "K * N", fill: integers }}',
            f'  - {{ name: C, buffer: {output}, count: "M * N", fill: nan, output: true }}',
            "  - { name: M, scalar: int, value: M }", "  - { name: N, scalar: int, value: N }",
            "  - { name: K, scalar: int, value: K }", ""])
