#!/usr/bin/env python3
"""Waits are told in the words of the program: for what, where, and for how long, as its own clock says."""
import functools
import os
import re
import unittest

import harness

WAITS = os.path.join(harness.BUILD, "targets", "waits", "waits.dll")
SOURCE = os.path.join(harness.ROOT, "tests", "targets", "waits", "Program.cs")
line_with = functools.partial(harness.line_with, SOURCE)

# By program: what it waits for, in words and as in JSON, the method, and the mark of the line.
WAITS_FOR = {
    "sleep": ("Thread.Sleep", "sleep", "Naps.Take.lambda#0()", "sleeps"),
    "lock": ("a lock", "lock", "Till.Pay()", "locks"),
    "task": ("a task (Wait, Result)", "task", "Orders.Fetch.lambda#0()", "blocks"),
    "pool": ("a task (Wait, Result)", "task", "Orders.Fetch.lambda#0()", "blocks"),
    "signal": ("WaitHandle.WaitOne", "signal", "Mailbox.Receive.lambda#1()", "waits"),
    "thread": ("Thread.Join", "thread", "Helpers.Await.lambda#0()", "joins"),
    "socket": ("NetworkStream.ReadByte", "network", "Feed.Read.lambda#1()", "reads"),
    "file": ("PipeStream.ReadByte", "file", "Pipe.Read.lambda#1()", "pipes"),
    "process": ("Process.WaitForExit", "process", "Child.Run.lambda#0()", "exits"),
}


class Waits(harness.OrielTest):
    def record_waits(self, name, *options):
        result = self.oriel("run", *options, "-o", "run.oriel", "--", "dotnet", WAITS, name)
        self.assertEqual(result.code, 0, result.err)
        return int(result.out)

    def test_are_told_by_what_they_are_for_and_where(self):
        for name, (text, key, method, mark) in WAITS_FOR.items():
            with self.subTest(name):
                waited_ms = self.record_waits(name)
                waited = self.report("waits")["waited"]
                row = next((row for row in waited["waits"] if row["for"] == key), None)
                self.assertIsNotNone(row, waited)
                self.assertEqual((row["text"], row["name"]), (text, "Waits." + method))
                # The frame's place may be that of the block, where the compiler keeps no other.
                self.assertIn(row["line"], range(line_with(mark) - 1, line_with(mark) + 2))
                # Looks come 20 times a second, and what lies between two of them goes to one of two waits.
                self.assertAlmostEqual(row["ns"] / 1e6, waited_ms, delta=0.35 * waited_ms + 150)

    def test_stand_on_the_first_screen(self):
        self.record_waits("lock")
        text = self.oriel("report", "run.oriel").out
        self.assertRegex(" ".join(text.split()), r"Waited \d+\.\d % of the lifetime of 5 threads of your code: "
                                                 r"\d[\d.]* m?s for a lock in Waits\.Till\.Pay\(\) \(Program\.cs:\d+\)")
        self.assertLess(text.index("Waited"), text.index("Command"))

    def test_are_none_of_the_processor_time(self):
        self.record_waits("sleep")
        summary = self.report("summary")
        cpu_ms = (summary["cpu"]["user_us"] + summary["cpu"]["system_us"]) / 1000
        period_ms = 1000 / summary["samples"]["hz"]
        self.assertLess(summary["samples"]["periods"] * period_ms, cpu_ms + 100)
        self.assertGreater(summary["waited"]["ns"], 700e6)
        self.assertNotIn("[waiting]", self.oriel("report", "tree", "run.oriel").out)

    def test_of_a_program_that_only_computes_are_none(self):
        self.record_waits("compute")
        self.assertLess(self.report("summary")["waited"]["ns"], 200e6)

    def test_are_left_out_where_nobody_wants_them(self):
        self.record_waits("sleep", "--no-waits")
        self.assertIsNone(self.report("summary")["waited"])
        self.assertIn("has no waits", self.oriel("report", "waits", "run.oriel").out)

    def test_of_idle_threads_are_hidden_until_asked_for(self):
        self.record_waits("pool")
        hidden = self.report("waits")["waited"]
        self.assertGreater(hidden["idle_ns"], 1e9)
        self.assertFalse([row for row in hidden["waits"] if row["for"] == "idle"])
        shown = self.report("waits", "--idle")["waited"]
        self.assertTrue([row for row in shown["waits"] if row["for"] == "idle"])

    def test_of_idle_threads_are_no_samples_of_real_time(self):
        self.record_waits("sleep", "--sample-real")
        text = self.oriel("report", "top", "run.oriel").out
        self.assertIn("[waiting]", text)
        all_threads = self.report("summary", "--idle")["samples"]["periods"]
        not_idle = self.report("summary")["samples"]["periods"]
        self.assertLess(not_idle * 2, all_threads)
        own = self.report("summary")["top_own"][0]
        self.assertEqual(own["name"], "Waits." + WAITS_FOR["sleep"][2])


