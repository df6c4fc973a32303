#!/usr/bin/env python3
"""Probes are exact and do no harm: each method is told to have been entered as often as it was, and to have been left as
often and in the way that it was left; the program does what it does without."""
import collections
import os
import re
import subprocess
import sys
import unittest

import harness
from harness import BUILD

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "tools"))
import dotnet_sdk
import generate_source

EXITS = os.path.join(BUILD, "targets", "exits", "exits.dll")
MODULE = os.path.join(BUILD, "tests", "modules", "liboriel-balance.so")
Counts = collections.namedtuple("Counts", "methods threads targets outcomes rest")


def plain_name(name):
    """Without parameters and generic arguments."""
    before = None
    while before != name:
        before, name = name, re.sub(r"<[^<>]*>|\([^()]*\)", "", name)
    return name


class ProbesTest(harness.OrielTest):
    def environment(self, arguments):
        """Of a program that is to have the module that counts, and no other: `oriel run` would add the log."""
        return {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER_PATH": os.path.join(BUILD, "lib", "liboriel.so"),
                "CORECLR_PROFILER": self.oriel("version", "--clsid").out.strip(),
                "ORIEL_PROFILERS": f"{MODULE}:out={self.path('counts')}+{arguments}"}

    def balance(self, arguments, *command, env=None, timeout=240):
        """Runs the command with the module that counts; returns the result and what it counted."""
        out = self.path("counts")
        result = self.call(command, env={**self.environment(arguments), **(env or {})}, timeout=timeout)
        self.assertTrue(os.path.exists(out), result.err)
        return result, self.read(out)

    def read(self, path):
        counts = Counts(collections.defaultdict(lambda: [0, 0, 0, 0]), [], {}, {}, {})
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                kind, rest = line.rstrip("\n").split(" ", 1)
                if kind == "method":
                    *numbers, name = rest.split(" ", 4)
                    sums = counts.methods[plain_name(name)]
                    for i, number in enumerate(numbers):
                        sums[i] += int(number)
                elif kind == "thread":
                    counts.threads.append(int(rest))
                elif kind == "target":
                    caller, callee = map(plain_name, rest.split(" -> "))
                    counts.targets[caller] = callee
                elif kind == "outcome":
                    number, name = rest.split(" ", 1)
                    counts.outcomes[name] = int(number)
                else:
                    counts.rest[kind] = int(rest)
        return counts

    def assert_balanced(self, counts, prefix=""):
        """Whatever was entered was left, on each thread and of each method."""
        self.assertEqual([open for open in counts.threads if open != 0], [])
        for name, (enter, *ways) in counts.methods.items():
            self.assertEqual(enter, sum(ways), name)
            self.assertTrue(name.startswith(prefix), name)

    def assert_as_expected(self, result, counts, prefixes=("",)):
        """What the program says of its own calls."""
        expected = 0
        for line in result.out.splitlines():
            if not line.startswith("expect "):
                continue
            *numbers, name = line.split(" ", 5)[1:]
            if name.startswith(tuple(prefixes)):
                self.assertEqual(counts.methods[name], list(map(int, numbers)), name)
                expected += 1
        self.assertGreater(expected, 0)


