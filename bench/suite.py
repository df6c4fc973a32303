#!/usr/bin/env python3
"""Whole-program benchmarks: each figure is the ratio of a program with Oriel (or a peer) to the same program without, the
two run in turn. Prints a table of minima and medians.

usage: bench/suite.py [--runs N] [--only TEXT] [--build FOLDER]    after: cmake --preset bench && cmake --build --preset bench
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import machine

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = os.path.join(ROOT, "build", "bench-programs")
ORIEL = os.path.join(ROOT, "build", "bench", "bin", "oriel")


def build_project(name, out):
    """Builds the project bench/NAME into the folder."""
    subprocess.run(["dotnet", "build", "-v", "q", "-c", "Release", "-nodeReuse:false", "-o", out,
                    f"--property:BaseIntermediateOutputPath={out}-obj/", os.path.join(ROOT, "bench", name)],
                   check=True, stdout=subprocess.DEVNULL)


def build_programs():
    build_project("programs", PROGRAMS)


def program(*args):
    return ["dotnet", os.path.join(PROGRAMS, "Programs.dll"), *args]


def oriel(folder, *options):
    return [ORIEL, "run", "-o", os.path.join(folder, "run.oriel"), *options, "--"]


def engine_only():
    """The engine loaded by environment variables without modules: its base cost."""
    clsid = subprocess.run([ORIEL, "version", "--clsid"], capture_output=True, text=True, check=True).stdout.strip()
    return {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": clsid,
            "CORECLR_PROFILER_PATH": os.path.join(os.path.dirname(ORIEL), "..", "lib", "liboriel.so")}


def dotnet_trace(folder):
    tool = shutil.which("dotnet-trace") or os.path.expanduser("~/.dotnet/tools/dotnet-trace")
    if not os.path.exists(tool):
        return None
    return [tool, "collect", "--profile", "dotnet-sampled-thread-time", "--show-child-io", "-o",
            os.path.join(folder, "run.nettrace"), "--"]


def perf(folder):
    if not shutil.which("perf"):
        return None
    return ["perf", "record", "-q", "-F", "999", "-g", "-e", "cpu-clock:u", "-o", os.path.join(folder, "perf.data"), "--"]


def seconds(command, environment):
    start = time.monotonic()
    subprocess.run(command, env={**os.environ, **environment}, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def compare(plain, prefix, environment, runs):
    """Seconds of both, run in turn after one warm-up each."""
    both = [(plain, {}), (prefix + plain, environment)]
    for command, env in both:
        seconds(command, env)
    times = ([], [])
    for i in range(runs):
        for which in (0, 1) if i % 2 == 0 else (1, 0):
            times[which].append(seconds(*both[which]))
    return times


def cases(folder):
    hello, busy1, busy8 = program("hello"), program("busy", "1", "1500"), program("busy", "8", "300")
    yield "start-up, engine loaded, nothing on", "hello", hello, [], engine_only()
    yield "start-up, oriel run (default)", "hello", hello, oriel(folder), {}
    yield "CPU-bound, engine loaded, nothing on", "busy 1", busy1, [], engine_only()
    for hz in ("100", "250", "1000"):
        yield f"sampling at {hz} Hz", "busy 8", busy8, oriel(folder, f"--sample={hz}"), {}
    yield "sampling at 1000 Hz", "busy 1", busy1, oriel(folder, "--sample=1000"), {}
    waiting = program("waiting", "1000", "6000")
    for option in ("--sample-real=100", "--sample-real"):
        yield f"real time, {option}", "waiting", waiting, oriel(folder, option), {}
    few = program("waiting", "200", "6000")
    for name, options in (("default", ()), ("--no-waits", ("--no-waits",)), ("--sample-real=100", ("--sample-real=100",))):
        yield f"200 waiting threads, {name}", "waiting-200", few, oriel(folder, *options), {}
    for name, rounds, steps in (("long", "2000", "400000"), ("short", "400000", "1000")):
        contended = program("contended", "4", rounds, steps)
        for options in ((), ("--locks",), ("--no-waits",)):
            yield f"a lock held {name}, {' '.join(options) or 'default'}", f"contended-{name}", contended, oriel(folder, *options), {}
    yield "10,000 exceptions a second (default)", "throwing", program("throwing", "20000", "48000"), oriel(folder), {}
    yield "nothing but exceptions (default)", "throwing", program("throwing", "300000", "1"), oriel(folder), {}
    yield "collections (default)", "collecting", program("collecting", "40"), oriel(folder), {}
    for name, keep in (("does not grow", "0"), ("grows", "40")):
        growing = program("growing", "120", keep)
        for options in ((), ("--alloc=sampled",)):
            yield f"a heap that {name}, {' '.join(options) or 'default'}", "growing", growing, oriel(folder, *options), {}
    for name, peer in (("dotnet-trace", dotnet_trace(folder)), ("perf, 999 Hz", perf(folder))):
        if peer is None:
            print(f"{name}: not installed, left out", file=sys.stderr)
            continue
        yield name, "busy 1", busy1, peer, {}
        yield name, "busy 8", busy8, peer, {}


def main():
    global ORIEL
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=7, help="counted runs of each (default 7; start-up: four times that)")
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "bench"), help="another build folder")
    options = parser.parse_args()
    machine.say()
    ORIEL = os.path.join(os.path.abspath(options.build), "bin", "oriel")
    if not os.path.exists(ORIEL):
        sys.exit("bench: build first: cmake --preset bench && cmake --build --preset bench")
    build_programs()
    print(f"{'case':40} {'program':8} {'plain min':>10} {'median':>9} {'with min':>10} {'median':>9} {'ratio min':>10} {'median':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, what, plain, prefix, environment in cases(folder):
            if options.only not in name:
                continue
            runs = options.runs * (4 if what == "hello" else 1)
            a, b = compare(plain, prefix, environment, runs)
            am, bm = statistics.median(a), statistics.median(b)
            print(f"{name:40} {what:8} {min(a):9.3f}s {am:8.3f}s {min(b):9.3f}s {bm:8.3f}s {min(b) / min(a):10.3f} {bm / am:8.3f}"
                  + (f"   {(bm - am) * 1000:+.1f} ms" if what == "hello" else ""), flush=True)


if __name__ == "__main__":
    main()
