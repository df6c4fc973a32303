#!/usr/bin/env python3
"""What exports take of a log of about a million samples: CPU time, most memory, and the size of the file, each the median of
some runs. `report rows` of no rows beside them is what reading the log alone takes.

usage: bench/exports.py [--megabytes N] [--runs N] [--build FOLDER] [FORMAT…]
       after: cmake --preset bench && cmake --build --preset bench
"""
import argparse
import os
import statistics
import subprocess
import tempfile
import time

import machine

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FORMATS = ("collapsed", "speedscope", "pprof", "html", "perfetto", "firefox", "chrome-trace", "perf-script")


def run(command):
    """Seconds of CPU, seconds, and most memory in MB."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - began, usage.ru_maxrss / 1024


def median(command, runs):
    return [statistics.median(figures) for figures in zip(*(run(command) for _ in range(runs)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formats", nargs="*", default=FORMATS, metavar="FORMAT")
    parser.add_argument("--megabytes", type=int, default=11, help="of the log")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "bench"))
    options = parser.parse_args()
    machine.say()
    oriel = os.path.join(options.build, "bin", "oriel")
    maker = os.path.join(options.build, "bench", "report", "make_log")
    with tempfile.TemporaryDirectory(prefix="oriel-exports-") as folder:
        log, out = os.path.join(folder, "run.oriel"), os.path.join(folder, "out")
        made = subprocess.run([maker, log, str(options.megabytes)], check=True, capture_output=True, text=True).stdout.strip()
        print(f"{made}, {os.path.getsize(log) / 1e6:.0f} MB\n\n| | CPU | wall | most memory | file |\n|---|---|---|---|---|", flush=True)
        cpu, wall, memory = median([oriel, "report", "rows", "marks", log], options.runs)
        print(f"| reading | {cpu:.2f} s | {wall:.2f} s | {memory:.0f} MB | – |", flush=True)
        for name in options.formats:
            cpu, wall, memory = median([oriel, "export", "--format", name, "-o", out, log], options.runs)
            print(f"| `{name}` | {cpu:.2f} s | {wall:.2f} s | {memory:.0f} MB | {os.path.getsize(out) / 1e6:.1f} MB |", flush=True)


if __name__ == "__main__":
    main()
