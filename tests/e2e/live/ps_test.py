#!/usr/bin/env python3
"""oriel ps on real programs: what it tells of each, and why it says that one cannot be attached to."""
import glob
import json
import os
import signal
import subprocess
import sys
import time
import unittest

import harness
import other_profilers
from harness import BUILD, CLEAN, ORIEL, SERVER

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "tools"))
import dotnet_sdk

# A process that is none of .NET, and listens where a runtime would: says its argument, then nothing.
PRETENDER = """
import os, socket, sys
start = open("/proc/self/stat").read().rsplit(")", 1)[1].split()[19]
port = socket.socket(socket.AF_UNIX)
port.bind(os.path.join(os.environ["TMPDIR"], f"dotnet-diagnostic-{os.getpid()}-{start}-socket"))
port.listen()
print("listening", flush=True)
clients = []
while True:
    clients.append(port.accept()[0])
    clients[-1].sendall(sys.argv[1].encode())
"""
WAITING = """System.Console.WriteLine("waits"); System.Console.Out.Flush(); System.Threading.Thread.Sleep(-1);"""
PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><NuGetAudit>false</NuGetAudit>
<TargetFramework>net10.0</TargetFramework><RuntimeIdentifier>linux-x64</RuntimeIdentifier>
<SelfContained>true</SelfContained><UseSharedCompilation>false</UseSharedCompilation></PropertyGroup></Project>
"""


class Ps(harness.OrielTest):
    def setUp(self):
        super().setUp()
        self.temporary = self.path("tmp")
        os.mkdir(self.temporary)

    def begin(self, *command, env=None, says=True):
        """Starts a program, waits for its first line, and returns the process."""
        process = subprocess.Popen(command or ["dotnet", SERVER], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   env={**CLEAN, "TMPDIR": self.temporary, **(env or {})}, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        self.addCleanup(self.finish, process)
        if says:
            self.assertNotEqual(process.stdout.readline(), b"", "it ended at once")
        return process

    def rows(self, *options, **rest):
        """What is told of each process, by its id."""
        result = self.oriel("ps", "--json", *options, **rest)
        self.assertEqual((result.code, result.err), (0, ""))
        rows = json.loads(result.out)
        self.assertEqual([row["pid"] for row in rows], sorted(row["pid"] for row in rows))
        return {row["pid"]: row for row in rows}

    def answered(self, pid):
        """The same of one process once it answers, which may take its time where no processor is free."""
        self.wait_for(lambda: self.rows()[pid]["obstacle"] != "does not answer")
        return self.rows()[pid]

    def assert_obstacle(self, process, obstacle):
        row = self.answered(process.pid)
        self.assertEqual((row["attachable"], row["obstacle"]), (obstacle is None, obstacle))
        return row

    def test_an_ordinary_program(self):
        program = self.begin("dotnet", SERVER, "--token", "hunter2")
        row = self.assert_obstacle(program, None)
        version = row["version"]
        self.assertRegex(version, r"^\d+\.\d+\.\d+")
        socket, = glob.glob(os.path.join(self.temporary, f"dotnet-diagnostic-{program.pid}-*-socket"))
        self.assertEqual({**row, "uptime_s": 0}, {
            "pid": program.pid, "pid_in_namespace": program.pid, "user": row["user"],
            "command": ["dotnet", SERVER, "--token", "…"], "runtime": "CoreCLR", "version": version,
            "rid": "linux-x64", "uptime_s": 0, "oriel": None, "attachable": True, "obstacle": None, "socket": socket})
        self.assertLess(row["uptime_s"], 60)
        text = self.oriel("ps").out
        lines = text.splitlines()
        self.assertRegex(lines[0], r"^ *pid .* attach +command$")
        line, = [line for line in lines if line.split()[0] == str(program.pid)]
        self.assertRegex(line, rf"{version} +linux-x64 .* yes +dotnet ")
        self.assertEqual([line for line in lines if len(line) > 100], [])
        self.assertNotIn("hunter2", text)

    def test_settings_of_the_runtime(self):
        for name in ("DOTNET_EnableDiagnostics", "COMPlus_EnableDiagnostics", "DOTNET_EnableDiagnostics_IPC"):
            program = self.begin(env={name: "0"})
            row = self.assert_obstacle(program, name + "=0")
            self.assertRegex(row["version"], r"^\d+\.\d+")
            self.assertIsNone(row["socket"])
        self.assert_obstacle(self.begin(env={"DOTNET_EnableDiagnostics_Profiler": "0"}), None)

    def test_the_folder_of_the_socket(self):
        self.assert_obstacle(self.begin(env={"TMPDIR": self.path("none")}), "its TMPDIR does not exist")
        long = self.path("l" * 80)
        os.mkdir(long)
        self.assert_obstacle(self.begin(env={"TMPDIR": long}), "its TMPDIR is too long")
        removed = self.begin()
        os.remove(self.rows()[removed.pid]["socket"])
        self.assert_obstacle(removed, "its socket was removed")

    def test_a_runtime_that_waits_for_a_tool(self):
        program = self.begin(env={"DOTNET_DefaultDiagnosticPortSuspend": "1"}, says=False)
        self.wait_for(lambda: self.rows().get(program.pid, {}).get("socket"))
        self.assert_obstacle(program, "suspended at start")

    def test_oriel_is_in_it(self):
        run = self.begin(ORIEL, "run", "-o", "my.log", "--", "dotnet", SERVER)
        row, = [row for row in self.rows().values() if row["command"] == ["dotnet", SERVER] and row["oriel"]
                and self.path("my.log") in row["oriel"]["files"]]
        self.assertEqual(row["oriel"], {"modules": ["log"], "files": [self.path("my.log")]})
        self.assertEqual(row["obstacle"], "Oriel is in it")
        self.assertRegex(self.oriel("ps").out, rf"(?m)^ *{row['pid']} .* Oriel: my\.log +dotnet ")
        self.assertNotIn(run.pid, self.rows())

    def test_another_profiler(self):
        self.assert_obstacle(self.begin(env=other_profilers.alone("padding", 1)), "profiler libguest-padding.so")
        gone = {**other_profilers.alone("padding", 1), "CORECLR_PROFILER_PATH": self.path("none.so")}
        self.assert_obstacle(self.begin(env=gone), None)

    def test_namespaces_of_its_own(self):
        def inside(hidden):
            script = f"mount -t tmpfs tmpfs {hidden} && exec dotnet {SERVER}"
            process = self.begin("unshare", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-c", script,
                                 says=False)
            if not process.stdout.readline():
                self.skipTest("no namespaces can be made here: " + process.stderr.read().decode().strip())
            with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as children:
                return int(children.read())

        pid = inside(self.temporary)
        row = self.answered(pid)
        self.assertEqual((row["pid_in_namespace"], row["rid"], row["obstacle"]), (1, "linux-x64", None))
        self.assertEqual(os.listdir(self.temporary), [])
        folder = f"/proc/{pid}/root{self.temporary}"
        self.assertTrue(row["socket"].startswith(folder + "/dotnet-diagnostic-1-"), row["socket"])
        pid = inside(os.path.join(BUILD, "lib"))
        self.assertEqual(self.rows()[pid]["obstacle"], "liboriel.so is not in its mounts")

    def test_those_that_do_not_answer_delay_nobody(self):
        stopped = self.begin()
        os.kill(stopped.pid, signal.SIGSTOP)
        fine = self.begin()
        silent = [self.begin(sys.executable, "-c", PRETENDER, "") for _ in range(3)]
        garbage = self.begin(sys.executable, "-c", PRETENDER, "garbage" * 5000)
        self.wait_for(lambda: self.rows()[stopped.pid]["obstacle"] == "does not answer (stopped)")
        begin = time.monotonic()
        rows = self.rows()
        self.assertLess(time.monotonic() - begin, 5)
        row = self.answered(fine.pid)
        self.assertEqual((row["rid"], row["obstacle"]), ("linux-x64", None))
        self.assertEqual([rows[process.pid]["obstacle"] for process in silent], ["does not answer"] * 3)
        self.assertEqual(rows[garbage.pid]["obstacle"], "its reply is not one of the diagnostics protocol")
        os.kill(stopped.pid, signal.SIGCONT)
        self.wait_for(lambda: self.rows()[stopped.pid]["attachable"])

    def test_one_that_is_dead(self):
        program = self.begin()
        self.assertIn(program.pid, self.rows())
        program.kill()
        program.wait()
        self.assertEqual(len(glob.glob(os.path.join(self.temporary, "dotnet-diagnostic-*"))), 1)
        self.assertNotIn(program.pid, self.rows())

    @unittest.skipUnless(os.geteuid() == 0, "only root can be another user")
    def test_another_user(self):
        nobody = {"user": 65534, "group": 65534, "extra_groups": []}
        if subprocess.run([ORIEL, "version"], capture_output=True, **nobody).returncode != 0:
            self.skipTest("another user cannot run what was built here")
        program = self.begin()

        def seen(*options):
            done = subprocess.run([ORIEL, "ps", "--json", *options], capture_output=True, check=True, **nobody)
            return {row["pid"]: row for row in json.loads(done.stdout)}.get(program.pid)

        self.assertIsNone(seen())
        row = seen("--all")
        self.assertEqual((row["user"], row["version"], row["obstacle"]), ("root", None, "another user"))

    def published(self, *options):
        """A program that waits, published with its runtime."""
        for name, text in (("Waiting.csproj", PROJECT), ("Program.cs", WAITING)):
            with open(self.path(name), "w", encoding="utf-8") as out:
                out.write(text)
        try:
            published = self.call(["dotnet", "publish", "-o", "out", "-nodeReuse:false", "-v:q", *options],
                                  env=harness.QUIET, timeout=280)
        except subprocess.TimeoutExpired:
            self.skipTest("the configured sources of packages do not answer")
        if harness.NO_PACKAGES.search(published.out + published.err):
            self.skipTest("the runtime's package cannot be had from the configured sources")
        self.assertEqual(published.code, 0, published.out + published.err)
        return self.begin(self.path("out/Waiting"))

    def assert_runtime(self, process, runtime, obstacle):
        row = self.assert_obstacle(process, obstacle)
        self.assertEqual((row["runtime"], row["rid"]), (runtime, "linux-x64"))
        self.assertRegex(row["version"], r"^\d+\.\d+")

    @unittest.skipUnless(dotnet_sdk.has_launchers(), "this SDK has no launcher to put a bundle behind")
    def test_a_single_file_with_the_runtime_in_it(self):
        self.assert_runtime(self.published("-p:PublishSingleFile=true"), "CoreCLR", None)

    @harness.only_long
    def test_a_program_without_a_jit_compiler(self):
        program = self.published("-p:PublishAot=true", "-p:EventSourceSupport=true", "-p:CppCompilerAndLinker=gcc")
        self.assert_runtime(program, "NativeAOT", "NativeAOT")


if __name__ == "__main__":
    harness.main()
