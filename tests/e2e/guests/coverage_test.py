#!/usr/bin/env python3
"""The test platform's own coverage engine, a profiler too, finds the same beside Oriel as without it."""
import glob
import os
import re
import xml.etree.ElementTree

import harness

PROJECT = os.path.join(harness.ROOT, "tests", "e2e", "guests", "platform_coverage")
ENGINE = "libInstrumentationEngine.so {324F817A-7420-4E6D-B3C1-143FBED6D855}"


class CoverageTest(harness.OrielTest):
    def covered(self, name, *front):
        """What the tests' results are, and the coverage as it is in the file, but for its time."""
        results = self.dotnet_test(*front, options=["--settings", "coverage.runsettings"], folder=name)
        file, = glob.glob(self.path(f"{name}/*/*.cobertura.xml"))
        coverage = xml.etree.ElementTree.parse(file).getroot()
        del coverage.attrib["timestamp"]
        return results, xml.etree.ElementTree.canonicalize(xml.etree.ElementTree.tostring(coverage))

    @harness.only_long
    def test_results_and_coverage_are_the_same(self):
        self.build_project(PROJECT)
        plain = self.covered("plain")
        self.check_that_there_is_something(plain)
        if harness.LONG: self.assertEqual(self.covered("again"), plain)
        for options in [[]] * harness.LONG + [["--calls", "--calls-trivial", "--alloc"]]:
            for log in self.logs():
                os.remove(self.path(log))
            front = [harness.ORIEL, "run", *options, "-o", "%n-%p.oriel", "--"]
            self.assertEqual(self.covered(f"beside-{len(options)}", *front), plain)
            log, = [name for name in self.logs() if name.startswith("testhost-")]
            summary = self.report("summary", log=log)
            self.assertEqual((summary["state"], summary["properties"]["guests"]), ("complete", ENGINE))
            told = self.oriel("report", "summary", log, env={"COLUMNS": "200"}).out
            self.assertRegex(told, re.escape(ENGINE) + r": [1-9]\d+ methods changed")
        self.check_calls_and_objects(log)

    def check_that_there_is_something(self, plain):
        results, coverage = plain
        self.assertEqual(sorted(outcome for outcome, *_ in results.values()), ["Failed"] + ["Passed"] * 15)
        root = xml.etree.ElementTree.fromstring(coverage)
        lines = {}
        for method in root.iter("method"):
            hits = [int(line.get("hits")) > 0 for line in method.iter("line")]
            lines.setdefault(method.get("name"), []).extend(hits)
        self.assertGreater(int(root.get("lines-covered")), 150)
        self.assertFalse(any(lines["NeverCalled"]), "nobody calls it")
        self.assertEqual(set(lines["Squeezed"]), {True, False}, "some of its cases are not met")

    def check_calls_and_objects(self, log):
        calls = {row["name"].split("(")[0]: row["calls"] for row in self.report("calls", log=log)["methods"]}
        for name, number in {"Orchard.Press.Grain": 300_000, "Orchard.Press.Ground": 1, "Orchard.Press.Pressed": 69,
                             "Orchard.Tests.Presses.ManyAtOnce": 1, "Orchard.Tests.Shelves.NamesToo": 1}.items():
            self.assertEqual(calls.get(name), number, name)
        objects = {entry["type"]: entry["objects"] for entry in self.report("alloc", log=log)["types"]}
        self.assertEqual((objects["Orchard.Apple"], objects["Orchard.Pear"], objects["Orchard.RottenException"]),
                         (22, 1, 2))


if __name__ == "__main__":
    harness.main()
