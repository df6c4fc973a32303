#!/usr/bin/env python3
"""oriel cover on Mono, which counts blocks of code itself."""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

import harness

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "tools"))
import dotnet_sdk

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "Covered.cs")
CORLIB = "/usr/lib/mono/4.5/mscorlib.dll"
# How often the marked lines run.
RUNS = {"leaf": 89, "inner": 88, "throw": 1, "pass": 2, "catch": 1, "int": 2, "other": 2, "zero": 1, "one": 1, "many": 8,
        "yield": 3, "never": 0}


def marks():
    """The marks in the source, by line."""
    with open(SOURCE, encoding="utf-8") as file:
        return {number: match[1] for number, line in enumerate(file, 1) if (match := re.search(r";  // (\w+)$", line))}


@unittest.skipUnless(shutil.which("mono") and shutil.which("mcs") and os.path.exists(CORLIB),
                     "Mono is not installed here (mono-runtime and mono-mcs)")
class Covered(harness.SharedFolder):
    def prepare(self):
        # The SDK's compiler, as it writes a PDB.
        self.compile("covered.exe")
        self.compile("host.exe", "-define:HOST")

    def compile(self, out, *options):
        built = self.call(["dotnet", dotnet_sdk.compiler(), "-noconfig", "-nostdlib", "-debug:portable", *options,
                           "-r:" + CORLIB, "-out:" + self.path(out), SOURCE])
        self.assertEqual(built.code, 0, built.out + built.err)

    def cover(self, *command, code=0, options=()):
        """Coverage as JSON, and what the program prints is as without Oriel."""
        plain = self.call(["mono", *command])
        result = self.oriel("cover", *options, "-f", "json", "-o", "covered.json", "--", "mono", *command)
        self.assertEqual((result.code, plain.code), (code, code), result.err)
        self.assertTrue(result.out.startswith(plain.out), result.out)
        return self.read("covered.json")

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file: return json.load(file)

    def lines(self, covered):
        """By mark: how often the line ran."""
        file = next(file for file in covered["files"] if file["path"].endswith("Covered.cs"))
        counts = {line: count for line, count, *_ in file["lines"]}
        return {mark: counts[number] for number, mark in marks().items() if number in counts}

    def test_counts_are_exact(self):
        covered = self.cover(self.path("covered.exe"), options=["--mode", "count"])
        self.assertEqual({mark: count for mark, count in self.lines(covered).items() if mark != "waits"}, RUNS)
        methods = {method["name"]: method["count"] for type_ in covered["types"] for method in type_["methods"]}
        self.assertEqual({name: methods[name] for name in ("Fib(int)", "Same<T>(T)", "Iterate(int)", "Never()")},
                         {"Fib(int)": 177, "Same<T>(T)": 4, "Iterate(int)": 4, "Never()": 0})

    def test_what_ran(self):
        covered = self.cover(self.path("covered.exe"))
        hits = {mark: min(count, 1) for mark, count in RUNS.items()}
        self.assertEqual({mark: count for mark, count in self.lines(covered).items() if mark != "waits"}, hits)

    def test_branches_are_not_claimed(self):
        """Blocks do not say which way branches went, so there is no figure about them, and the report says why."""
        covered = self.cover(self.path("covered.exe"))
        self.assertEqual(covered["totals"]["branches"], 0)
        self.assertIn("branches in covered.exe are not shown", " ".join(covered["problems"]))

    def test_domains(self):
        """What ran in domains that are gone is counted, in each of them."""
        covered = self.cover(self.path("host.exe"), self.path("covered.exe"), options=["--mode", "count"])
        twice = {mark: 2 * count for mark, count in RUNS.items()}
        self.assertEqual({mark: count for mark, count in self.lines(covered).items() if mark != "waits"}, twice)

    def test_domains_one_beside_the_other(self):
        """Mono compiles the methods again for the second, and counts them anew."""
        covered = self.cover(self.path("host.exe"), self.path("covered.exe"), "keep", options=["--mode", "count"])
        twice = {mark: 2 * count for mark, count in RUNS.items()}
        self.assertEqual({mark: count for mark, count in self.lines(covered).items() if mark != "waits"}, twice)

    def test_sudden_ends(self):
        for how, code in ("exit", 3), ("abort", 1), ("quit", 4):
            with self.subTest(how):
                covered = self.cover(self.path("covered.exe"), how, code=code)
                self.assertEqual(self.lines(covered)["pass"], 1)

    def test_too_late(self):
        program = self.start("run", "-o", "run.oriel", "--", "mono", self.path("covered.exe"), "late", stdin=subprocess.PIPE)
        while (line := program.stdout.readline()) != b"ready\n": self.assertTrue(line, "the program has ended")
        with open(f"/proc/{program.pid}/task/{program.pid}/children", encoding="ascii") as file: child = file.read().split()[0]
        started = self.oriel("ctl", child, "start", "coverage")
        self.assert_refused(started, started.code, "Mono counts which code runs only if that is asked for before the program starts")
        self.assertNotEqual(started.code, 0)
        out, err = program.communicate(b"\n", timeout=60)
        self.assertEqual((program.returncode, out), (0, b"never\n"), err)

    def test_a_killed_program(self):
        """What ran until a second or so before is kept."""
        os.mkdir(self.path("tmp"))
        cover = [harness.ORIEL, "cover", "--mode", "count", "-o", "killed.oriel", "--", "mono", self.path("covered.exe"), "wait"]
        process = self.start_command(["env", "TMPDIR=" + self.path("tmp"), *cover])
        while (line := process.stdout.readline()) != b"ready\n": self.assertTrue(line, "the program has ended")
        self.wait_for(self.has_counts)
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
            os.kill(int(file.read().split()[0]), signal.SIGKILL)
        process.wait(60)
        self.oriel("cover", "merge", "--format", "json", "-o", "killed.json", "killed.oriel")
        lines = self.lines(self.read("killed.json"))
        self.assertEqual({mark: lines[mark] for mark in RUNS}, RUNS)

    def has_counts(self):
        """Whether the program waits by what a reader finds in copies of its log and of the counters."""
        for name in glob.glob(self.path("tmp/**/*.oriel*"), recursive=True):
            shutil.copy(name, self.path("copy.oriel" + (".counters" if name.endswith(".counters") else "")))
        merged = self.oriel("cover", "merge", "--format", "json", "-o", "copy.json", "copy.oriel")
        return merged.code == 0 and self.lines(self.read("copy.json"))["waits"] == 1


if __name__ == "__main__":
    harness.main()
