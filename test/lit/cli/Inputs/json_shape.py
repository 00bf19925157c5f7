"""json_shape.py REPORT: what the report on two.cu must say, field by field."""
import json
import sys

report = json.load(open(sys.argv[1]))
assert report["schema"] == 1 and report["tool"] == "pipeline-rewrite", report
assert report["arch"] == "sm_86" and report["version"], report
assert len(report["files"]) == 1 and report["files"][0]["path"].endswith("two.cu"), report["files"]
taken, left = report["files"][0]["loops"]

assert (taken["kernel"], taken["line"], taken["column"]) == ("taken", 6, 3), taken
assert taken["instantiation"] == "taken" and taken["status"] == "rewritten", taken
assert taken["reasons"] == [] and taken["stages"] == 2, taken
assert taken["variant"] in ("ldg", "cp-async") and taken["form"] in ("peel", "predicate", "ring"), taken
tile = taken["tiles"][0]
assert (tile["name"], tile["bytes"]) == ("As", 64) and tile["transport"] in ("ldg", "cp-async"), tile
shared = taken["shared_bytes"]
assert (shared["before"], shared["after"]) == (64, 128), shared
assert (shared["static_limit"], shared["optin_limit"]) == (49152, 101376), shared
for when in ("before", "after"):
    occupancy = taken["occupancy"][when]
    assert occupancy["blocks_per_sm"] >= 1 and occupancy["warps"] >= 1 and occupancy["limit"], occupancy
assert taken["ratio_source"] in ("computed", "given", "unknown") and taken["trip_count"] is None, taken

assert (left["kernel"], left["status"]) == ("left", "refused"), left
assert left["variant"] is None and left["form"] is None, left
reason = left["reasons"][0]
assert (reason["id"], reason["line"], reason["column"]) == ("may-alias", 25, 5), reason
assert "'C'" in reason["message"] and "'A'" in reason["message"], reason
