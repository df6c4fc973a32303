#!/usr/bin/env python3
"""oriel cover --per-test: which methods each test of xunit, NUnit and MSTest runs, with what prepares it and clears up
behind it; tests that run at the same time; a run that is killed in a test."""
import json
import os
import re

import harness

PROJECT = os.path.join(harness.ROOT, "tests", "e2e", "per_test")
XUNIT = {".new", "Dispose", "Cleared"}
EXPECTED = {
    "OfXunit.Carts.Counts": XUNIT | {"Fact", "Shared"},
    "OfXunit.Carts.Cases": XUNIT | {"Case", "More"},
    "OfXunit.Carts.Waits": XUNIT | {"Later", "Shared"},
    "OfXunit.Carts.Throws": XUNIT | {"Throws"},
    "OfXunit.Carts.IsSlow": XUNIT | {"Slow"},
    "OfXunit.Deadly.Kills": {"Doomed"},
    "OfXunit.Inherited.IsInherited": XUNIT | {"Base"},
    "OfXunit.WithStock.IsFilled": {"Stock..new", "Stock.get_Filled"},
    "OfNUnit.Carts.Counts": {"InNUnit.Prepared", "InNUnit.Test"},
    "OfNUnit.Carts.Cases": {"InNUnit.Prepared", "InNUnit.Case"},
    "OfNUnit.Carts.Waits": {"InNUnit.Prepared", "InNUnit.Later"},
    "OfMSTest.Carts.Counts": {"InMSTest.Prepared", "InMSTest.Test"},
    "OfMSTest.Carts.Rows": {"InMSTest.Prepared", "InMSTest.Row"},
}


def methods_of_tests(path):
    """{test: (methods that it ran, whether others ran at the same time)} of JSON of Oriel's own."""
    with open(path, encoding="utf-8") as file:
        coverage = json.load(file)
    names = {}
    for kind in coverage["types"]:
        for method in kind["methods"]:
            name = re.sub(r"\(.*", "", f"{kind['name']}.{method['name']}").replace("..ctor", "..new")
            names.update({(line[0], line[1]): name.removeprefix("Shop.").removeprefix("Cart.") for line in method["lines"]})
    return {test["name"].removeprefix("Tests."): ({names[tuple(line)] for line in test["lines"]}, test["shared"])
            for test in coverage["tests"]}


class PerTest(harness.OrielTest):
    def cover(self, *options, settings=()):
        run = self.oriel("cover", "--per-test", *options, "--", "dotnet", "test", "Tests", "--no-build", *settings,
                         env=harness.QUIET, timeout=280)
        self.assertEqual(run.code, 0, run.out + run.err)
        return run

    def test_each_test_has_the_methods_that_it_ran(self):
        self.build_project(PROJECT, within="Tests")
        plain = self.call(["dotnet", "test", "Tests", "--no-build"], env=harness.QUIET, timeout=200)
        for mode in ("hit", "count"):
            run = self.cover("--mode", mode, "--format", "json,log", "-o", mode)
            summary = r"Passed!.*Total: +\d+"
            self.assertEqual(re.search(summary, run.out)[0], re.search(summary, plain.out)[0])
            self.assertNotIn("at the same time", run.err)
            self.assertRegex(run.err, r"(?m)^Coverage of Shop$")  # not of adapters of frameworks for tests
            self.assertEqual(methods_of_tests(self.path(f"{mode}/coverage.oriel.json")),
                             {test: (methods, False) for test, methods in EXPECTED.items()})
        self.check_reports("hit/coverage.oriel")
        self.check_tests_at_the_same_time()
        self.check_a_run_that_is_killed_in_a_test()

    def check_reports(self, log):
        by_test = self.oriel("report", "coverage", "--by", "test", log)
        self.assertRegex(by_test.out, r"lines  it alone  13 tests\n")
        self.assertRegex(by_test.out, r"\n +\d+ +\d+  Tests.OfXunit.Carts.Waits\n")
        of_line = self.oriel("report", "coverage", "--tests-of", "Cart.Shared", log).out
        self.assertRegex(of_line, r"(?s)^Tests that run Cart.Shared\nin all  2 of 13 tests\n.*Counts\n.*Waits\n")
        self.assertIn("--filter 'FullyQualifiedName=Tests.OfXunit.Carts.Counts|FullyQualifiedName=Tests.OfXunit.Carts.Waits'", of_line)
        self.assertRegex(self.oriel("report", "coverage", "--source", "Cart.cs", log).out, r"\n +yes +2 +\d+ +public static int Shared")
        merged = self.oriel("cover", "merge", "--format", "json", "-o", "merged.json", log, log)
        self.assertEqual(merged.code, 0, merged.err)
        self.assertEqual(len(methods_of_tests(self.path("merged.json"))), len(EXPECTED))

    # How many do is the runner's affair; what prepares them is then not known to be theirs.
    def check_tests_at_the_same_time(self):
        run = self.cover("--format", "json", "-o", "beside.json",
                         settings=("--", "xUnit.ParallelizeTestCollections=true", "xUnit.MaxParallelThreads=4"))
        tests = methods_of_tests(self.path("beside.json"))
        self.assertEqual(set(tests), set(EXPECTED))
        for name, (ran, _) in tests.items():
            self.assertLessEqual(EXPECTED[name] - XUNIT - {"Stock..new"}, ran, name)
        beside = sum(beside for _, beside in tests.values())
        told = re.search(r"oriel: (\d+) of 13 tests ran at the same time as others, .*DisableParallelization=true", run.err)
        self.assertEqual(int(told[1]) if told else 0, beside)

    def check_a_run_that_is_killed_in_a_test(self):
        run = self.oriel("cover", "--per-test", "--format", "json", "-o", "killed.json", "--", "dotnet", "test", "Tests", "--no-build",
                         "--filter", "FullyQualifiedName=Tests.OfXunit.Deadly.Kills", env={**harness.QUIET, "SHOP_KILL": "1"}, timeout=280)
        self.assertEqual(run.code, 1, run.out + run.err)
        self.assertEqual(methods_of_tests(self.path("killed.json")), {"OfXunit.Deadly.Kills": ({"Doomed"}, False)})


if __name__ == "__main__":
    harness.main()
