#!/usr/bin/env python3
"""What it costs to log async methods, against the same program without and with the runtime's own events of tasks
(System.Threading.Tasks.TplEventSource), in turn. Prints minima and medians:

  suspensions  nanoseconds for each await of a loop that does nothing else, as the program measures it
  server       processor time of an ASP.NET Core server for each request of one await, under 8 connections

usage: bench/async.py [--runs N] [--build FOLDER] [suspensions|server]…
       after: cmake --preset release && cmake --build --preset release
"""
import argparse
import os
import subprocess
import sys
import tempfile

import machine
import ways

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AWAITS = 1_000_000


class Bench(ways.Ways):
    def task_events(self):
        """The events from which tools build async stacks: begin, end, waits and continuations of tasks."""
        return {"DOTNET_EnableEventPipe": "1", "DOTNET_EventPipeOutputPath": os.path.join(self.folder, "run.nettrace"),
                "DOTNET_EventPipeConfig": "System.Threading.Tasks.TplEventSource:0xC3:5"}

    def ways(self):
        return {"plain": ([], {}), "default": (self.oriel(), {}), "--no-sample": (self.oriel("--no-sample"), {}),
                "--no-sample --async": (self.oriel("--no-sample", "--async"), {}),
                "--async": (self.oriel("--async"), {}), "events of tasks": ([], self.task_events())}

    def suspension(self, front, environment):
        done = subprocess.run([*front, *self.program("awaits", "suspensions", str(AWAITS))], env=environment,
                              capture_output=True, text=True, check=True)
        return float(done.stdout.split()[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("parts", nargs="*", metavar="PART")
    options = parser.parse_args()
    machine.say()
    parts = options.parts or ["suspensions", "server"]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(options.build), options.runs, folder)
        if "suspensions" in parts:
            bench.compare("an await", "ns", bench.suspension)
        if "server" in parts:
            bench.compare("a request", "us", bench.request)
    return 0


if __name__ == "__main__":
    sys.exit(main())
