#!/usr/bin/env python3
"""What attaching to a program that runs costs it.

  stall   the longest time for which a thread that only reads the clock was held up, in a program with 20,000 compiled
          methods: left alone, while Oriel is attached and leaves again, only to watch and with probes, and while
          dotnet-trace collects. In turn, minimum and median; and how long it takes until the tool says that it watches,
          and after the time to watch until the report begins on the screen
  cycles  attaches to a busy ASP.NET Core server and leaves it, again and again, beside one that is left alone: requests a
          second of both before, meanwhile and after, their memory in each quarter of the cycles, and what grew

usage: bench/attach.py [--runs N] [--cycles N] [--build FOLDER] [stall|cycles]…
       after: cmake --preset release && cmake --build --preset release
       dotnet-trace: dotnet tool install --global dotnet-trace; it is left out if it is not there
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import machine
import resident

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
METHODS = 20_000
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("CORECLR_", "ORIEL_"))}


def dotnet_trace():
    found = shutil.which("dotnet-trace") or os.path.expanduser("~/.dotnet/tools/dotnet-trace")
    return found if os.path.exists(found) else None


def row(name, values, unit):
    print(f"  {name:34} min {min(values):9.2f} {unit}   median {statistics.median(values):9.2f} {unit}", flush=True)


class Program:
    """tests/targets/attached with its watched clock."""

    def __init__(self, build):
        command = ["dotnet", os.path.join(build, "targets", "attached", "attached.dll"), "3600", f"methods={METHODS}"]
        self.process = subprocess.Popen(command, env={**CLEAN, "WATCH_CLOCK": "1"}, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def longest(self):
        """Milliseconds, since the last call."""
        self.process.stdin.write("longest\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def stall(options, oriel, folder):
    def attached(pid, *features):
        begun = time.monotonic()
        tool = subprocess.Popen([oriel, "attach", str(pid), "-o", os.path.join(folder, "run.oriel"), "--for", "1s", *features],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
        tool.stderr.readline()
        watches = time.monotonic() - begun
        tool.stdout.read(1)
        answers = time.monotonic() - begun - 1
        tool.communicate()
        assert tool.returncode == 0
        return watches * 1000, answers * 1000

    def traced(pid):
        done = subprocess.run([dotnet_trace(), "collect", "-p", str(pid), "--duration", "00:00:01", "-o",
                               os.path.join(folder, "run.nettrace")], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    ways = {"left alone": lambda pid: time.sleep(2), "oriel attach": attached,
            "oriel attach --calls=Kinds.*": lambda pid: attached(pid, "--calls=Kinds.*")}
    if dotnet_trace():
        ways["dotnet-trace collect"] = traced
    stalls, until, answers = ({name: [] for name in ways} for _ in range(3))
    for _ in range(options.runs):
        # With probes last, as the runtime keeps Oriel then; dotnet-trace before.
        program = Program(options.build)
        for name in sorted(ways, key=lambda name: "--calls" in name):
            program.longest()
            took = ways[name](program.process.pid)
            stalls[name].append(program.longest())
            if took:
                until[name].append(took[0])
                answers[name].append(took[1])
        program.end()
    print(f"The longest time for which a thread was held up, {METHODS:,} methods compiled")
    for name, values in stalls.items():
        row(name, values, "ms")
    for title, by_way in [("From the command until the tool says that it watches", until),
                          ("From the command until the report begins, without the time to watch", answers)]:
        print(title)
        for name, values in by_way.items():
            if values:
                row(name, values, "ms")


class Load:
    """Clients that ask an ASP.NET Core server on this port without a pause."""

    def __init__(self, port, clients=1):
        self.port, self.done, self.stop = port, 0, False
        self.last = (0, time.monotonic())
        self.threads = [threading.Thread(target=self.ask, daemon=True) for _ in range(clients)]
        for thread in self.threads:
            thread.start()

    def ask(self):
        while not self.stop:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/work/200", timeout=60) as answer:
                answer.read()
            self.done += 1

    def rate(self):
        """Requests a second since the last call."""
        done, since = self.last
        self.last = (self.done, time.monotonic())
        return (self.done - done) / (self.last[1] - since)

    def end(self):
        self.stop = True
        for thread in self.threads:
            thread.join()


class Server:
    """An ASP.NET Core server under load."""

    def __init__(self, build):
        command = ["dotnet", os.path.join(build, "targets", "server", "server.dll")]
        self.process = subprocess.Popen(command, env=CLEAN, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.load = Load(int(self.process.stdout.readline().split()[-1]))
        self.resident = []

    def look(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            self.resident.append(int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20)

    def quarters(self):
        """Resident memory in MB, the median of each quarter of the cycles."""
        size = max(1, len(self.resident) // 4)
        return [statistics.median(self.resident[i * size:(i + 1) * size]) for i in range(4)]

    def end(self):
        self.load.end()
        self.process.kill()


def cycles(options, oriel, folder):
    servers = {"attached to": Server(options.build), "left alone": Server(options.build)}
    rates = {name: [] for name in servers}

    def count(seconds=0.0):
        time.sleep(seconds)
        for name, server in servers.items():
            rates[name].append(server.load.rate())

    count(15)
    rates = {name: [] for name in servers}
    count(20)
    server = servers["attached to"]
    half = {}
    for number in range(options.cycles):
        done = subprocess.run([oriel, "attach", str(server.process.pid), "-o", os.path.join(folder, "cycle.oriel"), "--for",
                               "50ms"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        for one in servers.values():
            one.look()
        if number == options.cycles // 2:
            half = {name: resident.by_mapping(one.process.pid) for name, one in servers.items()}
    count()
    count(20)
    print(f"{options.cycles:,} times attached to a busy server and left, beside a server that is left alone")
    for name, one in servers.items():
        before, meanwhile, after = rates[name]
        print(f"  {name}: requests a second: before {before:.0f}, meanwhile {meanwhile:.0f} ({meanwhile / before:.2f}), "
              f"after {after:.0f} ({after / before:.2f})")
        print("    resident memory: " + ", ".join(f"{quarter:.1f} MB" for quarter in one.quarters()))
        grown = resident.by_mapping(one.process.pid)
        grown.subtract(half[name])
        most = ", ".join(f"{by} kB {where}" for where, by in grown.most_common(4) if by > 0)
        print(f"    grown most in the second half: {most or 'nothing'}")
        one.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cycles", type=int, default=1000)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("parts", nargs="*", metavar="PART")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    machine.say()
    oriel = os.path.join(options.build, "bin", "oriel")
    with tempfile.TemporaryDirectory() as folder:
        for part in options.parts or ["stall", "cycles"]:
            {"stall": stall, "cycles": cycles}[part](options, oriel, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
