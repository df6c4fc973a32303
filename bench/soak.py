#!/usr/bin/env python3
"""The memory of an ASP.NET Core server that answers for long, with Oriel and without, both at once and under the same
load: resident memory each minute, and at the end what of it has no file behind it, by mapping.

usage: bench/soak.py [--minutes N] [--rate REQUESTS A SECOND] [--build FOLDER] [-- options of oriel run]
       after: cmake --preset release && cmake --build --preset release
"""
import argparse
import http.client
import os
import subprocess
import sys
import tempfile
import threading
import time

import machine
import resident
import ways

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PATHS = ("/wait/1", "/work/200", "/work/2000", "/wait/5")


class Server:
    def __init__(self, front, program):
        self.process = subprocess.Popen([*front, *program], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.pid = ways.dotnet_below(self.process.pid)

    def resident(self):
        """Mebibytes."""
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024

    def stop(self):
        ways.ask(http.client.HTTPConnection("127.0.0.1", self.port), "/stop")
        self.process.wait()


def keep_asking(server, rate, until):
    """Alternates short and long requests on eight connections, which are replaced at intervals."""
    def client():
        number = 0
        connection = None
        while time.monotonic() < until:
            if number % 500 == 0:
                connection = http.client.HTTPConnection("127.0.0.1", server.port)
            ways.ask(connection, PATHS[number % len(PATHS)])
            number += 1
            time.sleep(ways.CONNECTIONS / rate)

    clients = [threading.Thread(target=client) for _ in range(ways.CONNECTIONS)]
    for one in clients:
        one.start()
    return clients


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("options", nargs="*", help="options of oriel run")
    options = parser.parse_args()
    machine.say()
    with tempfile.TemporaryDirectory() as folder:
        bench = ways.Ways(os.path.abspath(options.build), 1, folder)
        servers = {"plain": Server([], bench.program("server")),
                   "oriel": Server(bench.oriel(*options.options), bench.program("server"))}
        until = time.monotonic() + options.minutes * 60
        clients = [client for server in servers.values() for client in keep_asking(server, options.rate, until)]
        begin = time.monotonic()
        print(f"{'minute':>6} {'plain':>8} {'oriel':>8} {'more':>8}", flush=True)
        while time.monotonic() < until:
            time.sleep(min(60, max(0.1, until - time.monotonic())))
            plain, oriel = (server.resident() for server in servers.values())
            print(f"{(time.monotonic() - begin) / 60:6.1f} {plain:8.1f} {oriel:8.1f} {oriel - plain:8.1f}", flush=True)
        mappings = {name: resident.by_mapping(server.pid) for name, server in servers.items()}
        difference = mappings["oriel"].copy()
        difference.subtract(mappings["plain"])
        print("most of the difference, in kilobytes:")
        for name, kilobytes in difference.most_common(15):
            print(f"{kilobytes:8} {name}")
        for client in clients:
            client.join()
        for server in servers.values():
            server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
