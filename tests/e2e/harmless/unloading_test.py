#!/usr/bin/env python3
"""Assemblies are unloaded while what ran of them is still to be named: the program does as it does without Oriel, and no
name is lost."""
import os

import harness

COMMAND = ["dotnet", os.path.join(harness.BUILD, "targets", "stress", "stress.dll"), "code-unloaded-while-named"]
# What is asked about late: probes' boxes and classes, clauses, awaits, callees.
NAMED = ["--no-sample", "--calls=*", "--alloc", "--async", "--callgraph=*", "--locks"]
RUNS = 5 if harness.LONG else 1


class UnloadedWhileNamed(harness.OrielTest):
    plain = None  # what it does without Oriel

    def setUp(self):
        super().setUp()
        if UnloadedWhileNamed.plain is None:
            UnloadedWhileNamed.plain = self.call(COMMAND)
            self.assertEqual(self.plain.code, 0, self.plain.err)

    def check_same(self, *options):
        run = self.oriel(*options, "--", *COMMAND)
        self.assertEqual(run.code, 0, run.err)
        self.assertTrue(run.out.startswith(self.plain.out), run.out)

    def test_calls_allocations_awaits_and_the_call_graph(self):
        for _ in range(RUNS):
            self.check_same("run", "-o", self.path("named.oriel"), *NAMED)
        methods = {line["name"] for line in self.dump("named.oriel", kind="method")}
        for name in ("Stress.Unloads.Inside(int)", "Stress.Unloads.Later(int)"):
            self.assertIn(name, methods)
        self.assertEqual([name for name in methods if "[un" in name], [])

    def test_samples(self):
        for options in harness.some((["--sample-real=1000", "--calls=*"], ["--sample=1000", "--alloc", "--alloc-stacks"])):
            self.check_same("run", "-o", self.path("sampled.oriel"), *options)

    def test_coverage(self):
        for options in harness.some((["--mode=hit"], ["--mode=count"])):
            self.check_same("cover", "--include", "*", "-o", self.path("cover"), *options)


if __name__ == "__main__":
    harness.main()
