#!/usr/bin/env python3
"""Whether `--budget` holds: the CPU time that Oriel takes of programs for which its samples are dear, against their plain runs
and by its own account.

  server  CPU time for each request of a busy ASP.NET Core server, in windows in which the log module runs or is stopped in turn
          (`oriel ctl`), all in one process; the first seconds of a window do not count
  busy    many threads that compute; deep: stacks of 400 frames. CPU time of whole runs, with Oriel and without in turn

usage: bench/budget.py [--pairs N] [--seconds N] [--budgets 0.5,1,2] [--sample HZ] [--build FOLDER] [server|busy|deep]…
       after: cmake --preset release && cmake --build --preset release; on a machine with nothing else to do
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import machine
import suite
from attach import CLEAN, Load

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SETTLE = 5  # seconds of a window that do not count


def cpu_of(pid):
    """Seconds."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def counters(oriel, log):
    rows = json.loads(subprocess.run([oriel, "report", "rows", "counters", "--json", log], capture_output=True, text=True,
                                     check=True).stdout)["rows"]
    return {row["name"]: row["count"] for row in rows}


def account(oriel, log, plain):
    """What the log says that Oriel took, in percent of the program's CPU time."""
    of = counters(oriel, log)
    return 100 * (of.get("cpu.oriel-us", 0) + of.get("cpu.samples-us", 0)) / 1e6 / plain


def say(name, budget, measured, accounted):
    print(f"  {name:8} {budget or 'none':>6}   more than plain: median {statistics.median(measured):6.2f} %, "
          f"{min(measured):6.2f} to {max(measured):6.2f} %   by its own account: {statistics.median(accounted):5.2f} %", flush=True)


def server(options, oriel, folder):
    command = ["dotnet", os.path.join(options.build, "targets", "server", "server.dll")]
    tool = subprocess.Popen([oriel, "run", "--paused", "-o", os.path.join(folder, "server.oriel"), f"--sample={options.sample}", "--",
                             *command], env=CLEAN, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=folder)
    load = Load(int(tool.stdout.readline().split()[-1]))
    pid = int(subprocess.run(["pgrep", "-P", str(tool.pid)], capture_output=True, text=True, check=True).stdout.split()[0])
    time.sleep(15)

    def window():
        """CPU seconds for a request."""
        time.sleep(SETTLE)
        cpu, done = cpu_of(pid), load.done
        time.sleep(options.seconds)
        return (cpu_of(pid) - cpu) / (load.done - done)

    def ctl(*words):
        return json.loads(subprocess.run([oriel, "ctl", "--json", str(pid), *words], capture_output=True, text=True, check=True).stdout)

    for budget in options.budgets:
        measured, accounted = [], []
        for _ in range(options.pairs):
            plain = window()
            ctl("start", f"budget={budget or 50}%")
            taken = window()
            accounted.append(ctl()["budget"]["used"] * 100)
            ctl("stop")
            measured.append(100 * (taken / ((plain + window()) / 2) - 1))
        say("server", budget and f"{budget} %", measured, accounted)
    load.end()
    tool.kill()
    os.kill(pid, 9)


def whole_runs(name, command, options, oriel, folder):
    def run(*front):
        process = subprocess.Popen([*front, *command], env=CLEAN, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
        _, _, usage = os.wait4(process.pid, 0)
        return usage.ru_utime + usage.ru_stime

    for budget in options.budgets:
        measured, accounted = [], []
        for _ in range(options.pairs):
            plain = run()
            log = os.path.join(folder, "run.oriel")
            taken = run(oriel, "run", "-o", log, f"--sample={options.sample}", *([f"--budget={budget}%"] if budget else []), "--")
            measured.append(100 * (taken / plain - 1))
            accounted.append(account(oriel, log, plain))
        say(name, budget and f"{budget} %", measured, accounted)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=15)
    parser.add_argument("--budgets", default="none,0.5,1,2")
    parser.add_argument("--sample", type=int, default=1000)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("parts", nargs="*", metavar="PART")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    options.budgets = [None if one == "none" else float(one) for one in re.split(",", options.budgets)]
    machine.say()
    oriel = os.path.join(options.build, "bin", "oriel")
    parts = options.parts or ["server", "busy", "deep"]
    if set(parts) - {"server"}:
        suite.build_programs()
    with tempfile.TemporaryDirectory() as folder:
        for part in parts:
            if part == "server":
                server(options, oriel, folder)
            else:
                words = {"busy": ("busy", "16", "600"), "deep": ("deep", "400", "8000")}[part]
                whole_runs(part, suite.program(*words), options, oriel, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
