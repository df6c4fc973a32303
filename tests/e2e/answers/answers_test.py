#!/usr/bin/env python3
"""The first screen names what is wrong with programs that have one known fault each: what it is, and the own method."""
import os
import re
import sys
import unittest

import harness

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "tools"))
import dotnet_sdk  # noqa: E402
import generate_source  # noqa: E402

ANSWERS = os.path.join(harness.BUILD, "targets", "answers", "answers.dll")

SOURCE = os.path.join(harness.ROOT, "tests", "targets", "answers", "Program.cs")

# By program: the hint, where there is one to give, the method, and what stands in the line that is hot.
FAULTS = {
    "regex": ("regex", "Names.CountValid()", "Pattern.IsMatch("),
    "regex-made": ("regex-made", "Routes.CountMatches()", "new Regex("),
    "json-options": ("json-options", "Orders.RenderAll()", "JsonSerializer.Serialize("),
    "reflection": ("reflection", "Mapper.CopyAll()", "typeof("),
    "concatenation": ("allocation", "Listing.Build()", 'text += "line "'),
    "linq": ("linq", "Stock.CountDear()", "Prices.Skip(1)"),
    "culture": ("culture", "Reader.CountShops()", "Text.IndexOf("),
    "struct-equality": ("struct-equality", "Visits.Count()", "ByPlace[new"),
    "locks-taken": ("locks-taken", "Visitors.Sum()", "ById.Count"),
    "exceptions": ("exceptions", "Input.SumNumbers()", "int.Parse("),
    "boxing": ("boxing", "Scores.Sum()", "scores.Add(i)"),
    "large-objects": ("page-faults", "Thumbnails.Render()", "buffer[i] = 1"),
    "logging": ("formatting", "Checkout.Run()", "Log.LogDebug("),
}
FIGURES = r"(\d+\.\d) % \(\d[\d.]* m?s\) "


