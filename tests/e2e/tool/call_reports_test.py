#!/usr/bin/env python3
"""Reports and exports of logged calls and allocations: all tell the same sums as the log's events."""
import collections
import gzip
import json

import harness
from harness import program


class CallReports(harness.OrielTest):
    def setUp(self):
        super().setUp()
        self.record(*program("exceptions", 50), options=["--no-sample", "--module", "log:calls,alloc"])
        lines = self.dump()
        self.events = collections.Counter(line["kind"] for line in lines)
        starts = self.starts([line for line in lines if line["kind"] == "method"])
        self.calls = sum(line["kind"] == "method_enter" and line["method_id"] not in starts for line in lines)
        self.leaves = sum(self.events[kind] for kind in ("method_leave", "method_tail_call", "method_exception_leave"))

    def starts(self, methods):
        """What the compiler makes to start an async method or an iterator: no call beside the first of its pieces."""
        runs = {method["id"]: method.get("raw_name", "").endswith(".MoveNext()") for method in methods}
        pieces = {method["name"] for method in methods if runs[method["id"]] and not method["name"].endswith(".MoveNext()")}
        waits_for_main = [method["id"] for method in methods if ".<Main>(" in method.get("raw_name", "")]
        return {method["id"] for method in methods
                if method["name"] in pieces and not runs[method["id"]] and method["id"] not in waits_for_main}

    def collapsed(self, *options):
        """The stacks as name lists with their weights."""
        result = self.oriel("export", "--format", "collapsed", *options, "run.oriel")
        self.assertEqual((result.code, result.err), (0, ""))
        lines = [line.rsplit(" ", 1) for line in result.out.splitlines()]
        return [(stack.split(";"), int(weight)) for stack, weight in lines]

    def test_calls_are_those_of_the_events(self):
        calls = self.report("calls")
        self.assertGreater(calls["calls"], 50)
        self.assertEqual(calls["calls"], self.calls)
        self.assertEqual(sum(method["calls"] for method in calls["methods"]), calls["calls"])
        self.assertEqual(sum(method["self_ns"] for method in calls["methods"]), calls["self_ns"])
        self.assertEqual(calls["without_leave"], 0)
        self.assertEqual(self.events["method_enter"], self.leaves + calls["running"])

    def test_the_tree_is_whole(self):
        tree = self.report("calls", "--tree")
        self.assertEqual(tree["unit"], "ns")
        self.assertEqual(tree["total"], tree["self_ns"])
        self.assertTrue(any(node["depth"] == 1 and node["name"].startswith("Program.") for node in tree["nodes"]), tree["nodes"])

    def test_allocations_are_those_of_the_events(self):
        alloc = self.report("alloc")
        self.assertGreater(alloc["objects"], 50)
        self.assertEqual(alloc["objects"], self.events["gc_allocation"])
        for table in ("types", "sites"):
            self.assertEqual(sum(row["objects"] for row in alloc[table]), alloc["objects"])
            self.assertEqual(sum(row["bytes"] for row in alloc[table]), alloc["bytes"])

    def test_the_summary_has_both(self):
        summary = self.report("summary")
        self.assertEqual(summary["calls"]["calls"], self.calls)
        self.assertEqual(summary["allocations"]["objects"], self.events["gc_allocation"])
        text = self.oriel("report", "run.oriel").out
        self.assertIn("\nCalls ", text)
        self.assertIn("\nAllocations ", text)

    def test_exports_are_weighed(self):
        calls, alloc = self.report("calls"), self.report("alloc")
        self.assertEqual(sum(weight for _, weight in self.collapsed()), calls["self_ns"])
        self.assertEqual(sum(weight for _, weight in self.collapsed("--weight", "calls-time")), calls["self_ns"])
        self.assertEqual(sum(weight for _, weight in self.collapsed("--weight", "objects")), alloc["objects"])
        by_bytes = self.collapsed("--weight", "bytes")
        self.assertEqual(sum(weight for _, weight in by_bytes), alloc["bytes"])
        types = {row["type"] for row in alloc["types"]}
        self.assertTrue(all(stack[-1] in types for stack, _ in by_bytes))

    def test_every_format_takes_every_weight(self):
        for weight in ("calls-time", "bytes", "objects"):
            for form in ("speedscope", "pprof", "html"):
                result = self.oriel("export", "--format", form, "--weight", weight, "-o", "out", "run.oriel")
                self.assertEqual(result.code, 0, result.err)
                with open(self.path("out"), "rb") as file:
                    written = file.read()
                if form == "speedscope":
                    self.assertGreater(len(json.loads(written)["profiles"]), 0)
                if form == "pprof":
                    name = {"calls-time": b"nanoseconds", "bytes": b"alloc_space", "objects": b"alloc_objects"}[weight]
                    self.assertIn(name, gzip.decompress(written))

    def test_what_is_not_there_is_said(self):
        self.assert_refused(self.oriel("export", "--format", "collapsed", "--weight", "samples", "run.oriel", "extra"), 1, "extra")
        self.assert_refused(self.oriel("export", "--format", "collapsed", "--weight", "kg", "run.oriel"), 2, "calls-time")
        self.assert_refused(self.oriel("report", "gc", "--tree", "run.oriel"), 2, "--tree", "calls, alloc and callgraph")


class WithoutCalls(harness.OrielTest):
    def test_reports_say_how_to_get_them(self):
        self.record(*program("exit"))
        self.assertIn("oriel run --calls", self.oriel("report", "calls", "run.oriel").out)
        self.assertIn("oriel run --alloc", self.oriel("report", "alloc", "run.oriel").out)
        self.assert_refused(self.oriel("export", "--format", "html", "--weight", "bytes", "run.oriel"), 1, "oriel run --alloc")


if __name__ == "__main__":
    harness.main()
