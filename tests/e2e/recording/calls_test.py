#!/usr/bin/env python3
"""Calls and allocations of a program whose numbers are known are logged to the number."""
import collections
import os

import harness

CALLS = os.path.join(harness.BUILD, "targets", "calls", "calls.dll")
ROUNDS = 10
STEPS = ROUNDS * 1000

# Enters of each method, by the names that the reports give.
EXPECTED = {
    "Known.Recursion.Down(int)": 21 * ROUNDS,
    "Known.Recursion.Even(int)": 6 * ROUNDS,
    "Known.Recursion.Odd(int)": 5 * ROUNDS,
    "Known.Exceptions.Catch(int)": ROUNDS,
    "Known.Exceptions.Throw(int)": 3 * ROUNDS,
    "Known.Exceptions.CatchFarAway(int)": ROUNDS,
    "Known.Exceptions.Middle(int)": ROUNDS,
    "Known.Exceptions.Cleanup()": ROUNDS,
    "Known.Exceptions.Filtered(int)": ROUNDS,
    "Known.Exceptions.Inner(int)": ROUNDS,
    "Known.Exceptions.IsMine(Exception)": ROUNDS,
    "Known.Generics.Use(int)": ROUNDS,
    "Known.Box<T>.Put(T)": 3 * ROUNDS,
    "Known.Box<T>.Count<U>(U, T)": 3 * ROUNDS,
    "Known.Iterators.Sum(int)": ROUNDS,
    "Known.Objects.Make(int)": ROUNDS,
    "Known.Node..ctor()": 10 * ROUNDS,
    "Known.Workers.Run(int, int)": 1,
    "Known.Workers.Work(int)": 4,
    "Known.Workers.Step(int)": 4 * STEPS,
}
THROWN = {
    "Known.Exceptions.Throw(int)": 3 * ROUNDS,
    "Known.Exceptions.Middle(int)": ROUNDS,
    "Known.Exceptions.Inner(int)": ROUNDS,
}
LEAVES = ("method_leave", "method_tail_call", "method_exception_leave")
CALLS_AND_ALLOCATIONS = ("method_enter", *LEAVES, "gc_allocation", "calls_lost")


