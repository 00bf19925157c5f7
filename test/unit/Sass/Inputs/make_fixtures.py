"""Makes the listings beside this file from the samples (needs nvcc, nvdisasm, cuobjdump).

    make_fixtures.py PIPELINE_REWRITE

Each is one kernel as the disassembler prints it; blanks between an instruction and its encoding,
and the folders in front of file names, are left out.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parents[3] / "samples"
# sample, machine, variant and form or None for the original, disassembler
FIXTURES = [
    ("sgemm_tiled", "sm_75", None, "nvdisasm"),
    ("sgemm_tiled", "sm_75", None, "cuobjdump"),
    ("sgemm_tiled", "sm_75", ("ldg", "peel"), "nvdisasm"),
    ("sgemm_tiled", "sm_80", ("cp-async", "peel"), "nvdisasm"),
    ("gemv", "sm_86", None, "nvdisasm"),
    ("gemv", "sm_86", ("register-prefetch", "predicate"), "nvdisasm"),
    ("hgemm_wmma", "sm_90", None, "nvdisasm"),
    ("hgemm_wmma", "sm_90", ("cp-async", "ring"), "nvdisasm"),
    ("conv2d_channels", "sm_90", ("ldg", "peel"), "nvdisasm"),
]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def trimmed(listing):
    lines = []
    for line in listing.splitlines():
        if re.match(r"\s*\.(section|align|type|size|other|global|elftype|sectioninfo)", line):
            continue
        line = re.sub(r'File "[^"]*/', 'File "', line)
        line = re.sub(r"\s+(/\* 0x)", r" \1", line.rstrip())
        if "inlined at" not in line and line.strip():
            lines.append(line)
    return "\n".join(lines) + "\n"


def main(tool):
    for sample, arch, variant, disassembler in FIXTURES:
        with tempfile.TemporaryDirectory() as folder:
            source = SAMPLES / f"{sample}.cu"
            name = f"{sample}.{arch}.original.sass"
            if disassembler == "cuobjdump":
                name = f"{sample}.{arch}.original.cuobjdump.sass"
            if variant:
                kind, form = variant
                name = f"{sample}.{arch}.{kind}.sass"
                rewritten = pathlib.Path(folder) / source.name
                run(tool, "--quiet", f"--arch={arch}", f"--variant={kind}", f"--form={form}",
                    "-o", str(rewritten), str(source))
                source = rewritten
            cubin = str(pathlib.Path(folder) / "kernel.cubin")
            run("nvcc", f"-arch={arch}", "-lineinfo", "-cubin", f"-I{SAMPLES}", "-o", cubin, str(source))
            options = ["-sass"] if disassembler == "cuobjdump" else ["-c", "-hex", "-gi"]
            (HERE / name).write_text(trimmed(run(disassembler, *options, cubin)))


if __name__ == "__main__":
    main(sys.argv[1])
