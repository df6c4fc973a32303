#!/usr/bin/env python3
"""Snapshots of the heap, of a program that knows what is in it: counts, types, what holds what; and that it does not notice."""
import collections
import ctypes
import errno
import json
import os
import platform
import re
import resource
import shutil
import signal
import subprocess
import threading
import time
import unittest

import harness
from containers_test import EQUAL, GIVE, LOAD, filter_calls
from harness import BUILD, CLEAN, ORIEL

HEAP = os.path.join(BUILD, "targets", "heap", "heap.dll")
ENTRIES, NODES = 10_000, 5_000
CLONE = {"x86_64": 56, "aarch64": 220}.get(platform.machine())


def forbid_copies():
    """There is no memory for a copy of the process, which is the only clone without flags."""
    low_word = 16  # of the first argument
    filter_calls([(LOAD, 0, 0, 0), (EQUAL, 0, 3, CLONE), (LOAD, 0, 0, low_word), (EQUAL, 0, 1, 0),
                  (GIVE, 0, 0, 0x00050000 | errno.ENOMEM), (GIVE, 0, 0, 0x7FFF0000)])


def hold_thread(pid, name, seconds):
    """Stops the process's next thread with this name for so long, and only that. Whether that could be done."""
    seize, interrupt, detach, any_child = 0x4206, 0x4207, 17, 0x40000000
    libc = ctypes.CDLL(None, use_errno=True)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for task in os.listdir(f"/proc/{pid}/task"):
            try:
                with open(f"/proc/{pid}/task/{task}/comm", encoding="ascii") as file:
                    if file.read().strip() != name: continue
            except OSError:
                continue
            if libc.ptrace(seize, int(task), None, None) != 0 or libc.ptrace(interrupt, int(task), None, None) != 0: return False
            os.waitpid(int(task), any_child)
            time.sleep(seconds)
            return libc.ptrace(detach, int(task), None, None) == 0
    return False


