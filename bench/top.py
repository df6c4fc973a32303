#!/usr/bin/env python3
"""What `oriel top` costs the program that it shows, and itself: percent of one processor, over pairs of periods with and
without it.

  idle   an ASP.NET Core server without requests
  paced  the same server, asked 200 times a second
  busy   tests/targets/attached: two threads that compute, allocate, throw and wait for locks. It takes what it gets, so
         only the CPU time of Oriel's threads in it tells

The program's own CPU time varies more than the cost, so it is told with its spread. `threads` is the CPU time of Oriel's
threads in the program, by /proc: without what sampling takes of the program's own threads.

usage: bench/top.py [--pairs N] [--seconds S] [--build FOLDER] [--top OPTION]… [idle|paced|busy]…
       after: cmake --preset release && cmake --build --preset release
"""
import argparse
import glob
import os
import statistics
import subprocess
import sys
import threading
import time
import urllib.request

import machine

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("CORECLR_", "ORIEL_"))}


def cpu_of(pid):
    """Seconds of CPU time of the process, by the kernel's clock of it."""
    return time.clock_gettime(~pid << 3 | 2)


def cpu_of_oriel(pid):
    """Of Oriel's threads in the process."""
    total = 0
    for task in glob.glob(f"/proc/{pid}/task/*"):
        try:
            with open(task + "/comm", encoding="utf-8") as comm, open(task + "/schedstat", encoding="ascii") as stat:
                total += int(stat.read().split()[0]) / 1e9 if comm.read().startswith("oriel-") else 0
        except OSError:
            pass
    return total


class Pace:
    """Asks a server at a constant rate."""

    def __init__(self, port, rate):
        self.port, self.pause, self.stop = port, 1 / rate, False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        due = time.monotonic()
        while not self.stop:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/work/20", timeout=60) as answer:
                answer.read()
            due += self.pause
            time.sleep(max(0, due - time.monotonic()))


def begin(kind, build):
    target = "attached" if kind == "busy" else "server"
    words = ["36000"] if kind == "busy" else []
    program = subprocess.Popen(["dotnet", os.path.join(build, "targets", target, target + ".dll"), *words], env=CLEAN,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    first = program.stdout.readline()
    pace = Pace(int(first.split()[-1]), 200) if kind == "paced" else None
    time.sleep(15)  # until tiering has settled
    return program, pace


def measure(kind, options):
    program, pace = begin(kind, options.build)
    oriel = os.path.join(options.build, "bin", "oriel")
    figures = {"without": [], "with": [], "threads": [], "tool": [], "first": []}
    for _ in range(options.pairs):
        before = cpu_of(program.pid)
        time.sleep(options.seconds)
        figures["without"].append((cpu_of(program.pid) - before) / options.seconds * 100)
        begun = time.monotonic()
        top = subprocess.Popen([oriel, "top", str(program.pid), "--json", *options.top], stdout=subprocess.PIPE, text=True)
        top.stdout.readline()
        figures["first"].append(time.monotonic() - begun)
        drain = threading.Thread(target=top.stdout.read, daemon=True)
        drain.start()
        before, oriels, tool = cpu_of(program.pid), cpu_of_oriel(program.pid), cpu_of(top.pid)
        time.sleep(options.seconds)
        figures["with"].append((cpu_of(program.pid) - before) / options.seconds * 100)
        figures["threads"].append((cpu_of_oriel(program.pid) - oriels) / options.seconds * 100)
        figures["tool"].append((cpu_of(top.pid) - tool) / options.seconds * 100)
        top.terminate()
        top.wait()
        drain.join()
    if pace:
        pace.stop = True
        pace.thread.join()
    program.kill()
    print(f"{kind}, {options.pairs} pairs of {options.seconds} s; percent of a processor, median (least to most)")
    costs = [a - b for a, b in zip(figures["with"], figures["without"])]
    for name, values in (("the program without", figures["without"]), ("the program with", figures["with"]),
                         ("the difference", costs), ("Oriel's threads in it", figures["threads"]),
                         ("oriel top itself", figures["tool"])):
        print(f"  {name:24}{statistics.median(values):8.2f}  ({min(values):.2f} to {max(values):.2f})", flush=True)
    print(f"  seconds until the first figures, of 2 s: {statistics.median(figures['first']):.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("--top", action="append", default=[], metavar="OPTION", help="passed on to oriel top")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    machine.say()
    for kind in options.kinds or ["idle", "paced", "busy"]:
        measure(kind, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
