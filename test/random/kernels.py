#!/usr/bin/env python3
"""Random kernels with one K loop, legal by construction or broken in one known way.

A kernel is a dict of choices (`choose`), turned into text by `source` and into a launch file by `launch`.
The same seed gives the same kernel on every machine.
"""

import random

CHOICES = {
    "tile": [8, 16],
    "type": ["float", "float", "double", "int", "half"],
    "loop": ["for-k0", "for-tile", "while", "do-while", "descending", "pointers", "pointer-bump", "two-variables", "unsigned"],
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
    "outer": [0, 0, 0, 1, 2],
    "copy": ["element", "element", "strided", "strided-while", "vector"],
    "block": [2, 2, 1, 3],
    "shared": ["static", "static", "static", "dynamic"],
    "template": ["none", "none", "size", "type"],
    "wrapped": [False, False, True],
    "slots": [2, 2, 3, 4],
    "reads_result": [False, False, False, True],
    "tail": [0, 1, 3],  # Elements behind a static tile, so that its bytes are no multiple of a vector's.
}
SIMPLEST = {name: values[0] for name, values in CHOICES.items()}

# How a legal kernel is broken: what the tool must say, by id. Where a break has several answers that are all right, the
# first is its name.
BREAKS = {
    "missing-barrier": "the barrier after the compute phase is missing",
    "loop-form": "the loop can end early",
    "tile-written-in-compute": "the compute phase writes the tile",
    "divergent-barrier": "a barrier stands under a thread-dependent condition",
    "may-alias": "the loop stores to memory that may be what it copies",
    "opaque-effect": "a printf stands in the copy phase",
    "address-depends-on-compute": "the next address comes from the compute phase",
    "phase-order": "the copy reads the tile",
    "partial-tile": "a guard without else, which changes from iteration to iteration",
    "tile-escapes": "the address of the tile is kept in a variable of the device",
    "tile-live-outside": "a part of the tile that the loop does not copy is written before it and read in it",
    "macro": "the braces of the loop are in macros",
    "preprocessor": "a branch that was not parsed stands in the loop",
    "budget": "two slots do not fit",
    "registers": "the number of elements of a thread is not known",
    "launch-not-visible": "the launch gives the shared memory and is not there",
    "no-async-copy": "no tile can be copied asynchronously, and that was asked for",
    "already-pipelined": "the loop copies asynchronously already",
}
# Not made at random: `not-worth-it` needs a measurement.


def choose(seed):
    dice = random.Random(seed)
    return {name: dice.choice(values) for name, values in CHOICES.items()}


