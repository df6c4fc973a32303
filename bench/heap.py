#!/usr/bin/env python3
"""What a snapshot of the heap takes: how long the program is stopped, by Oriel's own account and by a thread of the program that
only reads the clock; how long all of it takes; the bytes in the log; and the memory that the copy of the process takes for itself
while the program changes its own, of the heap's size.

The program is tests/targets/heap with so many entries in a dictionary, each an object and an array of 100 bytes: 5,000,000 are
a gigabyte in ten million objects. `quiet` is the longest time for which that thread was held up in as long a time without a
snapshot. With --changes N a thread of it changes N entries anywhere in the heap each second; --server is the server collector.

usage: bench/heap.py [--entries N] [--snapshots N] [--changes N] [--server] [--build FOLDER]
       after: cmake --preset release && cmake --build --preset release
"""
import argparse
import contextlib
import os
import re
import statistics
import subprocess
import tempfile
import threading
import time

import machine

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("CORECLR_", "ORIEL_"))}


def longest(program):
    program.stdin.write(b"longest\n")
    program.stdin.flush()
    return float(program.stdout.readline())


class CopyWatch(threading.Thread):
    """Watches how much memory of its own the copy of a process has at most, in MB."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.most, self.over = pid, 0.0, False
        self.start()

    def run(self):
        while not self.over:
            for child in self.children():
                with contextlib.suppress(OSError), open(f"/proc/{child}/smaps_rollup", encoding="ascii") as file:
                    own = sum(int(line.split()[1]) for line in file if line.startswith("Private_"))
                    self.most = max(self.most, own / 1024)
            time.sleep(0.02)

    def children(self):
        for thread in os.listdir(f"/proc/{self.pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{self.pid}/task/{thread}/children", encoding="ascii") as file:
                yield from file.read().split()

    def end(self):
        self.over = True
        self.join()
        return self.most


def measure(oriel, target, options, folder):
    log = os.path.join(folder, "heap.oriel")
    variables = {"WATCH_CLOCK": "1", "CHANGES": str(options.changes)} | ({"DOTNET_gcServer": "1"} if options.server else {})
    program = subprocess.Popen([oriel, "run", "--no-sample", "-o", log, "--", "dotnet", target, str(options.entries)],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               env={**CLEAN, **variables})
    for _ in range(3):
        program.stdout.readline()
    pid = subprocess.run(["pgrep", "-P", str(program.pid)], capture_output=True, text=True, check=True).stdout.split()[0]
    rows = []
    for _ in range(options.snapshots):
        copy = CopyWatch(pid)
        longest(program)
        begin = time.monotonic()
        size = os.path.getsize(log)
        said = subprocess.run([oriel, "ctl", pid, "snapshot"], capture_output=True, text=True, check=True).stdout
        took = time.monotonic() - begin
        own = copy.end()
        held_up = longest(program)
        time.sleep(took)
        quiet = longest(program)
        objects, megabytes, stopped = re.search(r": ([\d,]+) objects, ([\d.]+) MB; .* for ([\d.]+) ms", said).groups()
        rows.append((float(stopped), held_up, quiet, took, (os.path.getsize(log) - size) / 1e6,
                     own * 1.048576 / float(megabytes) * 100))
    program.stdin.close()
    program.wait()
    return objects, megabytes, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=5_000_000)
    parser.add_argument("--snapshots", type=int, default=5)
    parser.add_argument("--changes", type=int, default=0)
    parser.add_argument("--server", action="store_true")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    options = parser.parse_args()
    machine.say()
    with tempfile.TemporaryDirectory() as folder:
        objects, megabytes, rows = measure(os.path.join(options.build, "bin", "oriel"),
                                           os.path.join(options.build, "targets", "heap", "heap.dll"), options, folder)
    print(f"{objects} objects, {megabytes} MB")
    for name, unit, column in zip(("stopped", "held up", "quiet", "all of it", "in the log", "copy's own"), ("ms", "ms", "ms", "s", "MB", "%"),
                                  zip(*rows)):
        print(f"{name:<11} min {min(column):8.2f} {unit:<2}  median {statistics.median(column):8.2f} {unit}")


if __name__ == "__main__":
    main()
