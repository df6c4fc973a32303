#!/usr/bin/env python3
"""On programs with which nothing is wrong no hint names a cause, but those that are true of one and say why in its row.

A slice by default; all with ORIEL_LONG=1 (./check --long). By hand: healthy_test.py Healthy.test_csc"""
import os
import re
import sys

import harness
import webapi_test
from healthy_programs import PROGRAMS

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "tools"))
import generate_source

# True of the machine at that moment, whatever the program does.
OF_MACHINE = {"processors", "limit"}
PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework>
<NuGetAudit>false</NuGetAudit></PropertyGroup></Project>"""
FSHARP = """module Shop.Module

let rec private digits n = if n = 0 then [] else (n % 10) :: digits (n / 10)

type Price = { Cents: int; Currency: string }

let total prices =
    prices |> List.filter (fun price -> price.Currency = "EUR") |> List.sumBy (fun price -> price.Cents)

let sums = [ for n in 1 .. 100 -> digits n |> List.sum ]
"""
COVERAGE = """<?xml version="1.0"?><coverage line-rate="1" version="1.9" timestamp="1"><packages><package name="Shop"><classes>
<class name="Shop.Cart" filename="Cart.cs" line-rate="1"><methods/><lines><line number="1" hits="1"/></lines></class>
</classes></package></packages></coverage>"""
SITE = """{"build": {"content": [{"files": ["*.md"], "src": "."}], "dest": "../built", "template": ["default", "modern"]}}"""


class Healthy(harness.SharedFolder):
    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as out:
            out.write(text)

    def prepare(self):
        generate_source.generate(self.path("source"), 300 if harness.LONG else 120)
        self.write("library/library.csproj", PROJECT)
        self.write("library/Cart.cs", "namespace Shop; public class Cart { public int Count { get; set; } }\n")
        self.write("Module.fs", FSHARP)
        self.write("script.fsx", FSHARP.replace("module Shop.Module\n", "") + 'printfn "%d" (List.sum sums)\n')
        self.write("coverage.xml", COVERAGE)
        self.write("site/docfx.json", SITE)
        for page in range(50): self.write(f"site/page{page}.md", f"# Page {page}\n\n" + "Some *words* of text.\n\n" * 50)
        if not harness.LONG: return
        self.call(["git", "init", "-q", "."])
        self.call(["dotnet", "restore", "library", "-v:q"], env=harness.QUIET)
        self.call(["cp", "-r", os.path.join(harness.ROOT, "tests", "e2e", "harmless", "xunit"), self.path("tests")])
        self.call(["dotnet", "build", "tests", "-v:q", "-nodeReuse:false"], env=harness.QUIET, timeout=300)

    def check(self, program):
        if program.tool:
            installed = self.call(["dotnet", "tool", "install", "--tool-path", "tools", program.tool], env=harness.QUIET, timeout=300)
            if not os.path.exists(self.path(program.command[0])):
                self.skipTest(f"{program.tool} cannot be had from the configured sources: {installed.err[-200:]}")
        for log in self.logs(): os.remove(self.path(log))
        result = self.oriel("run", "-o", "%n-%p.oriel", "--", *program.command, env=harness.QUIET, timeout=600)
        if "GLIBC_" in result.err:
            self.skipTest(f"{program.tool} is built for a newer system")
        self.assertEqual(result.code, program.code, result.out + result.err)
        self.assertTrue(self.logs(), result.err)
        # As one, which is what a person sees first, and each.
        for logs in ([[*self.logs()]] if len(self.logs()) > 1 else []) + [[log] for log in self.logs()]:
            self.check_hints(program, logs)

    def check_hints(self, program, logs):
        hints = harness.json.loads(self.oriel("report", "--json", *logs).out)["hints"]
        told = {hint["hint"]: hint["text"] for hint in hints}
        self.assertEqual({key: text for key, text in told.items() if key not in OF_MACHINE and key not in program.allowed}, {},
                         f"{program.name}: {logs}")


def add_test(program):
    def test(self): self.check(program)
    name = "test_" + re.sub(r"\W", "_", program.name)
    setattr(Healthy, name, test if program.quick else harness.only_long(test))


for one in PROGRAMS: add_test(one)


class Server(harness.OrielTest):
    def test_under_load(self):
        server = self.start("run", "-o", "run.oriel", "--", "dotnet", harness.SERVER)
        self.ask_server(int(server.stdout.readline()), 3000 if harness.LONG else 1000)
        self.assertEqual(server.wait(60), 0)
        hints = {hint["hint"]: hint["text"] for hint in self.report()["hints"] if hint["hint"] not in OF_MACHINE}
        self.assertEqual(hints, {})


@harness.only_long
class WebApi(webapi_test.Shop):
    """One with EF Core, under the load of webapi_test."""

    def test_under_load(self):
        self.run_it("run", "-o", "run.oriel")
        # EF Core's packages are not compiled ahead, which is a good part of so short a run.
        allowed = OF_MACHINE | {"ready-to-run"}
        hints = {hint["hint"]: hint["text"] for hint in self.report()["hints"] if hint["hint"] not in allowed}
        self.assertEqual(hints, {})


if __name__ == "__main__":
    harness.main()
