#!/usr/bin/env python3
"""Whose code is whose: programs in a bundle, plug-ins, types made as the program runs, file-local types; and modules
that each see what they asked for."""
import collections
import os
import shutil
import sys
import unittest

import harness

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "tools"))
import dotnet_sdk

ORIGINS = os.path.join(harness.BUILD, "targets", "origins", "origins.dll")
CALLS = os.path.join(harness.BUILD, "targets", "calls", "calls.dll")
SOURCE = os.path.join(harness.ROOT, "tests", "targets", "origins", "Program.cs")

OWN = {"Origins.Program.Main(string[])": 1, "Origins.Program.Add(int, int)": 10, "Origins.Hidden.Twice(int)": 10,
       "Origins.Program.Emitted()": 1, "Origins.Program.Generated()": 1}
MADE = {"Early.First.Go()": 1, "Late.Second.Go()": 1}
PLUGIN = {"Origins.Program.Plugin(string)": 1, "Known.Recursion.Down(int)": 21}


class UserCodeTest(harness.OrielTest):
    def enters(self, log="run.oriel"):
        return collections.Counter(entry["method"] for entry in self.dump(log, kind="method_enter"))

    def sites(self):
        return {entry["site"] for entry in self.dump(kind="gc_allocation")}

    def run_origins(self, *options, command=("dotnet", ORIGINS), args=()):
        expected = self.call([*command, *args])
        result = self.record(*command, *args, options=["--no-sample", *options])
        self.assertEqual((result.code, result.out), (expected.code, expected.out), result.err)
        self.assertEqual(expected.code, 0, expected.err)
        return result


class Origins(UserCodeTest):
    def test_user_code_is_all_that_does_not_come_with_dotnet(self):
        result = self.run_origins("--calls", args=[CALLS])
        enters = self.enters()
        lambdas = {name: enters.pop(name) for name in list(enters) if "lambda" in name}
        self.assertEqual(lambdas, {})
        self.assertEqual(enters, {**OWN, **MADE, **PLUGIN})
        self.assertEqual(len(result.own_lines()), 1, result.err)

    def test_file_local_types_go_by_the_name_that_was_written(self):
        self.run_origins("--calls=Origins.Hidden")
        self.assertEqual(self.enters(), {"Origins.Hidden.Twice(int)": 10})

    def test_types_that_a_module_gets_later_are_found_by_name(self):
        self.run_origins("--calls=Late.Second")
        self.assertEqual(self.enters(), {"Late.Second.Go()": 1})

    @unittest.skipUnless(dotnet_sdk.has_launchers(), "this SDK has no launcher to put a bundle behind")
    def test_a_program_in_a_bundle(self):
        os.mkdir(self.path("app"))
        shutil.copy(SOURCE, self.path("app"))
        with open(self.path("app/bundled.csproj"), "w", encoding="utf-8") as out:
            out.write('<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType>'
                      "<TargetFramework>net10.0</TargetFramework><Nullable>enable</Nullable>"
                      "<ImplicitUsings>enable</ImplicitUsings><NuGetAudit>false</NuGetAudit></PropertyGroup></Project>")
        published = self.call(["dotnet", "publish", "app", "-o", "out", "-nodeReuse:false", "-v:q", "--ucr",
                               "-p:PublishSingleFile=true", "-p:UseSharedCompilation=false", "--self-contained",
                               "false"], env={"DOTNET_CLI_TELEMETRY_OPTOUT": "1"}, timeout=280)
        self.assertEqual(published.code, 0, published.out + published.err)
        self.assertFalse(os.path.exists(self.path("out/bundled.dll")))
        command = (self.path("out/bundled"),)
        self.run_origins("--calls", command=command)
        self.assertEqual(self.enters(), {**OWN, **MADE})
        self.run_origins("--calls=[bundled]Origins.Program.Add", command=command)
        self.assertEqual(self.enters(), {"Origins.Program.Add(int, int)": 10})


class EachToItsOwn(UserCodeTest):
    """All filters are put together in the code; what each module tells is its own all the same."""

    def graph(self):
        report = self.report("callgraph", log="run.callgraph.oriel")
        return report, {method.get("name", ""): method["calls"] for method in report["methods"]}

    def test_a_log_of_little_beside_a_graph_of_much(self):
        self.run_origins("--calls=[origins]", "--alloc-in=[origins]")
        alone = self.enters(), self.sites()
        self.run_origins("--calls=[origins]", "--alloc-in=[origins]", "--callgraph=*", "--callgraph-alloc")
        self.assertEqual((self.enters(), self.sites()), alone)
        self.assertEqual(alone[0], OWN)
        _, methods = self.graph()
        self.assertTrue(any(name.startswith("System.Console.WriteLine(") for name in methods))
        self.assertGreater(len(methods), 1000)

    def test_objects_with_stacks_beside_a_graph_of_all(self):
        self.run_origins("--alloc-in=[origins]", "--alloc-stacks")
        alone = self.sites()
        self.run_origins("--alloc-in=[origins]", "--alloc-stacks", "--callgraph=[origins]", "--callgraph-alloc")
        self.assertEqual(self.sites(), alone)

    def test_a_graph_of_little_beside_a_log_of_much(self):
        self.run_origins("--calls=*", "--callgraph=[origins]")
        report, methods = self.graph()
        self.assertEqual({name: calls for name, calls in methods.items() if name}, OWN)
        self.assertEqual((report["without_enter"], report["without_leave"]), (0, 0))
        enters = self.enters()
        self.assertEqual({name: enters[name] for name in OWN}, OWN)
        self.assertGreater(len(enters), 1000)


class Nothing(UserCodeTest):
    def test_methods_that_nobody_calls_are_no_call(self):
        for option in ("--calls", "--callgraph"):
            result = self.run_origins(option + "=Origins.Nowhere,[origins]Origins.Program.Plugin")
            self.assertIn(f"{option} 'Origins.Nowhere' matched no method", result.err)
            result = self.run_origins(option + "=[origins],!Origins.*")
            self.assertIn(f"{option}: no method that matches PATTERNS was called", result.err)


if __name__ == "__main__":
    harness.main()
