#!/usr/bin/env python3
"""The runtime's own tools on a program that Oriel is in, started with it or attached to: they tell what they tell without
it, all at once, and afterwards no event source is enabled any more."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import harness
from attach_test import ATTACHED, BUSY
from harness import CLEAN, ORIEL

# Where tests/tools/setup.sh puts them.
FOLDER = os.environ.get("ORIEL_DOTNET_TOOLS", os.path.join(harness.ROOT, "build", "dotnet-tools"))
TOOLS = {name: shutil.which(f"dotnet-{name}", path=os.pathsep.join([FOLDER, os.environ.get("PATH", ""),
                                                                    os.path.expanduser("~/.dotnet/tools")]))
         for name in ("trace", "counters", "gcdump", "stack")}
WATCHING = ["--sample=500", "--locks", "--gc-phases", "--alloc=sampled"]
CHANGING = ["--calls=Kinds.*", "--counters", "--activities", "--locks"]


@unittest.skipUnless(all(TOOLS.values()), "the runtime's tools are not there: see tests/tools/setup.sh")
class ToolsBeside(harness.OrielTest):
    def setUp(self):
        super().setUp()
        self.temporary = tempfile.mkdtemp(prefix="oriel-t-")
        self.addCleanup(shutil.rmtree, self.temporary, ignore_errors=True)
        self.env = {**CLEAN, **BUSY, **harness.QUIET, "TMPDIR": self.temporary}

    def begin(self, *front):
        """Starts the program; what is asked of it goes to its input."""
        program = subprocess.Popen([*front, "dotnet", ATTACHED, "300"], cwd=self.folder, env=self.env, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True)
        self.addCleanup(program.stdin.close)
        self.addCleanup(self.finish, program)
        self.assertEqual(program.stdout.readline(), "ready\n")
        children = subprocess.run(["pgrep", "-P", str(program.pid)], capture_output=True, text=True, check=False).stdout
        return program, int(children.split()[0]) if front else program.pid

    def sources(self, program):
        """The event sources that are enabled in the program."""
        program.stdin.write("sources\n")
        program.stdin.flush()
        return program.stdout.readline().split()

    def assert_ends(self, program, says=r""):
        out, err = program.communicate("", timeout=120)
        self.assertEqual((program.returncode, out), (7, "done\n"))
        self.assertRegex(err, rf"^{says}$")

    def tool(self, name, *words):
        return subprocess.Popen([TOOLS[name], *words], cwd=self.folder, env=self.env, text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)

    def told(self, name, *words):
        with self.tool(name, *words) as tool:
            out = tool.communicate(timeout=120)[0]
        self.assertEqual(tool.returncode, 0, out)
        return out

    def use_all(self, pid, values=False):
        """All of them at once; each says what is true of the program. A source of values has one session, which
        dotnet-counters does not share, not with another dotnet-counters either: `values` if it has one already."""
        process = ["-p", str(pid)]
        tools = [self.tool("trace", "collect", *process, "--duration", "00:00:02", "-o", "a.nettrace"),
                 self.tool("counters", "collect", *process, "--duration", "00:00:04", "--format", "json", "-o", "a.json"),
                 self.tool("gcdump", "collect", *process, "-o", "a.gcdump"),
                 self.tool("stack", "report", *process)]
        said = [tool.communicate(timeout=120)[0] for tool in tools]
        self.assertEqual([tool.returncode for tool in tools], [0] * len(tools), said)
        # Its session is so short that a busy machine may have nothing in it.
        for _ in range(5): said[3] = said[3] or self.told("stack", "report", *process)
        self.assertIn("Kinds.", said[3])
        self.assertRegex(self.told("trace", "report", "a.nettrace", "topN", "-n", "20"), r"Kinds\.")
        if values:
            self.assertIn("Another metrics collection session is already in progress", said[1])
        else:
            with open(self.path("a.json"), encoding="utf-8") as file:
                counters = {event["name"] for event in json.load(file)["Events"]}
            for name in ("dotnet.gc.collections", "dotnet.exceptions", "dotnet.monitor.lock_contentions"):
                self.assertTrue([counter for counter in counters if counter.startswith(name)], counters)
            os.remove(self.path("a.json"))
        self.assertRegex(self.told("gcdump", "report", "a.gcdump"), r"(?m)^ *[\d,]+ +GC Heap objects")
        for name in ("a.nettrace", "a.gcdump"): os.remove(self.path(name))

    def attached(self, pid, options):
        tool = subprocess.Popen([ORIEL, "attach", str(pid), "-o", "run.oriel", *options], cwd=self.folder, env=self.env,
                                text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                start_new_session=True)
        self.addCleanup(self.finish, tool)
        self.assertRegex(tool.stderr.readline(), "^oriel: (watching|instrumenting) ")
        return tool

    def leave(self, tool):
        tool.terminate()
        out, err = tool.communicate(timeout=120)
        self.assertEqual(tool.returncode, 0, err)
        self.assertIn("Runtime", out)
        self.assertEqual(self.report("summary").get("problems", []), [])

    @harness.only_long  # about the tools and the program alone
    def test_without_oriel(self):
        program, pid = self.begin()
        self.use_all(pid)
        self.assertEqual(self.sources(program), [])
        self.assert_ends(program)

    def test_while_it_is_attached(self):
        for options in harness.some((CHANGING, WATCHING)):
            with self.subTest(options=options):
                program, pid = self.begin()
                self.assertEqual(self.sources(program), [])
                tool = self.attached(pid, options)
                self.use_all(pid, values="--counters" in options)
                enabled = self.sources(program)
                self.assertEqual("System.Diagnostics.Metrics" in {source.split(":")[0] for source in enabled},
                                 "--counters" in options, enabled)
                self.leave(tool)
                self.assertEqual(self.sources(program), [])
                # Again, and the program's tools end after Oriel has left.
                tool = self.attached(pid, options)
                with self.tool("trace", "collect", "-p", str(pid), "--duration", "00:00:03", "-o", "b.nettrace") as trace:
                    self.wait_for(lambda: os.path.exists(self.path("b.nettrace")))
                    self.leave(tool)
                    self.assertEqual((trace.communicate(timeout=120), trace.returncode)[1], 0)
                self.assertEqual(self.sources(program), [])
                if harness.LONG: self.use_all(pid)
                self.assertEqual(self.sources(program), [])
                self.assert_ends(program)

    def test_under_oriel_from_the_start(self):
        options = [*WATCHING, *CHANGING]
        program, pid = self.begin(ORIEL, "run", "-o", "run.oriel", *options, "--")
        self.use_all(pid, values=True)
        stopped = self.oriel("ctl", str(pid), "stop", env={"TMPDIR": self.temporary})
        self.assertEqual(stopped.code, 0, stopped.err)
        self.assertEqual(self.sources(program), [])
        if harness.LONG: self.use_all(pid)
        self.assertEqual(self.sources(program), [])
        self.assert_ends(program, r"(oriel: wrote .*\n)*")
        self.assertIn("Kinds.", self.oriel("report", "calls", "run.oriel").out)


if __name__ == "__main__":
    harness.main()