class HeapTest(harness.OrielTest):
    def begin(self, *options, entries=ENTRIES, before=(), prepare=None, **variables):
        run = subprocess.Popen([*before, ORIEL, "run", "-o", "run.oriel", "--no-sample", *options, "--", "dotnet", HEAP, str(entries)],
                               cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env={**CLEAN, **variables}, start_new_session=True, preexec_fn=prepare)
        self.addCleanup(self.finish, run)
        self.addCleanup(run.stdin.close)
        said = [run.stdout.readline().decode().split() for _ in range(3)]
        self.assertEqual(said, [["ready"], ["Entry", str(entries)], ["Node", str(NODES)]])
        return run, int(subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True, check=True).stdout.split()[0])

    def wait_for_files(self, pid, wanted):
        """Until the program has the files of these numbers open and no others."""
        differing = lambda: wanted ^ set(os.listdir(f"/proc/{pid}/fd"))
        self.wait_for(lambda: not differing(), what=lambda: [os.path.realpath(f"/proc/{pid}/fd/{name}") for name in differing()])

    def snapshot(self, pid, code=0):
        result = self.oriel("ctl", str(pid), "snapshot")
        self.assertEqual(result.code, code, result.err)
        return result.out if code == 0 else result.err

    def end(self, run):
        run.stdin.close()
        self.assertEqual(run.wait(60), 0)
        return run.stderr.read().decode()

    def rows(self, table):
        return json.loads(self.oriel("report", "rows", table, "--json", "run.oriel").out)["rows"]

    def assert_it_has_what_the_program_has(self):
        types = {row["type"]: row for row in self.rows("heap_types")}
        for name, objects in {"Entry": ENTRIES, "Node": NODES, "Held": 110, "Pinned": 10, "Weak": 20, "Key": 1, "Dependent": 1}.items():
            self.assertEqual(types[name]["objects"], objects, name)
        self.assertEqual(types["Entry"]["bytes"], ENTRIES * 32)
        self.assertGreaterEqual(types["byte[]"]["bytes"], ENTRIES * 128)
        snapshot = self.rows("heap_snapshots")[0]
        self.assertEqual(snapshot["objects"], sum(row["objects"] for row in types.values()))
        self.assertEqual(snapshot["bytes"], sum(row["bytes"] for row in types.values()))
        self.assertEqual(snapshot["missing"], "")
        roots = self.rows("heap_roots")
        names = {root["name"] for root in roots if root["kind"] == "static"}
        self.assertTrue({"Cache.Entries", "Handles.s_table", "Stack.Ready"} <= names, sorted(names))
        thread_statics = {root["name"]: root["thread"] for root in roots if root["kind"] == "thread-static"}
        self.assertEqual([thread_statics.get(f"Stack.{field}") for field in ("t_first", "t_second")], ["holder", "holder"])
        self.assertNotIn("Stack.t_number", thread_statics)
        counts = {}
        for root in roots:
            counts[root["kind"]] = counts.get(root["kind"], 0) + root["roots"]
        for kind, least in (("handle", 100), ("pinned-handle", 10), ("weak-handle", 20), ("dependent-handle", 1)):
            self.assertGreaterEqual(counts.get(kind, 0), least, kind)
            self.assertLess(counts[kind], least + 100, kind)

    def assert_values_tell(self):
        run, pid = self.begin(KEEP_VALUES="1")
        self.snapshot(pid)
        self.end(run)
        answers = {answer["question"]: answer for answer in
                   json.loads(self.oriel("report", "heap", "--findings", "--json", "run.oriel").out)["findings"]["answers"]}

        def row(question, name):
            found = [row for row in answers[question]["rows"] if row["name"] == name]
            self.assertEqual(len(found), 1, (name, answers[question]))
            return found[0]
        # The literal is one of them.
        self.assertEqual(row("equal_strings", '"pounds sterling"')["objects"], 10_001)
        self.assertEqual(row("equal_strings", '"pounds sterling"')["bytes"], 10_000 * 56)
        self.assertEqual(row("equal_strings", '"pounds sterling"')["in"], "Order.Currency")
        self.assertEqual(row("equal_strings", '"Server=db;Password=…;"')["objects"], 51)
        dump = self.oriel("report", "dump", "run.oriel").out
        self.assertIn("Server=db;Password=…;", dump)
        self.assertNotIn("hunter2", dump)
        self.assertEqual([row["objects"] for row in answers["equal_arrays"]["rows"] if row["name"].startswith("double[]")], [10, 10])
        self.assertGreaterEqual(row("zeros", "byte[]")["objects"], ENTRIES + 200)
        lists = row("half_empty_collections", "System.Collections.Generic.List<Order>")
        self.assertEqual((lists["objects"], lists["bytes"]), (500, 500 * 90 * 8))
        self.assertNotIn("Dictionary<int, int>", str(answers["half_empty_collections"]))
        self.assertEqual(row("boxes", "Point")["objects"], 300)
        handlers = row("event_handlers", "static Publisher.Changed")
        self.assertEqual((handlers["objects"], handlers["in"]), (200, "Subscriber"))
        self.assertEqual(answers["event_handlers"]["objects"], 200)
        self.assertEqual(row("timers", "Values.Make.lambda#0")["objects"], 50)
        self.assertEqual(row("timers", "Values.Make.lambda#0")["in"], "1 h 00 min")
        self.assertEqual([(row["name"], row["objects"]) for row in answers["async_methods"]["rows"]],
                         [("Values.WaitForever at await 2", 70)])
        self.assertEqual(row("closures", "Values.Adder.lambda#0")["objects"], 90)
        # The last one may still be in a register of the thread that made it.
        self.assertIn(row("finalizers", "Unused")["objects"], (59, 60))
        self.assertEqual(row("pinned", "Pinned")["objects"], 10)
        text = self.oriel("report", "heap", "run.oriel").out
        self.assertNotIn("could be saved", text)  # it is less than a megabyte


