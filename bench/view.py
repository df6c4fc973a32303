#!/usr/bin/env python3
"""What the page takes of a large log: how long `oriel view` reads until it serves, how long its answers take and how large they
are, and when Chromium has drawn the graph; beside it the file of `oriel export --format html`.

usage: bench/view.py [--megabytes N] [--runs N] [--build FOLDER] [--log FILE]
       after: cmake --preset bench && cmake --build --preset bench
"""
import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

import machine

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))
import served_page  # noqa: E402

def asked(address, path):
    """Seconds and bytes of an answer."""
    began = time.monotonic()
    with urllib.request.urlopen(address + path, timeout=600) as answer:
        size = len(answer.read())
    return time.monotonic() - began, size


def say(what, seconds, size=None):
    print(f"| {what} | {seconds:.2f} s | {'–' if size is None else f'{size / 1e6:.2f} MB'} |", flush=True)


def most_memory(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def measure_view(oriel, log, runs):
    began = time.monotonic()
    with subprocess.Popen([oriel, "view", "--no-browser", log], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as view:
        address = view.stdout.readline().decode().strip()
        say("`oriel view` until it serves", time.monotonic() - began)
        paths = [("the page", "")]
        if served := b'"served":true' in urllib.request.urlopen(address, timeout=600).read():
            second = 1_000_000_000
            paths += [("the graph", "graph.json?tree=0"), ("of a thread", "graph.json?tree=0&thread=1"),
                      ("of a second, first asked", f"graph.json?tree=0&from={2 * second}&to={3 * second}"),
                      ("of that second again", f"graph.json?tree=0&from={2 * second}&to={3 * second}&scaffolding=1"),
                      ("methods", "methods.json")]
        for what, path in paths:
            figures = [asked(address, path) for _ in range(1 if "first" in what else runs)]
            say(what, statistics.median(seconds for seconds, _ in figures), figures[0][1])
        if served_page.browser():
            script = "await until(() => model && model.total[0] > 0); return performance.now();"
            drawn = [served_page.run_in_page(address, script, timeout=600, at_once=True) for _ in range(runs)]
            say("Chromium, from its request to the graph", statistics.median(ms or float("nan") for ms in drawn) / 1000)
        print(f"\nmost memory of `oriel view`: {most_memory(view.pid):.0f} MB; the page {'asks' if served else 'has all'}")
        view.send_signal(signal.SIGINT)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=200, help="of the log")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "bench"))
    parser.add_argument("--log", help="instead of one that is made")
    options = parser.parse_args()
    machine.say()
    oriel = os.path.join(options.build, "bin", "oriel")
    with tempfile.TemporaryDirectory(prefix="oriel-view-") as folder:
        log = options.log or os.path.join(folder, "run.oriel")
        if not options.log:
            maker = os.path.join(options.build, "bench", "report", "make_log")
            subprocess.run([maker, log, str(options.megabytes)], check=True, stdout=subprocess.DEVNULL)
        print(f"{os.path.getsize(log) / 1e6:.0f} MB\n\n| | wall | size |\n|---|---|---|", flush=True)
        measure_view(oriel, log, options.runs)
        page, began = os.path.join(folder, "run.html"), time.monotonic()
        subprocess.run([oriel, "export", "--format", "html", "-o", page, log], check=True, stderr=subprocess.DEVNULL)
        print(f"\nexport --format html: {time.monotonic() - began:.1f} s, {os.path.getsize(page) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
