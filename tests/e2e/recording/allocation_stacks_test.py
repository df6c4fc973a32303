#!/usr/bin/env python3
"""Which code allocates: objects that few methods make on many known ways, told by the stacks of samples and of every one."""
import os
import re

import harness
import sampled_allocations_test as sampled

TARGET = os.path.join(harness.BUILD, "targets", "paths", "paths.dll")
SIZE = 72  # of each object

# The program's ways: thread, methods from the outside in, type, how many objects for each that is asked for.
WAYS = (
    ("left", ("Left.Begin", "Left.Middle", "Shared.Make"), "Block", 1),
    ("left", ("Left.Begin", "Left.Other", "Shared.Make"), "Block", 2),
    ("right", ("Right.Begin", "Right.Middle", "Shared.Make"), "Block", 3),
    ("", ("Generic.Begin", "Generic.Make"), "Node<string>", 1),
    ("", ("Generic.Begin", "Generic.Make"), "Node<int>", 1),
    ("", ("Late.Inner", "Late.Make"), "Block", 1),
)


def plain(frame):
    """Shared.Make of "Shared.Make(int)", Generic.Make of "Generic<System.__Canon>.Make(int)"."""
    return re.sub(r"<.*>", "", frame.split("(")[0])


def thread_of(frames):
    return next((name for name in ("left", "right") if frames[0].startswith(name)), "")


class AllocationStacks(harness.OrielTest):
    def run_paths(self, objects, *options):
        result = self.record("dotnet", TARGET, str(objects), options=["--no-sample", *options])
        self.assertEqual((result.code, result.own_lines()[:-1]), (0, []), result.err)
        self.assertEqual(result.out, "all are made\n")

    def stacks(self, weight):
        """[(frames from the thread inwards, type last; weight)] of the collapsed export."""
        result = self.oriel("export", "--format", "collapsed", "--per-thread", "--weight", weight, "run.oriel")
        self.assertEqual(result.code, 0, result.err)
        lines = [line.rpartition(" ") for line in result.out.splitlines()]
        return [(stack.split(";"), int(count)) for stack, _, count in lines]

    def on_way(self, stacks, way):
        """What of it is on that way, as whole stack from the thread's start."""
        thread, methods, made, _ = way
        total = 0
        for frames, count in stacks:
            *callers, last = frames
            if last != made or thread_of(frames) != thread:
                continue
            tail = tuple(plain(frame) for frame in callers[-len(methods):])
            total += count if tail == methods else 0
        return total

    def assert_whole(self, stacks):
        """Nearly all stacks of the program's objects begin at their thread's start."""
        ours = [(frames, count) for frames, count in stacks if frames[-1] in {way[2] for way in WAYS}]
        broken = sum(count for frames, count in ours if any("broken" in frame or "missing" in frame for frame in frames))
        self.assertLess(broken, 0.01 * sum(count for _, count in ours), ours)

    def test_samples_tell_the_share_of_each_way(self):
        objects = 2_000_000
        self.run_paths(objects, "--alloc=sampled")
        stacks = self.stacks("bytes")
        self.assert_whole(stacks)
        for way in WAYS:
            with self.subTest(way):
                expected = way[3] * objects
                self.assertAlmostEqual(self.on_way(stacks, way), expected * SIZE, delta=5 * sampled.deviation(expected, SIZE))

    def test_samples_have_sites(self):
        self.run_paths(1_000_000, "--alloc=sampled")
        alloc = self.report("alloc")
        self.assertTrue(alloc["estimated"])
        self.assertEqual(sum(row["samples"] for row in alloc["sites"]), alloc["samples"])
        made = [row for row in alloc["sites"] if row.get("method", "").startswith("Shared.Make") and row["type"] == "Block"]
        self.assertEqual(len(made), 1, alloc["sites"])
        self.assertAlmostEqual(made[0]["bytes"], 6_000_000 * SIZE, delta=5 * sampled.deviation(6_000_000, SIZE))
        text = self.oriel("report", "alloc", "run.oriel").out
        self.assertIn("allocated in", text)
        self.assertIn("Estimates", text)
        events = [entry for entry in self.dump(kind="gc_allocation_followed") if entry["klass"] == "Block"]
        innermost = {plain(entry["stack"][0]) for entry in events}
        self.assertEqual(innermost, {"Shared.Make", "Late.Make"})

    def test_each_object_has_its_stack_if_asked_for(self):
        objects = 20_000
        self.run_paths(objects, "--alloc-in=Left,Right,Shared,Generic,Late", "--alloc-stacks")
        stacks = self.stacks("objects")
        self.assert_whole(stacks)
        for way in WAYS:
            with self.subTest(way):
                self.assertEqual(self.on_way(stacks, way), way[3] * objects)
        tree = self.report("alloc", "--tree")
        self.assertEqual(tree["total"], sum(count for _, count in self.stacks("bytes")))
        self.assertFalse(tree["estimated"])

    def test_stacks_of_logged_calls_stand_beside_them(self):
        self.run_paths(2_000, "--calls=Left", "--alloc-in=Shared", "--alloc-stacks")
        calls = {plain(row["name"]): row["calls"] for row in self.report("calls")["methods"]}
        self.assertEqual(calls, {"Left.Begin": 1, "Left.Middle": 1, "Left.Other": 1})
        self.assertEqual(self.on_way(self.stacks("objects"), WAYS[1]), 4_000)

    def test_stacks_of_nothing_are_refused(self):
        self.assert_refused(self.oriel("run", "--alloc-stacks", "--", "dotnet", TARGET, "1"), 125, "--alloc")


if __name__ == "__main__":
    harness.main()
