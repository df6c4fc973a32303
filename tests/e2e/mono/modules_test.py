#!/usr/bin/env python3
"""Profiler modules that are compiled for Mono run unmodified in a program on CoreCLR."""
import collections
import os
import unittest

import harness

HERE = os.path.dirname(os.path.abspath(__file__))
HEADERS = "/usr/include/mono-2.0"
CALLS = os.path.join(harness.BUILD, "targets", "calls", "calls.dll")
ROUNDS = 10


@unittest.skipUnless(os.path.exists(HEADERS), "Mono's headers are not installed here (libmono-2.0-dev)")
class MonoModules(harness.SharedFolder):
    def prepare(self):
        for name in ("mcalls", "gcount", "samples", "missing"):
            built = self.call(["cc", "-shared", "-fPIC", "-O1", "-I" + HEADERS, "-o", self.path(f"libmono-profiler-{name}.so"),
                               os.path.join(HERE, "modules", name + ".c")])
            self.assertEqual(built.code, 0, built.err)

    def run_with(self, *modules, program=("dotnet", CALLS, str(ROUNDS)), options=("--no-sample", "-o", "run.oriel")):
        """Runs the program with these modules, each writing to a file of its name; returns what each wrote, and stderr."""
        plain = self.call(program)
        words = [word for name in modules for word in ("--module", f"{self.path(f'libmono-profiler-{name}.so')}:{self.path(name + '.txt')}")]
        result = self.oriel("run", *options, *words, "--", *program)
        self.assertEqual((result.code, result.out), (plain.code, plain.out), result.err)
        lines = [line for line in result.err.splitlines() if not line.startswith("oriel: wrote ")]
        return [self.read(name + ".txt") for name in modules], lines

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file: return file.read()

    def test_calls_with_arguments_and_results(self):
        (written,), err = self.run_with("mcalls")
        methods = {}
        for line in written.splitlines():
            name, *figures = line.split("\t")
            methods[name] = [int(figure) for figure in figures]
        self.assertEqual(methods["Known.Recursion:Down (int)"][:4], [21 * ROUNDS, 21 * ROUNDS, 0, sum(range(21)) * ROUNDS])
        self.assertEqual(methods["Known.Recursion:Even (int)"][:3], [6 * ROUNDS, 6 * ROUNDS, 0])
        self.assertEqual(methods["Known.Exceptions:Throw (int)"][:3], [3 * ROUNDS, 0, 3 * ROUNDS])
        self.assertEqual(methods["Known.Exceptions:Catch (int)"][:3], [ROUNDS, ROUNDS, 0])
        self.assertEqual(err, [])

    def test_events(self):
        (written,), err = self.run_with("gcount")
        counts = {name: int(count) for name, count in (line.split() for line in written.splitlines())}
        self.assertEqual(counts["nodes"], 10 * ROUNDS)
        self.assertGreater(counts["thrown"], 0)
        self.assertGreater(counts["compiled"], 20)
        self.assertEqual(counts["code"], counts["compiled"])
        self.assertGreaterEqual(counts["threads"], 5)
        self.assertEqual(counts["started"], counts["ended"])
        self.assertEqual(counts["stopped"], counts["running"])
        self.assertEqual(err, ["oriel: a module for Mono waits for gc_resize, of which CoreCLR does not tell: the runtime tells of the heap's "
                               "size only after a collection"])

    def test_samples(self):
        (written,), _ = self.run_with("samples", program=harness.program("busy", 1))
        head, *methods = written.splitlines()
        samples, frames = (int(part.split()[0]) for part in head.split(", "))
        self.assertGreater(samples, 100)
        self.assertGreater(frames, samples)
        busy = sum(count for name, count in collections.Counter(methods).items() if "Busy" in name)
        self.assertGreater(busy, samples / 4)

    def test_several_at_once_and_beside_a_log(self):
        self.run_with("mcalls", "gcount", options=("-o", "run.oriel"))
        self.assertTrue(os.path.exists(self.path("run.oriel")))
        self.assertIn("Known.Recursion:Down (int)", self.read("mcalls.txt"))
        self.assertIn("nodes", self.read("gcount.txt"))

    def test_what_only_mono_has_is_named_before_the_program_starts(self):
        module = self.path("libmono-profiler-missing.so")
        result = self.oriel("run", "--module", module, "--", "dotnet", CALLS, "1")
        self.assertEqual((result.code, result.out), (125, ""))
        self.assertEqual(result.err, f"oriel: module 'mono_missing' ({module}): it uses mono_gc_get_used_size, mono_thread_current, which "
                                     "only Mono has\n")


if __name__ == "__main__":
    harness.main()
