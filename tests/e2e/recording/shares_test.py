#!/usr/bin/env python3
"""Samples are not biased to safepoints: shares of call-free loops and of a loop-free leaf are those that perf sees."""
import collections
import os
import sys
import unittest

import harness
from harness import ORIEL, program

sys.path.insert(0, os.path.join(harness.ROOT, "bench"))
import bias


class Shares(harness.OrielTest):
    def assert_unbiased(self, hz, theirs, runs):
        """Adds up runs until the shares agree: chance gets smaller with each of them, a bias does not."""
        ours = collections.Counter()
        for _ in range(runs):
            ours += bias.by_oriel(ORIEL, self.folder, program("busy", 1, 1000), "Busy", hz)
            if not bias.differs(theirs, ours):
                return
        self.fail(f"at {hz} Hz\n{bias.table(theirs, ours)}")

    def test_each_method_gets_its_share(self):
        theirs = bias.by_perf(self.folder, program("busy", 1, 1000), "Busy")
        if theirs is None:
            self.skipTest("perf does not work here, so there is nothing to compare with")
        # 1,000 rounds take some 8 s. One run's standard deviation is 1 point at 250 Hz, which gives two samples a round;
        # 1,000 Hz gives no more where the kernel's tick is 250.
        if harness.LONG: self.assert_unbiased(1000, theirs, 8)
        self.assert_unbiased(250, theirs, 8)

    def test_leaf_and_loops_are_seen_on_four_threads(self):
        found = bias.shares(bias.by_oriel(ORIEL, self.folder, program("busy", 4, 400 if harness.LONG else 200), "Busy", 250))
        for method in ("LoopOne", "LoopTwo", "Leaf"):
            self.assertGreater(found[method], 5, found)


if __name__ == "__main__":
    harness.main()
