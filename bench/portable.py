#!/usr/bin/env python3
"""The portable build beside the ordinary one: the same commands in turn, as ratios of wall time and of processor time.

usage: bench/portable.py PORTABLE [--build FOLDER] [--runs N]
       PORTABLE: an unpacked tarball of ./package; FOLDER: an ordinary build (default: build/release)
"""
import argparse
import os
import resource
import statistics
import subprocess
import tempfile
import time

import machine

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def spent(command, folder):
    """Seconds of wall time and of processor time, children's with it."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("portable")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    commands = {"ordinary": os.path.join(build, "bin", "oriel"),
                "portable": os.path.join(os.path.abspath(options.portable), "bin", "oriel")}
    hello = ["dotnet", os.path.join(build, "targets", "hello", "hello.dll")]
    busy = ["dotnet", os.path.join(build, "targets", "programs", "programs.dll"), "busy", "1", "100"]
    cases = {"start-up, samples": ["run", "-o", "hello.oriel", "--", *hello],
             "ten million calls": ["run", "--calls=Busy.*", "-o", "calls.oriel", "--", *busy],
             "report of these": ["report", "calls", "read.oriel"]}
    machine.say()
    with tempfile.TemporaryDirectory() as folder:
        spent([commands["ordinary"], "run", "--calls=Busy.*", "-o", "read.oriel", "--", *busy], folder)
        for name, words in cases.items():
            times = {which: [] for which in commands}
            for _ in range(options.runs):
                for which, oriel in commands.items(): times[which].append(spent([oriel, *words], folder))
            for column, kind in enumerate(("wall", "processor")):
                one, other = ([run[column] for run in times[which]] for which in ("ordinary", "portable"))
                print(f"{name}, {kind} time: ordinary {min(one):.3f} s, portable {min(other):.3f} s, ratio min "
                      f"{min(other) / min(one):.3f}, median {statistics.median(other) / statistics.median(one):.3f}", flush=True)


if __name__ == "__main__":
    main()
