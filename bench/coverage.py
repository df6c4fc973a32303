#!/usr/bin/env python3
"""What it costs to count which code runs: bench/mix, plain and with coverage, on one thread and on four, the ways run in
turn. Processor time of a round: first, of seconds 1 to 2, when methods have been compiled with probes; steady, of the last
third, when those of which all ran have lost them again.

usage: bench/coverage.py [--runs N] [--seconds S] [--build FOLDER]     after: cmake --build --preset bench
"""
import argparse
import os
import statistics
import subprocess
import tempfile

import machine
import suite

MIX = os.path.join(suite.ROOT, "build", "bench-mix")


def environment(build, mode, folder):
    if mode == "plain":
        return {}
    clsid = subprocess.run([os.path.join(build, "bin", "oriel"), "version", "--clsid"], capture_output=True, text=True,
                           check=True).stdout.strip()
    return {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": clsid,
            "CORECLR_PROFILER_PATH": os.path.join(build, "lib", "liboriel.so"),
            "ORIEL_PROFILERS": f"coverage:mode={mode},output={os.path.join(folder, 'run.oriel')}"}


def measure(threads, seconds, extra):
    """Microseconds per round: first and steady."""
    run = subprocess.run(["dotnet", os.path.join(MIX, "mix.dll"), str(threads), str(seconds)], check=True,
                         capture_output=True, text=True, env={**os.environ, **extra})
    parts = [float(line) for line in run.stdout.split()]
    return statistics.median(parts[2:4]), statistics.median(parts[-max(1, len(parts) // 3):])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(suite.ROOT, "build", "bench"), help="holds bin/oriel and lib/")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=12)
    args = parser.parse_args()
    machine.say()
    suite.build_project("mix", MIX)
    modes = ("plain", "hit", "count")
    print(f"{'':20}{'first min':>12}{'median':>10}{'ratio':>8}{'steady min':>14}{'median':>10}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for threads in (1, 4):
            found = {mode: [] for mode in modes}
            for _ in range(args.runs):
                for mode in modes:
                    found[mode].append(measure(threads, args.seconds, environment(args.build, mode, folder)))
            plain = [statistics.median(column) for column in zip(*found["plain"])]
            for mode in modes:
                line = f"{mode}, {threads} thread{'s' if threads > 1 else ' '}".ljust(20)
                for i, column in enumerate(zip(*found[mode])):
                    middle = statistics.median(column)
                    line += f"{min(column):{14 if i else 12}.1f}{middle:10.1f}{middle / plain[i]:8.3f}"
                print(line, flush=True)


if __name__ == "__main__":
    main()
