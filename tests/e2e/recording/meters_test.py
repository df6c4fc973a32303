#!/usr/bin/env python3
"""Counters and activities: tests/targets/meters tells itself what `oriel report counters` and `requests` say of it."""
import os

import harness

TARGET = os.path.join(harness.BUILD, "targets", "meters", "meters.dll")


class Counters(harness.OrielTest):
    def counters(self, *options):
        result = self.record("dotnet", TARGET, "counters", options=options)
        self.assertEqual((result.code, result.out), (0, "105 orders\n"), result.err)
        return {(row["meter"], row["name"], *row["tags"]): row for row in self.report("counters")["counters"]}

    def test_of_the_process_are_told_without_asking(self):
        rows = self.counters()
        self.assertEqual({meter for meter, *_ in rows}, {"process"})
        memory = rows["process", "greatest resident memory"]
        self.assertGreater(memory["last"], 10e6)
        self.assertGreater(len(rows["process", "processor time"]["points"]), 2)
        self.assertIn("oriel run --counters", self.oriel("report", "counters", "run.oriel").out)

    def test_of_a_meter_are_what_the_program_counted(self):
        rows = self.counters("--counters=Shop.*,Shop-Old")
        self.assertEqual({meter for meter, *_ in rows}, {"process", "Shop.Orders", "Shop-Old"})
        tea, coffee = rows["Shop.Orders", "orders", "kind=tea"], rows["Shop.Orders", "orders", "kind=coffee"]
        self.assertTrue(tea["is_total"])
        self.assertEqual(tea["last"], 2 * coffee["last"])
        self.assertGreaterEqual(coffee["last"], 15)  # of 35, by the last whole second
        self.assertAlmostEqual(coffee["mean"], 10, delta=3)
        stock = rows["Shop.Orders", "stock"]
        self.assertFalse(stock["is_total"])
        self.assertEqual(1000 - stock["last"], 3 * coffee["last"], "told at one time")
        self.assertAlmostEqual(rows["Shop.Orders", "price", "Percentile=50"]["last"], 10, delta=1)
        self.assertEqual((rows["Shop-Old", "Weight"]["last"], rows["Shop-Old", "Weight"]["unit"]), (250, "g"))
        self.assertAlmostEqual(rows["Shop-Old", "Parcels"]["mean"], 30, delta=10)

    def test_another_tool_may_ask_for_them_too(self):
        result = self.record("dotnet", TARGET, "shared", options=["--counters=Shop.*"])
        self.assertEqual((result.code, result.out), (0, "105 orders\nshared\n"), result.err)
        self.assertEqual(len(result.own_lines()), 1, result.err)
        self.assertIn("Shop.Orders", {row["meter"] for row in self.report("counters")["counters"]})

    def test_of_which_there_are_too_many_are_said_to_be_missing(self):
        result = self.record("dotnet", TARGET, "histograms", options=["--counters=Shop.*"])
        self.assertEqual((result.code, result.out), (0, "histograms\n"), result.err)
        self.assertIn("more than 10 histograms", result.err)
        text = " ".join(self.oriel("report", "counters", "run.oriel").out.split())
        self.assertIn("more than 10 histograms, one for each set of tags: the others are missing", text)

    def test_of_the_runtime_stand_in_a_table(self):
        self.counters("--counters")
        text = self.oriel("report", "counters", "run.oriel").out
        self.assertIn("System.Runtime", text)
        self.assertIn("dotnet.process.memory.working_set", text)
        self.assertRegex(text, r"Hidden: \d+ counters that were 0 all the time")
        self.assertLessEqual(max(map(len, text.splitlines())), 100)


    def test_why_the_pool_grows_is_told(self):
        result = self.record("dotnet", TARGET, "pool", options=["--counters"])
        self.assertEqual((result.code, result.out), (0, "blocked\n"), result.err)
        changes = self.report("counters")["pool"]
        starved = [change for change in changes if change["reason"] == "starvation"]
        self.assertGreater(len(starved), 0, changes)
        self.assertGreater(max(change["threads"] for change in starved), os.cpu_count())
        self.assertRegex(self.oriel("report", "counters", "run.oriel").out,
                         r"Thread pool: .* workers; .*\d+\s+starvation\s+adjustments?")


class Requests(harness.OrielTest):
    def record_requests(self, *options):
        result = self.record("dotnet", TARGET, "activities", options=options)
        self.assertEqual(result.code, 0, result.err)
        return float(result.out)

    def test_are_what_the_program_measured(self):
        measured_ms = self.record_requests("--activities")
        report = self.report("requests")
        request = report["requests"][0]
        self.assertEqual((request["name"], request["source"], request["times"], request["failed"]),
                         ("GET /cart", "Shop.Web", 5, 1))
        self.assertAlmostEqual(request["ns"] / 1e6, measured_ms, delta=0.05 * measured_ms)
        parts = {part["name"]: part for part in request["parts"]}
        self.assertEqual({name: part["times"] for name, part in parts.items()},
                         {"SELECT Price FROM Cart WHERE Id = @id": 60, "call stock": 5, "call prices": 5})
        # The two calls are beside each other.
        in_parts = request["ns"] - request["outside_ns"]
        queries = parts["SELECT Price FROM Cart WHERE Id = @id"]["ns"]
        calls = max(parts["call stock"]["ns"], parts["call prices"]["ns"])
        self.assertAlmostEqual(in_parts, queries + calls, delta=0.1 * in_parts)
        # On a busy machine the first one, for which all is compiled, takes as long.
        slow = next(row for row in report["slowest"][:2] if row["tags"] == ["cart.id=4"])
        self.assertGreaterEqual(slow["outside_ns"], 149e6)
        self.assertEqual([row["ns"] for row in report["slowest"]], sorted((row["ns"] for row in report["slowest"]), reverse=True))

    def test_that_do_one_thing_many_times_are_named_first(self):
        self.record_requests("--activities")
        hint = next(hint for hint in self.report("summary")["hints"] if hint["hint"] == "repeated")
        self.assertRegex(hint["text"], r"^GET /cart \(.* on average\) repeats one operation 12 times: SELECT Price FROM Cart")
        self.assertIn("Requests", self.oriel("report", "run.oriel").out)

    def test_only_of_sources_that_are_asked_for(self):
        self.record_requests("--activities=Shop.Web")
        self.assertEqual([row["name"] for row in self.report("requests")["requests"]], ["GET /cart"])
        self.assertEqual(self.report("requests")["requests"][0]["parts"], [])

    def test_that_another_tool_takes_away_are_said_to_be_missing(self):
        result = self.record("dotnet", TARGET, "taken", options=["--activities"])
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("another tool listens to the program's activities", result.err)

    def test_of_sources_that_tell_none_are_none(self):
        self.record_requests("--activities=Shop.Other", "--counters=Shop.Other")
        requests, counters = (" ".join(self.oriel("report", name, "run.oriel").out.split())
                              for name in ("requests", "counters"))
        self.assertIn("none was reported by Shop.Other (--activities)", requests)
        self.assertIn("No values of Shop.Other (--counters) were reported", counters)
        refused = self.oriel("run", "--activities=Shop.*", "--", "dotnet", TARGET, "activities")
        self.assertNotEqual(refused.code, 0)
        self.assertIn("by their full names", refused.err)

    def test_without_any_the_report_says_how(self):
        self.record_requests()
        self.assertIn("oriel run --activities", self.oriel("report", "requests", "run.oriel").out)
        self.assertNotIn("Requests", self.oriel("report", "run.oriel").out)


if __name__ == "__main__":
    harness.main()