class Writer:
    def __init__(self, choices, broken=None):
        self.c = dict(choices)
        self.broken = broken
        if broken:  # The simplest loop that can be broken so.
            self.c.update(loop="for-k0", outer=0, early_return=False, device_function=False, copy="element",
                          shared="static", wrapped=False)
        if broken == "partial-tile":
            self.c.update(guard="ternary", temporary=False, barrier="trailing")
        # A type that a template leaves open is a reason of its own against registers.
        if broken in ("budget", "tile-escapes") and self.c["template"] == "type":
            self.c.update(template="none")
        if broken == "budget":
            self.c.update(pad=800, type="float", rank=2)
        if broken == "registers":
            self.c.update(copy="strided")
        if broken == "launch-not-visible":
            self.c.update(shared="dynamic")
        if broken == "no-async-copy":
            self.c.update(scale=True, guard="none")
        if broken in ("already-pipelined", "tile-escapes"):
            self.c.update(type="float", scale=False, guard="none", temporary=False)
        self.settle()
        if broken == "missing-barrier":
            self.c.update(barrier="trailing")
        # A strided copy takes each thread round twice, a vector copy takes four elements at once: the tiles are as much
        # deeper.
        self.depth = self.c["tile"] * {"element": 1, "vector": 4}.get(self.c["copy"], 2)

    def settle(self):
        """Choices that exclude each other: the later one gives way."""
        c = self.c
        if c["copy"] == "vector":  # float4 and int4; whole vectors are guarded.
            c.update(type="int" if c["type"] == "int" else "float", rank=2, scale=False, pad=c["pad"] // 4 * 4,
                     device_function=False)
        if c["loop"] in ("pointers", "pointer-bump") and c["copy"] == "vector":
            c["loop"] = "for-k0"
        if c["loop"] == "do-while" and c["guard"] == "none":
            c["guard"] = "ternary"  # The body runs once where K is 0.
        if c["shared"] == "dynamic":  # Carved out, which makes it a pointer.
            c.update(rank=1, device_function=False)
            if c["copy"] == "vector":
                c["copy"] = "element"
        if c["shared"] == "dynamic" or c["copy"] != "vector":
            c["tail"] = 0
        if c["tail"]:
            c["rank"] = 1
        if c["template"] == "type":
            c["device_function"] = False
        if c["barrier"] == "leading" or c["type"] in ("half", "double") or self.broken:
            c["reads_result"] = False  # Only a barrier behind the compute phase makes that right.

    def width(self, name):
        return (self.depth if name == "As" else self.c["tile"]) + self.c["pad"]

    def index(self, name, row, column):
        width = self.width(name)
        if self.c["rank"] == 1:
            return f"{name}[({row}) * {width} + ({column})]"
        return f"{name}[{row}][{column}]"

    def element(self):
        return "E" if self.c["template"] == "type" else self.c["type"]

    def shared_bytes(self):
        """Of the dynamic block."""
        size = {"double": 8, "half": 2}.get(self.c["type"], 4)
        rows = [("As", self.c["tile"]), ("Bs", self.depth)][:self.c["tiles"]]
        return sum(count * self.width(name) * size for name, count in rows)

    def dynamic_declarations(self):
        e = self.element()
        lines = ["extern __shared__ __align__(16) unsigned char pool[];", f"{e} *As = reinterpret_cast<{e} *>(pool);"]
        if self.c["tiles"] == 2:
            lines.append(f"{e} *Bs = As + {self.c['tile'] * self.width('As')};")
        return lines

    def declarations(self):
        if self.c["shared"] == "dynamic":
            return self.dynamic_declarations()
        lines = []
        for name, rows in [("As", self.c["tile"]), ("Bs", self.depth)][:self.c["tiles"]]:
            width = self.width(name)
            tail = f" + {self.c['tail']}" if self.c["tail"] else ""
            shape = f"[{rows} * {width}{tail}]" if self.c["rank"] == 1 else f"[{rows}][{width}]"
            aligned = "__align__(16) " if self.c["copy"] == "vector" else ""
            lines.append(f"__shared__ {aligned}{self.element()} {name}{shape};")
        return lines

    def value(self, address, guard):
        if self.c["copy"] == "vector":
            return (f"({guard}) ? {address} : {self.zero_vector()}" if guard else address), self.zero_vector(), address
        zero = f"({self.c['type']})0.0f" if self.c["type"] == "half" else f"({self.c['type']})0"
        scaled = f"{address} * ({self.c['type']})2.0f" if self.c["scale"] else address
        return scaled if guard is None else f"({guard}) ? {scaled} : {zero}", zero, scaled

    def vector(self):
        return "int4" if self.c["type"] == "int" else "float4"

    def zero_vector(self):
        return f"make_{self.vector()}(0, 0, 0, 0)"

    def store(self, name, address, guard, number, row="ty", column="tx"):
        target = self.index(name, row, column)
        if self.c["copy"] == "vector":
            target = f"*reinterpret_cast<{self.vector()} *>(&{target})"
            address = f"*reinterpret_cast<const {self.vector()} *>(&{address})"
        if self.c["guard"] == "none":
            guard = None
        value, zero, scaled = self.value(address, guard)
        if guard and self.c["guard"] == "if-else":
            return [f"if ({guard})", f"  {target} = {scaled};", "else", f"  {target} = {zero};"]
        if self.broken == "partial-tile" and name == "As":
            return [f"if ({guard})", f"  {target} = {scaled};"]
        if self.c["temporary"]:
            kind = self.vector() if self.c["copy"] == "vector" else self.c["type"]
            return [f"const {kind} v{number} = {value};", f"{target} = v{number};"]
        return [f"{target} = {value};"]

    def strided(self, name, across, address, guard, number):
        """Every thread copies each t * t-th element of a tile that is `across` wide."""
        t, total = self.c["tile"], self.c["tile"] * self.depth
        step = "blockDim.x * blockDim.y * blockDim.z" if self.broken == "registers" else str(t * t)
        body = [f"  const int r = i / {across}, c = i % {across};"]
        body += ["  " + line for line in self.store(name, address, guard, number, "r", "c")]
        if self.c["copy"] == "strided":
            return [f"for (int i = ty * {t} + tx; i < {total}; i += {step}) {{"] + body + ["}"]
        return ["{", f"  int i = ty * {t} + tx;", f"  while (i < {total}) {{"] + ["  " + line for line in body] + [
            f"    i += {step};", "  }", "}"]

    def strided_copies(self):
        t, pointers = self.c["tile"], self.c["loop"] in ("pointers", "pointer-bump")
        k = "base" if pointers else "k0"
        row, column = f"(row - ty + r)", f"(col - tx + c)"
        a = "Ap[(r - ty) * K + c]" if pointers else f"A[{row} * K + {k} + c]"
        b = "Bp[r * N + c - tx]" if pointers else f"B[({k} + r) * N + {column}]"
        lines = self.strided("As", self.depth, a, f"{row} < M && {k} + c < K", 0)
        if self.c["tiles"] == 2:
            lines += self.strided("Bs", t, b, f"{k} + r < K && {column} < N", 1)
        return lines

    def vector_copies(self):
        """A thread brings four elements of a row of each tile."""
        t, k = self.c["tile"], "k0"
        lines = self.store("As", f"A[row * K + {k} + 4 * tx]", f"row < M && {k} + 4 * tx < K", 0, "ty", "4 * tx")
        if self.c["tiles"] == 2:
            lines += ["{", f"  const int r = (ty * {t} + tx) / {t // 4}, c = (ty * {t} + tx) % {t // 4} * 4;"]
            lines += ["  " + line for line in self.store("Bs", f"B[({k} + r) * N + col - tx + c]",
                                                         f"{k} + r < K && col - tx + c < N", 1, "r", "c")] + ["}"]
        return lines

    def copy(self):
        if self.c["copy"] == "vector":
            return self.vector_copies()
        if self.c["copy"] != "element":
            return self.strided_copies()
        if self.broken == "already-pipelined":
            target, address = self.index("As", "ty", "tx"), "A[row * K + k0 + tx]"
            lines = [f"__pipeline_memcpy_async(&{target}, &{address}, sizeof(float));", "__pipeline_commit();"]
            if self.c["tiles"] == 2:
                lines += self.store("Bs", "B[(k0 + ty) * N + col]", None, 1)
            return lines + ["__pipeline_wait_prior(0);"]
        pointers = self.c["loop"] in ("pointers", "pointer-bump")
        k = "base" if pointers else "k0"
        a = "Ap[tx]" if pointers else f"A[row * K + {k} + tx]"
        if self.broken == "address-depends-on-compute":
            a = f"A[row * K + {k} + tx + ((int)acc & 0)]"
        if self.broken == "phase-order":
            a += f" + {self.index('As', 'ty', 'tx ^ 1')}"
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
        if self.c["uses_k"] and self.c["loop"] not in ("pointers", "pointer-bump"):
            accumulate += " * (Sum)(k0 % 3 + 1)"
        lines = ["#pragma unroll"] if self.c["unroll"] else []
        if self.c["reads_result"]:  # What a neighbour overwrites behind the loop.
            lines.insert(0, "acc += row < M && (col ^ 1) < N ? C[row * N + (col ^ 1)] : (Sum)0;")
        if self.c["device_function"] and self.c["rank"] == 2:
            return lines[:1] * self.c["reads_result"] + [f"acc += dot(As, ty) * (Sum){'(k0 % 3 + 1)' if self.c['uses_k'] and self.c['loop'] not in ('pointers', 'pointer-bump') else '1'};"]
        lines += [f"for (int k = 0; k < {self.depth}; ++k)", f"  {accumulate};"]
        if self.broken == "tile-written-in-compute":
            lines.append(f"{self.index('As', 'ty', 'tx')} = ({self.c['type']})1;")
        if self.broken == "tile-escapes":
            lines.append("kept = &" + self.index("As", "0", "0") + ";")
        if self.broken == "tile-live-outside":
            lines.append("acc += (Sum)" + self.index("As", self.c["tile"], "tx") + ";")
        if self.broken == "preprocessor":
            lines += ["#if defined(NOBODY_DEFINES_THIS)", "acc += (Sum)1;", "#endif"]
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
        if kind == "do-while":
            return ["int k0 = 0;", "do {"] + body + [f"  k0 += {t};", "} while (k0 < K);"]
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
        if kind == "pointer-bump":  # Both pointers and what is left of K move in the header.
            setup, header = [f"const {self.c['type']} *Ap = A + row * K;", "int base = 0;"], [f"Ap += {t}"]
            if self.c["tiles"] == 2:
                setup.append(f"const {self.c['type']} *Bp = B + col;")
                header.append(f"Bp += {t} * N")
            step = ", ".join(header + [f"base += {t}"])
            return setup + [f"for (; base < K; {step}) {{"] + body + ["}"]
        if kind == "two-variables":
            return [f"for (int k0 = 0, step = 0; k0 < K; k0 += {t}, ++step) {{"] + body + ["}"]
        if self.broken == "macro":
            return [f"for (int k0 = 0; k0 < K; k0 += {t}) BEGIN"] + body + ["END"]
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
        if self.broken == "already-pipelined":
            lines.insert(1, "#include <cuda_pipeline.h>")
        if self.broken == "tile-escapes":
            lines += ["__device__ float *kept;", ""]
        if self.broken == "macro":
            lines += ["#define BEGIN {", "#define END }", ""]
        if c["device_function"] and c["rank"] == 2:
            lines += [f"__device__ Sum dot(const {element} (&tile)[{t}][{self.width('As')}], int row) {{", "  Sum s = 0;",
                      f"  for (int k = 0; k < {self.depth}; ++k)", "    s += (Sum)tile[row][k];", "  return s;", "}", ""]
        if c["template"] != "none":
            lines.append("template <int Size>" if c["template"] == "size" else "template <typename E>")
            element = "E" if c["template"] == "type" else element
        lines += [f"__global__ void kernel({constant}{element} *{restrict}A, {constant}{element} *{restrict}B,",
                  f"                       {'Sum' if self.broken != 'may-alias' else element} *{restrict}C, int M, int N, int K) {{"]
        body = self.declarations()
        edge = "Size" if c["template"] == "size" else t
        thread = {2: ("threadIdx.x", "threadIdx.y"), 1: (f"threadIdx.x % {edge}", f"threadIdx.x / {edge}"),
                  3: ("threadIdx.x", f"threadIdx.y + threadIdx.z * ({edge} / 2)")}[c["block"]]
        body += [f"const int tx = {thread[0]}, ty = {thread[1]};",
                 f"const int row = blockIdx.y * {edge} + ty, col = blockIdx.x * {edge} + tx;"]
        if self.broken == "tile-live-outside":  # A row more, which no iteration copies.
            body = [line.replace(f"As[{t}][", f"As[{t + 1}][").replace(f"As[{t} *", f"As[{t + 1} *") for line in body]
            body += [f"{self.index('As', t, 'tx')} = ({self.c['type']})1;", "__syncthreads();"]
        if c["early_return"] and c["guard"] == "none":
            body += ["if (blockIdx.x > 1000)", "  return;"]
        body.append("Sum acc = 0;")
        loop = self.loop()
        for depth in range(c["outer"]):
            loop = [f"for (int round{depth} = 0; round{depth} < 2; ++round{depth}) {{"] + ["  " + line for line in loop]
            if c["barrier"] == "leading":
                loop.append("  __syncthreads();")
            loop.append("}")
        if c["wrapped"]:  # All threads of the block agree.
            loop = ["if (N > 0 && blockIdx.z == 0) {"] + ["  " + line for line in loop] + ["}"]
        body += loop
        body += ["if (row < M && col < N)",
                 f"  C[row * N + col] = {'acc' if self.broken != 'may-alias' else '(' + element + ')acc'};"]
        lines += ["  " + line if not line.startswith("#") else line for line in body]
        return "\n".join(lines + ["}", ""] + self.launcher())

    def kernel(self):
        arguments = {"none": "", "size": f"<{self.c['tile']}>", "type": f"<{self.c['type']}>"}[self.c["template"]]
        return "kernel" + arguments

    def block(self):
        t = self.c["tile"]
        return {2: [t, t], 1: [t * t], 3: [t, t // 2, 2]}[self.c["block"]]

    def launcher(self):
        """A launch in the file, where the tool has to see one."""
        if self.c["shared"] != "dynamic" or self.broken == "launch-not-visible":
            return []
        t, e, total = self.c["tile"], self.c["type"], "Sum"
        block = ", ".join(map(str, self.block()))
        return [f"void run(const {e} *A, const {e} *B, {total} *C, int M, int N, int K) {{",
                f"  const dim3 grid((N + {t - 1}) / {t}, (M + {t - 1}) / {t}), block({block});",
                f"  {self.kernel()}<<<grid, block, {self.shared_bytes()}>>>(A, B, C, M, N, K);", "}", ""]

    def launch(self):
        t, d, element = self.c["tile"], self.depth, self.c["type"]
        ragged = self.c["guard"] != "none"
        output = {"half": "float", "int": "int", "double": "double"}.get(element, "float")
        unit = 4 if self.c["copy"] == "vector" else 1  # Vectors need rows that start where one may.
        sizes = [t, 2 * t] + ([t + 3 * unit] if ragged else [])
        depth = [0, d, 2 * d, 3 * d, 5 * d] + ([unit, d + unit, 2 * d - unit] if ragged else [])
        shared = [f"shared: {self.shared_bytes()}"] if self.c["shared"] == "dynamic" else []
        filled = "integers" if self.c["reads_result"] else "nan"
        # Sizes in units: what the proof adds by itself then keeps to them as well.
        return "\n".join([
            f"kernel: {self.kernel()}",
            f"sweep: {{ Mu: {[n // unit for n in sizes]}, Nu: {[n // unit for n in sizes[1:]]}, Ku: {[n // unit for n in depth]} }}",
            f"block: {self.block()}",
            f'grid: ["(Nu * {unit} + {t - 1}) / {t}", "(Mu * {unit} + {t - 1}) / {t}"]'] + shared + ["args:",
            f'  - {{ name: A, buffer: {element}, count: "Mu * Ku * {unit * unit}", fill: integers }}',
            f'  - {{ name: B, buffer: {element}, count: "Ku * Nu * {unit * unit}", fill: integers }}',
            f'  - {{ name: C, buffer: {output}, count: "Mu * Nu * {unit * unit}", fill: {filled}, output: true }}',
            f'  - {{ name: M, scalar: int, value: "Mu * {unit}" }}', f'  - {{ name: N, scalar: int, value: "Nu * {unit}" }}',
            f'  - {{ name: K, scalar: int, value: "Ku * {unit}" }}', ""])
