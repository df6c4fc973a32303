#!/usr/bin/env python3
"""The first screen names what is wrong with programs that have one known fault each: what it is, and the own method."""
import os
import unittest

import harness

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

    def test_a_loop_in_a_lambda_is_named_with_its_line(self):
        self.record("dotnet", ANSWERS, "quadratic")
        summary = self.report("summary")
        own = summary["top_own"][0]
        self.assertEqual(own["name"], "Duplicates.Find.lambda#0(int)")
        self.assertGreater(own["own"], sum(row["own"] for row in summary["top_own"]) / 2)
        self.assertEqual(summary["shares"][0]["category"], "own")
        with open(os.path.join(harness.ROOT, "tests/targets/answers/Program.cs"), encoding="utf-8") as source:
            hot = [number for number, line in enumerate(source, 1) if "the hot line" in line][0]
        row = self.oriel("report", "run.oriel").out.split("your code\n")[1].splitlines()[0]
        self.assertRegex(row, rf"Program\.cs:({hot - 1}|{hot})\b")


if __name__ == "__main__":
    unittest.main()
