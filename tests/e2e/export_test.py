#!/usr/bin/env python3
"""Exports of a real run: each format has all the samples."""
import gzip
import json
import os

import harness
from harness import program


class Exports(harness.OrielTest):
    def setUp(self):
        super().setUp()
        self.record(*program("busy", 2, 100), options=["--sample=250"])
        self.samples = self.report("top")["samples"]
        self.assertGreater(self.samples, 50)

    def test_collapsed_to_stdout(self):
        result = self.oriel("export", "--format", "collapsed", "run.oriel")
        self.assertEqual((result.code, result.err), (0, ""))
        lines = [line.rsplit(" ", 1) for line in result.out.splitlines()]
        self.assertEqual(sum(int(count) for _, count in lines), self.samples)
        self.assertTrue(any("Busy.Work(int);Busy.CallsLeaf(int);Busy.Leaf(double)" in stack for stack, _ in lines))

    def test_speedscope(self):
        self.assertEqual(self.oriel("export", "--format", "speedscope", "-o", "x.json", "run.oriel").code, 0)
        with open(self.path("x.json"), encoding="utf-8") as file:
            document = json.load(file)
        self.assertEqual(document["$schema"], "https://www.speedscope.app/file-format-schema.json")
        names = [frame["name"] for frame in document["shared"]["frames"]]
        self.assertIn("Busy.LoopOne(int)", names)

    def test_pprof_is_compressed(self):
        self.assertEqual(self.oriel("export", "--format", "pprof", "-o", "x.pb.gz", "run.oriel").code, 0)
        with gzip.open(self.path("x.pb.gz")) as file:
            self.assertIn(b"Busy.LoopOne", file.read())

    def test_html_stands_alone(self):
        result = self.oriel("export", "--format", "html", "-o", "x.html", "run.oriel")
        self.assertEqual((result.code, result.err), (0, "oriel: wrote x.html\n"))
        with open(self.path("x.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("LoopOne", page)
        self.assertNotIn("src=\"http", page)


class NothingToExport(harness.OrielTest):
    def test_one_line_and_no_file(self):
        self.record(*program("exit"), options=["--no-sample"])
        for form in ("collapsed", "speedscope", "pprof", "html"):
            result = self.oriel("export", "--format", form, "-o", "out", "run.oriel")
            self.assert_refused(result, 1, "nothing to export", "--no-sample")
            self.assertFalse(os.path.exists(self.path("out")), form)


if __name__ == "__main__":
    harness.main()
