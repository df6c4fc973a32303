#!/usr/bin/env python3
"""What a change costs the program: the default run of this build against that of another, on the C# compiler, the two and
the plain compiler run in turn.

usage: bench/versions.py OTHER [--runs N] [--build FOLDER] [--classes N]    both folders hold bin/oriel and lib/
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

import machine
import suite

sys.path.insert(0, os.path.join(suite.ROOT, "tests", "tools"))
import dotnet_sdk  # noqa: E402
import generate_source  # noqa: E402


def measure(command):
    """Seconds of wall time, and of CPU time of the command with its children."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"bench: {' '.join(command)} failed")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("other", help="the other build's folder")
    parser.add_argument("--build", default=os.path.join(suite.ROOT, "build", "bench"), help="this build's folder")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--classes", type=int, default=300)
    args = parser.parse_args()
    machine.say()
    with tempfile.TemporaryDirectory() as folder:
        response = generate_source.generate(os.path.join(folder, "source"), args.classes)
        compiler = ["dotnet", dotnet_sdk.compiler(), "@" + response]
        log = os.path.join(folder, "run.oriel")
        runs = {"plain": compiler}
        for name, build in (("other", args.other), ("this", args.build)):
            runs[name] = [os.path.join(build, "bin", "oriel"), "run", "-o", log, "--", *compiler]
        times = {name: [] for name in runs}
        for _ in range(args.runs):
            for name, command in runs.items():
                times[name].append(measure(command))
        print(f"{'':8}{'wall min':>10}{'median':>10}{'CPU min':>10}{'median':>10}")
        least, middle = {}, {}
        for name, taken in times.items():
            columns = list(zip(*taken))
            least[name], middle[name] = [min(c) for c in columns], [statistics.median(c) for c in columns]
            print(f"{name:8}" + "".join(f"{m:8.2f} s{d:8.2f} s" for m, d in zip(least[name], middle[name])))
        print("this / other: " + ", ".join(
            f"{what} {least['this'][i] / least['other'][i]:.3f} (min) {middle['this'][i] / middle['other'][i]:.3f} (median)"
            for i, what in enumerate(("wall", "CPU"))))


if __name__ == "__main__":
    main()
