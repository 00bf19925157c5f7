"""Writes the manual page and the shell completion: generate.py PROGRAM SOURCE_ROOT FOLDER

Both come from what PROGRAM prints for --help, so that no option is described twice.
"""
import pathlib
import re
import subprocess
import sys

NAME = "pipeline-rewrite"
SUMMARY = "software-pipeline the K loops of CUDA kernels"

# Sections that --help has because LLVM's library is linked.
FOREIGN = {"General options", "Color Options"}
OPTION = re.compile(r"^  (--?[\w-]+)((?:=| |\[=)<.*?>\]?)?\s+- (.*)$")

DESCRIPTION = """\
Reads CUDA source files, finds the loops that load a tile into shared memory, wait, compute on it and wait again, and
rewrites each one so that the next tile is on its way while the current one is computed. A loop for which that cannot
be proved right is left alone, and the reason is named. Without an output option the rewritten source goes to standard
output."""

EXIT_STATUS = [
    ("0", "done, also when every loop was refused"),
    ("1", "--fail-on found what it was to look for"),
    ("2", "wrong usage, or a wrong rules file"),
    ("3", "the input did not parse; nothing was written"),
    ("4", "the proof failed; nothing was written"),
    ("5", "the proof could not be run"),
    ("70", "internal error"),
]

ENVIRONMENT = [
    ("CUDA_PATH", "the CUDA toolkit, where --cuda-path does not name one"),
    ("PIPELINE_REWRITE_DATA", "the folder with rules/ and runtime/"),
]


def read_options(program):
    """Lists of (section, [(option, argument, text)]) in the order of --help."""
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    sections = []
    for line in text.splitlines():
        heading = re.match(r"^(\S.*[Oo]ptions):$", line)
        option = OPTION.match(line)
        if heading:
            sections.append((heading.group(1), []))
        elif option and sections:
            sections[-1][1].append((option.group(1), option.group(2) or "", option.group(3)))
    sections = [entry for entry in sections if entry[0] not in FOREIGN and entry[1]]
    if not sections:
        raise SystemExit(f"generate: {program} --help lists no options")
    return sections


def roff(text):
    return re.sub(r"^([.'])", r"\\&\1", text.replace("\\", r"\e").replace("-", r"\-"), flags=re.M)


def manual_page(sections, version):
    lines = [f'.TH {NAME.upper()} 1 "" "{NAME} {version}"', ".SH NAME"]
    lines += [f"{roff(NAME)} \\- {roff(SUMMARY)}", ".SH SYNOPSIS"]
    lines += [f".B {roff(NAME)}", r"[\fIoptions\fR] \fIFILE.cu\fR... [\fB\-\-\fR \fIcompiler flags\fR]"]
    lines += [".SH DESCRIPTION", roff(DESCRIPTION)]
    for title, options in sections:
        lines.append(f".SH {title.upper()}")
        for option, argument, text in options:
            shown = re.sub(r"<(.*)>", r"\\fI\1\\fR", roff(argument))
            lines += [".TP", f"\\fB{roff(option)}\\fR{shown}", roff(text)]
    for title, rows in (("EXIT STATUS", EXIT_STATUS), ("ENVIRONMENT", ENVIRONMENT)):
        lines.append(f".SH {title}")
        for key, text in rows:
            lines += [".TP", f".B {roff(key)}", roff(text)]
    lines += [".SH SEE ALSO", roff("docs/usage.md and docs/diagnostics.md of the documentation folder;")]
    lines += [f"{roff(NAME)} \\fB\\-\\-explain\\fR=\\fIid\\fR prints a section of the latter."]
    return "\n".join(lines) + "\n"


def known_values(root):
    """Options whose values can be listed."""
    page = (root / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    archs = (path.stem for path in (root / "rules" / "arch").glob("sm_*.yaml"))
    return {
        "--arch": sorted(archs, key=lambda name: int(name[3:])),
        "--variant": ["auto", "ldg", "cp-async", "register-prefetch"],
        "--form": ["auto", "peel", "predicate", "ring"],
        "--stages": ["auto", *map(str, range(2, 9))],
        "--fail-on": ["none", "refused", "budget"],
        "--verify": ["cpu", "gpu", "auto"],
        "--dump": ["facts", "verdict", "budget", "plan", "edits"],
        "--explain": re.findall(r"^## (\S+)$", page, re.M),
    }


def bash_completion(sections, values):
    options = [(option, argument) for _, rows in sections for option, argument, _ in rows]
    present = {option for option, _ in options}
    for option in values.keys() - present:
        raise SystemExit(f"generate: {option} has values here, but --help does not list it")
    words = " ".join(sorted(option + ("=" if argument.startswith("=") else "") for option, argument in options))
    cases = "\n".join(f'    {option}) words="{" ".join(values[option])}" ;;' for option in sorted(values))
    return f"""\
# Completion of {NAME} for bash, made from its --help.
_pipeline_rewrite() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD - 1]}}" words=
  # The shell takes --option=value apart at the sign.
  if [ "$word" = "=" ]; then
    word=
  elif [ "$previous" = "=" ]; then
    previous="${{COMP_WORDS[COMP_CWORD - 2]}}"
  fi
  case "$previous" in
{cases}
  esac
  if [ -z "$words" ] && [ "${{word#-}}" != "$word" ]; then
    words="{words}"
    compopt -o nospace
  fi
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}}
complete -F _pipeline_rewrite {NAME}
"""


def main():
    program, root, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    sections = read_options(program)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    folder.mkdir(parents=True, exist_ok=True)
    page = manual_page(sections, version.split()[1])
    (folder / f"{NAME}.1").write_text(page, encoding="utf-8")
    completion = bash_completion(sections, known_values(root))
    (folder / f"{NAME}.bash").write_text(completion, encoding="utf-8")


if __name__ == "__main__":
    main()
