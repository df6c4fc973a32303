#!/usr/bin/env python3
"""The first screen names what is wrong with programs that have one known fault each: what it is, and the own method."""
import os
import sys
import unittest

import harness

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "tools"))
import dotnet_sdk  # noqa: E402
import generate_source  # noqa: E402

ANSWERS = os.path.join(harness.BUILD, "targets", "answers", "answers.dll")

# By program: the hint, where there is one to give, and the method.
FAULTS = {
    "regex": ("regex", "Names.CountValid()"),
    "regex-made": ("regex-made", "Routes.CountMatches()"),
    "json-options": ("json-options", "Orders.RenderAll()"),
    "reflection": ("reflection", "Mapper.CopyAll()"),
    "concatenation": ("allocation", "Listing.Build()"),
    "linq": ("linq", "Stock.CountDear()"),
    "exceptions": ("exceptions", "Input.SumNumbers()"),
    "boxing": ("boxing", "Scores.Sum()"),
    "large-objects": ("page-faults", "Thumbnails.Render()"),
    "logging": ("formatting", "Checkout.Run()"),
}


class Answers(harness.OrielTest):
    def test_faults_are_named_with_the_method_that_has_them(self):
        for name, (key, method) in FAULTS.items():
            with self.subTest(name):
                self.record("dotnet", ANSWERS, name)
                summary = self.report("summary")
                hint = next((hint for hint in summary["hints"] if hint["hint"] == key), None)
                self.assertIsNotNone(hint, summary["hints"])
                self.assertIn(method, hint["text"])
                self.assertEqual(summary["top_own"][0]["name"], method)
                text = self.oriel("report", "run.oriel").out
                self.assertLess(text.index("Hint"), text.index("Command"))

    def assert_own_code_is_hot(self, program, method, mark):
        """The method stands first, at the line with the mark or the one before, which is its loop's."""
        self.record("dotnet", ANSWERS, program)
        summary = self.report("summary")
        own = summary["top_own"][0]
        self.assertEqual(own["name"], method)
        self.assertGreater(own["own"], sum(row["own"] for row in summary["top_own"]) / 2)
        self.assertEqual(summary["shares"][0]["category"], "own")
        with open(os.path.join(harness.ROOT, "tests/targets/answers/Program.cs"), encoding="utf-8") as source:
            hot = [number for number, line in enumerate(source, 1) if mark in line][0]
        row = self.oriel("report", "run.oriel").out.split("  your code  → ")[1].splitlines()[1]
        self.assertRegex(row, rf"Program\.cs:({hot - 1}|{hot})\b")

    def test_a_loop_in_a_lambda_is_named_with_its_line(self):
        self.assert_own_code_is_hot("quadratic", "Duplicates.Find.lambda#0(int)", "the hot line")

    def test_a_loop_that_misses_the_cache_is_named_with_its_line(self):
        self.assert_own_code_is_hot("cache-misses", "Picture.Brightness()", "the line that misses")

    def test_large_objects_are_told_by_the_collections_that_they_cause(self):
        self.record("dotnet", ANSWERS, "large-objects")
        summary = self.report("summary")
        self.assertIn("large-objects", [hint["hint"] for hint in summary["hints"]])
        spent = {share["category"]: share["samples"] for share in summary["shares"]}
        self.assertGreater(spent["kernel"], spent.get("own", 0), "the kernel clears the pages, not the program")

    def test_a_debug_build_is_told(self):
        self.record("dotnet", os.path.join(harness.BUILD, "targets", "debugbuild", "debugbuild.dll"))
        hint = self.report("summary")["hints"][0]
        self.assertEqual(hint["hint"], "debug-build")
        self.assertGreater(hint["share"], 0.5)

    def test_counting_for_pgo_is_told_of_the_compiler(self):
        """And what it compiles: methods that the SDK does not have precompiled, and those that it compiles again."""
        response = generate_source.generate(self.path("source"), 150)
        self.record("dotnet", dotnet_sdk.compiler(), "@" + response)
        summary = self.report("summary")
        self.assertIn("pgo", [hint["hint"] for hint in summary["hints"]])
        jit = self.report("jit")
        spent = sum(share["samples"] for share in summary["shares"] if share["category"] == "jit")
        self.assertGreater(jit["compiling"]["periods"], spent * 0.6)
        self.assertGreater(jit["compiling"]["first"], 0)
        self.assertGreater(jit["compiling"]["tiered"], 0)
        self.assertTrue(any("Microsoft.CodeAnalysis" in row["name"] for row in jit["methods"]))


if __name__ == "__main__":
    unittest.main()