class Counts(harness.OrielTest):
    def run_calls(self, *options):
        plain = self.call(["dotnet", CALLS, str(ROUNDS)])
        result = self.record("dotnet", CALLS, str(ROUNDS), options=options)
        self.assertEqual((result.code, result.out), (plain.code, plain.out), result.err)
        return result

    def events(self):
        """What was logged of calls and allocations, in the file's order."""
        return [entry for entry in self.dump() if entry["kind"] in CALLS_AND_ALLOCATIONS]

    def check_calls(self):
        enters, thrown, stacks = collections.Counter(), collections.Counter(), collections.defaultdict(list)
        for entry in self.events():
            self.assertNotEqual(entry["kind"], "calls_lost")
            if entry["kind"] == "method_enter":
                enters[entry["method"]] += 1
                stacks[entry["thread_id"]].append(entry)
            elif entry["kind"] in LEAVES:
                self.assertEqual(stacks[entry["thread_id"]].pop()["method_id"], entry["method_id"])
                if entry["kind"] == "method_exception_leave":
                    thrown[entry["method"]] += 1
        for method, count in EXPECTED.items():
            self.assertEqual(enters[method], count, method)
        self.assertEqual(thrown, THROWN)
        # A thread of the pool that has set off what the program waited for may still be on its way out when that ends.
        for thread, stack in stacks.items():
            methods = [entry["method"] for entry in stack]
            self.assertEqual([name for name in methods if not name.startswith("Known.Async.")], [], thread)
        # An async method is entered to start it, and again each time it goes on.
        self.assertGreaterEqual(enters["Known.Async.OuterAsync(int)"], 2 * ROUNDS)
        self.assertGreaterEqual(enters["Known.Async.InnerAsync(int)"], 3 * 3 * ROUNDS)
        self.assertEqual({name for name in enters if not name.startswith("Known.")}, set())

    def test_each_call_of_a_namespace(self):
        self.run_calls("--no-sample", "--calls=Known")
        self.check_calls()

    def test_each_call_where_nothing_may_be_inlined(self):
        self.run_calls("--no-sample", "--calls=Known", "--inlining=block")
        self.check_calls()

    def test_calls_with_samples_and_allocations_beside_them(self):
        self.run_calls("--sample=1000", "--calls=Known", "--alloc")
        self.check_calls()

    def test_user_code_is_the_default(self):
        self.run_calls("--no-sample", "--calls")
        names = {entry["method"] for entry in self.events() if entry["kind"] == "method_enter"}
        self.assertIn("Known.Workers.Step(int)", names)
        self.assertFalse([name for name in names if name.startswith("System.")])

    def test_names_of_the_core_library_with_and_without_keywords(self):
        found = []
        for pattern in ("System.String", "string"):
            self.run_calls("--no-sample", "--calls=" + pattern)
            found.append({entry["method"] for entry in self.events() if entry["kind"] == "method_enter"})
        self.assertTrue(any(name.startswith("string.") for name in found[0]), found[0])
        self.assertEqual([name for name in found[0] if not name.startswith("string.")], [])
        self.assertEqual(*found)

    def test_patterns_take_away(self):
        self.run_calls("--no-sample", "--calls", "Known.Workers.*,!*.Step")
        names = {entry["method"] for entry in self.events() if entry["kind"] == "method_enter"}
        self.assertIn("Known.Workers.Work(int)", names)
        self.assertFalse([name for name in names if "Step" in name or "Recursion" in name])

    def test_allocations_by_class(self):
        self.run_calls("--no-sample", "--alloc-in=Known.Objects")
        objects = collections.Counter()
        for entry in self.events():
            self.assertEqual(entry["kind"], "gc_allocation")
            self.assertEqual(entry["site"], "Known.Objects.Make(int)")
            objects[(entry["klass"], entry["size"])] += 1
        self.assertEqual(objects, {("Known.Node", 32): 10 * ROUNDS, ("Known.Wide", 48): ROUNDS,
                                   ("Known.Pair", 24): 2 * ROUNDS, ("byte[]", 124): ROUNDS,
                                   ("Known.Node[]", 80): ROUNDS})

    def test_what_the_runtime_allocates_for_the_core_library_is_its_own(self):
        self.run_calls("--no-sample", "--alloc-in=Known.Natively")
        self.assertEqual(self.report("alloc")["objects"], 0)
        self.run_calls("--no-sample", "--alloc")
        sites = collections.Counter()
        for entry in self.report("alloc")["sites"]:
            sites[(entry["type"], entry.get("method", "").split("(")[0])] += entry["objects"]
        self.assertGreaterEqual(sites[("string", "string.FastAllocateString")], ROUNDS)
        self.assertEqual(sites[("Known.Plain", "System.RuntimeType.ActivatorCache.CreateUninitializedObject")],
                         2 * ROUNDS)
        self.assertGreaterEqual(sites[("int[]", "object.MemberwiseClone")], ROUNDS)

    def test_a_pattern_without_a_method_is_said(self):
        result = self.run_calls("--no-sample", "--calls=Known,Knwon.*")
        (line,) = [line for line in result.own_lines() if "matched" in line]
        self.assertIn("--calls 'Knwon.*' matched no method", line)

    def test_wrong_patterns_are_refused_before_the_program_runs(self):
        for option, part in (("--calls=[Known", "lacks its ']'"), ("--alloc=some", "exact or sampled"),
                             ("--inlining=never", "keep or block"), ("--calls=Known;Other", "';'"),
                             ("--inlining=block", "--calls or --callgraph")):
            self.assert_refused(self.oriel("run", option, "--", "dotnet", CALLS), 125, part)


class TooManyCalls(harness.OrielTest):
    """Threads that log calls faster than they can be written."""

    def lost(self, when_full):
        # Compressed, so that the log's thread alone encodes: else the threads do, and hardly anything is lost.
        self.record(*harness.program("unfinished", 4), options=("--calls=Unfinished.*", "--no-sample", "--buffer=1MB",
                                                                "--compress=all", "--when-full=" + when_full))
        summary, threads = self.report("summary"), self.report("threads")["lost"]
        return summary["lost"].get("calls-full", 0), threads

    def test_they_are_counted_by_thread(self):
        for when_full in ("drop-new", "drop-old"):
            with self.subTest(when_full):
                lost, threads = self.lost(when_full)
                self.assertGreater(lost, 0)
                of_threads = sum(thread["calls"] for thread in threads)
                # What is lost after the last look at the buffers has no thread.
                self.assertTrue(0.5 * lost <= of_threads <= lost, (lost, threads))
                self.assertGreaterEqual(len(threads), 2)
                text = self.oriel("report", "run.oriel").out
                self.assertRegex(" ".join(text.split()), "Lost [0-9,]+ enters and leaves of calls: they came faster than "
                                                         "they could be written → oriel report threads run.oriel")
                text = self.oriel("report", "threads", "run.oriel").out
                self.assertIn("Lost, because it came faster than it could be written.", text)

    def test_without_room_threads_wait(self):
        self.assertEqual(self.lost("wait")[0], 0)

    def test_what_does_not_fit(self):
        for option, part in (("--buffer=1KB", "--buffer=1KB: a size is from 1MB to 64GB: 256MB"),
                             ("--buffer=5s", "a size is from"), ("--when-full=drop", "drop")):
            self.assert_refused(self.oriel("run", option, "--", "true"), 125, part)


if __name__ == "__main__":
    harness.main()
