#!/usr/bin/env python3
"""What enter and leave hooks of other profilers cost: nanoseconds a call of a method that is not inlined, once all code is
compiled for good, with the profiler alone on the runtime, as Oriel's only guest, and as two guests of the same kind, the
three run in turn. Prints a table of minima and medians, and their ratios to the profiler alone.

usage: bench/hooks.py [--runs N] [--millions N] [--only TEXT] [--build FOLDER]
       after: cmake --preset bench && cmake --build --preset bench
"""
import argparse
import os
import statistics
import sys
import tempfile

import machine
import suite
from instrumentation import SETTLE_MS, nanoseconds

# The kinds of tests/guests/hooks.cc.
KINDS = {"without info, one instruction": 0x31, "without info": 0x21, "with info": 0x11, "version 2 with info": 0x41,
         "version 1": 0x61}


def library():
    return os.path.join(os.path.dirname(os.path.dirname(suite.ORIEL)), "guests", "libguest-hooks.so")


def clsid(number):
    return f"{{5B0C1E5E-0000-4000-8000-0000000000{number:02X}}}"


def alone(kind):
    return [], {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": clsid(kind), "CORECLR_PROFILER_PATH": library()}


def guests(folder, kind, count):
    options = [part for i in range(count) for part in ("--clr-profiler", f"{clsid(kind + i)}={library()}")]
    return suite.oriel(folder, "--no-sample", *options), {}


def measure(folder, kind, plain, runs):
    ways = [([], {}), alone(kind), guests(folder, kind, 1), guests(folder, kind, 2)]
    times = [[] for _ in ways]
    for i in range(runs):
        order = range(len(ways)) if i % 2 == 0 else reversed(range(len(ways)))
        for which in order:
            prefix, environment = ways[which]
            times[which].append(nanoseconds(prefix + plain, {**environment, "HOOKS_MODULE": "Programs.dll"}))
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="counted runs of each (default 5)")
    parser.add_argument("--millions", type=int, default=100, help="calls a run, in millions (default 100)")
    parser.add_argument("--only", default="", help="only kinds whose name contains this")
    parser.add_argument("--build", default=os.path.join(suite.ROOT, "build", "bench"), help="another build folder")
    options = parser.parse_args()
    machine.say()
    suite.ORIEL = os.path.join(os.path.abspath(options.build), "bin", "oriel")
    for needed in (suite.ORIEL, library()):
        if not os.path.exists(needed):
            sys.exit(f"bench: {needed} is missing: cmake --preset bench && cmake --build --preset bench")
    suite.build_programs()
    plain = suite.program("call", str(options.millions), str(SETTLE_MS))
    columns = " ".join(f"{name:>9} {'median':>8}" for name in ("none", "alone", "one guest", "two"))
    print(f"{'hooks':30} {columns} {'one: min':>9} {'median':>8} {'two: min':>9} {'median':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, kind in KINDS.items():
            if options.only not in name:
                continue
            times = measure(folder, kind, plain, options.runs)
            least, median = [min(t) for t in times], [statistics.median(t) for t in times]
            shown = " ".join(f"{a:9.2f} {b:8.2f}" for a, b in zip(least, median))
            ratios = " ".join(f"{least[i] / least[1]:9.3f} {median[i] / median[1]:8.3f}" for i in (2, 3))
            print(f"{name:30} {shown} {ratios}", flush=True)


if __name__ == "__main__":
    main()
