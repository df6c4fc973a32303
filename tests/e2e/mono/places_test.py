#!/usr/bin/env python3
"""Programs on Mono that mcs compiled with -debug have lines, those of the .mdb beside them."""
import functools
import json
import os
import re
import shutil
import unittest

import harness
from cover_test import lines_of

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "..", "..", "..", "include")
SOURCE = os.path.join(HERE, "Places.cs")
line_with = functools.partial(harness.line_with, SOURCE)
HAS_MONO = shutil.which("mono") and shutil.which("mcs")
# "System.FormatException  at Places.Plain (System.Int32 i) [0x00013] in /src/Places.cs:23": where it was thrown.
THROWN = re.compile(r"^System\.(\w+)Exception +at .*? in (.+):(\d+) *$", re.M)


@unittest.skipUnless(HAS_MONO, "Mono is not installed here (mono-runtime and mono-mcs)")
class Places(harness.SharedFolder):
    def prepare(self):
        self.build("places.exe")
        built = self.call(["cc", "-shared", "-fPIC", "-I" + INCLUDE, "-o", self.path("liboriel-places.so"),
                           os.path.join(HERE, "modules", "places.c"), "-L" + os.path.join(harness.BUILD, "lib"), "-loriel"])
        self.assertEqual(built.code, 0, built.err)

    def build(self, out, source=SOURCE):
        built = self.call(["mcs", "-debug", "-out:" + self.path(out), source])
        self.assertEqual(built.code, 0, built.out + built.err)

    def profile(self, program="places.exe", ms=600, options=(), debug=("--debug",)):
        command = ["mono", *debug, self.path(program), str(ms)]
        plain = self.call(command)
        result = self.record(*command, options=options)
        self.assertEqual((result.code, result.out), (plain.code, plain.out), result.err)
        self.assertEqual(len(result.own_lines()), 1, result.err)
        return plain.out

    def hottest(self, method="Places.Burn"):
        found = max(self.report("lines", method)["methods"], key=lambda row: row["self"])
        return max(found["lines"], key=lambda line: line["self"]), found

    def test_hot_lines_and_their_callers(self):
        self.profile()
        hottest, found = self.hottest()
        self.assertEqual((hottest.get("file"), hottest.get("line")), (SOURCE, line_with("burns")), found)
        self.assertGreater(hottest["self"], 0.6 * found["self"], found)
        _, main = self.hottest("Places.Main")
        calls = max(main["lines"], key=lambda line: line["total"])
        self.assertEqual(calls.get("line"), line_with("calls what burns"), main)
        self.assertIn(f"Places.Burn(int)  Places.cs:{line_with('burns')}", self.oriel("report", "run.oriel").out)

    def test_throw_sites(self):
        """Mono says the same, but of code that it puts behind a method's epilog: it takes that for the method's end."""
        known = {"InvalidOperation": (SOURCE, line_with("throws")), "Format": (os.path.join(HERE, "Made.cs"), 501),
                 "NotSupported": (SOURCE, line_with("throws behind a yield"))}
        printed = {kind: (file, int(line)) for kind, file, line in THROWN.findall(self.profile(ms=10))}
        self.assertEqual({kind: printed[kind] for kind in known}, known)
        known |= {"Argument": (SOURCE, line_with("throws an argument")), "Timeout": (SOURCE, line_with("throws in a loop"))}
        types = {row["type"]: row["thrown_by"] for row in self.report("exceptions")["types"]}
        for kind, place in known.items():
            sites = types[f"System.{kind}Exception"]
            self.assertEqual([(site.get("file"), site.get("line")) for site in sites], [place], types)

    def test_allocations(self):
        self.profile(ms=10, options=["--alloc", "--alloc-stacks"])
        sites = [site for site in self.report("alloc")["sites"] if site["type"] == "System.Version"]
        self.assertEqual([site.get("line") for site in sites], [line_with("allocates")], sites)

    def test_without_debug_mono_knows_no_offsets(self):
        self.profile(debug=())
        hottest, found = self.hottest()
        self.assertEqual((hottest.get("line"), hottest.get("il")), (None, None), found)
        self.assertIn("only if it runs with --debug", self.oriel("report", "lines", "Places.Burn", "run.oriel").out)

    def test_what_was_rebuilt_or_changed_gets_no_wrong_lines(self):
        source = self.path("Copy.cs")
        shutil.copyfile(SOURCE, source)
        self.build("copy.exe", source)
        self.profile("copy.exe")
        changed = "This file has changed since it was compiled"
        shown = self.oriel("report", "lines", "Places.Burn", "run.oriel").out
        self.assertIn("// burns", shown)
        self.assertNotIn(changed, shown)
        with open(source, "a", encoding="utf-8") as file:
            file.write("class Another {}\n")
        self.assertIn(changed, self.oriel("report", "lines", "Places.Burn", "run.oriel").out)
        self.assertEqual(self.hottest()[0].get("line"), line_with("burns"))
        self.build("copy.exe", source)
        hottest, found = self.hottest()
        self.assertEqual(hottest.get("line"), None, found)
        self.assertIn("il", hottest)

    def test_modules_are_told_the_places(self):
        module = f"{self.path('liboriel-places.so')}:Places.,{self.path('places.txt')}"
        self.profile(ms=10, options=["--no-sample", "--module", module], debug=())
        with open(self.path("places.txt"), encoding="utf-8") as file:
            told = {name: place for name, *place in (line.rstrip("\n").split("\t") for line in file)}
        with open(SOURCE, encoding="utf-8") as file:
            begins = next(number for number, line in enumerate(file, 1) if "static long Burn(" in line)
        line, column, end, name = told["Places.Burn(int)"]
        self.assertEqual((int(line), name), (begins, SOURCE))
        self.assertEqual(end, column)
        self.assertIn("Places.Main.lambda#0()", told)

    def test_what_mcs_compiled_has_lines_on_coreclr(self):
        with open(self.path("config.json"), "w", encoding="utf-8") as file:
            framework = {"name": "Microsoft.NETCore.App", "version": "8.0.0"}
            json.dump({"runtimeOptions": {"framework": framework, "rollForward": "LatestMajor"}}, file)
        command = ["dotnet", "exec", "--runtimeconfig", self.path("config.json"), self.path("places.exe")]
        self.record(*command, "600")
        self.assertEqual(self.hottest()[0].get("line"), line_with("burns"))
        result = self.oriel("cover", "--format", "json", "-o", "covered.json", "--", *command, "10")
        self.assertEqual(result.code, 0, result.err)
        lines = lines_of(self.path("covered.json"))
        with open(SOURCE, encoding="utf-8") as file:
            never = [number for number, line in enumerate(file, 1) if line.rstrip().endswith("// never")]
        self.assertEqual([line for line, count in lines["Places.cs"].items() if count == 0], never)
        for mark in ("throws", "allocates", "goes on"):
            self.assertEqual(lines["Places.cs"][line_with(mark)], 1)
        self.assertEqual(lines["Made.cs"], {500: 1, 501: 1})


if __name__ == "__main__":
    harness.main()
