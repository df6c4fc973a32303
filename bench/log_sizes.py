#!/usr/bin/env python3
"""How large logs are with `--compress` none, auto and all, and what processor time the program with its log takes.

bench/log_sizes.py --build build/bench
"""
import argparse
import os
import statistics
import subprocess
import tempfile
import time

MODES = ("none", "auto", "all")


def cases(build, folder):
    """What runs, by name: the options of `oriel run`, and the command."""
    app = os.path.join(folder, "app")
    if not os.path.exists(app): subprocess.run(["dotnet", "new", "console", "-o", app], stdout=subprocess.DEVNULL, check=True)
    target = lambda name: os.path.join(build, "targets", name, f"{name}.dll")
    yield "dotnet build, samples", ["--no-children"], ["dotnet", "build", "--no-incremental", app]
    yield "2,000 exceptions, all events", ["--module", "log:events=all"], ["dotnet", target("exceptions"), "2000"]
    yield "costs, calls", ["--calls=Costs.*", "--calls-trivial"], ["dotnet", target("costs"), "100"]


def recorded(oriel, log, mode, options, command):
    """Bytes of the log, and seconds of processor time."""
    before = os.times()
    subprocess.run([oriel, "run", "-o", log, "--compress", mode, *options, "--", *command],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)  # one program ends by an exception
    after = os.times()
    return os.path.getsize(log), after.children_user + after.children_system - before.children_user - before.children_system


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--runs", type=int, default=3)
    its = parser.parse_args()
    oriel = os.path.abspath(os.path.join(its.build, "bin", "oriel"))
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'':32}" + "".join(f"{mode:>24}" for mode in MODES))
        for name, options, command in cases(os.path.abspath(its.build), folder):
            figures = {mode: [] for mode in MODES}
            for _ in range(its.runs):
                for mode in MODES: figures[mode].append(recorded(oriel, os.path.join(folder, "x.oriel"), mode, options, command))
            cells = (f"{statistics.median(f[0] for f in figures[mode]) / 1e6:9.3f} MB"
                     f"{statistics.median(f[1] for f in figures[mode]):8.2f} s" for mode in MODES)
            print(f"{name:32}" + "".join(f"{cell:>24}" for cell in cells))
            time.sleep(0.1)


if __name__ == "__main__":
    main()
