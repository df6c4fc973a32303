#!/usr/bin/env python3
"""Other profilers under Oriel against the same ones as the runtime's only profiler, run in turn. Prints tables of minima
and medians:

  start   a program that does nothing: wall time of one profiler under Oriel's engine, under `oriel run` that records
          nothing, and under a default `oriel run`, each against the profiler alone, and Oriel without it against nothing
  steady  the C# compiler with a profiler that hears all that it can
  heap    a program whose collections a profiler follows object by object
  jit     what three profilers that each change all methods add to the processor time that the JIT takes for a part of the
          frameworks' methods, all three under Oriel, against the sum of what each adds alone

usage: bench/guests.py [--runs N] [--build FOLDER] [start|steady|heap|jit]…
       after: cmake --preset release && cmake --build --preset release
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

import machine
from ways import built

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
import dotnet_sdk
import generate_source


class Bench:
    def __init__(self, build, runs, folder):
        self.build, self.runs, self.folder = build, runs, folder
        self.oriel = built(build, "bin", "oriel")
        self.clsid = subprocess.run([self.oriel, "version", "--clsid"], capture_output=True, text=True,
                                    check=True).stdout.strip()

    def guest(self, name, number):
        return (f"{{5B0C1E5E-0000-4000-8000-0000000000{number:02X}}}",
                os.path.join(self.build, "guests", f"libguest-{name}.so"))

    def alone(self, guest):
        return {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": guest[0], "CORECLR_PROFILER_PATH": guest[1]}

    def engine(self, *guests):
        """Oriel's engine without modules, with these profilers beside it."""
        library = os.path.join(self.build, "lib", "liboriel.so")
        return {**self.alone((self.clsid, library)), "ORIEL_GUESTS": "\n".join("=".join(guest) for guest in guests)}

    def run(self, *options, guests=()):
        named = [word for guest in guests for word in ("--clr-profiler", "=".join(guest))]
        return [self.oriel, "run", "-o", os.path.join(self.folder, "run.oriel"), *named, *options, "--"]

    def measure(self, command, ways):
        """The times of all runs of each way (front, environment): wall and CPU seconds."""
        times = [([], []) for _ in ways]
        for round_number in range(self.runs + 1):
            order = list(enumerate(ways))
            for i, (front, environment) in order if round_number % 2 == 0 else reversed(order):
                wall, cpu = self.time([*front, *command], environment)
                if round_number > 0:  # the first round fills caches
                    times[i][0].append(wall)
                    times[i][1].append(cpu)
        return times

    def time(self, command, environment):
        began = time.monotonic()
        process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - began
        if status != 0:
            sys.exit(f"bench: {' '.join(command)} ended with {status}")
        return wall, usage.ru_utime + usage.ru_stime


def row(name, times, against):
    ratios = min(times) / min(against), statistics.median(times) / statistics.median(against)
    print(f"{name:44} {min(times) * 1000:9.1f} ms {statistics.median(times) * 1000:9.1f}   {ratios[0]:6.3f} {ratios[1]:6.3f}")


def title(text):
    print(f"\n{text:44} {'min':>12} {'median':>9}   {'ratio min':>6} {'median':>6}")


def start(bench):
    counting = bench.guest("counting", 1)
    quiet = {"COUNTING_MASK": "24"}
    hello = ["dotnet", built(bench.build, "targets", "hello", "hello.dll")]
    times = bench.measure(hello, [([], {}), ([], bench.engine()), (bench.run("--no-sample"), {}), (bench.run(), {}),
                                  ([], {**bench.alone(counting), **quiet}), ([], {**bench.engine(counting), **quiet}),
                                  (bench.run("--no-sample", guests=[counting]), quiet),
                                  (bench.run(guests=[counting]), quiet)])
    wall = [one[0] for one in times]
    title("start")
    for name, which, against in (("plain", 0, 0), ("engine", 1, 0), ("oriel run that records nothing", 2, 0),
                                 ("default oriel run", 3, 0), ("profiler alone", 4, 4), ("profiler under the engine", 5, 4),
                                 ("under oriel run that records nothing", 6, 4), ("under a default oriel run", 7, 4)):
        row(name, wall[which], wall[against])


def compiler(bench):
    return ["dotnet", dotnet_sdk.compiler(), "@" + generate_source.generate(os.path.join(bench.folder, "source"), 60)]


def steady(bench):
    counting = bench.guest("counting", 1)
    times = bench.measure(compiler(bench), [([], bench.alone(counting)), ([], bench.engine(counting)),
                                            (bench.run("--no-sample", guests=[counting]), {}),
                                            (bench.run(guests=[counting]), {})])
    title("steady, wall")
    for name, one in zip(("profiler alone", "under the engine", "under oriel run that records nothing",
                          "under a default oriel run"), times, strict=True):
        row(name, one[0], times[0][0])


def heap(bench):
    counting = bench.guest("counting", 1)
    walks = {"COUNTING_MASK": "80"}
    command = ["dotnet", built(bench.build, "targets", "collections", "collections.dll"), "12"]
    times = bench.measure(command, [([], {}), ([], {**bench.alone(counting), **walks}),
                                    ([], {**bench.engine(counting), **walks}),
                                    (bench.run("--no-sample", guests=[counting]), walks)])
    title("heap, wall")
    for name, one in zip(("plain", "profiler alone", "under the engine", "under oriel run that records nothing"), times,
                         strict=True):
        row(name, one[0], times[1][0])


def jit(bench):
    three = [bench.guest("padding", number) for number in (1, 3, 5)]
    command = ["dotnet", built(bench.build, "targets", "prepare", "prepare.dll"), "0/16"]
    ways = [([], {}), *(([], bench.alone(guest)) for guest in three), ([], bench.engine()), ([], bench.engine(three[0])),
            ([], bench.engine(*three))]
    settings = {"DOTNET_ReadyToRun": "0", "DOTNET_BackpatchEntryPointSlots": "0"}
    times = bench.measure(command, [(front, {**environment, **settings}) for front, environment in ways])
    plain, *each, engine, first, all_three = [one[1] for one in times]
    title("jit, processor time")
    for name, one in zip(("plain", "first alone", "second alone", "third alone", "engine", "first under the engine",
                          "all three under the engine"), (plain, *each, engine, first, all_three), strict=True):
        row(name, one, plain)
    for name, pick in (("min", min), ("median", statistics.median)):
        added = sum(pick(one) - pick(plain) for one in each)
        together = pick(all_three) - pick(plain)
        print(f"added, {name}: {together * 1000:.0f} ms of all three; {added * 1000:.0f} ms the sum of each; "
              f"ratio {together / added:.3f}")


def main():
    parts = {"start": start, "steady": steady, "heap": heap, "jit": jit}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=7, help="counted runs of each (default 7)")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"), help="another build folder")
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help="which (default all)")
    options = parser.parse_args()
    machine.say()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.build, options.runs, folder)
        for name in options.parts or parts:
            parts[name](bench)


if __name__ == "__main__":
    main()