class Heap(HeapTest):
    def test_it_has_what_the_program_has(self):
        run, pid = self.begin()
        self.assertRegex(self.snapshot(pid),
                         r"^snapshot 1: [\d,]+ objects, \d+\.\d MB; the program was stopped for \d+\.\d ms\n$")
        self.end(run)
        self.assert_it_has_what_the_program_has()
        self.assertEqual(self.rows("heap_snapshots")[0]["not_copied"], "")

    def test_reports_name_the_holder(self):
        run, pid = self.begin()
        self.snapshot(pid)
        for _ in range(2):
            run.stdin.write(b"grow\n")
            run.stdin.flush()
            self.assertRegex(run.stdout.readline(), rb"^Entry \d+\n$")
            self.snapshot(pid)
        self.end(run)
        text = self.oriel("report", "heap", "run.oriel").out
        self.assertIn("Cache.Entries", text)
        self.assertRegex(text, r"Entry\b")
        # What is bounded does not grow.
        self.assertNotIn("Bounded", text.split("\n\n")[1])
        node = self.oriel("report", "heap", "--type", "Node", "run.oriel").out
        self.assertRegex(node, r"(?i)stack|local")
        entry = self.oriel("report", "heap", "--type", "Entry", "run.oriel").out
        self.assertIn("Cache.Entries", entry)
        self.assertIn("Entry", self.oriel("report", "heap", "--dominators", "run.oriel").out)
        self.assertIn("Entry", self.oriel("report", "heap", "--diff", "run.oriel").out)

    def test_values_tell_what_could_be_saved_and_what_waits(self):
        self.assert_values_tell()

    def test_the_program_does_not_notice(self):
        run, pid = self.begin()
        before = set(os.listdir(f"/proc/{pid}/fd"))
        for _ in range(5):
            self.snapshot(pid)
            with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
                self.assertEqual(children.read(), "")
        # The last command's connection closes when the program's own end of it has its turn.
        self.wait_for_files(pid, before)
        self.assertEqual(sorted(os.listdir(self.folder)), ["run.oriel", "run.oriel.tail"])
        self.end(run)
        self.assertEqual([row["number"] for row in self.rows("heap_snapshots")], [1, 2, 3, 4, 5])

    def test_threads_in_native_code_hold_what_they_hold(self):
        run, pid = self.begin(COMPRESS="3")
        self.snapshot(pid)
        self.end(run)
        answer = json.loads(self.oriel("report", "heap", "--type", "Working", "--json", "run.oriel").out)
        self.assertEqual((answer["type"]["objects"], answer["type"]["garbage_objects"]), (3_000, 0))
        paths = answer["type"]["paths"]
        self.assertEqual(len({path["step"] for path in paths}), len(paths), paths)
        self.assertEqual(paths[0]["step"], "a word on the stack of thread compressor")
        # Those of all three threads; the one that started them may still have a word that refers to one's.
        held = sum(path["objects"] for path in paths if path["step"].startswith("a word on the stack of "))
        self.assertGreater(held, 2_990, paths)

    def test_by_itself(self):
        run, pid = self.begin("--heap=on-exit+every=1s")
        self.wait_for(lambda: self.oriel("ctl", str(pid), "flush") and len(self.rows("heap_snapshots")) >= 2)
        self.end(run)
        causes = [row["cause"] for row in self.rows("heap_snapshots")]
        self.assertEqual(causes[-1], "exit")
        self.assertEqual(set(causes[:-1]), {"interval"})

    def test_at_a_signal(self):
        run, pid = self.begin("--heap=on-signal=USR2")
        for count in (1, 2):
            os.kill(pid, signal.SIGUSR2)
            self.wait_for(lambda: self.oriel("ctl", str(pid), "flush") and len(self.rows("heap_snapshots")) == count)
        self.end(run)
        self.assertEqual([row["cause"] for row in self.rows("heap_snapshots")], ["signal", "signal"])

    def test_at_the_end_by_default(self):
        run, _ = self.begin("--heap")
        self.end(run)
        self.assertEqual([row["cause"] for row in self.rows("heap_snapshots")], ["exit"])
        self.assertEqual({row["type"]: row["objects"] for row in self.rows("heap_types")}["Entry"], ENTRIES)

    def test_every_object_of_a_type_is_followed(self):
        run, _ = self.begin("--alloc-follow=Entry,Recent")
        for line, answer in (("grow", "Entry 11000"), ("collect", "collected"), ("grow", "Entry 12000"), ("collect", "collected")):
            run.stdin.write(line.encode() + b"\n")
            run.stdin.flush()
            self.assertEqual(run.stdout.readline().decode().strip(), answer)
        self.end(run)

        def alive(survived):
            rows = json.loads(self.oriel("report", "heap", "--alive", f"--survived={survived}", "--json", "run.oriel").out)["nodes"]
            return {kind: sum(row["objects"] for row in rows if row["name"] == kind) for kind in ("Entry", "Recent")}
        self.assertEqual(alive(1), {"Entry": ENTRIES + 2000, "Recent": 500})
        self.assertEqual(alive(2), {"Entry": ENTRIES + 1000, "Recent": 0})
        text = self.oriel("report", "heap", "--alive", "run.oriel").out
        self.assertNotIn("estimate", text)
        self.assertIn("Each object of Entry,Recent is followed.", text)
        self.assertRegex(text, r"Cache\.Fill \(Program\.cs:\d+\) → Entry")

    def test_of_a_program_that_already_runs(self):
        program = subprocess.Popen(["dotnet", HEAP], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=CLEAN, start_new_session=True)
        self.addCleanup(self.finish, program)
        self.addCleanup(program.stdin.close)
        for _ in range(3):
            program.stdout.readline()
        result = self.oriel("attach", str(program.pid), "-o", "run.oriel", "--heap", "--for", "1s")
        self.assertEqual(result.code, 0, result.err)
        self.assertEqual({row["type"]: row["objects"] for row in self.rows("heap_types")}["Entry"], ENTRIES)
        program.stdin.close()
        self.assertEqual(program.wait(60), 0)

    def test_without_memory_there_is_none_and_a_reason(self):
        run, pid = self.begin()
        with open(f"/proc/{pid}/statm", encoding="ascii") as sizes:
            now = int(sizes.read().split()[0]) * 4096
        resource.prlimit(pid, resource.RLIMIT_AS, (now + (4 << 20), now + (4 << 20)))
        self.assertIn("a snapshot of the heap failed: out of memory", self.snapshot(pid, code=1))
        self.end(run)

    def test_bad_options_are_refused(self):
        for option, message in (("--heap=never", "snapshots of the heap are taken on-exit, every=60s, on-growth=20%, on-signal=USR2"),
                                ("--heap=every=1ms", "snapshots of the heap are at least 1 s apart: every=60s")):
            result = self.oriel("run", option, "--", "dotnet", HEAP)
            self.assertEqual(result.code, 125)
            self.assertIn(message, result.err)
        result = self.oriel("run", "--heap", "--recorder=60s", "--", "dotnet", HEAP)
        self.assertIn("--heap does not fit into a flight recorder's file; leave out --recorder", result.err)


