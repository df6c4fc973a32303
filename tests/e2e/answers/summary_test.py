#!/usr/bin/env python3
"""What the summary of a real run says is true of it."""
import os

import harness
from harness import program


class Summary(harness.OrielTest):
    def test_a_sleep_is_told_by_its_name(self):
        self.record(*program("sleep", 500), options=["--sample-real=100"])
        names = [row["name"].split("(")[0] for row in self.report("summary", "--limit", "60")["top_total"]]
        self.assertIn("Sleeps.Run.lambda#0", names)
        self.assertIn("System.Threading.Thread.Sleep", names)
        self.assertFalse({"Sleeps.Deliver", "Sleeps.Poll"} & set(names), names)

    def test_the_limit_cuts_its_tables(self):
        self.record(*program("busy", 1, 50))
        summary = self.report("summary", "--limit", "3")
        self.assertEqual((len(summary["top_self"]), len(summary["top_total"])), (3, 3))

    def test_no_more_processors_than_there_are(self):
        self.record(*program("crash", "kill"))
        summary = self.report("summary")
        busy = summary["cpu"]["cores_busy"]
        self.assertTrue(busy is None or 0 <= busy <= os.cpu_count(), busy)
        self.assertIn("at least", self.oriel("report", "run.oriel").out)

    def test_oriels_own_time_is_not_the_programs(self):
        self.record(*program("busy", 1, 20), options=["--calls=[programs]", "--no-sample"])
        cpu = self.report("summary")["cpu"]
        self.assertGreater(cpu["oriel_us"], 0)
        self.assertLess(cpu["oriel_us"], cpu["user_us"] + cpu["system_us"])
        self.assertIn(" in Oriel's threads (", self.oriel("report", "run.oriel").out)

    def test_null_is_what_was_not_recorded(self):
        self.record(*program("exit"), options=["--no-sample"])
        summary = self.report("summary")
        for key in ("samples", "calls", "allocations", "methods_compiled", "top_self"):
            self.assertIsNone(summary[key], key)
        self.assertEqual(summary["exceptions"], [])

    def test_calls_that_ran_to_the_end_are_no_loss(self):
        for option in ("--callgraph=Unfinished", "--calls=Unfinished.Spin"):
            self.record(*program("unfinished", 3), options=[option])
            kind = "callgraph" if option.startswith("--callgraph") else "calls"
            report = self.report(kind)
            self.assertGreaterEqual(report["running"], 3)
            self.assertEqual((report["without_enter"], report["without_leave"]), (0, 0))
            self.assertRegex(self.oriel("report", kind, "run.oriel").out, r"still running at the end, on [34] threads")


if __name__ == "__main__":
    harness.main()
