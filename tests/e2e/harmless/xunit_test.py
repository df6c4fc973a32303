#!/usr/bin/env python3
"""An xunit project has the same results under Oriel, with the calls of user code and every object logged, and the log
knows its tests."""
import collections
import json
import os
import unittest

import harness

PROJECT = os.path.join(harness.ROOT, "tests", "e2e", "harmless", "xunit")
ASYNCHRONOUS = [f"Shop.Tests.{name}" for name in (
    "Asynchronous.PaysLater", "Asynchronous.EmptyBasketIsNotPaid", "Asynchronous.FailureOfThePaymentIsThatOfTheBasket",
    "Theories.CountsAreTold", "Left.Meets")]


class XunitTest(harness.SharedFolder):
    def prepare(self):
        self.build_project(PROJECT)

    def test_same_results_and_every_test_is_in_the_log(self):
        plain = self.dotnet_test()
        self.assertEqual(collections.Counter(outcome for outcome, *_ in plain.values()),
                         {"Passed": 19, "Failed": 1, "NotExecuted": 1})
        self.assertIn("Tests.cs:line 22", plain["Shop.Tests.Facts.WrongOnPurpose"][2])
        profiled = self.dotnet_test(harness.ORIEL, "run", "--calls", "--calls-trivial", "--alloc", "-o", "%n-%p.oriel", "--")
        self.assertEqual(profiled, plain)
        (log,) = [name for name in self.logs() if name.startswith("testhost-")]
        self.check_calls(log, plain)
        self.check_objects(log)

    @harness.only_long
    def test_coverage_is_of_what_people_wrote(self):
        result = self.oriel("cover", "--format", "json", "-o", "out.json", "--", "dotnet", "test", "--no-build")
        self.assertEqual(result.code, 1, result.err)  # a test fails
        with open(self.path("out.json"), encoding="utf-8") as file:
            files = json.load(file)["files"]
        self.assertEqual({os.path.basename(entry["path"]) for entry in files}, {"Basket.cs", "Fixtures.cs", "Tests.cs"})
        self.assertGreater(sum(line[1] > 0 for entry in files for line in entry["lines"]), 75)

    def check_calls(self, log, results):
        calls = self.report("calls", log=log)
        self.assertEqual((calls["state"], calls["lost_events"], calls["without_enter"], calls["without_leave"]),
                         ("complete", 0, 0, 0))
        made, thrown = collections.Counter(), collections.Counter()
        for method in calls["methods"]:
            name = method["name"].split("(")[0]
            made[name] += method["calls"]
            thrown[name] += method["by_exception"]
        runs = collections.Counter(name.split("(")[0] for name, (outcome, *_) in results.items() if outcome != "NotExecuted")
        self.assertEqual(len(runs), 13)
        for name, number in runs.items():
            # Of an async method each time that it goes on counts as well.
            check = self.assertGreater if name in ASYNCHRONOUS else self.assertEqual
            check(made[name], number, name)
        self.assertEqual(made["Shop.Tests.Facts.Skipped"], 0)
        self.assertEqual((thrown["Shop.Tests.Facts.WrongOnPurpose"], thrown["Shop.Basket.Add"]), (1, 1))

    def check_objects(self, log):
        objects = {entry["type"]: entry["objects"] for entry in self.report("alloc", log=log)["types"]}
        self.assertEqual((objects["Shop.Basket"], objects["Shop.Item"], objects["Shop.EmptyBasketException"]),
                         (1111, 1109, 1))


if __name__ == "__main__":
    harness.main()
