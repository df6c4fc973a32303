#!/usr/bin/env python3
"""What a call graph says that methods take, against the program's own stopwatch without Oriel, the two run in turn. Times
are those with a processor; the stopwatch's are the least of 200 rounds. Prints a table of minima and medians.

usage: bench/call_times.py [--runs N] [--build FOLDER]
       after: cmake --preset release && cmake --build --preset release
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

import machine
from ways import built

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ENVIRONMENT = {**os.environ, "DOTNET_TieredCompilation": "0"}


def output(*command):
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} ended with {done.returncode}\n{done.stderr}")
    return done.stdout


def by_stopwatch(program):
    return {name: float(ns) for name, ns in re.findall(r"(?m)^(\w+): ([\d.]+)$", output(*program))}


def by_call_graph(oriel, program, folder):
    log = os.path.join(folder, "costs.oriel")
    output(oriel, "run", "-o", log, "--calls-trivial", "--callgraph=Costs.*,!*.Chain,!*.Busy,!*.Walk", "--", *program)
    methods = json.loads(output(oriel, "report", "callgraph", "--json", log))["methods"]
    os.remove(log)
    return {re.sub(r"\(.*", "", method["name"]).split(".")[-1]: (method["total_ns"] - method["waited_ns"]) / method["outermost"]
            for method in methods}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="counted runs of each (default 5)")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"), help="another build folder")
    options = parser.parse_args()
    machine.say()
    program = ["dotnet", built(options.build, "targets", "costs", "costs.dll")]
    oriel = built(options.build, "bin", "oriel")
    plain, shown = [], []
    with tempfile.TemporaryDirectory() as folder:
        for i in range(options.runs):
            for of_oriel in (False, True) if i % 2 == 0 else (True, False):
                (shown.append(by_call_graph(oriel, program, folder)) if of_oriel else plain.append(by_stopwatch(program)))
    print(f"{'method':10} {'stopwatch min':>14} {'median':>8} {'shown min':>10} {'median':>8} {'ratio min':>10} {'median':>8}")
    for name in plain[0]:
        a, b = [run[name] for run in plain], [run[name] for run in shown]
        am, bm = statistics.median(a), statistics.median(b)
        print(f"{name:10} {min(a):11.2f} ns {am:8.2f} {min(b):10.2f} {bm:8.2f} {min(b) / min(a):10.3f} {bm / am:8.3f}")


if __name__ == "__main__":
    main()
