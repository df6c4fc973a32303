#!/usr/bin/env python3
"""Programs whose exceptions go through filters while other threads collect do under Oriel what they do without it.

The runtime holds such an exception's address unprotected while it tells profilers of a filter (docs/design/callbacks.md):
the longer that takes, the more likely it is that a collection moves the exception away.
"""
import concurrent.futures
import os
import unittest

import harness
import other_profilers
from harness import BUILD
from plugins_test import CLASS, ENGINE

STRESS = ["dotnet", os.path.join(BUILD, "targets", "stress", "stress.dll"), "filters"]


class FiltersTest(harness.OrielTest):
    def same_as_plain(self, repeats, options, *args, env=None):
        """Runs the program plainly, and with these options so often: the same output each time, two at a time."""
        plain = self.call([*STRESS, *args])
        self.assertEqual(plain.code, 0, plain.err)
        self.assertNotIn("1000", plain.out)

        def run(i):
            return self.oriel("run", "-o", f"{i}.oriel", *options, "--", *STRESS, *args, env=env)

        with concurrent.futures.ThreadPoolExecutor(2) as runs:
            for result in runs.map(run, range(repeats)):
                self.assertEqual((result.code, result.out), (0, plain.out), result.err)
        self.assertEqual(len(self.logs()), repeats)

    def test_by_default(self):
        self.same_as_plain(6 if harness.LONG else 2, [])

    def test_in_other_modes(self):
        for options in harness.some((["--calls"], ["--alloc"], ["--no-sample"], ["--async"]), 2):
            with self.subTest(options=options):
                self.same_as_plain(2 if harness.LONG else 1, options)

    def test_beside_a_profiler_that_sleeps_meanwhile(self):
        self.same_as_plain(2, ["--no-sample", *other_profilers.YIELDING], "40", env={"YIELDING_FILE": self.path("heard")})
        with open(self.path("heard"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "heard, 0 wrong\n")

    def test_where_only_such_profilers_hear_exceptions(self):
        self.same_as_plain(2, ["--no-sample", "--module", "log:events=none", *other_profilers.YIELDING], "40")

    def test_under_the_instrumentation_engine_alone(self):
        hook = "MicrosoftInstrumentationEngine_RawProfilerHook"
        env = {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": CLASS, "CORECLR_PROFILER_PATH": ENGINE,
               hook: f"{other_profilers.clsid(1)}:{other_profilers.clsid(2)}",
               f"{hook}Path_64": ":".join([other_profilers.library("yielding")] * 2), "YIELDING_FILE": self.path("heard")}
        plain = self.call([*STRESS, "40"])
        for _ in range(2):
            result = self.call([*STRESS, "40"], env=env)
            self.assertEqual((result.code, result.out), (0, plain.out), result.err)
        with open(self.path("heard"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "heard, 0 wrong\n")


if __name__ == "__main__":
    harness.main()
