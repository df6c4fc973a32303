#!/usr/bin/env python3
"""What probes cost: nanoseconds an object and a call, once all code is compiled for good, with Oriel or a peer and without,
the two run in turn. Prints a table of minima and medians.

usage: bench/instrumentation.py [--runs N] [--millions N] [--only TEXT] [--build FOLDER]
       after: cmake --preset bench && cmake --build --preset bench
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

import machine
import suite

SETTLE_MS = 3000
TAKEN_OUT_MS = 2500  # after the first warm-up, before the wait ends


def engine(*modules):
    """The engine with these modules, loaded by environment variables only."""
    return {**suite.engine_only(), "ORIEL_PROFILERS": ";".join(modules)}


def library(name):
    return os.path.join(os.path.dirname(os.path.dirname(suite.ORIEL)), "tests", "modules", f"liboriel-{name}.so")


def probes(arguments):
    return [], engine(f"{library('probes')}:{arguments}")


def peer(what):
    """The runtime's own allocation callback."""
    return [], {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": "{0B1E57A1-7E57-4A11-0C8E-D0B5E7E0A110}",
                "CORECLR_PROFILER_PATH": library("allocations"), "ORIEL_PEER": what}


def logged(folder, *options):
    return suite.oriel(folder, "--no-sample", *options), {}


def cases(folder):
    """(case, program, (command prefix, environment))"""
    yield "engine loaded, nothing on", "allocate", ([], suite.engine_only())
    yield "allocations latent", "allocate", probes("alloc=Steady.+latent")
    yield "allocations taken out again", "allocate", probes(f"alloc=Steady.+latent+out={TAKEN_OUT_MS}")
    yield "allocations counted", "allocate", probes("alloc=Steady.")
    yield "allocations counted, full", "allocate", probes("alloc=Steady.+events-full")
    yield "allocations logged", "allocate", logged(folder, "--alloc", "--alloc-in=Steady.*")
    yield "allocations logged with stacks", "allocate", logged(folder, "--alloc", "--alloc-in=Steady.*", "--alloc-stacks")
    yield "allocations sampled", "allocate", probes("sampled")
    yield "allocations sampled, with stacks", "allocate", logged(folder, "--alloc=sampled")
    yield "the runtime's callback, latent", "allocate", peer("latent")
    yield "the runtime's callback, empty", "allocate", peer("empty")
    yield "the runtime's callback, counting", "allocate", peer("count")
    yield "calls latent", "call", probes("calls=Steady.Callee+latent")
    yield "calls taken out again", "call", probes(f"calls=Steady.Callee+latent+out={TAKEN_OUT_MS}")
    yield "calls counted", "call", probes("calls=Steady.Callee")
    yield "calls counted, full", "call", probes("calls=Steady.Callee+events-full")
    yield "calls logged with both times", "call", logged(folder, "--calls=Steady.Callee")
    # Each thread makes its own calls. The log's writer needs a processor too.
    yield "calls counted, two threads", "call-2", probes("calls=Steady.Callee")
    yield "calls logged, two threads", "call-2", logged(folder, "--calls=Steady.Callee")


def nanoseconds(command, environment):
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
    told = re.search(r"^ns: ([\d.]+)$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not told:
        sys.exit(f"bench: {' '.join(command)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return float(told.group(1))


def compare(plain, prefix, environment, runs):
    both = [(plain, {}), (prefix + plain, environment)]
    times = ([], [])
    for i in range(runs):
        for which in (0, 1) if i % 2 == 0 else (1, 0):
            times[which].append(nanoseconds(*both[which]))
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="counted runs of each (default 5)")
    parser.add_argument("--millions", type=int, default=500, help="objects and calls a run, in millions (default 500)")
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--build", default=os.path.join(suite.ROOT, "build", "bench"), help="another build folder")
    options = parser.parse_args()
    machine.say()
    suite.ORIEL = os.path.join(os.path.abspath(options.build), "bin", "oriel")
    for needed in (suite.ORIEL, library("probes"), library("allocations")):
        if not os.path.exists(needed):
            sys.exit(f"bench: {needed} is missing: cmake --preset bench && cmake --build --preset bench")
    suite.build_programs()
    print(f"{'case':34} {'program':9} {'plain min':>10} {'median':>8} {'with min':>9} {'median':>8} {'ratio min':>10} {'median':>8} {'more':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for name, what, (prefix, environment) in cases(folder):
            if options.only not in name:
                continue
            plain = suite.program(what, str(options.millions), str(SETTLE_MS))
            a, b = compare(plain, prefix, environment, options.runs)
            am, bm = statistics.median(a), statistics.median(b)
            print(f"{name:34} {what:9} {min(a):7.2f} ns {am:8.2f} {min(b):9.2f} {bm:8.2f} {min(b) / min(a):10.3f} {bm / am:8.3f}"
                  f" {bm - am:+6.2f} ns", flush=True)


if __name__ == "__main__":
    main()
