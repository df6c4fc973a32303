#!/usr/bin/env python3
"""Snapshots of the heap on Mono, of a program that knows what is in it: counts, types, what holds what; and that it does
not notice."""
import json
import os
import re
import shutil
import subprocess
import time
import unittest

import harness
from harness import CLEAN, ORIEL
from heap_test import forbid_copies

HERE = os.path.dirname(os.path.abspath(__file__))
HAS_MONO = shutil.which("mono") and shutil.which("mcs")
ENTRIES = 10_001  # one of them in two places


@unittest.skipUnless(HAS_MONO, "Mono is not installed here (mono-runtime and mono-mcs)")
class MonoHeap(harness.SharedFolder):
    def prepare(self):
        for name in ("Held", "Busy"):
            built = self.call(["mcs", "-out:" + self.path(name + ".exe"), os.path.join(HERE, name + ".cs")])
            self.assertEqual(built.code, 0, built.out + built.err)

    def begin(self, program, *options, prepare=None):
        run = subprocess.Popen([ORIEL, "run", "-o", "run.oriel", "--no-sample", *options, "--", "mono", self.path(program)],
                               cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=CLEAN, start_new_session=True, preexec_fn=prepare)
        self.addCleanup(self.finish, run)
        self.addCleanup(run.stdin.close)
        self.assertEqual(run.stdout.readline(), b"ready\n")
        return run, int(subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True, check=True).stdout.split()[0])

    def tell(self, run, word):
        run.stdin.write(word.encode() + b"\n")
        run.stdin.flush()

    def obey(self, run, word):
        self.tell(run, word)
        self.assertEqual(run.stdout.readline().decode(), word + "\n")

    def snapshot(self, pid):
        result = self.oriel("ctl", str(pid), "snapshot")
        self.assertEqual(result.code, 0, result.err)
        self.assertRegex(result.out, r"^snapshot \d+: [\d,]+ objects, \d+\.\d MB; the program was stopped for \d+\.\d ms\b")
        return result.out

    def end(self, run, code=7, said=b"end\n"):
        run.stdin.close()
        self.assertEqual((run.wait(60), run.stdout.read()), (code, said))
        err = run.stderr.read().decode()
        self.assertEqual(len(err.splitlines()), 1, err)

    def rows(self, table):
        return json.loads(self.oriel("report", "rows", table, "--json", "run.oriel").out)["rows"]

    def text(self, *args):
        return " ".join(self.oriel("report", "heap", *args, "run.oriel").out.split())

    def assert_it_has_what_the_program_has(self):
        types = {row["type"]: row for row in self.rows("heap_types")}
        expected = {"Entry": ENTRIES, "Node": 4095, "Held": 11, "Weak": 10, "Key": 1, "Dependent": 1, "OnStack": 1, "OnThread": 2,
                    "Pair[]": 1, "object[,]": 1}
        self.assertEqual({name: types[name]["objects"] for name in expected}, expected)
        self.assertEqual((types["Entry"]["bytes"], types["Node"]["bytes"]), (ENTRIES * 32, 4095 * 32))
        self.assertGreaterEqual(types["byte[]"]["bytes"], 10_000 * (32 + 104))
        snapshot = self.rows("heap_snapshots")[0]
        self.assertEqual(snapshot["objects"], sum(row["objects"] for row in types.values()))
        self.assertEqual(snapshot["bytes"], sum(row["bytes"] for row in types.values()))
        self.assertEqual(snapshot["missing"], "")
        self.assert_it_has_what_holds_them()

    def assert_it_has_what_holds_them(self):
        roots = self.rows("heap_roots")
        names = {root["name"] for root in roots if root["kind"] == "static"}
        self.assertLessEqual({"Cache.Entries", "Cache.Both.Second", "Cache.Grid", "Program.tree", "Program.key"}, names)
        self.assertEqual({root["thread"] for root in roots if root["kind"] == "thread-static"} & {"Main", "holder"}, {"Main", "holder"})
        counts = {}
        for root in roots:
            counts[root["kind"]] = counts.get(root["kind"], 0) + root["roots"]
        for kind, least in (("handle", 10), ("pinned-handle", 10), ("dependent-handle", 1)):
            self.assertGreaterEqual(counts.get(kind, 0), least, kind)
            self.assertLess(counts[kind], least + 50, kind)
        on_stack = [root for root in roots if root["kind"] == "stack" and root["method"] == "Program.Obey(OnStack)"]
        self.assertIn("holder", {root["thread"] for root in on_stack}, roots)


