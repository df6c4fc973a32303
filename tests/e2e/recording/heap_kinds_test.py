#!/usr/bin/env python3
"""Snapshots count what programs of every kind have, under every collector, and again and again; the program goes on as without.

Short by default; with ORIEL_LONG=1 (./check --long) 20 million objects, a storm of a minute and 1,000 snapshots in a row."""
import json
import os
import subprocess
import time
import unittest

import harness
from harness import BUILD, CLEAN, LONG, ORIEL, only_long

KINDS = os.path.join(BUILD, "targets", "heap_kinds", "heap_kinds.dll")
COLLECTORS = {
    "workstation": {},
    "not concurrent": {"DOTNET_gcConcurrent": "0"},
    "server": {"DOTNET_gcServer": "1", "DOTNET_GCHeapCount": "2"},
    "segments": {"DOTNET_GCName": "libclrgc.so"},
    "conserving": {"DOTNET_GCConserveMemory": "9", "DOTNET_GCgen0size": "100000"},
}


class HeapKinds(harness.OrielTest):
    def begin(self, *options, count=1000, variables=None):
        """The run, the program's process, and the (objects, bytes) by type that it says it has."""
        run = subprocess.Popen([ORIEL, "run", "-o", "run.oriel", *options, "--", "dotnet", KINDS, str(count)], cwd=self.folder,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**CLEAN, **(variables or {})}, start_new_session=True)
        self.addCleanup(self.finish, run)
        self.addCleanup(run.stdin.close)
        truth = {}
        for line in iter(run.stdout.readline, "ready\n"):
            self.assertNotEqual(line, "", "the program ended")
            name, objects, size = line.split()
            name = name.split("#")[0]
            before = truth.get(name, (0, 0))
            truth[name] = (before[0] + int(objects), before[1] + int(size))
        return run, int(subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True, check=True).stdout.split()[0]), truth

    def snapshot(self, pid):
        result = self.oriel("ctl", str(pid), "snapshot", timeout=400)
        self.assertEqual(result.code, 0, result.err)
        return result.out

    def end(self, run):
        run.stdin.close()
        self.assertEqual(run.wait(60), 0, run.stderr.read())

    def assert_has(self, truth):
        rows = json.loads(self.oriel("report", "rows", "heap_types", "--json", "run.oriel").out)["rows"]
        found = {row["type"]: (row["objects"], row["bytes"]) for row in rows}
        for name, (objects, size) in truth.items():
            if name == "Box<int>":  # each Box<Box<int>> has one
                objects, size = objects + truth["Box<Box<int>>"][0], size * 2
            if name == "Derived[]":  # all of them are in one
                objects, size = objects + 1, size + 24 + 8 * truth["Derived"][0]
            if name in ("short[]", "ulong[]"):  # the libraries have some
                self.assertGreaterEqual(found[name], (objects, size))
            else:
                self.assertEqual(found.get(name), (objects, size), name)

    def test_every_collector(self):
        for name, variables in COLLECTORS.items():
            with self.subTest(name):
                run, pid, truth = self.begin("--no-sample", variables=variables)
                self.snapshot(pid)
                self.end(run)
                self.assert_has(truth)

    @only_long
    def test_twenty_million(self):
        for name in ("workstation", "server"):
            with self.subTest(name):
                run, pid, truth = self.begin("--no-sample", count=2_700_000, variables=COLLECTORS[name])
                self.snapshot(pid)
                self.end(run)
                self.assert_has(truth)

    def test_in_a_storm(self):
        """A snapshot every second, while the program allocates, collects, has children and takes signals."""
        seconds = 60 if LONG else 5
        for name in harness.some(("server", "workstation")):
            with self.subTest(name):
                run, pid, _ = self.begin("--heap=every=1s", variables=COLLECTORS[name])
                run.stdin.write(f"storm {seconds}\n")
                run.stdin.flush()
                self.snapshot(pid)  # in a busy machine's five seconds there may be none by itself
                self.assertEqual(run.stdout.readline(), "signals: all came; children: all ended\n")
                self.end(run)
                rows = json.loads(self.oriel("report", "rows", "heap_snapshots", "--json", "run.oriel").out)["rows"]
                self.assertGreaterEqual(len(rows), seconds // 3 if LONG else 1)
                self.assertEqual({row["missing"] for row in rows}, {""})
                self.assertIn("Heap", self.oriel("report", "heap", "run.oriel").out)

    def test_many_in_a_row(self):
        """Nothing of them stays: no descriptor, no child, no memory."""
        run, pid, _ = self.begin("--no-sample")

        def resident():
            with open(f"/proc/{pid}/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * 4096
        for number in range(1000 if LONG else 15):
            self.snapshot(pid)
            if number == (100 if LONG else 5): first, files = resident(), len(os.listdir(f"/proc/{pid}/fd"))
        self.assertEqual(len(os.listdir(f"/proc/{pid}/fd")), files)
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
            self.assertEqual(children.read(), "")
        time.sleep(1)
        self.assertLess(resident() - first, 8 << 20)
        self.end(run)
        self.assert_has({})  # the log can be read


if __name__ == "__main__":
    unittest.main()