class Locks(harness.OrielTest):
    def record_locks(self, name, *options):
        result = self.oriel("run", *options, "-o", "run.oriel", "--", "dotnet", WAITS, name)
        self.assertEqual(result.code, 0, result.err)
        return int(result.out)

    def locks(self):
        return {lock["name"].removeprefix("Waits."): lock for lock in self.report("locks")["locks"]}

    def test_are_told_by_who_waits_and_what_holds_them(self):
        waited_ms = self.record_locks("lock", "--locks")
        lock = self.locks()["Till.Pay()"]
        self.assertEqual(lock["type"], "object")
        self.assertIn(lock["line"], range(line_with("locks") - 1, line_with("locks") + 2))
        self.assertAlmostEqual(lock["waited_ns"] / 1e6, waited_ms, delta=0.1 * waited_ms + 100)
        self.assertEqual((lock["locks"], lock["threads"]), (1, 4))
        self.assertGreater(lock["at_once"], 1.8)
        self.assertEqual(lock["held"][0]["name"], "Waits.Till.Count()")
        held = [holder["ns"] for holder in lock["held"]]
        self.assertGreater(held[0], 0.8 * sum(held))
        self.assertEqual((lock["lock"], lock["made"]["in"], lock["made"]["line"]),
                         ("Waits.Till.Drawer", "Waits.Till..cctor", line_with("the drawer")))
        text = self.oriel("report", "locks", "run.oriel").out
        self.assertIn("it is Waits.Till.Drawer", text)
        self.assertIn("made in Waits.Till..cctor, Program.cs:%d" % line_with("the drawer"), text)

    def test_are_told_without_being_asked_for_from_the_first_wait_that_is_seen(self):
        for name, pay, holds, lock_name in (("lock", "Till.Pay()", "Till.Count()", "Till.Drawer"),
                                            ("lock-object", "Booth.Pay()", "Booth.Sell()", "Booth.Window")):
            with self.subTest(name):
                waited_ms = self.record_locks(name)
                lock = self.locks()[pay]
                self.assertGreater(lock["waited_ns"] / 1e6, 0.35 * waited_ms)
                self.assertEqual(lock["held"][0]["name"], f"Waits.{holds}")
                text = " ".join(self.oriel("report", "run.oriel").out.split())
                self.assertRegex(text, rf"Hint Threads waited \d[\d.]* m?s for the lock Waits\.{re.escape(lock_name)} "
                                       rf"\(made in Waits\.\w+\.\.cctor, Program\.cs:\d+\) in Waits\.{re.escape(pay)} "
                                       r"\(Program\.cs:\d+\), with \d\.\d waiters on average; "
                                       rf"meanwhile it was held in Waits\.{re.escape(holds)}")

    def test_of_both_kinds_have_their_types(self):
        waited_ms = self.record_locks("new-lock", "--locks")
        locks = self.locks()
        self.assertEqual(locks["Vault.Spend()"]["type"], "Waits.Coins")
        self.assertEqual(locks["Vault.Enter()"]["type"], "System.Threading.Lock")
        self.assertAlmostEqual(sum(lock["waited_ns"] for lock in locks.values()) / 1e6, waited_ms, delta=200)
        self.assertEqual({name: lock["lock"] for name, lock in locks.items()},
                         {"Vault.Spend()": "Waits.Vault.Inside", "Vault.Enter()": "Waits.Vault.Door"})
        holder = locks["Vault.Enter()"]["held"][0]
        self.assertEqual((holder["name"], holder["line"]), ("Waits.Vault.Queue()", line_with("holds the door")))

    def test_of_short_waits_are_as_many_as_the_runtime_counts(self):
        contentions = self.record_locks("short-locks", "--locks")
        lock = self.locks()["Ledger.Add()"]
        self.assertGreater(contentions, 10)
        self.assertAlmostEqual(lock["waits"], contentions, delta=0.25 * contentions)

    def test_of_nobody_are_none(self):
        self.record_locks("sleep", "--locks")
        self.assertEqual(self.report("locks")["locks"], [])
        self.assertIn("No thread waited for a lock", self.oriel("report", "locks", "run.oriel").out)

    def test_threads_of_the_pool_that_wait_are_named(self):
        self.record_locks("blocked-pool")
        hint = next(hint for hint in self.report("summary")["hints"] if hint["hint"] == "pool-blocked")
        self.assertRegex(hint["text"], r"Pool threads waited \d[\d.]* m?s for a task \(Wait, Result\) in "
                                       r"Waits\.Kitchen\.Serve\(\) \(Program\.cs:\d+\)")
        if os.cpu_count() <= 2:
            self.assertRegex(hint["text"], r"; the pool had up to \d+ threads at a time")


if __name__ == "__main__":
    unittest.main()
