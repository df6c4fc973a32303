#!/usr/bin/env python3
"""What methods are given and what they return, told to modules; and that telling it changes nothing."""
import filecmp
import os
import re
import sys
import unittest

import harness

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "tools"))
import dotnet_sdk  # noqa: E402


def target(name):
    return ["dotnet", os.path.join(harness.BUILD, "targets", name, f"{name}.dll")]


def module(name):
    return os.path.join(harness.BUILD, "tests", "modules", f"liboriel-{name}.so")


class ContextTest(harness.OrielTest):
    def run_with(self, module_and_arguments, command, **rest):
        return self.oriel("run", "--no-sample", "--module", module_and_arguments, "--", *command, **rest)

    def test_every_kind_of_value(self):
        run = self.run_with(f"{module('values')}:{self.path('values')}", target("values"))
        self.assertEqual((run.code, run.out), (0, "done 6\n"), run.err)
        with open(self.path("values"), encoding="utf-8") as file:
            lines = [re.sub(r"^(\w+) ([\w.]+)[^ =]*\(.*?\)", r"\1 \2", line.rstrip()) for line in file]
        for line in [
            "enter Numbers 0=true 1=65 2=-7 3=1099511627776 4=2.500000",
            "leave Numbers 0=true 1=65 2=-7 3=1099511627776 4=2.500000 result=true",
            "enter Text 0='hello' 1=null",
            "leave Text 0='hello' 1=null result='hello!'",
            "enter Increment 0=ref 5",
            "leave Increment 0=ref 6 result=6",
            "leave Pair 0=8:0100000002000000 result=8:0200000001000000",
            "leave Nothing",
            "enter Instance this=Values 0=3",
            "leave Instance this=Values 0=3 result=12",
            "leave Sum this=8:0100000002000000 result=3",
            "leave Total this=2:0102 0=7 result=7",
            "enter ManyLocals",
            "leave ManyLocals no context",
            "enter Locals 0=21",
            "leave Locals 0=21 local0=43 local1='42!' local2=8:1500000017000000 result=3",
        ]:
            self.assertIn(line, lines)
        # Every value was asked for as a copy too.
        self.assertEqual([line for line in lines if "copy differs" in line], [])
        self.assertGreater(int(lines[-1].removeprefix("copies ")), 50)
        # The size of a span, and of what a generic parameter stands for.
        self.assertTrue(any(re.fullmatch(r"leave Span 0=16:[0-9a-f]{32} result=3", line) for line in lines), lines)
        self.assertTrue(any(re.fullmatch(r"leave Total this=16:[0-9a-f]{32} 0=8 result=8", line) for line in lines), lines)
        generic = sorted(re.findall(r"^leave Generic.* 0=(\d+):", "\n".join(lines), re.MULTILINE))
        self.assertEqual(generic, ["4", "8", "8"], lines)

    def test_rewriting_a_method_over_and_over_makes_no_more_layouts(self):
        run = self.run_with(f"{module('contexts')}:{self.path('counts')}", target("exits") + ["spin", "5"])
        self.assertEqual(run.code, 0, run.out + run.err)
        with open(self.path("counts"), encoding="utf-8") as file:
            counts = dict(line.split() for line in file)
        self.assertGreater(int(counts["rewritings"]), 1)  # a busy machine takes seconds for one
        self.assertEqual(counts["layouts"], "2")  # to enter and to leave
        # Each time that it was compiled anew is told, as when it was first compiled.
        self.assertGreaterEqual(int(counts["begun"]), int(counts["rewritings"]))
        self.assertGreaterEqual(int(counts["done"]), int(counts["rewritings"]))

    def test_http_requests_of_an_unmodified_program(self):
        run = self.run_with(module("httptrace"), target("http"))
        self.assertEqual(run.out, "/ 200\n/missing 404\n/search?q=oriel 200\n/broken 500\npost 200\n")
        said = [re.sub(r"http://127\.0\.0\.1:\d+", "", line) for line in run.err.splitlines() if line.startswith("http: ")]
        self.assertEqual(said, [f"http: {line}" for line in [
            "GET /", "200 GET /", "GET /missing", "404 GET /missing", "GET /search?q=oriel", "200 GET /search?q=oriel",
            "GET /broken", "500 GET /broken", "POST /form", "200 POST /form"]])

    @harness.only_long  # probes_test has the compiler with contexts of all methods, and each kind of value stands above
    def test_the_compiler_with_all_values_of_all_methods(self):
        source = self.path("source")
        self.call([sys.executable, os.path.join(harness.ROOT, "tests", "tools", "generate_source.py"), "--classes", "3",
                   source])
        compile_it = ["dotnet", dotnet_sdk.compiler(), "@" + os.path.join(source, "compile.rsp")]
        made, kept = os.path.join(source, "Generated.dll"), self.path("plain.dll")
        self.assertEqual(self.call(compile_it).code, 0)
        os.rename(made, kept)
        run = self.run_with(f"{module('probes')}:calls+context+alloc", compile_it, timeout=280)
        self.assertEqual(run.code, 0, run.err)
        self.assertTrue(filecmp.cmp(made, kept, shallow=False))
        told = re.search(r"enter=(\d+) .* values=(\d+) .*\"refused by Oriel\"=(\d+)", run.err)
        self.assertTrue(told, run.err)
        enters, values, refused = map(int, told.groups())
        self.assertGreater(enters, 1_000_000)
        self.assertGreater(values, enters)
        self.assertEqual(refused, 0, run.err)


if __name__ == "__main__":
    unittest.main()
