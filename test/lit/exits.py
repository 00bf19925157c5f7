"""exits.py CODE COMMAND...: succeeds if the command ends with exactly that exit code."""
import subprocess
import sys

wanted = int(sys.argv[1])
actual = subprocess.run(sys.argv[2:]).returncode
if actual != wanted:
    sys.exit(f"exit code {actual} instead of {wanted}: {' '.join(sys.argv[2:])}")
