"""Adds versions that were written by hand to a bundle that the tool made.

A bundle of `--tune --compare=ORIGINAL HAND.cu` holds one such version; a kernel may have several, and some need
more dynamic shared memory than the launch file of their original says. Such a source has a constexpr function
NAME_shared_bytes(), as the tool's own output has, and its driver asks that.
"""

import json
import re
from pathlib import Path

ANCHOR = "by-hand"  # the version that the tool put there, whose driver the others are made of


def shared_function(text):
    found = re.search(r"constexpr\s+(?:std::)?size_t\s+(\w+_shared_bytes)\s*\(", text)
    return found.group(1) if found else None


def ask_function(driver, function):
    """The driver with the launch's dynamic bytes taken from the source's own function."""
    changed = re.sub(r"pr_shared = \(unsigned long long\)\(.*\);", f"pr_shared = {function}();", driver)
    changed = re.sub(r"(pr_resources_of\(.*pr_block, )\(unsigned long long\)\(.*?\)(, pr_out)",
                     rf"\1(unsigned long long){function}()\2", changed)
    if changed.count(function) != 2:
        raise ValueError("the driver does not look as expected")
    return changed


def put_driver(bundle, name, file, text):
    driver = (bundle / "drivers" / f"{ANCHOR}.cu").read_text()
    include = re.search(r'#include "\.\./(tree/[^"]*)"', driver).group(1)
    driver = driver.replace(include, file)
    function = shared_function(text)
    if not function and "_shared_bytes()" in driver:
        raise ValueError(f"the version '{ANCHOR}' has a function that gives its shared bytes, '{name}' has none")
    (bundle / "drivers" / f"{name}.cu").write_text(ask_function(driver, function) if function else driver)


def anchor_file(bundle):
    driver = (bundle / "drivers" / f"{ANCHOR}.cu").read_text()
    return re.search(r'#include "\.\./(tree/[^"]*)"', driver).group(1)


def settle_anchor(bundle):
    """Lets the driver of `by-hand` itself ask for its bytes."""
    file = anchor_file(bundle)
    text = (bundle / file).read_text()
    if shared_function(text):
        put_driver(bundle, ANCHOR, file, text)


def add_version(bundle, name, source):
    """Puts `source` into the bundle as another version of the kernel. Call before settle_anchor()."""
    bundle = Path(bundle)
    text = Path(source).read_text()
    anchor = anchor_file(bundle)
    file = anchor.replace(f".{ANCHOR}.", f".{name}.")
    (bundle / file).write_text(text)
    put_driver(bundle, name, file, text)
    settings = bundle / "settings.sh"
    lines = settings.read_text()
    lines = re.sub(r"^VERSIONS='(.*)'$", rf"VERSIONS='\1 {name}'", lines, flags=re.M)
    lines = lines.replace(f"  {ANCHOR}) echo {anchor} ;;\n",
                          f"  {ANCHOR}) echo {anchor} ;;\n  {name}) echo {file} ;;\n")
    settings.write_text(lines)
    manifest = bundle / "bundle.json"
    content = json.loads(manifest.read_text())
    entry = dict(next(v for v in content["versions"] if v["name"] == ANCHOR), name=name, file=file)
    content["versions"].append(entry)
    manifest.write_text(json.dumps(content, indent=2) + "\n")
