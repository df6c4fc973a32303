#!/usr/bin/env python3
"""oriel ctl on real programs: what it starts, changes and stops is so when it answers, and the program runs on."""
import json
import os
import random
import signal
import socket
import stat
import subprocess
import threading
import time
import urllib.request

import harness
from harness import CLEAN, ORIEL, SERVER


class Ctl(harness.OrielTest):
    def setUp(self):
        super().setUp()
        self.temporary = self.path("tmp")
        os.mkdir(self.temporary)

    def begin(self, *options, env=None, front=None):
        """Starts the web server under Oriel; returns its process and its port."""
        front = front if front is not None else [ORIEL, "run", "-o", "run.oriel", *options, "--"]
        run = subprocess.Popen([*front, "dotnet", SERVER], cwd=self.folder, stdin=subprocess.DEVNULL,
                               env={**CLEAN, "TMPDIR": self.temporary, **(env or {})}, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)
        self.addCleanup(self.finish, run)
        port = int(run.stdout.readline())
        children = subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True, check=False).stdout.split()
        return run, int(children[0]) if children else run.pid, port

    def ctl(self, pid, *words, code=0):
        result = self.oriel("ctl", "--json", str(pid), *words)
        self.assertEqual(result.code, code, result.err)
        return result.err if code else json.loads(result.out)

    def modules(self, pid):
        return {module["name"]: module for module in self.ctl(pid)["modules"]}

    def end(self, run, port):
        """Has the server end, which must return 0; what was said on stderr."""
        self.get(port, "stop")
        self.assertEqual(run.wait(60), 0)
        return run.stderr.read().decode()

    def get(self, port, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=60) as answer:
            return answer.read().decode()

    def remove_all_but_the_newest(self, count):
        paths = sorted((self.path(log) for log in self.logs()), key=os.path.getmtime)
        for path in paths[:-count]: os.remove(path)

    def rows(self, table, log="run.oriel"):
        return json.loads(self.oriel("report", "rows", table, "--json", log).out)["rows"]

    def test_features_come_and_go(self):
        run, pid, port = self.begin("--no-sample")
        log = self.modules(pid)["log"]
        self.assertEqual((log["state"], log["file"]), ("running", self.path("run.oriel")))
        self.get(port, "work/10")
        answer = self.ctl(pid, "set", "calls=[server]")
        self.assertIn("calls=", answer["modules"][0]["options"])
        for _ in range(5): self.get(port, "work/10")
        self.ctl(pid, "stop", "calls")
        for _ in range(3): self.get(port, "work/10")
        self.ctl(pid, "mark", "deploy 2")
        self.assertNotIn("calls=", self.modules(pid)["log"]["options"])
        self.end(run, port)
        calls = {method["name"]: method["calls"] for method in self.report("calls")["methods"]}
        self.assertEqual([count for name, count in calls.items() if "Work(" in name], [5])
        mark, = self.rows("marks")
        self.assertEqual(mark["mark"], "deploy 2")
        self.assertRegex(self.oriel("report", "run.oriel").out, r'(?m)^Marks +"deploy 2" at \d')
        since = self.report("summary", "--from", "mark:deploy 2")
        self.assertEqual(since["filter"]["from_ns"], mark["time"])
        self.assertIn("no mark has the text \"deploy 3\"", self.oriel("report", "--to", "mark:deploy 3", "run.oriel").err)

    def test_paused_until_it_is_started(self):
        run, pid, port = self.begin("--paused", "--sample=500")
        log = self.modules(pid)["log"]
        self.assertEqual((log["state"], log["options"].split(",out=")[0]), ("waiting", "sample=process,hz=500"))
        self.assertFalse(os.path.exists(self.path("run.oriel")))
        log = self.ctl(pid, "start")["modules"][0]
        self.assertEqual((log["state"], log["file"]), ("running", self.path("run.oriel")))
        self.assertIn("hz=500", log["options"])
        self.get(port, "work/10")
        self.end(run, port)
        self.assertEqual(self.oriel("report", "run.oriel").code, 0)

    def test_paused_and_never_started(self):
        run, _, port = self.begin("--paused")
        said = self.end(run, port)
        self.assertEqual(said, "oriel: nothing was recorded: the program ended before oriel ctl started anything in it\n")
        self.assertEqual([name for name in os.listdir(self.folder) if name.endswith(".oriel")], [])

    def test_files_rotate_and_modules_stop(self):
        run, pid, port = self.begin()
        self.get(port, "work/10")
        self.ctl(pid, "flush")
        self.assertGreater(os.path.getsize(self.path("run.oriel")), 500)
        self.assertEqual(self.ctl(pid, "rotate")["modules"][0]["file"], self.path("run-2.oriel"))
        self.assertEqual(self.oriel("report", "run.oriel").code, 0)
        self.assertEqual(self.ctl(pid, "stop")["modules"][0]["state"], "stopped")
        self.assertEqual(self.oriel("report", "run-2.oriel").code, 0)
        self.ctl(pid, "start", "callgraph=[server]", "-o", "graph.oriel")
        for _ in range(4): self.get(port, "work/10")
        self.assertEqual({name: module["state"] for name, module in self.modules(pid).items()},
                         {"log": "stopped", "callgraph": "running"})
        self.ctl(pid, "stop", "callgraph")
        graph = {method["name"]: method["calls"] for method in
                 json.loads(self.oriel("report", "callgraph", "--json", "graph.oriel").out)["methods"]}
        self.assertEqual([count for name, count in graph.items() if "Work(" in name], [4])
        self.assertEqual(self.get(port, "work/10"), "45")
        self.end(run, port)

    def test_what_cannot_be_is_said_and_changes_nothing(self):
        run, pid, port = self.begin()
        before = self.modules(pid)
        for words, said in [(("set", "hz=0"), "there is no feature 'hz'"), (("set", "sample=0"), "--sample=0: a rate"),
                            (("start", "nosuch"), "nosuch"), (("stop", "callgraph"), "no module 'callgraph'"),
                            (("set", "callgraph=Shop.*"), "does not run"), (("dance",), "no command 'dance'"),
                            (("mark",), "oriel ctl PID mark TEXT"), (("load-module", "/nosuch/liboriel-x.so"), "/nosuch")]:
            result = self.oriel("ctl", str(pid), *words)
            self.assertIn(result.code, (1, 2), words)
            self.assertIn(said, result.err)
            self.assertEqual(len(result.err.splitlines()), 1, result.err)
        self.assertEqual(self.modules(pid), before)
        self.end(run, port)

    def test_processes_that_cannot_be_controlled(self):
        _, plain, _ = self.begin(front=[])
        self.assertIn("Oriel is not in it", self.oriel("ctl", str(plain)).err)
        _, closed, _ = self.begin(env={"ORIEL_CONTROL": "off"})
        self.assertIn("ORIEL_CONTROL=off", self.oriel("ctl", str(closed)).err)
        self.assertIn("there is no process", self.oriel("ctl", "999999999").err)

    def test_one_that_is_stopped_is_not_waited_for(self):
        run, pid, port = self.begin("--no-sample")
        os.kill(pid, signal.SIGSTOP)

        def state():
            with open(f"/proc/{pid}/stat", encoding="ascii") as file:
                return file.read().split()[2]
        self.wait_for(lambda: state() == "T")
        for command, message in ((["ctl", str(pid), "status"], f"it is stopped, so it cannot answer; kill -CONT {pid} lets it go on"),
                                 (["top", str(pid), "--count", "1"], "does not answer (stopped)"),
                                 (["attach", str(pid), "--for", "1s"], "does not answer (stopped)")):
            result = self.oriel(*command, timeout=20)
            self.assertNotEqual(result.code, 0)
            self.assertIn(message, result.err)
        os.kill(pid, signal.SIGCONT)
        self.ctl(pid)
        self.end(run, port)

    def test_the_socket_is_its_users_alone_and_goes_with_the_process(self):
        run, pid, port = self.begin()
        folder = os.path.join(self.temporary, f"oriel-{os.geteuid()}")
        self.assertEqual(stat.S_IMODE(os.stat(folder).st_mode), 0o700)
        self.assertTrue(stat.S_ISSOCK(os.stat(os.path.join(folder, str(pid))).st_mode))
        # Nothing of it is among the program's files.
        files = [os.readlink(f"/proc/{pid}/fd/{name}") for name in os.listdir(f"/proc/{pid}/fd")]
        with open("/proc/net/unix", encoding="utf-8") as sockets:
            own = [line.split()[6] for line in sockets if f"oriel-{os.geteuid()}/{pid}" in line]
        for inode in own: self.assertNotIn(f"socket:[{inode}]", files)
        self.end(run, port)
        self.assertFalse(os.path.exists(folder))
        # What a killed one leaves goes when the next begins.
        _, killed, _ = self.begin()
        os.kill(killed, signal.SIGKILL)
        self.wait_for(lambda: not os.path.exists(f"/proc/{killed}/fd"))
        self.assertEqual(os.listdir(folder), [str(killed)])
        _, next_one, _ = self.begin()
        self.wait_for(lambda: os.listdir(folder) == [str(next_one)])

    def test_a_folder_that_others_could_have_planted_is_not_used(self):
        os.mkdir(self.path("elsewhere"))
        os.symlink(self.path("elsewhere"), os.path.join(self.temporary, f"oriel-{os.geteuid()}"))
        run, pid, port = self.begin()
        self.assertIn("oriel: ctl: ", self.oriel("ctl", str(pid)).err)
        self.assertEqual(os.listdir(self.path("elsewhere")), [])
        self.end(run, port)

    def test_hostile_clients_cost_nothing(self):
        run, pid, port = self.begin("--no-sample")
        place = os.path.join(self.temporary, f"oriel-{os.geteuid()}", str(pid))

        def cpu():
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/stat", encoding="utf-8") as file:
                    text = file.read()
                if "(oriel-control)" in text: return sum(map(int, text.rsplit(")", 1)[1].split()[11:13]))
            return self.fail("there is no such thread")

        before, begun = cpu(), time.monotonic()
        garbage = [b"\0" * 20_000, b"GET / HTTP/1.1\r\n\r\n", b"\xff\xfe\n", b"status\\\n", b"set\tlog\n", b"mark\n",
                   b"\n", b"status" * 3000 + b"\n", b"half a requ"]
        slow = []
        for number in range(3000):
            client = socket.socket(socket.AF_UNIX)
            client.settimeout(0.05)
            try:
                client.connect(place)
                client.sendall(garbage[number % len(garbage)])
            except OSError:
                pass
            if number % 500 == 0: slow.append(client)
            else: client.close()
        took = time.monotonic() - begun
        self.assertLess(cpu() - before, 0.05 * took * os.sysconf("SC_CLK_TCK") + 20)
        for client in slow: client.close()
        self.assertEqual(self.modules(pid)["log"]["state"], "running")
        self.assertEqual(self.get(port, "work/10"), "45")
        self.end(run, port)

    def test_several_at_once_under_load(self):
        run, pid, port = self.begin()
        features = ["sample=200", "sample-real", "no-waits", "calls=[server]", "calls-trivial", "alloc", "alloc=sampled",
                    "alloc-in=[server]", "alloc-stacks", "async", "locks", "gc-phases", "counters", "activities", "callgraph",
                    "callgraph-alloc", "inlining=block", "coverage", "no-messages", "budget=5%", "recorder=5s",
                    "rotate=1MB"]
        flips = [("flush",), ("mark", "x"), ("rotate",), ("status",)]
        for feature in features: flips += [("start", feature), ("stop", feature.split("=")[0])]
        until = time.monotonic() + (600 if harness.LONG else 4)
        wrong, answers, flipped = [], [], []

        def flip(client):
            order = random.Random(client)
            while time.monotonic() < until:
                words = order.choice(flips)
                result = self.oriel("ctl", str(pid), *words)
                if result.code not in (0, 1) or "runtime has not" in result.err: wrong.append((words, result.err))
                flipped.append(result.code)
                # Each change of some features begins another file.
                if client == 0: self.remove_all_but_the_newest(50)

        def load():
            while time.monotonic() < until: answers.append(self.get(port, "work/100"))

        threads = [threading.Thread(target=flip, args=[n]) for n in range(4)] + [threading.Thread(target=load)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(f"\n{len(flipped):,} flips, {flipped.count(0):,} of them obeyed; {len(answers):,} requests")
        self.assertEqual(wrong, [])
        self.assertEqual(set(answers), {"4950"})
        self.ctl(pid, "stop")
        self.assertEqual({module["state"] for module in self.ctl(pid)["modules"]}, {"stopped"})
        self.end(run, port)
        for log in self.logs(): self.assertEqual(self.oriel("report", log).code, 0, log)


if __name__ == "__main__":
    harness.main()
