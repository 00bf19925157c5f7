"""every_id.py REASONS.DEF FOLDER: fails if an id of REASONS.DEF is fired by no test of FOLDER."""
import pathlib
import re
import sys

definitions = pathlib.Path(sys.argv[1]).read_text()
ids = re.findall(r'^REASON\(\w+, "([\w-]+)"', definitions, re.M)
tests = "".join(p.read_text() for p in pathlib.Path(sys.argv[2]).glob("*.cu"))
fired = set(re.findall(r"RUN: %refused %s %t ([\w-]+)", tests))
missing = [i for i in ids if i not in fired]
if not ids or missing:
    sys.exit(f"no test fires {missing} of the {len(ids)} ids")
