#!/usr/bin/env python3
"""What a sample of a program's allocations is taken to stand for is what the program allocated."""
import math

import harness
from harness import program

# What the program allocates: objects and their size.
BLOCKS, BLOCK_BYTES = 14_000_000, 72
PAGES, PAGE_BYTES = 2_000, 50_024
MEAN = 100 * 1024  # bytes between samples


def deviation(objects, size):
    """Of the estimated bytes: each object is in the sample with probability p, and stands for 1 / p of them."""
    p = 1 - math.exp(-size / MEAN)
    return size * math.sqrt(objects * (1 - p) / p)


class SampledAllocations(harness.OrielTest):
    def run_sampled(self, *options):
        result = self.record(*program("allocate", BLOCKS, PAGES), options=["--no-sample", "--alloc=sampled", *options])
        self.assertEqual((result.code, result.own_lines()[:-1]), (0, []), result.err)

    def test_estimates_are_near_the_truth(self):
        self.run_sampled()
        alloc = self.report("alloc")
        self.assertTrue(alloc["estimated"])
        self.assertEqual({row["method"] for row in alloc["sites"] if row["type"] == "Allocations.Block"}, {"Allocations.Run(int, int)"})
        types = {row["type"]: row for row in alloc["types"]}
        for name, objects, size in (("Allocations.Block", BLOCKS, BLOCK_BYTES), ("byte[]", PAGES, PAGE_BYTES)):
            allowed = 5 * deviation(objects, size)
            self.assertAlmostEqual(types[name]["bytes"], objects * size, delta=allowed, msg=name)
        # One small array of the framework's in the sample stands for thousands: of arrays the bytes alone are known well.
        allowed = 5 * deviation(BLOCKS, BLOCK_BYTES) / BLOCK_BYTES
        self.assertAlmostEqual(types["Allocations.Block"]["objects"], BLOCKS, delta=allowed)
        events = self.dump(kind="gc_allocation_followed")
        self.assertEqual(len(events), alloc["samples"])
        self.assertEqual(sum(row["samples"] for row in alloc["types"]), alloc["samples"])
        self.assertEqual(sum(event["represented"] for event in events), alloc["bytes"])

    def test_the_summary_says_that_they_are_estimates(self):
        self.run_sampled()
        summary = self.report("summary")
        self.assertTrue(summary["allocations"]["estimated"])
        self.assertGreater(summary["allocations"]["samples"], 1_000)
        self.assertNotIn("instrumentation.instrumented", summary["counters"])
        self.assertRegex(self.oriel("report", "run.oriel").out, r"\nAllocations sampled: [\d,]+ samples stand for about")

    def test_calls_are_logged_beside_them(self):
        self.run_sampled("--calls=Allocations")
        self.assertGreater(self.report("calls")["calls"], 0)
        self.assertTrue(self.report("alloc")["estimated"])

    def test_sites_cannot_be_chosen(self):
        self.assert_refused(self.oriel("run", "--alloc=sampled", "--alloc-in=Shop", "--", *program("exit")), 125,
                            "--alloc-in")


if __name__ == "__main__":
    harness.main()
