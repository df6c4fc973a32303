#!/usr/bin/env python3
"""What it costs an ASP.NET Core server under load to have its counters and activities logged, and how its collections
go, in turn: processor time for each request, minima and medians.

usage: bench/told.py [--runs N] [--build FOLDER]
       after: cmake --preset release && cmake --build --preset release
"""
import argparse
import os
import sys
import tempfile

import machine
import ways

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Bench(ways.Ways):
    def ways(self):
        found = {"plain": ([], {})}
        for options in ((), ("--counters",), ("--counters=*",), ("--activities=Microsoft.AspNetCore",), ("--gc-phases",)):
            found[" ".join(options) or "default"] = (self.oriel(*options), {})
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    options = parser.parse_args()
    machine.say()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(options.build), options.runs, folder)
        bench.compare("a request", "us", bench.request)
    return 0


if __name__ == "__main__":
    sys.exit(main())
