#!/usr/bin/env python3
"""Threads that wait: no way of sampling ends a wait early, and --sample-real tells where they wait."""
import os
import time
import unittest

import harness
from harness import BUILD

BLOCKING = os.path.join(BUILD, "targets", "blocking", "blocking.dll")
CALLS = os.path.join(BUILD, "tests", "modules", "libblocking-calls.so")
MODES = harness.some(("--sample=1000", "--sample-real=1000", "--sample", "--sample-real"), 2)


def blocking(*args):
    return ["dotnet", BLOCKING, *map(str, args)]


class Blocking(harness.OrielTest):
    def assert_same(self, *command):
        """Output, errors and exit code are those of the plain run, in every mode."""
        plain = self.call(command)
        self.assertEqual(plain.code, 0, plain.err)
        for mode in MODES:
            with self.subTest(mode):
                profiled = self.record(*command, options=[mode])
                self.assertEqual((profiled.code, profiled.out), (plain.code, plain.out))
        return plain

    def test_calls_that_are_never_restarted_are_not_interrupted(self):
        plain = self.assert_same(*blocking("native", CALLS))
        self.assertNotIn("early", plain.out)

    def test_waits_of_the_framework_last_as_long_as_they_should(self):
        plain = self.assert_same(*blocking("managed"))
        self.assertNotIn("early", plain.out)

    def test_no_sleep_after_work_is_cut_short(self):
        for mode in MODES:
            with self.subTest(mode):
                result = self.record(*blocking("after-work", 500), options=[mode])
                self.assertEqual(result.out, "0 of 500 sleeps were cut short\n", result.err)


class Shown(harness.OrielTest):
    def time_in(self, method):
        """Milliseconds of all samples below a method, itself included."""
        entries = self.report("top", "--limit", "100000")["by_total"]
        return sum(entry["total"] * 1000 / 250 for entry in entries if method in entry["name"])

    def test_the_method_that_waits_has_the_time(self):
        self.record(*blocking("managed"), options=["--sample-real"])
        for method in ("SleepsAWhile", "WaitsForAPulse", "WaitsForAnEvent", "ReceivesNothing", "PollsASocket"):
            with self.subTest(method):
                self.assertGreater(self.time_in(f"Blocking.Waits.{method}("), 250)
        for framework in ("System.Threading.Thread.Sleep(", "System.Net.Sockets.Socket.Receive(",
                          "System.Net.Sockets.Socket.Poll("):
            with self.subTest(framework):
                self.assertGreater(self.time_in(framework), 250)

    def test_waiting_and_running_are_the_whole_time_of_a_thread(self):
        self.record(*blocking("after-work", 300), options=["--sample-real"])
        threads = self.report("threads")["threads"]
        main = max((thread for thread in threads if thread["managed"]), key=lambda thread: thread["samples"])
        lived = (main["last_ns"] - main["first_ns"]) / 1e6
        self.assertGreater(main["samples"] * 4, 0.8 * lived)
        self.assertLess(main["samples"] * 4, 1.2 * lived + 400)

    def seconds_more(self, count):
        """What sampling adds to a program with so many waiting threads."""
        begin = time.monotonic()
        plain = self.call(blocking("many", count, 1000))
        middle = time.monotonic()
        profiled = self.record(*blocking("many", count, 1000), options=["--sample-real"])
        end = time.monotonic()
        self.assertEqual((profiled.code, profiled.out), (plain.code, plain.out))
        self.assertGreater(self.time_in("Blocking.Many.WaitsForTheEnd("), count * 500)
        return end - middle - (middle - begin)

    def test_hundreds_of_waiting_threads_cost_little(self):
        for count in harness.some((300, 1000)):
            with self.subTest(count):
                # One of some: the machine may be busy with something else.
                self.assertTrue(any(self.seconds_more(count) < 1.2 for _ in range(3)))

    def test_how_seldom_waiting_threads_are_looked_at_is_told(self):
        """Each of them has to be walked anew at each look, and a look every millisecond is asked."""
        run = self.record(*blocking("moving", 300, 1500), options=["--sample-real=1000"])
        self.assertEqual((run.code, run.out), (0, "300 threads waited\n"), run.err)
        counters = self.report("summary")["counters"]
        self.assertGreater(counters["waits.rounds"], 0)
        self.assertGreater(counters["waits.ns"] / counters["waits.rounds"], 2_000_000)
        self.assertRegex(" ".join(self.oriel("report", "run.oriel").out.split()), r"waiting threads every \d")
        self.record(*blocking("after-work", 20), options=["--sample"])
        self.assertNotIn("waits.rounds", self.report("summary")["counters"])
        self.assertNotIn("waiting threads every", self.oriel("report", "run.oriel").out)

    def test_deep_stacks_lose_no_samples(self):
        self.record(*blocking("deep", 8, 1000, 2000), options=["--sample=250"])
        self.assertNotIn("buffer-full", self.report()["lost"])
        self.assertGreater(self.time_in("Blocking.Deep.Descend("), 500)

    def test_a_rate_above_the_tick_is_told(self):
        self.record(*blocking("after-work", 20), options=["--sample=10000"])
        self.assertRegex(self.oriel("report", "run.oriel").out, r"Hz \(the kernel's tick; 10,000 requested\)")


if __name__ == "__main__":
    harness.main()
