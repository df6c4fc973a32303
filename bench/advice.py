#!/usr/bin/env python3
"""What following each hint's advice brings: the time of a round with the fault, and with the advice followed, in turn; minima and
medians of several runs.

usage: bench/advice.py [--runs N] [NAME…]
"""
import argparse
import os
import statistics
import subprocess
import sys

import machine
import suite

OUT = os.path.join(suite.ROOT, "build", "bench-advice")
WAYS = ("as-is", "mended")


def said(*words):
    return subprocess.run(["dotnet", os.path.join(OUT, "Advice.dll"), *words], check=True, capture_output=True, text=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    machine.say()
    suite.build_project("advice", OUT)
    print(f"{'hint':26} {'as is, min':>12} {'median':>12} {'mended, min':>12} {'median':>12}  times as fast")
    slower = []
    for name in options.names or said().split("\n")[:-1]:
        took = {way: [] for way in WAYS}
        for _ in range(options.runs):
            for way in WAYS:
                took[way].append(float(said(name, way)))
        least, middle = ([one(took[way]) for way in WAYS] for one in (min, statistics.median))
        print(f"{name:26} {least[0]:9.0f} ns {middle[0]:9.0f} ns {least[1]:9.0f} ns {middle[1]:9.0f} ns  {least[0] / least[1]:.1f}",
              flush=True)
        if least[1] >= least[0]:
            slower.append(name)
    if slower:
        sys.exit(f"slower with the advice: {', '.join(slower)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
