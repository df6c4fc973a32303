#!/usr/bin/env python3
"""Of programs that are slow for reasons that processor time alone does not tell, the first screen names what it is."""
import functools
import os
import sys
import unittest

import harness

STALLS = os.path.join(harness.BUILD, "targets", "stalls", "stalls.dll")
SOURCE = os.path.join(harness.ROOT, "tests", "targets", "stalls", "Program.cs")
line_with = functools.partial(harness.line_with, SOURCE)


class Stalls(harness.OrielTest):
    def summary(self, name):
        result = self.record("dotnet", STALLS, name)
        self.assertEqual((result.code, result.out), (0, "done\n"), result.err)
        return self.report("summary")

    def assert_waits(self, summary, text, method, mark, least):
        # Beside it the main thread waits for the others' end.
        wait = next((wait for wait in summary["waited"]["waits"] if wait["text"] == text), None)
        self.assertIsNotNone(wait, summary["waited"])
        self.assertEqual(wait["name"], "Stalls." + method)
        self.assertIn(wait["line"], range(line_with(mark) - 1, line_with(mark) + 2))
        self.assertGreater(wait["share"], least)

    def assert_hot(self, summary, method, mark=None):
        top = summary["top_own"][0]
        self.assertEqual(top["name"], "Stalls." + method)
        if mark is not None:
            self.assertEqual(top["line"], line_with(mark))

    def assert_first_hint(self, summary, key, pattern):
        hint = summary["hints"][0]
        self.assertEqual(hint["hint"], key, summary["hints"])
        self.assertRegex(hint["text"], pattern)

    def test_semaphore_of_one(self):
        # On a busy machine much of it goes by in the turns that a semaphore takes before it waits.
        summary = self.summary("semaphore")
        self.assert_waits(summary, "SemaphoreSlim.Wait", "Printer.Print()", "waits", 0.1)
        self.assert_first_hint(summary, "semaphore",
                               r"^Threads waited \d[\d.]* m?s for SemaphoreSlim\.Wait in Stalls\.Printer\.Print\(\) "
                               r"\(Program\.cs:\d+\); it is Stalls\.Printer\.Free, made in Stalls\.Printer\.\.cctor, "
                               r"Program\.cs:%d, and admits one thread at a time" % line_with("lets one through"))

    def test_parts_of_different_size(self):
        summary = self.summary("imbalance")
        self.assert_hot(summary, "Shards.Sum(int)")  # by whichever thread; the caller is one of them
        self.assertLess(summary["cpu"]["cores_busy"], 1.5)
        self.assert_first_hint(summary, "imbalance",
                               r"^Parallel loops ran for \d[\d.]* m?s\. For \d[\d.]* m?s of that only one thread was "
                               r"still working, in Stalls\.Shards\.Sum\(int\) \(Program\.cs:\d+\), while the")

    def test_counters_in_one_cache_line(self):
        summary = self.summary("false-sharing")
        self.assert_hot(summary, "Tally.Count(int)", "shares")
        if os.cpu_count() >= 2:
            self.assert_first_hint(summary, "false-sharing",
                                   r"threads that each keep writing one element of Stalls\.Tally\.Counts, in "
                                   r"Stalls\.Tally\.Count \(Program\.cs:%d\)" % line_with("shares"))

    def test_finalizers_that_do_not_keep_up(self):
        summary = self.summary("finalizers")
        hint = summary["hints"][0]
        self.assertEqual(hint["hint"], "finalizers")
        self.assertRegex(hint["text"], r"Finalizers ran for \d[\d.]* m?s of \d[\d.]* s, most of it in "
                                       r"Stalls\.Handles\.Handle\.Close\(\) \(Program\.cs:%d\)" % line_with("closes"))
        self.assertNotIn("heap-growth", [hint["hint"] for hint in summary["hints"]])

    def test_pinned_buffers(self):
        summary = self.summary("pinned")
        self.assert_first_hint(summary, "pinned",
                               r"found up to \d[\d,]* pinned objects, .* code that pins: Stalls\.Buffers\.Send "
                               r"\(Program\.cs:%d\)" % line_with("pins"))
        self.assert_hot(summary, "Buffers.Send()")

    def test_timers(self):
        summary = self.summary("timers")
        self.assert_hot(summary, "Heartbeats.Pulse()", "beats")
        self.assert_first_hint(summary, "timers",
                               r"^\d+\.\d %% \(\d[\d.]* m?s\) is timer callbacks, most of it in "
                               r"Stalls\.Heartbeats\.Pulse\(\) \(Program\.cs:%d\)\. .* in \d+ %%" % line_with("beats"))

    def test_lines_forced_to_the_disk(self):
        summary = self.summary("flush")
        if summary["waited"]["share"] < 0.05:
            self.skipTest("the disk has it at once, or the processor is long in coming back")
        wait = summary["waited"]["waits"][0]
        self.assertEqual((wait["text"], wait["name"], wait["line"]),
                         ("FileStream.Flush", "Stalls.Journal.Write()", line_with("flushes")))
        # A disk that is a part of memory has it at once.
        if wait["share"] > 0.15:
            self.assert_first_hint(summary, "disk", r"^A thread waited \d[\d.]* m?s for FileStream\.Flush in Stalls\.Journal\.")

    def test_a_library_that_goes_on_where_it_was_called(self):
        self.assert_first_hint(self.summary("context"), "context",
                               r"^\d+\.\d % \(\d[\d.]* m?s\) is continuations of awaits, most of it in "
                               r"Stalls\.Library\.Parse\(\) \(Program\.cs:\d+\), on one thread that is busy \d+ %")

    def test_a_name_server_that_is_slow(self):
        private = ["unshare", "-rmn"]
        if self.call([*private, "mount", "--bind", "/etc/hosts", "/etc/resolv.conf"]).code != 0:
            self.skipTest("no namespaces of one's own here")
        script = os.path.join(harness.ROOT, "tests", "e2e", "answers", "slow_names.py")
        result = self.call([*private, sys.executable, "-B", script, self.folder,
                            harness.ORIEL, "run", "-o", "run.oriel", "--", "dotnet", STALLS, "names"])
        self.assertEqual((result.code, result.out), (0, "done\n"), result.err)
        self.assert_first_hint(self.report("summary"), "name-lookup",
                               r"^A thread waited 1\.\d* s for Dns\.GetHostAddresses in Stalls\.Addresses\.Look\(\) "
                               r"\(Program\.cs:%d\)\. DNS is slow" % line_with("looks up"))

    def test_an_answer_that_comes_late(self):
        self.assert_first_hint(self.summary("socket"), "network",
                               r"^A thread waited \d[\d.]* m?s for NetworkStream\.ReadByte in Stalls\.Feed\.Read\(\) "
                               r"\(Program\.cs:%d\)" % line_with("reads"))


if __name__ == "__main__":
    unittest.main()
