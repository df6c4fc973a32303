"""Measures several ways of running a program in turn, and a server under load."""
import http.client
import os
import statistics
import subprocess
import sys
import threading

REQUESTS, CONNECTIONS = 20_000, 8


class Ways:
    def __init__(self, build, runs, folder):
        self.build, self.runs, self.folder = build, runs, folder

    def program(self, name, *args):
        return ["dotnet", built(self.build, "targets", name, name + ".dll"), *args]

    def oriel(self, *options):
        return [built(self.build, "bin", "oriel"), "run", "-o", os.path.join(self.folder, "run.oriel"), *options, "--"]

    def ways(self):
        """By name: a prefix of the command, and additions to the environment. "plain" is among them."""
        raise NotImplementedError

    def compare(self, title, unit, measure):
        """The results of `measure(front, environment)` by way, run in turn."""
        ways = self.ways()
        found = {name: [] for name in ways}
        for round_number in range(self.runs + 1):
            order = list(ways.items())
            for name, (front, environment) in order if round_number % 2 == 0 else reversed(order):
                value = measure(front, {**os.environ, **environment})
                if round_number > 0:  # the first round fills caches
                    found[name].append(value)
        plain = found["plain"]
        print(f"{title:24} {'min':>10} {'median':>10}  ratio {'min':>5} {'median':>7}")
        for name, values in found.items():
            low, middle = min(values), statistics.median(values)
            print(f"{name:24} {low:7.1f} {unit} {middle:7.1f} {unit}        {low / min(plain):5.3f} "
                  f"{middle / statistics.median(plain):7.3f}", flush=True)

    def request(self, front, environment):
        """CPU time of an ASP.NET Core server per request with one await, in microseconds."""
        server = subprocess.Popen([*front, *self.program("server")], env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True)
        port = int(server.stdout.readline())
        process = dotnet_below(server.pid)
        load(port, REQUESTS // 4)
        before = processor_time(process)
        load(port, REQUESTS)
        used = processor_time(process) - before
        ask(http.client.HTTPConnection("127.0.0.1", port), "/stop")
        server.wait()
        return used / REQUESTS * 1e6


def built(build, *path):
    """A file of a build that has the tests' programs, which the benchmarks' own build leaves out."""
    path = os.path.join(build, *path)
    if not os.path.exists(path):
        sys.exit(f"{path} is not there; build it first: cmake --preset release && cmake --build --preset release")
    return path


def ask(connection, path):
    connection.request("GET", path)
    connection.getresponse().read()


def load(port, requests):
    def client():
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for _ in range(requests // CONNECTIONS):
            ask(connection, "/wait/1")

    clients = [threading.Thread(target=client) for _ in range(CONNECTIONS)]
    for one in clients:
        one.start()
    for one in clients:
        one.join()


def dotnet_below(pid):
    """The process itself, or its child if it is `oriel run`."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        children = file.read().split()
    with open(f"/proc/{pid}/comm", encoding="ascii") as file:
        return int(children[0]) if file.read().strip() == "oriel" and children else pid


def processor_time(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
