#!/usr/bin/env python3
"""How long `oriel query` takes until its first answer, of large made logs: reading the log, and the statement itself.

usage: bench/query.py [--calls MILLIONS] [--samples MEGABYTES] [--runs N] [--build FOLDER]
       after: cmake --preset bench && cmake --build --preset bench
"""
import argparse
import os
import resource
import subprocess
import tempfile
import time

import machine

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What is asked, by log.
STATEMENTS = {
    "calls": ["select 1", "select * from called_methods limit 20", "select * from allocations_by_type limit 20",
              "select call, sum(calls) from call_figures where contains(call_stack, 'Shop.*') group by 1 order by 2 desc limit 20"],
    "samples": ["select 1", "select * from methods limit 20",
                "select thread, sum(periods) from samples where at between 10e9 and 11e9 group by 1",
                "select thread, sum(periods) from samples group by 1",
                "select sum(periods) from samples where contains(stack, 'Shop.*')",
                "select stack_method, sum(periods) from samples group by 1 order by 2 desc limit 20"],
}


def took(command):
    """Wall time in seconds, and the most memory of it or an earlier one in megabytes."""
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=100, help="millions of enters and leaves")
    parser.add_argument("--samples", type=int, default=200, help="megabytes of samples")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "bench"))
    options = parser.parse_args()
    machine.say()
    oriel = os.path.join(options.build, "bin", "oriel")
    make_log = os.path.join(options.build, "bench", "report", "make_log")
    with tempfile.TemporaryDirectory(prefix="oriel-query-") as folder:
        for kind, statements in STATEMENTS.items():
            log = os.path.join(folder, kind + ".oriel")
            made = [make_log, *(["--calls"] if kind == "calls" else []), log, str(getattr(options, kind))]
            said = subprocess.run(made, check=True, capture_output=True, text=True).stdout.strip()
            print(f"\n{said}, {os.path.getsize(log) / 1e6:.0f} MB", flush=True)
            print(f"{'least':>8} {'memory':>9}  statement")
            for statement in statements:
                runs = [took([oriel, "query", log, statement]) for _ in range(options.runs)]
                print(f"{min(run[0] for run in runs):7.2f}s {max(run[1] for run in runs):6.0f} MB  {statement}", flush=True)
            os.remove(log)


if __name__ == "__main__":
    main()
