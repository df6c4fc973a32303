#!/usr/bin/env python3
"""Async methods of real programs: tests/targets/awaits measures itself what `oriel report async` says of it."""
import functools
import os

import harness

SOURCE = os.path.join(harness.ROOT, "tests", "targets", "awaits", "Program.cs")
line_with = functools.partial(harness.line_with, SOURCE)
SETTINGS = ({}, {"DOTNET_TieredCompilation": "0"}, {"DOTNET_TieredPGO": "0", "DOTNET_TC_QuickJitForLoops": "0"},
            {"DOTNET_gcServer": "1", "DOTNET_GCgen0size": "40000"})


class Async(harness.OrielTest):
    def awaits(self, *args, project="awaits", options=(), env=None):
        program = os.path.join(harness.BUILD, "targets", project, project + ".dll")
        result = self.record("dotnet", program, *map(str, args), options=["--async", *options], env=env)
        self.assertEqual((result.code, len(result.own_lines())), (0, 1), result.err)
        report = self.report("async")
        self.methods = {row["name"]: row for row in report["methods"]}
        self.places = report["awaits"]
        return result.out, report

    def place(self, method):
        return next(row for row in self.places if row["name"].startswith(method))

    def test_requests_are_so_many_calls_and_wait_as_long_as_they_measure(self):
        for project in ("awaits", "awaits_debug"):
            out, report = self.awaits("requests", project=project)
            handle = self.methods["Awaits.Requests.Handle(int)"]
            self.assertEqual(handle["calls"], 32)
            measured = float(out.split()[1]) * 1e6
            self.assertAlmostEqual(handle["ns"] / measured, 1, delta=0.02)
            load = self.place("Awaits.Requests.LoadUser")
            self.assertEqual((load["times"], load["open"]), (32, 0))
            # On a busy machine a thread may come to tell of a wait when that is over.
            self.assertGreaterEqual(load["ns"], 28 * 39e6)
            self.assertEqual((load["awaited"], load["line"]), ("System.Threading.Tasks.Task.Delay", line_with("the slow query")))
            self.assertEqual(load["awaited_by"]["name"], "Awaits.Requests.Handle(int)")
            write = next(row for row in self.places if row.get("line") == line_with("the write"))
            self.assertEqual(write["awaited_by"]["name"], "Awaits.Requests.Handle(int)", "a ValueTask")
            self.assertGreaterEqual(max(report["in_flight"]["most"]), 32)
            self.assertEqual(report["in_flight"]["at_end"], 0)

    def test_no_chain_is_lost(self):
        number = 100_000 if harness.LONG else 25_000
        for options in ((), ("--no-sample",)):
            out, _ = self.awaits("chains", number, options=options)
            for method in ("Outer", "Middle", "Inner"):
                row = self.methods[f"Awaits.Chains.{method}()"]
                self.assertEqual((row["calls"], row["open"], row["failed"]), (number, 0, 0), method)
            measured = float(out.split()[3]) * 1e6
            self.assertAlmostEqual(self.methods["Awaits.Chains.Inner()"]["ns"] / measured, 1, delta=0.01)
            inner = self.place("Awaits.Chains.Inner")
            self.assertAlmostEqual(inner["ns"] / measured, 1, delta=0.01)
            self.assertEqual(inner["awaited_by"]["name"], "Awaits.Chains.Middle()")
            self.assertEqual(inner["line"], line_with("what takes the time"))

    def test_how_calls_end_is_told(self):
        self.awaits("ends")
        ends = {name.split(".")[-1].split("(")[0]: (row["calls"], row["failed"], row["cancelled"], row["open"])
                for name, row in self.methods.items()}
        self.assertEqual(ends["Returns"], (10, 0, 0, 0))
        self.assertEqual(ends["Throws"], (10, 10, 0, 0))
        self.assertEqual(ends["Cancelled"], (10, 0, 10, 0))
        self.assertEqual(ends["AtOnce"], (10, 0, 0, 0))
        self.assertEqual(ends["Swallow"], (20, 0, 0, 0))
        self.assertEqual(self.methods["Awaits.Ends.AtOnce(int)"]["awaited_ns"], 0)

    def test_what_never_comes_is_open(self):
        _, report = self.awaits("pending")
        self.assertEqual(self.methods["Awaits.Pending.Forgotten(Task)"]["open"], 7)
        place = self.place("Awaits.Pending.Forgotten")
        self.assertEqual((place["open"], place["line"]), (7, line_with("never comes")))
        self.assertEqual(report["in_flight"]["at_end"], 7)

    def test_what_goes_on_inside_of_a_completion_is_not_its_time(self):
        self.awaits("inline")
        heavy, light = (self.methods[f"Awaits.Inline.{name}"] for name in ("Heavy(Task)", "Light(TaskCompletionSource)"))
        self.assertGreaterEqual(heavy["ran_ns"], 5 * 49e6)
        self.assertLess(light["ran_ns"], 5 * 30e6)

    def test_methods_of_all_kinds_do_what_they_do_without(self):
        for project in ("awaits", "awaits_debug"):
            for settings in harness.some(SETTINGS, 2):
                out, _ = self.awaits("kinds", project=project, env=settings)
                self.assertEqual(out, "kinds 65\n")
                calls = {name.split("Kinds.")[-1].split("(")[0]: row["calls"] for name, row in self.methods.items()}
                self.assertEqual((calls["OfValue"], calls["OfValueTask"], calls["FromSource"], calls["Nested"]),
                                 (10, 5, 5, 20), (project, settings))
                self.assertEqual((calls["Generic<T>.Both<U>"], calls["Value.Instance"]), (10, 5))
                self.assertEqual((calls["Pooled"], calls["PooledNothing"], calls["Fire"]), (5, 10, 5))
                self.assertEqual(calls["Stream"], 15, "two elements and the end, each time")
                for method in ("Stream", "Pooled", "All.lambda#0"):
                    self.assertEqual(self.place(f"Awaits.Kinds.{method}(")["awaited_by"]["name"], "Awaits.Kinds.All()")
                self.assertTrue(all(row["open"] == 0 for row in self.methods.values()), self.methods)

    def test_what_stands_for_many_calls_is_each_of_them(self):
        number = 20_000
        out, _ = self.awaits("again", number)
        self.assertEqual(out, f"again {2 * number}\n")
        for method, calls in (("Stream(int)", number + 1), ("Pooled()", number)):
            row = self.methods[f"Awaits.Again.{method}"]
            self.assertEqual((row["calls"], row["open"], row["failed"]), (calls, 0, 0), method)
            self.assertEqual(self.place(f"Awaits.Again.{method}")["awaited_by"]["name"], "Awaits.Again.All(int)")

    def test_beside_calls_and_allocations_of_the_same_methods(self):
        out, _ = self.awaits("requests", options=["--calls", "--alloc"])
        self.assertEqual(self.methods["Awaits.Requests.Handle(int)"]["calls"], 32)
        row = next(row for row in self.report("calls")["methods"] if row["name"] == "Awaits.Requests.Handle(int)")
        self.assertEqual(row["calls"], 32)
        self.assertGreaterEqual(row["pieces"], 64, "each time that it goes on")
        self.assertAlmostEqual(row["total_ns"] / (float(out.split()[1]) * 1e6), 1, delta=0.02)
        self.assertIn("Calls of async methods are whole calls", self.oriel("report", "calls", "run.oriel").out)

    def stacks(self, *options):
        """Of each sample the frames' names, outermost first, with its weight."""
        exported = self.oriel("export", "--format", "collapsed", *options, "run.oriel")
        self.assertEqual(exported.code, 0, exported.err)
        lines = exported.out.splitlines() or open(self.path("run.collapsed"), encoding="utf-8").read().splitlines()
        return [(line.rsplit(" ", 1)[0].split(";"), int(line.rsplit(" ", 1)[1])) for line in lines]

    def assert_stand_under_what_awaits_them(self, leaf, least, *options):
        def of_leaf(*more):
            stacks = self.stacks("-o", "-", *options, *more)
            return [(frames, weight) for frames, weight in stacks if any(f".Busy.{leaf}(" in frame for frame in frames)]
        found = of_leaf()
        whole = sum(weight for _, weight in found)
        self.assertGreater(whole, least)
        chain = [f"Awaits.Busy.{name}" for name in ("All(", "Page(", "Body(", leaf + "(")]
        def is_chain(frames):
            own = [frame for frame in frames if "Awaits.Busy." in frame and "lambda" not in frame]
            return len(own) == 4 and all(begin in frame for begin, frame in zip(chain, own))
        under = sum(weight for frames, weight in found if is_chain(frames))
        self.assertGreater(under / whole, 0.95, found[:3])
        physical = [frames for frames, _ in of_leaf("--physical-stacks")]
        self.assertFalse(all(any("Busy.Page(" in frame for frame in frames) for frames in physical), leaf)

    def test_samples_stand_under_what_awaits_them(self):
        self.awaits("busy", options=["--sample-real=250"])
        for leaf in ("Compute", "Block"): self.assert_stand_under_what_awaits_them(leaf, 80)

    def test_what_is_handed_to_other_threads_stands_under_who_awaits_it(self):
        self.awaits("handed", options=["--sample=250"])
        for leaf in ("Plain", "Async"):
            stacks = [(frames, weight) for frames, weight in self.stacks("-o", "-")
                      if any(f".Handed.{leaf}(" in frame for frame in frames)]
            whole = sum(weight for _, weight in stacks)
            self.assertGreater(whole, 20, leaf)  # it computes for a time, and others may compute as well
            under = sum(weight for frames, weight in stacks if "Awaits.Handed.All()" in frames and "Awaits.Handed.Both(int)" in frames)
            self.assertGreater(under / whole, 0.95, stacks[:3])

    def test_allocations_stand_under_what_awaits_them(self):
        self.awaits("busy", options=["--alloc=sampled"])
        self.assert_stand_under_what_awaits_them("Fill", 20e6, "--weight", "bytes")

    def test_a_log_without_them_says_how_to_have_them(self):
        self.record("dotnet", os.path.join(harness.BUILD, "targets", "awaits", "awaits.dll"), "inline")
        self.assertIn("oriel run --async", self.oriel("report", "async", "run.oriel").out)


if __name__ == "__main__":
    harness.main()