class Contents(MonoHeap):
    def test_it_has_what_the_program_has(self):
        run, pid = self.begin("Held.exe")
        self.snapshot(pid)
        self.end(run)
        self.assert_it_has_what_the_program_has()
        self.assertEqual(self.rows("heap_snapshots")[0]["not_copied"], "")

    def test_no_copy_can_be_made(self):
        run, pid = self.begin("Held.exe", prepare=forbid_copies)
        self.assertIn("as no copy of it could be made: Cannot allocate memory", self.snapshot(pid))
        self.end(run)
        self.assert_it_has_what_the_program_has()

    def test_reports_name_the_holder(self):
        run, pid = self.begin("Held.exe")
        self.snapshot(pid)
        self.end(run)
        self.assertRegex(self.text(), r"10,001 objects of Entry retain .* static Cache\.Entries → System\.Collections\.Generic\.Dictionary<int, Entry>\.")
        self.assertRegex(self.text("--type", "Node"), r"Node\.Left.*Node\.Right|Node\.Right.*Node\.Left")
        self.assertRegex(self.text("--type", "Dependent"), r"static Program\.key .* Key .* a dependent handle: Dependent")
        self.assertIn("a word on the stack of Program.Obey(OnStack)", self.text("--type", "OnStack"))
        self.assertIn("Pair[].Second", self.text("--type", "Entry"))
        findings = json.loads(self.oriel("report", "heap", "--findings", "--json", "run.oriel").out)["findings"]["answers"]
        equal = next(answer for answer in findings if answer["question"] == "equal_strings")["rows"]
        self.assertEqual([row["objects"] for row in equal if row["name"] == f'"{"x" * 30}"'], [1000], equal)

    def test_a_leak_is_found(self):
        run, pid = self.begin("Held.exe")
        first = self.snapshot(pid)
        self.obey(run, "leak")
        self.obey(run, "collect")
        second = self.snapshot(pid)
        self.end(run)
        self.assertEqual((first[:11], second[:11]), ("snapshot 1:", "snapshot 2:"))
        self.assertRegex(self.text(), r"Leaked .*static Program\.leak → System\.Collections\.Generic\.List<Leaked>\._items")
        grown = {row["type"]: row for row in json.loads(self.oriel("report", "heap", "--diff", "--json", "run.oriel").out)["diff"]["types"]}
        self.assertEqual(grown["Leaked"]["grown_objects"], 20_000, grown["Leaked"])

    def test_what_waits_for_its_finalizer(self):
        run, pid = self.begin("Held.exe")
        self.obey(run, "finalize")
        self.snapshot(pid)
        self.end(run)
        late = next(row["objects"] for row in self.rows("heap_types") if row["type"] == "Late")
        self.assertGreaterEqual(late, 45)
        queued = sum(root["roots"] for root in self.rows("heap_roots") if root["kind"] == "finalizer")
        self.assertGreaterEqual(queued, 45)
        self.assertIn("the queue of finalizers", self.text("--type", "Late"))

    def test_at_the_programs_end(self):
        run, _ = self.begin("Held.exe", "--heap")
        self.end(run)
        snapshot = self.rows("heap_snapshots")
        self.assertEqual([(row["cause"], row["missing"]) for row in snapshot], [("exit", "")])
        types = {row["type"]: row["objects"] for row in self.rows("heap_types")}
        self.assertEqual((types["Entry"], types["Node"]), (ENTRIES, 4095))

    def test_as_it_grows(self):
        run, _ = self.begin("Held.exe", "--heap=on-growth=10%")
        for _ in range(5):
            self.obey(run, "leak")
            self.obey(run, "collect")
            time.sleep(0.4)  # its size is looked at five times a second
        self.end(run)
        self.assertEqual({row["cause"] for row in self.rows("heap_snapshots")}, {"growth"})
        sizes = [row["generation1"] for row in self.dump(kind="gc_heap")]
        self.assertGreater(sizes[-1], sizes[0] + 20_000 * 100)

    def test_roots_of_a_collection(self):
        """The event that modules may ask for, while snapshots ask for roots too."""
        run, pid = self.begin("Held.exe", "--module", "log:events=roots")
        self.obey(run, "collect")
        self.snapshot(pid)
        self.obey(run, "collect")
        self.end(run)
        self.assertEqual(self.rows("heap_snapshots")[0]["missing"], "")
        roots = self.dump(kind="gc_root")
        collections = sum(row["generation"] == 1 for row in self.dump(kind="gc_begin"))
        of_kind = {kind: sum(row["roots"] == kind for row in roots) for kind in ("stacks", "handles", "dependent-handles")}
        self.assertGreaterEqual(of_kind["handles"], 20 * collections, of_kind)
        for kind, number in of_kind.items(): self.assertGreater(number, 0, kind)
        pinned = sum(row["roots"] == "handles" and row["pinned"] for row in roots)
        self.assertTrue(10 <= pinned < of_kind["handles"], (pinned, of_kind))
        self.assertTrue(all(row["pinned"] for row in roots if row["roots"] == "stacks"))

    def test_an_exception_ends_it(self):
        run, _ = self.begin("Held.exe", "--heap")
        self.tell(run, "throw")
        self.assertEqual((run.wait(60), run.stdout.read()), (1, b""))
        err = run.stderr.read().decode()
        self.assertIn("FATAL UNHANDLED EXCEPTION: System.InvalidOperationException: as asked", err)
        self.assertIn("oriel: log: a snapshot of the heap failed: Mono ends the program\n", err)
        self.assertEqual(self.rows("heap_snapshots"), [])


class Load(MonoHeap):
    def test_threads_that_allocate(self):
        run, pid = self.begin("Busy.exe")
        for i in range(20):
            if i % 4 == 0:
                self.tell(run, "collect")
            self.snapshot(pid)
        self.end(run, 0, b"end, 0 wrong\n")
        snapshots = self.rows("heap_snapshots")
        self.assertEqual([row["missing"] for row in snapshots], [""] * 20)
        self.assertEqual(self.oriel("report", "heap", "run.oriel").code, 0)

    def test_the_program_ends_meanwhile(self):
        for pause in (0, 0.05, 0.2):
            run, pid = self.begin("Busy.exe")
            asking = self.start("ctl", str(pid), "snapshot")
            time.sleep(pause)
            self.end(run, 0, b"end, 0 wrong\n")
            asking.wait(60)
            said = (asking.stdout.read() + asking.stderr.read()).decode()
            self.assertTrue(re.search(r"snapshot 1: |ended before|no process|no snapshot|no socket|is not|ends", said), said)


if __name__ == "__main__":
    harness.main()