@unittest.skipUnless(CLONE, "the number of clone is not known here")
class Stopped(HeapTest):
    """Where no copy of the process can be made, the program is stopped while its heap is walked."""
    WHY = "as no copy of it could be made: Cannot allocate memory"

    def begin(self, *options, **more):
        return super().begin(*options, prepare=forbid_copies, **more)

    def test_it_has_what_the_program_has(self):
        run, pid = self.begin()
        self.assertRegex(self.snapshot(pid),
                         rf"^snapshot 1: [\d,]+ objects, \d+\.\d MB; the program was stopped for \d+\.\d ms, {self.WHY}\n$")
        self.end(run)
        self.assert_it_has_what_the_program_has()
        text = " ".join(self.oriel("report", "heap", "run.oriel").out.split())
        self.assertRegex(text, rf"The program was stopped for [\d.]+ m?s, {self.WHY}\.")

    def test_values_tell_what_could_be_saved_and_what_waits(self):
        self.assert_values_tell()

    def test_the_program_does_not_notice(self):
        run, pid = self.begin(WATCH_CLOCK="1")
        before = set(os.listdir(f"/proc/{pid}/fd"))

        def address_space():
            with open(f"/proc/{pid}/statm", encoding="ascii") as sizes:
                return int(sizes.read().split()[0]) * 4096
        self.snapshot(pid)
        self.snapshot(pid)
        space, threads = address_space(), len(os.listdir(f"/proc/{pid}/task"))
        differences = []
        for _ in range(6):
            stopped = float(re.search(r"stopped for ([\d.]+) ms", self.snapshot(pid)).group(1))
            run.stdin.write(b"longest\n")
            run.stdin.flush()
            differences.append(abs(float(run.stdout.readline()) - stopped) / stopped)
        # What is said is what a thread of the program sees, where others do not keep it from running.
        self.assertLess(min(differences), 0.3)
        self.assertLess(address_space() - space, 16 << 20)
        self.assertEqual(len(os.listdir(f"/proc/{pid}/task")), threads)
        # The last command's connection closes when the program's own end of it has its turn.
        self.wait_for_files(pid, before)
        self.assertEqual(sorted(os.listdir(self.folder)), ["run.oriel", "run.oriel.tail"])
        self.end(run)

    def test_names_that_do_not_come_are_not_waited_for(self):
        # As if the thread that names types waited for a lock whose holder is stopped.
        run, pid = self.begin(entries=200_000, KEEP_VALUES="1")
        held = []
        holder = threading.Thread(target=lambda: held.append(hold_thread(pid, "oriel-names", 8)))
        holder.start()
        began = time.monotonic()
        text = self.snapshot(pid)
        took = time.monotonic() - began
        holder.join()
        self.end(run)
        if held != [True]: self.skipTest("no thread of another process can be stopped here")
        self.assertGreater(took, 7)
        self.assertLess(float(re.search(r"stopped for ([\d.]+) ms", text).group(1)), 7_000)
        snapshot, = self.rows("heap_snapshots")
        self.assertEqual(snapshot["missing"], "values of fields, as their types could not be named meanwhile")
        self.assertEqual({row["type"]: row["objects"] for row in self.rows("heap_types")}["Entry"], 200_000)
        # What strings contain is known without names.
        findings = json.loads(self.oriel("report", "heap", "--findings", "--json", "run.oriel").out)["findings"]["answers"]
        strings, = (answer["rows"] for answer in findings if answer["question"] == "equal_strings")
        self.assertIn('"pounds sterling"', [row["name"] for row in strings])

    def test_by_itself_and_at_the_end(self):
        run, pid = self.begin("--heap=on-exit+every=1s")
        self.wait_for(lambda: self.oriel("ctl", str(pid), "flush") and len(self.rows("heap_snapshots")) >= 2)
        self.end(run)
        rows = self.rows("heap_snapshots")
        self.assertEqual(rows[-1]["cause"], "exit")
        self.assertEqual({row["not_copied"] for row in rows}, {"Cannot allocate memory"})


