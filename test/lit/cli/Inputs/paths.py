"""The names of the files that a report lists, in its order."""
import json
import os
import sys

with open(sys.argv[1]) as report:
    print(*(os.path.basename(file["path"]) for file in json.load(report)["files"]))
