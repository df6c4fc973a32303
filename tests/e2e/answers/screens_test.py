#!/usr/bin/env python3
"""What reports of real runs look like: they fit their width, and the commands that they name show what they say."""
import os
import shlex
import unicodedata
import unittest

import harness
from harness import program

ANSWERS = os.path.join(harness.BUILD, "targets", "answers", "answers.dll")
REPORTS = [["summary"], ["shares"], ["top"], ["top", "--all-frames"], ["tree"], ["tree", "--all-frames"], ["threads"],
           ["gc"], ["exceptions"], ["processes"], ["calls"], ["calls", "--tree"], ["alloc"], ["alloc", "--tree"],
           ["callers", "Main"], ["lines", "Main"]]


def columns(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


class Screens(harness.OrielTest):
    def show(self, *words, width=100, code=0):
        result = self.oriel("report", *words, env={"COLUMNS": str(width)})
        self.assertEqual(result.code, code, result.err)
        self.assertNotIn("\x1b", result.out)
        return result.out

    def assert_fits(self, words, logs):
        for width in (80, 100, 140):
            for line in self.show(*words, *logs, width=width).splitlines():
                self.assertLessEqual(columns(line), width, f"{words}: {line}")
                self.assertEqual(line, line.rstrip(), words)

    def test_no_line_is_longer_than_the_screen_is_wide(self):
        self.record("dotnet", ANSWERS, "json-options", options=["--calls", "--alloc=sampled"])
        self.record("dotnet", ANSWERS, "exceptions", options=["--callgraph", "--sample"], log="other.oriel")
        for words in REPORTS:
            self.assert_fits(words, ["run.oriel"])
        for words in (["exceptions"], ["callgraph"], ["callgraph", "--tree"]):
            self.assert_fits(words, ["other.oriel"])
        self.assert_fits(["diff"], ["run.oriel", "other.oriel"])

    def test_the_summarys_commands_show_what_they_say(self):
        self.record("dotnet", ANSWERS, "exceptions")
        named = [line.split("→ ")[1] for line in self.show("run.oriel").splitlines() if "→ oriel" in line]
        for report in ("shares", "top", "threads", "exceptions"):
            self.assertIn(f"oriel report {report} run.oriel", named)
        self.assertTrue(any(command.startswith("oriel report lines ") for command in named), named)
        for command in set(named):
            result = self.oriel(*shlex.split(command)[1:])
            self.assertEqual(result.code, 0, f"{command}: {result.err}")

    def test_shares_add_up_and_are_those_of_the_summary(self):
        self.record("dotnet", ANSWERS, "json-options")
        whole = self.report("summary")
        shares = self.report("shares")
        self.assertEqual(shares["samples"], whole["samples"]["periods"])
        self.assertEqual(sum(share["samples"] for share in shares["shares"]), shares["samples"])
        for share in shares["shares"]:
            self.assertEqual(sum(part["samples"] for part in share["parts"]), share["samples"], share["name"])
        by_category = {share["category"]: share["samples"] for share in shares["shares"]}
        jit = sum(share["samples"] for share in whole["shares"] if share["category"] == "jit")
        self.assertEqual(by_category.get("jit", 0), jit)

    def test_thread_starts_are_folded_and_own_code_has_its_lines(self):
        self.record(*program("busy", 2, 300))
        tree = self.show("tree", "run.oriel")
        self.assertIn("Folded: ", tree)
        self.assertNotIn("start_thread", tree)
        self.assertNotIn("StartCallback", tree)
        self.assertRegex(tree, r"Busy\.cs:\d+")
        self.assertNotIn("Busy.cs:", self.show("tree", "--no-lines", "run.oriel"))
        self.assertIn("StartCallback", self.show("tree", "--all-frames", "run.oriel", width=200))
        self.assertIn("StartCallback", self.show("callers", "Thread.StartCallback", "run.oriel"))
        self.assertRegex(self.show("top", "run.oriel").split("by self")[1], r"Busy\.\w+\(.*\)  Busy\.cs:\d+")
        nodes = self.report("tree")["nodes"]
        self.assertTrue(all(node["parent"] < node["id"] for node in nodes))
        self.assertTrue(any(node.get("file", "").endswith("Busy.cs") for node in nodes))


if __name__ == "__main__":
    unittest.main()
