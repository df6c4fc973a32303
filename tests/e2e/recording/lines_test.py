#!/usr/bin/env python3
"""Samples have lines: of methods, lambdas, local functions and async methods, with probes in them too, and where they
cannot be known that is said."""
import functools
import gzip
import json
import os
import shutil
import unittest

import harness

SOURCE = os.path.join(harness.ROOT, "tests", "targets", "lines", "Program.cs")
line_with = functools.partial(harness.line_with, SOURCE)
FOLDER = os.path.join(harness.BUILD, "targets", "lines")
HOT = {"Burn": "burns", "lambda": "burns in a lambda", "Local": "burns in a local function",
       "InAsync": "burns in an async method"}


def program(folder=FOLDER, name="lines.dll"):
    return ["dotnet", os.path.join(folder, name), "60"]


class Lines(harness.CopiedFolder):
    def prepare(self):
        self.record(*program())

    def hottest(self, method, log="run.oriel"):
        """The place where most of a method's own samples are, and what the report says of the method."""
        found = max(self.report("lines", method, log=log)["methods"], key=lambda row: row["self"])
        return max(found["lines"], key=lambda line: line["self"]), found

    def assert_hot_lines(self):
        for method, comment in HOT.items():
            hottest, found = self.hottest(method)
            self.assertEqual(hottest.get("line"), line_with(comment), found)
            self.assertEqual(os.path.basename(hottest["file"]), "Program.cs")
            self.assertGreater(hottest["self"], 0.6 * found["self"], found)

    def test_hot_lines(self):
        self.assert_hot_lines()
        callers = self.report("lines", "Lines.Program.Main")["methods"][0]["lines"]
        burns = [line["total"] for line in callers if line.get("line") == line_with("calls what burns")]
        self.assertTrue(burns and burns[0] > 0, callers)

    @harness.only_long  # what is hot was optimized after a while too
    def test_hot_lines_of_optimized_code_from_the_start(self):
        self.record(*program(), env={"DOTNET_TieredCompilation": "0"})
        self.assert_hot_lines()

    def test_hot_lines_of_code_that_is_not_optimized(self):
        self.record(*program(), env={"DOTNET_TieredCompilation": "1", "DOTNET_TC_QuickJitForLoops": "1",
                                     "DOTNET_TC_OnStackReplacement": "0", "DOTNET_JITMinOpts": "1"})
        self.assert_hot_lines()

    def test_probes_do_not_move_lines(self):
        self.record(*program(), options=["--calls=Lines.*", "--alloc=exact"])
        self.assert_hot_lines()

    def line_of_allocation(self, *options):
        self.record(*program(), options=options)
        sites = self.report("alloc")["sites"]
        ours = [site for site in sites if site.get("method", "").startswith("Lines.Program.Allocate(")]
        return [site.get("line") for site in ours if site["type"] == "byte[]"]

    def test_allocation_sites(self):
        self.assertEqual(self.line_of_allocation("--alloc=sampled"), [line_with("allocates")])
        self.assertIn(f"Program.cs:{line_with('allocates')}", self.oriel("report", "alloc", "run.oriel").out)

    def test_allocations_told_by_probes_have_no_wrong_line(self):
        self.assertEqual(self.line_of_allocation("--alloc=exact", "--alloc-stacks"), [None])

    def test_throw_sites(self):
        thrown = [kind for kind in self.report("exceptions")["types"] if "InvalidOperation" in kind["type"]]
        site = thrown[0]["thrown_by"][0]
        self.assertTrue(site["method"].startswith("Lines.Program.Throw("), thrown)
        self.assertEqual(site["line"], line_with("throws"))
        self.assertIn(f"Program.cs:{line_with('throws')}", self.oriel("report", "exceptions", "run.oriel").out)

    def test_exports(self):
        self.oriel("export", "--format", "speedscope", "-o", "run.json", "run.oriel")
        with open(self.path("run.json")) as exported:
            frames = json.load(exported)["shared"]["frames"]
        burn = next(frame for frame in frames if frame["name"].startswith("Lines.Program.Burn("))
        self.assertEqual(os.path.basename(burn["file"]), "Program.cs")
        self.assertTrue(0 < line_with("burns") - burn["line"] < 4, burn)
        self.oriel("export", "--format", "pprof", "-o", "run.pb.gz", "run.oriel")
        with gzip.open(self.path("run.pb.gz")) as exported:
            self.assertIn(SOURCE.encode(), exported.read())

    def test_embedded(self):
        self.record(*program(os.path.join(harness.BUILD, "targets", "embedded_lines"), "embedded_lines.dll"))
        self.assert_hot_lines()

    def test_screens(self):
        summary = self.oriel("report", "run.oriel").out
        self.assertIn(f"Lines.Program.Burn(int)  Program.cs:{line_with('burns')}", summary)
        own = next(row for row in self.report("summary")["top_own"] if "Burn" in row["name"])
        self.assertEqual((os.path.basename(own["file"]), own["line"]), ("Program.cs", line_with("burns")))
        shown = self.oriel("report", "lines", "Lines.Program.Burn", "run.oriel").out
        with open(SOURCE) as source:
            text = source.readlines()[line_with("burns") - 1].strip()
        self.assertIn(text[:40], shown)
        for line in shown.splitlines():
            self.assertLessEqual(len(line), 100, line)
        wrong = self.oriel("report", "lines", "NoSuchMethod", "run.oriel")
        self.assert_refused(wrong, 1, "NoSuchMethod")
        for report in ("lines", "callers"):
            self.assert_refused(self.oriel("report", report, "run.oriel"), 2, f"oriel report {report} METHOD run.oriel")

    def test_what_was_rebuilt_or_changed_gets_no_wrong_lines(self):
        folder = self.path("app")
        shutil.copytree(FOLDER, folder)
        self.record(*program(folder))
        os.rename(self.path("app/lines.pdb"), self.path("app/real.pdb"))
        # The place where it was compiled has the right one: a log whose image was compiled elsewhere would not.
        shutil.copyfile(os.path.join(harness.BUILD, "targets", "calls", "calls.pdb"), self.path("app/lines.pdb"))
        compiled = os.path.join(harness.BUILD, "targets", "obj", "lines")
        found = self.hottest("Burn")[0]
        self.assertTrue("il" in found or os.path.isdir(compiled), found)
        if "line" in found:
            self.assertEqual(found["line"], line_with("burns"))


if __name__ == "__main__":
    harness.main()