class Exits(ProbesTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        test = harness.OrielTest()
        test.setUp()
        cls.plain = test.call(["dotnet", EXITS])
        test.doCleanups()

    def check(self, arguments, env=None, command=(), expected=True):
        result, counts = self.balance(arguments, "dotnet", EXITS, *command, env=env)
        self.assertEqual((result.code, result.out), (0, self.plain.out), result.err)
        self.assertEqual(result.own_lines(), [])
        for outcome in ("refused by Oriel", "refused by the runtime"):
            self.assertEqual(counts.outcomes[outcome], 0, outcome)
        if expected:
            self.assert_as_expected(result, counts)
        return counts

    def test_plain_run_has_expectations(self):
        self.assertEqual(self.plain.code, 0, self.plain.err)
        self.assertGreater(self.plain.out.count("expect "), 70)
        self.assertIn("Traces.cs:line 12", self.plain.out)

    def test_every_call_and_every_way_out(self):
        counts = self.check("in=Exits.")
        self.assert_balanced(counts, "Exits.")
        # Each tail call tells where it goes, also where activations are counted.
        calls = {"Down": "Down", "Even": "Odd", "Odd": "Even", "Jumps": "Target", "Mixed": "Divide",
                 "Synchronized": "Divide", "StackAllocated": "Divide", "ManyArguments": "Last"}
        self.assertEqual(counts.targets, {"Exits.Tails." + caller: "Exits.Tails." + callee
                                          for caller, callee in calls.items()})

    def test_with_allocations_full_context_and_without_inlining(self):
        counts = self.check("in=Exits.+alloc+full+block")
        self.assert_balanced(counts, "Exits.")
        self.assertGreater(counts.rest["objects"], 5000)

    def test_with_call_contexts(self):
        self.assert_balanced(self.check("in=Exits.+context"), "Exits.")
        self.assert_balanced(self.check("in=Exits.+context+alloc", env={"DOTNET_TieredCompilation": "0"}), "Exits.")

    def test_everything(self):
        # Threads of the runtime's own wait in methods that they entered.
        counts = self.check("alloc")
        self.assertGreater(counts.outcomes["instrumented"], 3000)

    def test_filters_set_while_the_program_runs(self):
        self.assert_balanced(self.check("in=Exits.+late=300", command=["late"]), "Exits.")

    @harness.only_long
    def test_filters_on_everything_set_while_the_program_runs(self):
        self.check("alloc+late=300", command=["late"], expected=False)

    def test_however_the_runtime_compiles(self):
        for env in harness.some(({"DOTNET_TieredCompilation": "0"},
                                 {"DOTNET_TC_CallCountThreshold": "2", "DOTNET_TC_CallCountingDelayMs": "0"},
                                 {"DOTNET_TieredPGO": "0"}, {"DOTNET_ReadyToRun": "0"},
                                 {"DOTNET_TC_OnStackReplacement": "0"}, {"DOTNET_TC_QuickJitForLoops": "0"},
                                 {"DOTNET_gcServer": "1"}, {"DOTNET_gcConcurrent": "0"}), 2):
            with self.subTest(env=env):
                self.assert_balanced(self.check("in=Exits.", env=env), "Exits.")

    def test_stack_overflow_ends_the_program_as_it_does_without(self):
        plain = self.call(["dotnet", EXITS, "overflow"])
        result = self.call(["dotnet", EXITS, "overflow"], env=self.environment("in=Exits."))
        self.assertEqual((plain.code, result.code), (-6, -6), result.err)
        self.assertIn("Stack overflow", plain.err)
        self.assertIn("Stack overflow", result.err)


class OnAndOff(ProbesTest):
    """Eight threads are in the methods meanwhile. An activation keeps the code that it began with, so that nothing is
    left that was not entered."""

    def spin(self, arguments, seconds=3, env=None):
        result, counts = self.balance(arguments, "dotnet", EXITS, "spin", str(seconds), env=env)
        self.assertEqual(result.code, 0, result.out + result.err)
        self.assertRegex(result.out, r"^\d+ some rounds, 0 wrong\n$")
        return counts

    def test_thousands_of_switches(self):
        counts = self.spin("in=Exits.+toggle=1", seconds=6 if harness.LONG else 4)
        self.assert_balanced(counts, "Exits.")
        self.assertGreater(counts.rest["switches"], 100)

    @harness.only_long
    def test_switches_of_everything(self):
        self.spin("alloc+toggle=100", seconds=3 if harness.LONG else 2)

    def test_running_code_is_reached_inlined_or_not(self):
        counts = self.spin("in=Exits.+late=1000", seconds=8 if harness.LONG else 6)
        self.assert_balanced(counts, "Exits.")
        for name in ("Loop", "Careful", "Refuse", "Collatz", "Same", "Words"):
            self.assertGreater(counts.methods["Exits.Spin." + name][0], 0, name)
        # Whoever is chosen stays so when the runtime compiles it again for the sake of what was inlined into it.
        around, zero = counts.methods["Exits.Around.Of"][0], counts.methods["Exits.Zero.Of"][0]
        self.assertGreater(around, 0.5 * zero)

    @harness.only_long
    def test_what_is_still_chosen_is_reached_in_methods_that_are_not_any_more(self):
        for first in harness.some(("Exits.Around.", "Exits.")):
            with self.subTest(first=first):
                counts = self.spin(f"in={first}+late=2500+then=Exits.Zero.", seconds=10)
                around, zero = counts.methods["Exits.Around.Of"][0], counts.methods["Exits.Zero.Of"][0]
                self.assertGreater(around, 0)
                self.assertGreater(2 * zero, 3 * around)

    def test_however_the_runtime_compiles(self):
        for env in harness.some(({"DOTNET_TieredCompilation": "0"}, {"DOTNET_TieredPGO": "0"},
                                 {"DOTNET_TC_OnStackReplacement": "0"}, {"DOTNET_gcServer": "1"})):
            with self.subTest(env=env):
                self.assert_balanced(self.spin("in=Exits.+alloc+toggle=20", seconds=2, env=env), "Exits.")


class FiltersOfFewMethods(ProbesTest):
    def test_callers_that_were_precompiled_with_them_inlined_are_found(self):
        hello = os.path.join(BUILD, "targets", "hello", "hello.dll")
        _, whole = self.balance("", "dotnet", hello)
        for prefix, methods in (("string.", 10), ("System.Text.", 40)):
            with self.subTest(prefix=prefix):
                _, part = self.balance("in=" + prefix, "dotnet", hello)
                expected = {name: row for name, row in whole.methods.items() if name.startswith(prefix)}
                self.assertGreater(len(expected), methods)
                self.assertEqual(dict(part.methods), expected)
                self.assertLess(part.outcomes["instrumented"], whole.outcomes["instrumented"] / 3)


class BadFilters(ProbesTest):
    def test_one_that_throws_counts_as_no_and_is_said_once(self):
        result, counts = self.balance("throws", "dotnet", EXITS, "native")
        self.assertEqual(result.code, 0)
        self.assertEqual(len(result.own_lines()), 1, result.err)
        self.assertIn("threw", result.err)
        self.assertEqual(counts.outcomes["instrumented"], 0)

    def test_nonsense_is_ignored_and_said_once(self):
        result, _ = self.balance("nonsense", "dotnet", EXITS, "native")
        self.assertEqual(result.code, 0)
        self.assertEqual(len(result.own_lines()), 1, result.err)
        self.assertIn("mean nothing", result.err)


class Compiler(ProbesTest):
    def test_output_is_byte_for_byte_the_same(self):
        response = generate_source.generate(self.path("source"), 20 if harness.LONG else 2)
        assembly = self.path("source/Generated.dll")
        command = ["dotnet", dotnet_sdk.compiler(), "@" + response]
        self.assertEqual(self.call(command).code, 0)
        with open(assembly, "rb") as file:
            expected = file.read()
        os.remove(assembly)
        result, counts = self.balance("alloc+context", *command)
        self.assertEqual((result.code, result.out), (0, ""), result.err)
        with open(assembly, "rb") as file:
            self.assertEqual(file.read(), expected)
        self.assertGreater(counts.outcomes["instrumented"], 10_000)
        self.assertEqual(counts.outcomes["refused by Oriel"], 0)


@harness.only_long
class Build(ProbesTest):
    def test_dotnet_build_and_its_children(self):
        os.mkdir(self.path("app"))
        with open(self.path("app/app.csproj"), "w", encoding="utf-8") as out:
            out.write('<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType>'
                      "<TargetFramework>net10.0</TargetFramework><UseAppHost>false</UseAppHost>"
                      "<NuGetAudit>false</NuGetAudit></PropertyGroup></Project>")
        with open(self.path("app/Program.cs"), "w", encoding="utf-8") as out:
            out.write('System.Console.WriteLine("built");')
        result, _ = self.balance("alloc+context", "dotnet", "build", "-nodeReuse:false", "-v:q",
                                 "-p:UseSharedCompilation=false", "app",
                                 env={"ORIEL_CHILDREN": "1", "DOTNET_CLI_TELEMETRY_OPTOUT": "1"})
        self.assertEqual((result.code, result.own_lines()), (0, []), result.out + result.err)
        self.assertEqual(self.call(["dotnet", "app/bin/Debug/net10.0/app.dll"]).out, "built\n")


class WebServer(ProbesTest):
    def check(self, arguments, env=None):
        server = subprocess.Popen(["dotnet", harness.SERVER], cwd=self.folder, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                                  env={**harness.CLEAN, **self.environment(arguments), **(env or {})})
        self.addCleanup(self.finish, server)
        port = int(server.stdout.readline())
        self.ask_server(port, 1500 if harness.LONG else 300)
        self.assertEqual(server.wait(60), 0)
        self.assertEqual(server.stderr.read(), b"")
        return self.read(self.path("counts"))

    def test_every_request_is_answered(self):
        counts = self.check("alloc+context")
        self.assertGreater(counts.outcomes["instrumented"], 5000)

    @harness.only_long
    def test_every_request_is_answered_under_the_servers_collector(self):
        self.check("alloc+context", env={"DOTNET_gcServer": "1", "DOTNET_TieredPGO": "0"})

    @harness.only_long  # OnAndOff has probes that come and go
    def test_every_request_is_answered_while_probes_come_and_go(self):
        self.check("alloc+toggle=300")


if __name__ == "__main__":
    for needed in (EXITS, MODULE):
        if not os.path.exists(needed):
            sys.exit(f"{needed} is missing: build first")
    unittest.main()
