#!/usr/bin/env python3
"""oriel attach on real programs: what was compiled before has its names, the program does not notice, Oriel leaves it,
and may come again."""
import glob
import json
import os
import re
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest
import uuid

import harness
import other_profilers
from harness import BUILD, CLEAN, ORIEL, SERVER

NOT_ATTACHABLE = 0x80131368  # CORPROF_E_PROFILER_NOT_ATTACHABLE
ATTACHED = os.path.join(BUILD, "targets", "attached", "attached.dll")
HOW = (r"(the runtime took \d+\.\d ms to attach|Oriel was in it, switched off)"
       r"(, the program's threads were (not stopped|stopped for \d+\.\d ms))?\. Ctrl-C ends it")
WATCHING = r"oriel: watching \d+ \(\w+\).*; " + HOW
INSTRUMENTING = (r"oriel: instrumenting \d+ \(\w+\).*, as --[\w-]+ changes its code: Oriel stays in it afterwards, switched off; "
                 + HOW)
STAYS = r"oriel: Oriel stays in process \d+ \(\w+\), switched off: its runtime keeps a profiler that may have changed code"
WROTE = r"oriel: wrote (\S+) \(.*\)\. See it: oriel report (callgraph |coverage )?\S+"


def attach_message(clsid, library, data=b""):
    """The diagnostics port's command to attach a profiler (IPC v1: profiler commands, 1)."""
    path = (library + "\0").encode("utf-16-le")
    payload = struct.pack("<I", 10_000) + uuid.UUID(clsid).bytes_le + struct.pack("<I", len(path) // 2) + path
    payload += struct.pack("<I", len(data)) + data
    return struct.pack("<14sHBBH", b"DOTNET_IPC_V1\0", 20 + len(payload), 3, 1, 0) + payload


def threads_of_oriel(pid):
    """The names of Oriel's threads in the process."""
    names = []
    for comm in glob.glob(f"/proc/{pid}/task/*/comm"):
        try:
            with open(comm, encoding="utf-8") as file:
                names.append(file.read().strip())
        except OSError:
            pass
    return [name for name in names if name.startswith("oriel-")]


# In the plain check the busy program leaves half of the processors to other tests.
BUSY = {} if harness.LONG else {"REST": "1"}


class Attachable(harness.OrielTest):
    """A program to attach to, and how it must be afterwards."""

    def setUp(self):
        super().setUp()
        self.temporary = tempfile.mkdtemp(prefix="oriel-a-")
        self.addCleanup(subprocess.run, ["rm", "-rf", self.temporary], check=False)

    def begin(self, *command, env=None, says=True):
        """Starts a program as a user would, and waits for its first line."""
        process = subprocess.Popen(command or ["dotnet", ATTACHED, "100"], cwd=self.folder, stdin=subprocess.PIPE,
                                   env={**CLEAN, **BUSY, "TMPDIR": self.temporary, **(env or {})}, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        self.addCleanup(process.stdin.close)
        self.addCleanup(self.finish, process)
        if says:
            self.assertEqual(process.stdout.readline(), b"ready\n")
        return process

    def assert_untouched(self, process):
        """The program ends as it would have, and has printed nothing else."""
        out, err = process.communicate(b"", timeout=60)
        self.assertEqual((process.returncode, out, err), (7, b"done\n", b""))

    def assert_gone(self, process):
        """Nothing of Oriel runs in the process, and nothing is left beside its socket."""
        self.wait_for(lambda: not threads_of_oriel(process.pid))
        with open(f"/proc/{process.pid}/timers", encoding="ascii") as timers:
            self.assertEqual(timers.read(), "")
        self.assertEqual([name for name in os.listdir(self.temporary) if name.startswith("oriel-")], [])


class Attach(Attachable):
    def attach(self, process, *options, log="run.oriel", **rest):
        """oriel attach that succeeds; what it says."""
        result = self.oriel("attach", str(process.pid), "-o", log, *options, **rest)
        self.assertEqual(result.code, 0, result.err)
        self.assertRegex(result.out, r"(?m)^Runtime +CoreCLR")
        self.assertRegex(result.err, f"^{WATCHING}\n(.*\n)*{WROTE}\n$")
        return result

    def names(self, log="run.oriel"):
        """The methods that samples met."""
        return {record["name"] for record in self.dump(log, kind="method")}

    def test_what_was_compiled_before_has_its_names(self):
        program = self.begin(env={"REST": "0"})  # samples meet all of it
        self.attach(program, "--for", "2s", "--sample=500")
        self.assert_gone(program)
        names = self.names()
        for name in ("Kinds.Optimized()", "Kinds.Plain()", "Kinds.Precompiled()", "Unloadable.SpinUnloadably()"):
            self.assertIn(name, names)
        for pattern in (r"^Kinds\.Of<.*>\.Sum\(", r"SpinDynamically", r"^System\.Collections\.Generic\.",
                        r"^string\.Join"):
            self.assertTrue([name for name in names if re.search(pattern, name)], (pattern, names))
        self.assertEqual([name for name in names if re.match(r"\[(?!dynamic\])", name)], [])
        # What belongs to no library are the runtime's own stubs, which have names by their purpose.
        stubs = {record["name"] for record in self.dump(kind="native") if not record.get("library")}
        self.assertEqual([name for name in stubs if not name.startswith("[") or "unknown" in name], [])
        self.assert_untouched(program)

    def test_features(self):
        program = self.begin()
        self.attach(program, "--for", "4s", "--alloc=sampled", "--gc-phases", "--locks")
        kinds = self.kinds()
        for kind in ("gc_begin", "gc_end", "gc_heap", "gc_phases", "exception_throw", "exception_message",
                     "gc_allocation_followed", "monitor_acquired", "suspend_begin"):
            self.assertIn(kind, kinds)
        waits = self.oriel("report", "waits", "run.oriel")
        self.assertIn("WaitsForLocks", waits.out)
        threads = self.oriel("report", "threads", "run.oriel")
        for name in ("optimized", "mixed", "waits"):
            self.assertRegex(threads.out, rf"(?m) {name}\b")
        self.assert_gone(program)
        self.assert_untouched(program)

    def instrument(self, process, *options, log="run.oriel"):
        """oriel attach that changes the program's code: Oriel stays in it, switched off."""
        result = self.oriel("attach", str(process.pid), "-o", log, *options)
        self.assertEqual(result.code, 0, result.err)
        self.assertNotEqual(result.out, "")
        self.assertRegex(result.err, f"^{INSTRUMENTING}\n(.*\n)*{STAYS}\n({WROTE}\n)+$")
        self.assertEqual(threads_of_oriel(process.pid), ["oriel-control"])

    def test_counters_and_activities(self):
        program = self.begin()
        self.instrument(program, "--for", "4s", "--counters", "--activities")
        self.assertIn("counter_value", self.kinds())
        self.assert_untouched(program)

    @harness.only_long  # ends_test has such ends under Oriel from the start
    def test_counters_do_not_hang_or_break_the_end(self):
        ends = os.path.join(BUILD, "targets", "ends", "ends.dll")
        moments = range(1500, 3000, 10) if harness.LONG else range(2400, 2800, 150)
        for moment in moments:
            program = self.begin("dotnet", ends, "return", str(moment), says=False)
            time.sleep(1.0)
            tool = self.start("attach", str(program.pid), "-o", f"end-{moment}.oriel", "--counters", "--activities")
            out, err = program.communicate(timeout=60)
            self.assertEqual((program.returncode, out, err), (42, b"", b""), moment)
            self.assertEqual(tool.wait(60), 0)

    def test_probes(self):
        program = self.begin()
        self.instrument(program, "--for", "2s", "--calls=Kinds.*", log="calls.oriel")
        calls = self.oriel("report", "calls", "calls.oriel")
        for name in ("Kinds.Optimized()", "Kinds.Plain()", "Kinds.Generic()", "Kinds.Throws()", "Kinds.Of<T>.Sum(T)"):
            self.assertIn(name, calls.out)
        # Again, by the engine that has stayed, with something else; and then without probes.
        self.instrument(program, "--for", "2s", "--callgraph=Kinds.*", "--alloc-in=Kinds.*", log="graph.oriel")
        self.assertIn("Kinds.Plain()", self.oriel("report", "callgraph", "graph.callgraph.oriel").out)
        allocations = self.oriel("report", "alloc", "graph.oriel")
        self.assertRegex(allocations.out, r"byte\[\]")
        result = self.oriel("attach", str(program.pid), "-o", "plain.oriel", "--for", "1s")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("Kinds.Optimized()", self.names("plain.oriel"))
        self.assertEqual([kind for kind in self.kinds("plain.oriel") if kind.startswith("method_enter")], [])
        self.assert_untouched(program)

    def covered(self, log):
        """Whether methods ran, by name."""
        report = json.loads(self.oriel("report", "coverage", "--json", "--by", "type", log).out)
        self.assertRegex(" ".join(report["problems"]), "counted from .* after the program's start on")
        return {row["name"]: row["lines_covered"] for row in report["rows"]}

    def test_coverage(self):
        program = self.begin()
        time.sleep(2)
        self.instrument(program, "--for", "2s", "--coverage", log="first.oriel")
        first = self.covered("first.oriel")
        for name in ("Kinds", "Kinds.Of<T>"): self.assertGreater(first[name], 0, first)
        # Again, by the engine that has stayed, beside samples and for one type only.
        self.instrument(program, "--for", "2s", "--coverage=Kinds.Plain", "--sample", log="second.oriel")
        self.assertIn("Kinds.Optimized()", self.names("second.oriel"))
        second = self.covered("second.coverage.oriel")
        self.assertGreater(second["Kinds"], 0)
        self.assertLess(second["Kinds"], first["Kinds"])
        self.assertEqual([name for name in os.listdir(self.folder) if not name.endswith(".oriel")], [])
        self.assert_refused(self.oriel("attach", str(program.pid), "--coverage-mode=count"), 1,
                            "--coverage-mode needs coverage; give --coverage too")
        self.assert_untouched(program)

    def test_async_methods(self):
        program = subprocess.Popen(["dotnet", SERVER], cwd=self.folder, env={**CLEAN, "TMPDIR": self.temporary},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True)
        self.addCleanup(self.finish, program)
        port = int(program.stdout.readline().split()[-1])
        tool = self.start("attach", str(program.pid), "-o", "run.oriel", "--async", "--for", "60s")
        self.assertRegex(tool.stderr.readline().decode(), INSTRUMENTING)
        self.ask_server(port, 300)
        self.assertEqual((program.wait(60), program.stderr.read()), (0, b""))
        self.assertEqual(tool.wait(60), 0)
        awaits = self.oriel("report", "async", "run.oriel")
        self.assertEqual(awaits.code, 0, awaits.err)
        self.assertIn("Program.", awaits.out)

    def test_is_controlled_meanwhile(self):
        program = self.begin()
        tool = self.start("attach", str(program.pid), "-o", "run.oriel")
        self.assertRegex(tool.stderr.readline().decode(), WATCHING)

        def ctl(*words):
            return self.call([ORIEL, "ctl", str(program.pid), *words])

        self.assertIn("running", ctl().out)
        self.assertEqual(ctl("set", "sample=1000").code, 0)
        self.assertEqual(ctl("mark", "now").code, 0)
        for feature in ("calls=Kinds.*", "alloc", "coverage"):
            self.assert_refused(ctl("start", feature), 1, "attached only to watch")
        ctl("stop", "calls", "alloc")
        self.assertEqual(ctl("set", "counters").code, 0)
        self.assertEqual(ctl("detach").code, 0)
        out, err = tool.communicate(timeout=60)
        self.assertEqual((tool.returncode, out), (0, b""), err)  # logs of two rates cannot be shown as one
        self.assertIn("attached only to watch this one; they are missing", err.decode())
        self.assertEqual(self.logs(), ["run-2.oriel", "run.oriel"])
        self.assertEqual(err.decode().count("oriel: wrote run"), 2)
        self.assertIn("Marks", self.oriel("report", "run-2.oriel").out)
        self.assert_gone(program)
        self.assert_refused(ctl(), 1, "Oriel is not in it")
        self.assert_untouched(program)

    def test_again_and_again(self):
        program = self.begin()
        sizes = []
        for i in range(100 if harness.LONG else 3):
            self.attach(program, "--for", "300ms", log=f"run-{i}.oriel")
            self.assert_gone(program)
            self.assertIn("Kinds.Optimized()", self.names(f"run-{i}.oriel"))
            with open(f"/proc/{program.pid}/statm", encoding="ascii") as memory:
                sizes.append(int(memory.read().split()[1]) * 4)
        if harness.LONG:
            self.assertLess(sizes[-1] - sizes[len(sizes) // 2], 8_000, sizes)
        self.assert_untouched(program)

    def test_the_default_log_is_a_new_one(self):
        program = self.begin()
        for _ in range(2):
            self.assertEqual(self.oriel("attach", str(program.pid), "--for", "100ms").code, 0)
        first = f"attached-{program.pid}"
        self.assertEqual(self.logs(), sorted([first + ".oriel", first + "-2.oriel"]))
        os.remove(self.path(first + ".oriel"))
        again = self.oriel("attach", "--for", "100ms", str(program.pid))
        self.assertRegex(again.err, f"oriel: wrote {first}(-\\d)?\\.oriel ")
        self.assert_untouched(program)

    def test_ctrl_c(self):
        program = self.begin()
        tool = self.start("attach", str(program.pid), "-o", "run.oriel")
        self.assertRegex(tool.stderr.readline().decode(), WATCHING)
        time.sleep(0.5)
        os.kill(tool.pid, signal.SIGINT)
        out, err = tool.communicate(timeout=60)
        self.assertEqual(tool.returncode, 0)
        self.assertIn(b"Runtime", out)
        self.assertRegex(err.decode(), f"^{WROTE}\n$")
        self.assertIn("Kinds.Optimized()", self.names())
        self.assert_gone(program)
        self.assert_untouched(program)

    def test_the_tool_is_killed(self):
        program = self.begin()
        tool = self.start("attach", str(program.pid), "-o", "run.oriel")
        self.assertRegex(tool.stderr.readline().decode(), WATCHING)
        time.sleep(0.3)
        tool.kill()
        self.wait_for(lambda: not threads_of_oriel(program.pid))
        self.assertIn("Kinds.Optimized()", self.names())
        self.assert_gone(program)
        self.attach(program, "--for", "300ms", log="again.oriel")
        self.assert_untouched(program)

    def test_the_program_ends_meanwhile(self):
        program = self.begin()
        tool = self.start("attach", str(program.pid), "-o", "run.oriel")
        self.assertRegex(tool.stderr.readline().decode(), WATCHING)
        self.assert_untouched(program)
        out, err = tool.communicate(timeout=60)
        self.assertEqual(tool.returncode, 0)
        self.assertIn(b"Runtime", out)
        self.assertRegex(err.decode(), f"^{WROTE}\n$")
        self.assertIn("end", self.kinds())
        program = self.begin()
        tool = self.start("attach", str(program.pid), "-o", "killed.oriel")
        self.assertRegex(tool.stderr.readline().decode(), WATCHING)
        time.sleep(0.6)
        os.kill(program.pid, signal.SIGKILL)
        out, err = tool.communicate(timeout=60)
        self.assertEqual(tool.returncode, 0)
        self.assertIn(b"Runtime", out)
        self.assertRegex(err.decode(), f"^{WROTE}\n$")
        self.assertIn("Kinds.Optimized()", self.names("killed.oriel"))

    def test_from_the_start_on(self):
        for delay in harness.some((0.01, 0.1, 0.05, 0.2, 0.4), 2):
            program = self.begin(says=False)
            time.sleep(delay)
            self.attach(program, "--for", "500ms", log=f"run-{delay}.oriel")
            self.assertEqual(program.stdout.readline(), b"ready\n")
            self.assert_untouched(program)

    @harness.only_long  # test_async_methods attaches to it too, and does more there
    def test_a_web_server_under_load(self):
        program = subprocess.Popen(["dotnet", SERVER], cwd=self.folder, env={**CLEAN, "TMPDIR": self.temporary},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True)
        self.addCleanup(self.finish, program)
        port = int(program.stdout.readline().split()[-1])
        tool = self.start("attach", str(program.pid), "-o", "run.oriel", "--for", "60s")
        self.assertRegex(tool.stderr.readline().decode(), WATCHING)
        self.ask_server(port, 300)
        self.assertEqual((program.wait(60), program.stderr.read()), (0, b""))
        self.assertEqual(tool.wait(60), 0)
        self.assertTrue([name for name in self.names() if "Program.<Main>$" in name or "Work" in name], self.names())

    def refusal(self, *words, code=1):
        result = self.oriel("attach", *words)
        self.assert_refused(result, code)
        return result.err

    def test_refusals(self):
        self.assertIn("is no process id", self.refusal("Shop"))
        self.assertIn("there is no process 4194303", self.refusal("4194303"))
        self.assertIn("is none of .NET", self.refusal(str(os.getpid())))
        program = self.begin()
        pid = str(program.pid)
        self.assertIn("--for never: a time is a number of us, ms", self.refusal(pid, "--for", "never"))
        self.assertIn("does not exist", self.refusal(pid, "-o", "none/run.oriel"))
        tool = self.start("attach", pid, "-o", "run.oriel")
        self.assertRegex(tool.stderr.readline().decode(), WATCHING)
        self.assertIn("Oriel is in it", self.refusal(pid))
        os.kill(tool.pid, signal.SIGTERM)
        self.assertEqual(tool.wait(60), 0)
        self.assert_untouched(program)
        program = self.begin(env={"DOTNET_EnableDiagnostics": "0"})
        self.assertIn("cannot be attached to: DOTNET_EnableDiagnostics=0; docs", self.refusal(str(program.pid)))
        program = self.begin(env=other_profilers.alone("padding", 1))
        self.assertIn("profiler libguest-padding.so", self.refusal(str(program.pid)))

    def test_other_tools_with_any_data(self):
        program = self.begin()
        place, = glob.glob(os.path.join(self.temporary, f"dotnet-diagnostic-{program.pid}-*-socket"))
        clsid = self.oriel("version", "--clsid").out.strip()
        some = (b"\0", b"garbage", b"ORIEL_PROFILERS=log", os.urandom(5000))
        for data in some:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(place)
                connection.sendall(attach_message(clsid, os.path.join(BUILD, "lib", "liboriel.so"), data))
                answer = connection.recv(100)
            self.assertEqual(struct.unpack_from("<I", answer, 20)[0], NOT_ATTACHABLE)
        self.attach(program, "--for", "300ms")
        out, err = program.communicate(b"", timeout=60)
        self.assertEqual((program.returncode, out), (7, b"done\n"))
        lines = err.decode().splitlines()
        self.assertTrue(all(line.startswith("oriel: cannot be attached: its data ") for line in lines), lines)

    def test_a_tool_that_hangs_up(self):
        program = self.begin()
        place, = glob.glob(os.path.join(self.temporary, f"dotnet-diagnostic-{program.pid}-*-socket"))
        clsid = self.oriel("version", "--clsid").out.strip()
        data = f"ORIEL_PROFILERS=log:out={self.path('x.oriel')}\0".encode()
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(place)
            connection.sendall(attach_message(clsid, os.path.join(BUILD, "lib", "liboriel.so"), data))
            answer = connection.recv(100)
            self.assertEqual(struct.unpack_from("<I", answer, 20)[0], 0)
        control_place = os.path.join(self.temporary, f"oriel-{os.geteuid()}", str(program.pid))
        self.wait_for(lambda: os.path.exists(control_place))
        with socket.socket(socket.AF_UNIX) as tool:
            tool.connect(control_place)
            tool.sendall(b"watch\n")
            self.assertRegex(tool.recv(100), rb"^ok\nstopped\t\d+\n\n$")
        self.assert_gone(program)
        self.assertIn("end", self.kinds("x.oriel"))
        self.attach(program, "--for", "300ms")
        self.assert_untouched(program)

    @unittest.skipUnless(os.geteuid() == 0, "only root can be another user")
    def test_another_users_program(self):
        os.chmod(self.temporary, 0o777)
        env = {**CLEAN, "TMPDIR": self.temporary, "HOME": self.temporary}
        program = subprocess.Popen(["dotnet", ATTACHED, "100"], cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=env, start_new_session=True, user=65534, group=65534,
                                   extra_groups=[])
        self.addCleanup(program.stdin.close)
        self.addCleanup(self.finish, program)
        if program.stdout.readline() != b"ready\n":
            self.skipTest("another user cannot run what was built here")
        result = self.oriel("attach", str(program.pid), "-o", "run.oriel", "--for", "500ms")
        if "may not read liboriel.so" in result.err:
            self.skipTest("another user cannot read what was built here")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("Kinds.Optimized()", self.names())
        self.assert_gone(program)
        self.assert_untouched(program)


if __name__ == "__main__":
    harness.main()