class Answers(harness.OrielTest):
    def test_faults_are_named_with_the_method_that_has_them(self):
        with open(SOURCE, encoding="utf-8") as file:
            source = file.read().splitlines()
        for name, (key, method, line) in harness.some(FAULTS.items(), 4):
            with self.subTest(name):
                self.record("dotnet", ANSWERS, name, env=harness.USUAL_COLLECTIONS)
                summary = self.report("summary")
                hint = next((hint for hint in summary["hints"] if hint["hint"] == key), None)
                self.assertIsNotNone(hint, summary["hints"])
                self.assertIn(method, hint["text"])
                self.assertEqual(summary["top_own"][0]["name"], method)
                text = self.oriel("report", "run.oriel").out
                self.assertLess(text.index("Hint"), text.index("Command"))
                self.assert_first_row(text, method, line, source)
                # Half a digit, and what halves are in binary.
                self.assertAlmostEqual(float(re.match(FIGURES, hint["text"])[1]) / 100, hint["share"], delta=0.00051)

    def assert_first_row(self, text, method, line, source):
        """The first of own methods is this one, with how much it is and the line with that in it."""
        row = text.split("  your code  → ")[1].splitlines()[1]
        found = re.match(r" *\d+\.\d %  +\d[\d.]* m?s +\d+\.\d %  +\d[\d.]* m?s  (.*)  Program\.cs:(\d+)$", row)
        self.assertIsNotNone(found, row)
        self.assertEqual(found[1], method)
        self.assertIn(line, source[int(found[2]) - 1])

    def assert_own_code_is_hot(self, program, method, mark):
        """The method stands first, at the line with the mark or the one before, which is its loop's."""
        self.record("dotnet", ANSWERS, program)
        summary = self.report("summary")
        own = summary["top_own"][0]
        self.assertEqual(own["name"], method)
        self.assertGreater(own["own"], sum(row["own"] for row in summary["top_own"]) / 2)
        self.assertEqual(summary["shares"][0]["category"], "own")
        with open(SOURCE, encoding="utf-8") as source:
            hot = [number for number, line in enumerate(source, 1) if mark in line][0]
        row = self.oriel("report", "run.oriel").out.split("  your code  → ")[1].splitlines()[1]
        self.assertRegex(row, rf"Program\.cs:({hot - 1}|{hot})\b")

    def test_a_loop_in_a_lambda_is_named_with_its_line(self):
        self.assert_own_code_is_hot("quadratic", "Duplicates.Find.lambda#0(int)", "the hot line")

    def test_a_loop_that_misses_the_cache_is_named_with_its_line(self):
        self.assert_own_code_is_hot("cache-misses", "Picture.Brightness()", "the line that misses")

    def summary_of(self, name, **env):
        self.record("dotnet", ANSWERS, name, env=env)
        summary = self.report("summary")
        return summary, {hint["hint"]: hint["text"] for hint in summary["hints"]}

    def test_what_is_kept_for_good_is_told_by_a_heap_that_grows(self):
        for name, method in (("event-leak", "Pages.Open()"), ("cache", "Prices.Look()")):
            with self.subTest(name):
                summary, hints = self.summary_of(name)
                self.assertEqual(summary["hints"][0]["hint"], "heap-growth", summary["gc"]["heap"])
                self.assertRegex(hints["heap-growth"], r"^The heap grew from [\d.]+ MB to \d[\d.]* [MG]B over \d+ full")
                self.assertIn(method, [row["name"] for row in summary["top_own"]])

    def test_a_heap_that_is_filled_once_is_no_leak(self):
        summary, hints = self.summary_of("filled-once", **harness.USUAL_COLLECTIONS)
        self.assertNotIn("heap-growth", hints)
        self.assertGreater(summary["gc"]["heap"]["last"]["total"], 50_000_000)

    def test_a_limit_that_collections_are_for_is_told(self):
        self.record("dotnet", ANSWERS, "at-limit", "3000",
                    env={"DOTNET_GCHeapHardLimit": "0x7400000", **harness.USUAL_COLLECTIONS})
        hints = {hint["hint"]: hint["text"] for hint in self.report("summary")["hints"]}
        self.assertNotIn("large-objects", hints)
        self.assertRegex(hints["memory-limit"], r"began because the memory available to the program was full "
                                                r"\(DOTNET_GCHeapHardLimit=0x7400000[ )]")

    def test_collections_by_hand_are_told(self):
        summary, hints = self.summary_of("induced")
        self.assertRegex(hints["induced-gc"], r"were induced by GC\.Collect in Cleaner\.Run\(\) \(Program\.cs:\d+\)\. ")
        self.assertEqual(summary["hints"][0]["hint"], "induced-gc")
        self.assertEqual(summary["top_own"][0]["name"], "Cleaner.Run()")

    def test_large_objects_are_told_by_the_collections_that_they_cause(self):
        self.record("dotnet", ANSWERS, "large-objects", "4000")
        summary = self.report("summary")
        self.assertIn("large-objects", [hint["hint"] for hint in summary["hints"]])
        spent = {share["category"]: share["samples"] for share in summary["shares"]}
        # The kernel clears the pages, not the program; how much of that is the program's time differs from machine to machine.
        in_kernel = summary["cpu"]["system_us"] / (summary["cpu"]["system_us"] + summary["cpu"]["user_us"])
        self.assertGreater(spent["kernel"] / sum(spent.values()), 0.7 * in_kernel, summary["cpu"])
        self.assertGreater(in_kernel, 0.2)

    def test_a_start_that_compiles_much_is_told_by_counting_for_pgo(self):
        # On a busy machine methods would be compiled again, which is by the clock, before they have counted much.
        self.record("dotnet", ANSWERS, "start", env={"DOTNET_TC_CallCountThreshold": "400"})
        summary = self.report("summary")
        hint = next(hint for hint in summary["hints"] if hint["hint"] == "pgo")
        self.assertRegex(hint["text"], FIGURES + "is PGO instrumentation")
        # A few samples in what it calls may be as many.
        check = next(row for row in summary["top_own"][:3] if row["name"].startswith("Rules.Check<"))
        with open(SOURCE, encoding="utf-8") as source:
            body = source.read().split("static long Check<T>")[0].count("\n") + 1
        self.assertIn(check["line"], range(body, body + 7))

    def test_settings_that_make_the_start_slow_are_told(self):
        for name, value, key in harness.some((("DOTNET_TieredCompilation", "0", "tiered-off"),
                                              ("DOTNET_TC_QuickJitForLoops", "0", "quick-jit-off"),
                                              ("DOTNET_ReadyToRun", "0", "ready-to-run-off"))):
            with self.subTest(name):
                program = "json-options" if key == "ready-to-run-off" else "start"
                self.record("dotnet", ANSWERS, program, "500", options=["--sample=1000"], env={name: value})
                summary = self.report("summary")
                self.assertEqual(summary["properties"]["runtime.settings"], f"{name}={value}")
                hint = next((hint for hint in summary["hints"] if hint["hint"] == key), None)
                self.assertIsNotNone(hint, summary["hints"])
                self.assertRegex(hint["text"], FIGURES + "is the JIT compiler, at the first call of methods")
                self.assertIn(f"{name}={value}", hint["text"])

    def test_a_debug_build_is_told(self):
        self.record("dotnet", os.path.join(harness.BUILD, "targets", "debugbuild", "debugbuild.dll"))
        hint = self.report("summary")["hints"][0]
        self.assertEqual(hint["hint"], "debug-build")
        self.assertGreater(hint["share"], 0.5)

    @harness.only_long
    def test_counting_for_pgo_is_told_of_the_compiler(self):
        """And what it compiles: methods that the SDK does not have precompiled, and those that it compiles again."""
        response = generate_source.generate(self.path("source"), 250 if harness.LONG else 60)
        self.record("dotnet", dotnet_sdk.compiler(), "@" + response)
        summary = self.report("summary")
        self.assertIn("pgo", [share["category"] for share in summary["shares"]])
        jit = self.report("jit")
        spent = sum(share["samples"] for share in summary["shares"] if share["category"] == "jit")
        self.assertGreater(jit["compiling"]["periods"], spent * 0.6)
        self.assertGreater(jit["compiling"]["first"], 0)
        self.assertGreater(jit["compiling"]["tiered"], 0)
        self.assertTrue(any("Microsoft.CodeAnalysis" in row["name"] for row in jit["methods"]))


if __name__ == "__main__":
    unittest.main()
