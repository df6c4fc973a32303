#!/usr/bin/env python3
"""Waits on Mono read as on CoreCLR: for a lock, by who waits for it, in the program's own methods."""
import os
import unittest

import harness
from mono_modules import HAS_MONO, HERE


@unittest.skipUnless(HAS_MONO, "Mono is not installed here (mono-runtime and mono-mcs)")
class Waiting(harness.SharedFolder):
    def prepare(self):
        built = self.call(["mcs", "-out:" + self.path("waiting.exe"), os.path.join(HERE, "Waiting.cs")])
        self.assertEqual(built.code, 0, built.out + built.err)
        result = self.record("mono", self.path("waiting.exe"), options=["--locks"])
        self.assertEqual((result.code, result.out), (0, "had it\nFalse\n"), result.err)

    def test_waits_are_where_the_program_waits(self):
        waits = {(row["name"], row["for"], row["text"]) for row in self.report("waits")["waited"]["waits"]}
        self.assertIn(("Waiting.Take()", "lock", "a lock"), waits)
        self.assertIn(("Waiting.Try()", "lock", "a lock"), waits)
        self.assertIn(("Waiting.Sleep()", "system", "Waiting.usleep"), waits)

    def test_locks_are_taken_by_who_gets_them(self):
        """A Monitor.TryEnter whose time is up takes nothing: only samples show it."""
        taken = [record for record in self.dump() if record["kind"] == "monitor_acquired"]
        self.assertEqual(len(taken), 1, taken)
        locks = self.report("locks")
        lock, = locks["locks"]
        self.assertEqual((lock["name"], lock["type"], lock["waits"], "taken_by" in lock), ("Waiting.Take()", "object", 1, False))
        self.assertEqual([row["name"] for row in locks["sampled"]], ["Waiting.Try()"])


if __name__ == "__main__":
    harness.main()
