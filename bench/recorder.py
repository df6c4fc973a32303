#!/usr/bin/env python3
"""What the flight recorder costs a program, and what a crash loses.

  cost  processor time of a program that computes on two threads: plain, with a log, and with a recorder, in turn
  idle  processor time that Oriel's threads use in a program that does little, for each second of it
  loss  how long before `kill -9` the log of a busy program ends: a plain log, and a recorder's

usage: bench/recorder.py [--runs N] [--build FOLDER] [cost|idle|loss]…    after: cmake --preset release && cmake --build --preset release
"""
import argparse
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import machine

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("CORECLR_", "ORIEL_"))}
KINDS = {"plain": None, "oriel run": [], "oriel run --recorder 60s": ["--recorder=60s"]}


class Bench:
    def __init__(self, build, folder):
        self.oriel = os.path.join(build, "bin", "oriel")
        self.program = ["dotnet", os.path.join(build, "targets", "recorded", "recorded.dll")]
        self.log = os.path.join(folder, "run.oriel")

    def command(self, options):
        return self.program if options is None else [self.oriel, "run", "-o", self.log, *options, "--", *self.program]

    def start(self, options, *words):
        run = subprocess.Popen([*self.command(options), *words], env=CLEAN, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True, bufsize=1)
        assert run.stdout.readline() == "ready\n"
        return run

    def report(self):
        return json.loads(subprocess.run([self.oriel, "report", "summary", "--json", self.log], capture_output=True, check=True).stdout)

    def cost(self, options):
        """Seconds of processor time for a fixed amount of work."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = self.start(options, "idle")
        run.stdin.write("work 60000\nexit 0\n")
        assert run.wait() == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        run.stdin.close(), run.stdout.close()
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def idle(self, options):
        """Milliseconds of Oriel's processor time for each second, after the start."""
        short, long = (self.waited(options, seconds) for seconds in (4, 14))
        return (long - short) / 10

    def waited(self, options, seconds):
        """Milliseconds of Oriel's processor time in a program that waits for so long."""
        run = self.start(options, "idle")
        run.stdin.write(f"wait {seconds * 1000}\nexit 0\n")
        assert run.wait() == 0
        run.stdin.close(), run.stdout.close()
        return self.report()["cpu"]["oriel_us"] / 1e3

    def loss(self, options):
        """Milliseconds from the log's end to the kill."""
        run = self.start(options)
        time.sleep(1.5)
        child = int(subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True, check=True).stdout.split()[0])
        killed = time.time()
        os.kill(child, signal.SIGKILL)
        run.wait()
        run.stdin.close(), run.stdout.close()
        summary = self.report()
        return (killed - summary["start_unix_us"] / 1e6 - summary["wall_ns"] / 1e9) * 1e3


def measure(bench, name, runs):
    unit = {"cost": "s ", "idle": "ms", "loss": "ms"}[name]
    kinds = {kind: options for kind, options in KINDS.items() if name == "cost" or options is not None}
    values = {kind: [] for kind in kinds}
    for _ in range(runs):
        for kind, options in kinds.items(): values[kind].append(getattr(bench, name)(options))
    print(name)
    for kind, found in values.items():
        print(f"  {kind:26} min {min(found):8.2f} {unit}  median {statistics.median(found):8.2f} {unit}  max {max(found):8.2f} {unit}",
              flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("what", nargs="*", choices=["cost", "idle", "loss", []], default=[])
    args = parser.parse_args()
    machine.say()
    with tempfile.TemporaryDirectory() as folder:
        for name in args.what or ["cost", "idle", "loss"]: measure(Bench(args.build, folder), name, args.runs)


if __name__ == "__main__":
    sys.exit(main())
