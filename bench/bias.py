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

import machine

METHODS = ("LoopOne", "LoopTwo", "CallsLeaf", "Leaf")
POINTS = 2  # largest allowed difference of shares


def shares(counts):
    """By method, in percent of the sum of the four methods."""
    total = sum(counts.values())
    return {method: 100 * counts[method] / total for method in METHODS}


def by_perf(folder, command, klass):
    """Samples by method; None if perf does not work or does not name managed code."""
    if not shutil.which("perf"):
        return None
    data = os.path.join(folder, "perf.data")
    # perf needs a perf map to name managed code, and code pages that are written in place.
    environment = {**os.environ, "DOTNET_PerfMapEnabled": "1", "DOTNET_EnableWriteXorExecute": "0"}
    recorded = subprocess.run(["perf", "record", "-q", "-F", "999", "-e", "cpu-clock:u", "-o", data, "--", *command],
                              env=environment, capture_output=True, text=True)
    if recorded.returncode != 0:
        return None
    text = subprocess.run(["perf", "script", "-i", data, "-F", "ip,sym"], capture_output=True, text=True).stdout
    found = collections.Counter(re.findall(rf"\b{klass}::(\w+)\(", text))
    counts = collections.Counter({method: found[method] for method in METHODS})
    return counts if counts.total() else None


def by_oriel(oriel, folder, command, klass, hz=1000):
    """Samples by method."""
    log = os.path.join(folder, "run.oriel")
    subprocess.run([oriel, "run", f"--sample={hz}", "-o", log, "--", *command], check=True, capture_output=True)
    text = subprocess.run([oriel, "report", "top", "--json", "--limit", "1000", log], check=True, capture_output=True,
                          text=True).stdout
    counts = collections.Counter()
    for row in json.loads(text)["by_self"]:
        found = re.match(rf"{klass}\.(\w+)\(", row["name"])
        if found and found.group(1) in METHODS:
            counts[found.group(1)] += row["self"]
    return counts


def differences(theirs, ours):
    """Differences by method, in percentage points."""
    theirs, ours = shares(theirs), shares(ours)
    return {method: ours[method] - theirs[method] for method in METHODS}


def differs(theirs, ours):
    return any(abs(points) > POINTS for points in differences(theirs, ours).values())


def table(theirs, ours):
    lines = [f"{'method':12} {'perf %':>8} {'oriel %':>8} {'points':>8}"]
    for method, points in differences(theirs, ours).items():
        lines.append(f"{method:12} {shares(theirs)[method]:8.2f} {shares(ours)[method]:8.2f} {points:+8.2f}")
    return "\n".join(lines)


def main():
    machine.say()
    from suite import ORIEL, build_programs, program

    oriel = sys.argv[1] if len(sys.argv) > 1 else ORIEL
    build_programs()
    with tempfile.TemporaryDirectory() as folder:
        command = program("shares", "250")
        theirs = by_perf(folder, command, "Shares")
        if theirs is None:
            print("bias: skipped, perf is not installed, may not record or names no managed code here")
            return 0
        ours = by_oriel(oriel, folder, command, "Shares")
    print(table(theirs, ours))
    return 1 if differs(theirs, ours) else 0


if __name__ == "__main__":
    sys.exit(main())
