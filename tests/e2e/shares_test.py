#!/usr/bin/env python3
"""Samples are not biased to safepoints: shares of call-free loops and of a loop-free leaf are those that perf sees."""
import os
import shutil
import subprocess
import unittest

import harness
from harness import program

METHODS = ("LoopOne", "LoopTwo", "CallsLeaf", "Leaf")


def shares(self_counts):
    """Of the four methods, in percent of the four together."""
    total = sum(self_counts.values())
    return {method: 100 * self_counts.get(method, 0) / total for method in METHODS}


class Shares(harness.OrielTest):
    def sampled(self, threads, *options):
        self.record(*program("busy", threads, 400), options=options)
        counts = {}
        for entry in self.report("top", "--method", "Busy.", "--limit", "1000")["by_self"]:
            for method in METHODS:
                if entry["name"].startswith(f"Busy.{method}("):
                    counts[method] = entry["self"]
        self.assertGreater(sum(counts.values()), 300)
        return shares(counts)

    def perf(self, threads):
        """Shares by perf; None where it does not work."""
        command = ["perf", "record", "-q", "-F", "999", "-e", "cpu-clock", "-o", "perf.data", "--", *program("busy", threads, 400)]
        env = {"DOTNET_PerfMapEnabled": "1", "DOTNET_EnableWriteXorExecute": "0"}
        if not shutil.which("perf") or self.call(command, env=env).code != 0:
            return None
        script = self.call(["perf", "script", "-i", "perf.data", "-F", "ip,sym"], timeout=300)
        counts = {}
        for line in script.out.splitlines():
            for method in METHODS:
                if f"Busy::{method}(" in line:
                    counts[method] = counts.get(method, 0) + 1
        return shares(counts) if sum(counts.values()) > 300 else None

    def test_each_method_gets_its_share(self):
        expected = self.perf(1)
        if expected is None:
            self.skipTest("perf does not work here, so there is nothing to compare with")
        for options in (["--sample=250"], ["--sample=1000"]):
            found = self.sampled(1, *options)
            for method in METHODS:
                self.assertAlmostEqual(found[method], expected[method], delta=5, msg=f"{options}: {found}, perf {expected}")

    def test_leaf_and_loops_are_seen_on_four_threads(self):
        found = self.sampled(4, "--sample=250")
        for method in ("LoopOne", "LoopTwo", "Leaf"):
            self.assertGreater(found[method], 10, found)


if __name__ == "__main__":
    harness.main()
