"""Checks what SARIF 2.1.0 demands of a document of ours: check_sarif.py DOCUMENT

Prints a line a violation and exits with 1 where there is one.
"""
import json
import sys

LEVELS = {"none", "note", "warning", "error"}
KINDS = {"notApplicable", "pass", "fail", "review", "open", "informational"}
PROBLEMS = []


def need(condition, what):
    if not condition:
        PROBLEMS.append(what)


def check_region(region, where):
    start = (region.get("startLine", 0), region.get("startColumn", 1))
    need(start[0] >= 1 and start[1] >= 1, f"{where}: lines and columns begin at 1")
    end = (region.get("endLine", start[0]), region.get("endColumn", start[1]))
    need(end >= start, f"{where}: the region ends before it begins")


def check_result(result, rules, where):
    need(result["message"]["text"], f"{where}: the message is empty")
    need(result["level"] in LEVELS and result["kind"] in KINDS, f"{where}: level or kind")
    # 3.27.10: a result that is no failure has the level none.
    need((result["kind"] == "fail") or result["level"] == "none", f"{where}: level without failure")
    need(rules[result["ruleIndex"]]["id"] == result["ruleId"], f"{where}: ruleIndex")
    for location in result["locations"]:
        physical = location["physicalLocation"]
        need(physical["artifactLocation"]["uri"], f"{where}: no uri")
        check_region(physical["region"], where)
    for fix in result.get("fixes", []):
        for change in fix["artifactChanges"]:
            need(change["replacements"], f"{where}: a change without replacements")
            for replacement in change["replacements"]:
                check_region(replacement["deletedRegion"], where)


def main():
    document = json.load(open(sys.argv[1], encoding="utf-8"))
    need(document["version"] == "2.1.0", "version")
    need(document["$schema"].endswith("sarif-schema-2.1.0.json"), "$schema")
    results = 0
    for run in document["runs"]:
        rules = run["tool"]["driver"]["rules"]
        need(len({rule["id"] for rule in rules}) == len(rules), "an id is used by two rules")
        need(all(rule["helpUri"].startswith("docs/") for rule in rules), "helpUri")
        for result in run["results"]:
            check_result(result, rules, f"result {results}")
            results += 1
    print("\n".join(PROBLEMS) if PROBLEMS else f"valid, {results} results")
    return 1 if PROBLEMS else 0


if __name__ == "__main__":
    sys.exit(main())