class Limits(HeapTest):
    """Limits that the kernel enforces."""

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "only root may run programs as another user")
    def test_at_the_limit_of_processes(self):
        os.chmod(self.folder, 0o777)
        user = 65_000 + os.getpid() % 500  # that has no other tasks
        of_user = ["setpriv", f"--reuid={user}", "--clear-groups"]
        if subprocess.run([*of_user, "cat", HEAP, ORIEL], capture_output=True, check=False).returncode != 0:
            self.skipTest("another user may not read what was built here")
        run, pid = self.begin(before=of_user, KEEP_VALUES="1", HOME=self.folder, TMPDIR=self.folder, **harness.USUAL_COLLECTIONS)
        os.environ["TMPDIR"] = self.folder
        self.addCleanup(os.environ.pop, "TMPDIR")
        self.assertNotIn("no copy", self.snapshot(pid))
        subprocess.run([*of_user, "prlimit", f"--pid={pid}", "--nproc=1"], check=True)
        self.assertIn("as no copy of it could be made: the limit on processes and threads is reached", self.snapshot(pid))
        self.end(run)
        first, second = self.rows("heap_snapshots")
        # No thread could be made either that names the types meanwhile.
        self.assertEqual((first["missing"], second["missing"]), ("", "values of fields, as their types could not be named meanwhile"))
        of_program = {"Entry", "Node", "Held", "Pinned", "Weak", "Key", "Dependent", "Order", "Point", "Subscriber", "Poller", "Unused"}
        types = collections.defaultdict(dict)
        for row in self.rows("heap_types"):
            if row["type"] in of_program:
                types[row["snapshot"]][row["type"]] = row["objects"], row["bytes"]
        self.assertEqual(list(types), [0, 1])
        self.assertEqual(types[0], types[1])
        self.assertEqual(set(types[0]), of_program)
        roots = collections.defaultdict(set)
        for row in self.rows("heap_roots"):
            if row["kind"] in ("static", "thread-static") and re.match(r"(Cache|Handles|Stack|Bounded|Values|Publisher)\b", row["name"]):
                roots[row["snapshot"]].add((row["kind"], row["name"], row["thread"], row["roots"]))
        self.assertGreater(len(roots[0]), 10)
        self.assertEqual(roots[0], roots[1])

    def test_in_a_small_control_group_there_is_none_and_a_reason(self):
        group = self.group()
        run, pid = self.begin(before=("sh", "-c", 'echo $$ >"$0/cgroup.procs" && exec "$@"', group))
        limit = next(name for name in ("memory.limit_in_bytes", "memory.max") if os.path.exists(f"{group}/{name}"))
        used = next(name for name in ("memory.usage_in_bytes", "memory.current") if os.path.exists(f"{group}/{name}"))
        with open(f"{group}/{used}", encoding="ascii") as file:
            now = int(file.read())
        with open(f"{group}/{limit}", "w", encoding="ascii") as file:
            file.write(str(now + (40 << 20)))
        self.assertRegex(self.snapshot(pid, code=1),
                         r"^oriel: ctl: a snapshot of the heap failed: no copy of the process can be made \(a copy of the process may "
                         r"need \d+ MB of memory, and \d+ MB are free\), and a walk over the heap may need \d+ MB of memory, and "
                         r"\d+ MB are free\n$")
        run.stdin.write(b"grow\n")
        run.stdin.flush()
        self.assertEqual(run.stdout.readline().decode(), f"Entry {ENTRIES + 1000}\n")
        self.end(run)

    def remove_group(self, folder):
        def is_empty():
            with open(f"{folder}/cgroup.procs", encoding="ascii") as file:
                return file.read() == ""
        self.wait_for(is_empty)
        os.rmdir(folder)

    def group(self):
        """A control group's folder, whose processes' memory may be limited."""
        for top in ("/sys/fs/cgroup/memory", "/sys/fs/cgroup"):
            folder = f"{top}/oriel-test-{os.getpid()}"
            try:
                os.mkdir(folder)
            except OSError:
                continue
            self.addCleanup(self.remove_group, folder)
            if any(os.path.exists(f"{folder}/{name}") for name in ("memory.limit_in_bytes", "memory.max")):
                return folder
        self.skipTest("no control group with a limit can be made here")


if __name__ == "__main__":
    unittest.main()
