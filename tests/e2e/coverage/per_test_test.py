#!/usr/bin/env python3
"""oriel cover --per-test: which methods each test of xunit, NUnit and MSTest runs, with what prepares it and clears up
behind it, and which lines of them; tests that run at the same time; a run that is killed in a test."""
import json
import os
import re
import shutil

import harness

PROJECT = os.path.join(harness.ROOT, "tests", "e2e", "coverage", "per_test")
PICK = os.path.join(PROJECT, "Shop", "Pick.cs")  # each of its lines says which tests run it
PICKS = {f"Pick.{name}" for name in ("Of", "Checked", "Through", "Refuse", "Filtered", "Values", "Later", "Word")}
XUNIT = {".new", "Dispose", "Cleared"}
EXPECTED = {
    "OfXunit.Carts.Counts": XUNIT | {"Fact", "Shared"},
    "OfXunit.Carts.Cases": XUNIT | {"Case", "More"},
    "OfXunit.Carts.Waits": XUNIT | {"Later", "Shared"},
    "OfXunit.Carts.Throws": XUNIT | {"Throws"},
    "OfXunit.Carts.IsSlow": XUNIT | {"Slow"},
    "OfXunit.Deadly.Kills": {"Doomed"},
    "OfXunit.Inherited.IsInherited": XUNIT | {"Base"},
    "OfXunit.Picks.First": PICKS,
    "OfXunit.Picks.Second": PICKS | {"Pick.Filtered.lambda#0"},
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


def lines_of_tests(path, name):
    """{line with code: the last names of the tests that run it} of a source, of JSON of Oriel's own."""
    with open(path, encoding="utf-8") as file:
        coverage = json.load(file)
    index, = [i for i, file in enumerate(coverage["files"]) if os.path.basename(file["path"]) == name]
    lines = {line[0]: set() for line in coverage["files"][index]["lines"]}
    for test in coverage["tests"]:
        for line in [line for file, line in test["lines"] if file == index]:
            lines[line].add(test["name"].rpartition(".")[2])
    return lines


def told_by_source(path):
    with open(path, encoding="utf-8") as file:
        marks = [(number, line.partition("  // ")[2].split()) for number, line in enumerate(file, 1)]
    return {number: set(tests) - {"none"} for number, tests in marks if tests}


class PerTest(harness.OrielTest):
    maxDiff = None
    def cover(self, *options, settings=()):
        run = self.oriel("cover", "--per-test", *options, "--", "dotnet", "test", "Tests", "--no-build", *settings,
                         env=harness.QUIET, timeout=280)
        self.assertEqual(run.code, 0, run.out + run.err)
        return run

    def test_each_test_has_the_methods_that_it_ran(self):
        self.build_project(PROJECT, within="Tests")
        # In the plain check the number of tests that pass is known; in the long mode it is what a plain run says.
        plain = self.call(["dotnet", "test", "Tests", "--no-build"], env=harness.QUIET, timeout=200) if harness.LONG else None
        for mode in harness.some(("hit", "count")):
            run = self.cover("--mode", mode, "--format", "json,log", "-o", mode)
            summary = r"Passed!.*Total: +\d+"
            if plain: self.assertEqual(re.search(summary, run.out)[0], re.search(summary, plain.out)[0])
            self.assertRegex(run.out, r"Passed!  - Failed: +0, Passed: +\d+, Skipped: +0,")
            self.assertNotIn("in parallel with others", run.err)
            self.assertRegex(run.err, rf"\nWhich tests run a line: → oriel report coverage --tests-of \w+\.cs:\d+ {mode}/coverage\.oriel\n")
            self.assertRegex(run.err, r"(?m)^Coverage of Shop$")  # not of adapters of frameworks for tests
            self.assertEqual(methods_of_tests(self.path(f"{mode}/coverage.oriel.json")),
                             {test: (methods, False) for test, methods in EXPECTED.items()})
            self.assertEqual(lines_of_tests(self.path(f"{mode}/coverage.oriel.json"), "Pick.cs"), told_by_source(PICK))
        self.check_reports("hit/coverage.oriel")
        if harness.LONG: self.check_tests_at_the_same_time()
        self.check_a_run_that_is_killed_in_a_test()

    def check_reports(self, log):
        by_test = self.oriel("report", "coverage", "--by", "test", log)
        self.assertRegex(by_test.out, r"lines  only it  15 tests\n")
        self.assertRegex(by_test.out, r"\n +\d+ +\d+  Tests.OfXunit.Carts.Waits\n")
        of_line = self.oriel("report", "coverage", "--tests-of", "Cart.Shared", log).out
        self.assertRegex(of_line, r"(?s)^Tests that run Cart.Shared\nin total  2 of 15 tests\n.*Counts\n.*Waits\n")
        self.assertIn("--filter 'FullyQualifiedName=Tests.OfXunit.Carts.Counts|FullyQualifiedName=Tests.OfXunit.Carts.Waits'", of_line)
        self.assertRegex(self.oriel("report", "coverage", "--source", "Cart.cs", log).out, r"\n +yes +2 +\d+ +public static int Shared")
        nobody = next(number for number, tests in told_by_source(PICK).items() if not tests)
        self.assertIn("\nNone.\n", self.oriel("report", "coverage", "--tests-of", f"Pick.cs:{nobody}", log).out)
        shutil.copy(self.path(log), self.path("another.oriel"))
        merged = self.oriel("cover", "merge", "--format", "json", "-o", "merged.json", log, "another.oriel")
        self.assertEqual(merged.code, 0, merged.err)
        self.assertEqual(len(methods_of_tests(self.path("merged.json"))), len(EXPECTED))

    # How many do is the runner's affair; what prepares them is then not known to be theirs.
    def check_tests_at_the_same_time(self):
        run = self.cover("--format", "json", "-o", "beside.json",
                         settings=("--", "xUnit.ParallelizeTestCollections=true", "xUnit.MaxParallelThreads=4"))
        tests = methods_of_tests(self.path("beside.json"))
        self.assertEqual(set(tests), set(EXPECTED))
        # Second is no async method, so that it counts as over when it returns its task (docs/COVERAGE.md): what goes on then
        # may be nobody's while others run.
        after = {"Pick.Word"}
        for name, (ran, _) in tests.items():
            self.assertLessEqual(EXPECTED[name] - XUNIT - {"Stock..new"} - after, ran, name)
        beside = sum(beside for _, beside in tests.values())
        told = re.search(r"oriel: (\d+) of 15 tests ran in parallel with others, .*DisableParallelization=true", run.err)
        self.assertEqual(int(told[1]) if told else 0, beside)

    def check_a_run_that_is_killed_in_a_test(self):
        run = self.oriel("cover", "--per-test", "--format", "json", "-o", "killed.json", "--", "dotnet", "test", "Tests", "--no-build",
                         "--filter", "FullyQualifiedName=Tests.OfXunit.Deadly.Kills", env={**harness.QUIET, "SHOP_KILL": "1"}, timeout=280)
        self.assertEqual(run.code, 1, run.out + run.err)
        self.assertEqual(methods_of_tests(self.path("killed.json")), {"OfXunit.Deadly.Kills": ({"Doomed"}, False)})


if __name__ == "__main__":
    harness.main()
