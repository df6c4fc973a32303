#!/usr/bin/env python3
"""Is a sample where the program was? Shares of two loops without calls and of a leaf called from a loop, by Oriel and by
perf's cpu-clock, of the same program. Exits with 1 if any differs by more than 2 points; skips (0) where perf is missing
or may not record.

usage: bench/bias.py [ORIEL]
"""
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from suite import ORIEL, build_programs, program

METHODS = ("LoopOne", "LoopTwo", "CallsLeaf", "Leaf")


def shares(counts):
    total = sum(counts.values())
    return {method: 100 * counts[method] / total for method in METHODS}


def by_perf(folder, command):
    data = os.path.join(folder, "perf.data")
    # perf names managed code only with a perf map, and only where code is written in place.
    environment = {**os.environ, "DOTNET_PerfMapEnabled": "1", "DOTNET_EnableWriteXorExecute": "0"}
    recorded = subprocess.run(["perf", "record", "-q", "-F", "999", "-e", "cpu-clock:u", "-o", data, "--", *command],
                              env=environment, capture_output=True, text=True)
    if recorded.returncode != 0:
        return None
    text = subprocess.run(["perf", "script", "-i", data, "-F", "ip,sym"], capture_output=True, text=True).stdout
    counts = collections.Counter()
    for line in text.splitlines():
        found = re.search(r"Shares::(\w+)\(", line)
        if found:
            counts[found.group(1)] += 1
    return counts if counts else None


def by_oriel(oriel, folder, command):
    log = os.path.join(folder, "run.oriel")
    subprocess.run([oriel, "run", "--sample=1000", "-o", log, "--", *command], check=True, capture_output=True)
    text = subprocess.run([oriel, "report", "top", "--json", "--limit", "1000", log], check=True, capture_output=True,
                          text=True).stdout
    counts = collections.Counter()
    for row in json.loads(text)["by_self"]:
        found = re.match(r"Shares\.(\w+)\(", row["name"])
        if found:
            counts[found.group(1)] += row["self"]
    return counts


def main():
    oriel = sys.argv[1] if len(sys.argv) > 1 else ORIEL
    if not shutil.which("perf"):
        print("bias: skipped, perf is not installed")
        return 0
    build_programs()
    with tempfile.TemporaryDirectory() as folder:
        command = program("shares", "250")
        reference = by_perf(folder, command)
        if reference is None:
            print("bias: skipped, perf may not record or names no managed code here")
            return 0
        theirs, ours = shares(reference), shares(by_oriel(oriel, folder, command))
    print(f"{'method':12} {'perf %':>8} {'oriel %':>8} {'points':>8}")
    worst = 0
    for method in METHODS:
        difference = ours[method] - theirs[method]
        worst = max(worst, abs(difference))
        print(f"{method:12} {theirs[method]:8.2f} {ours[method]:8.2f} {difference:+8.2f}")
    return 0 if worst <= 2 else 1


if __name__ == "__main__":
    sys.exit(main())
