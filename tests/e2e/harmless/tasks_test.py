#!/usr/bin/env python3
"""Where a user may have few tasks, a program runs as it does alone, with Oriel or without."""
import os
import resource
import shutil
import subprocess
import unittest

import harness
from harness import BUILD, OrielTest, main

HELLO = os.path.join(BUILD, "targets", "hello", "hello.dll")
TASKS = os.path.join(BUILD, "targets", "programs", "programs.dll")


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "only root may run programs as another user")
class Tasks(OrielTest):
    users = iter(range(61_000 + os.getpid() % 1000 * 4, 70_000))

    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o777)
        # As a user that has no tasks yet.
        self.user = next(self.users)
        probe = self.as_user(["cat", HELLO, harness.ORIEL], 100)
        if probe.code != 0:
            self.skipTest("another user may not read what was built here")

    def as_user(self, command, most):
        done = subprocess.run(["setpriv", f"--reuid={self.user}", "--clear-groups", *command], cwd=self.folder, capture_output=True,
                              env={**harness.CLEAN, "HOME": self.folder}, timeout=60, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NPROC, (most, most)))
        return harness.Result(done.returncode, done.stdout, done.stderr)

    def test_a_program_runs_as_it_does_alone(self):
        for program in (["dotnet", HELLO], ["dotnet", TASKS, "async", "5"]):
            ran = 0
            for most in (10, 12, 14, 16, 20, 40, 200):
                # The command is a task, too; and how many threads a pool takes is a matter of chance.
                alone = self.as_user(program, most - 4)
                if alone.code != 0:
                    continue
                ran += 1
                beside = self.as_user([harness.ORIEL, "run", "-o", f"run-{most}.oriel", "--", *program], most)
                self.assertEqual(beside.out, alone.out, f"{most}: {beside.err}")
                self.assertIn(beside.code, (0, 125), f"{most}: {beside.err}")
                self.assertEqual(beside.code == 0, os.path.exists(self.path(f"run-{most}.oriel")), beside.err)
                without = [line for line in beside.own_lines() if "runs without Oriel" in line]
                self.assertEqual(len(without), 0 if beside.code == 0 else 1, beside.err)
            self.assertGreater(ran, 3)
        self.assertEqual(beside.code, 0, "with 200 there is room: " + beside.err)


class Itself(OrielTest):
    ORIEL = "{9A8FE63E-FC98-40FE-9A46-932E43F8A19D}"

    def test_oriel_is_no_guest_of_its_own(self):
        library = os.path.join(BUILD, "lib", "liboriel.so.1")
        for given in (f"{self.ORIEL}={library}", f"{self.ORIEL.lower()}={library}"):
            result = self.oriel("run", "--clr-profiler", given, "--", "dotnet", HELLO)
            self.assertEqual((result.code, result.out), (125, ""))
            self.assertIn("is Oriel itself", result.err)
            self.assertEqual(len(result.err.splitlines()), 1)

    def test_nor_where_the_environment_says_so(self):
        library = os.path.join(BUILD, "lib", "liboriel.so.1")
        result = self.call(["dotnet", HELLO], env={
            "CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": self.ORIEL, "CORECLR_PROFILER_PATH": library,
            "ORIEL_GUESTS": f"{self.ORIEL}={library}\n"})
        self.assertEqual((result.code, result.out), (0, "hello\n"), result.err)
        self.assertEqual(result.err.count("is Oriel itself"), 1, result.err)


if __name__ == "__main__":
    main()
