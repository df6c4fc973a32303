#!/usr/bin/env python3
"""Programs on .NET 8 and 9, which bring their runtime with them: what docs/GUIDE.md says works there does.

By hand: runtimes_test.py Net8.test_sampled_allocations. With ORIEL_LONG=1 (./check --long) other files of tests run there too, on
their programs built for that version and a dotnet that has its runtime."""
import json
import os
import re
import shutil
import subprocess
import sys

import harness
from other_profilers import guest

TARGETS = os.path.join(harness.ROOT, "tests", "targets")
BLOCKS, BLOCK_BYTES, PAGES, PAGE_BYTES = 4_000_000, 72, 2_000, 50_024
TICK = 100 * 1024  # bytes from one told allocation to the next, of small objects
# The files of tests that run there too, and the programs of tests/targets that these need; and which of the tests are not so there,
# as docs/GUIDE.md or docs/API.md says of clauses.
SUITES = ("calls_test", "async_test", "blocking_test", "growth_test", "filters_test", "clauses_test")
PROGRAMS = ("programs", "calls", "awaits", "awaits_debug", "blocking", "growth", "stress", "clauses")
NOT_THERE = {
    8: {"Counts.test_what_the_runtime_allocates_for_the_core_library_is_its_own",  # strings' site is string.Ctor there
        "ClausesTest.test_clauses_of_all_kinds", "ClausesTest.test_probes_add_no_clauses_and_tell_whom_exceptions_leave",
        "ClausesTest.test_probes_that_come_at_run_time", "ClausesTest.test_the_log_has_them"},
    9: {"Counts.test_what_the_runtime_allocates_for_the_core_library_is_its_own",
        "ClausesTest.test_clauses_of_all_kinds", "ClausesTest.test_probes_add_no_clauses_and_tell_whom_exceptions_leave",
        "ClausesTest.test_probes_that_come_at_run_time"},
}


class OnRuntime:
    """The tests of a version: a class of its own has its number, `version`."""

    def prepare(self):
        self.build("publish", "programs", "-r", "linux-x64", "--self-contained", "-o", self.path("programs"))

    def build(self, verb, name, *options):
        """A program of tests/targets for this version; skips the tests where what it takes cannot be had."""
        try:
            built = self.call(["dotnet", verb, os.path.join(TARGETS, name, f"{name}.csproj"), "-v:q", "-nodeReuse:false",
                               f"-p:OrielFramework=net{self.version}.0", f"-p:OrielBuild={self.path('targets')}", *options],
                              env=harness.QUIET, timeout=400)
        except subprocess.TimeoutExpired:
            self.skipTest("the configured sources of packages do not answer")
        if harness.NO_PACKAGES.search(built.out + built.err):
            self.skipTest(f"the runtime of .NET {self.version} cannot be had from the configured sources")
        self.assertEqual(built.code, 0, built.out + built.err)

    def command(self, *args):
        return [self.path("programs/programs"), *map(str, args)]

    def profile(self, *args, options=()):
        """Runs it plainly and under Oriel, which says no more than where the log is."""
        plain = self.call(self.command(*args))
        result = self.record(*self.command(*args), options=options)
        self.assertEqual((result.code, result.out), (plain.code, plain.out), result.err)
        self.assertEqual(len(result.own_lines()), 1, result.err)

    def calls(self):
        return {row["name"]: row["calls"] for row in self.report("calls")["methods"]}

    def test_samples_waits_and_collections(self):
        self.profile("queued", 4, 30)
        summary = self.report("summary")
        self.assertRegex(summary["runtime"], rf"^CoreCLR {self.version}\.0\.")
        self.assertEqual(self.report("top")["own"][0]["name"], "Queued.Spin(int)")
        # The naps are short: whether one is met is chance.
        self.assertIn("Thread.Join", [row["text"] for row in self.report("waits")["waited"]["waits"]])
        self.profile("gc", 5, options=["--gc-phases"])
        gc = self.report("gc")
        self.assertEqual((gc["collections"], gc["induced"]), (15, 15))
        # What took no time at all is left out.
        for generation in gc["generations"]:
            self.assertLessEqual({"mark-stacks", "plan"}, set(generation["phases"]))
        self.assertIn("mark-handles", set().union(*(generation["phases"] for generation in gc["generations"])))

    def test_calls_and_exceptions(self):
        self.profile("exceptions", 100, options=["--calls", "--alloc"])
        self.assertEqual({name: count for name, count in self.calls().items() if name.startswith("Exceptions.")},
                         {"Exceptions.Run(int)": 1, "Exceptions.Catcher()": 100, "Exceptions.Thrower()": 100,
                          "Exceptions.OtherCatcher()": 50, "Exceptions.Refusal..ctor()": 50})
        objects = {row["type"]: row["objects"] for row in self.report("alloc")["types"]}
        self.assertEqual((objects["System.FormatException"], objects["Exceptions.Refusal"]), (100, 50))
        types = {row["type"]: row for row in self.report("exceptions")["types"]}
        for name, count, catcher in (("System.FormatException", 100, "Catcher"), ("Exceptions.Refusal", 50, "OtherCatcher")):
            self.assertEqual((types[name]["thrown"], types[name]["caught"]), (count, count))
            self.assertEqual(types[name]["caught_in"], [{"method": f"Exceptions.{catcher}()", "count": count}])
        self.assertEqual(types["System.FormatException"]["thrown_by"][0]["method"], "Exceptions.Thrower()")

    def test_sampled_allocations(self):
        self.profile("allocate", BLOCKS, PAGES, options=["--no-sample", "--alloc=sampled"])
        alloc = self.report("alloc")
        self.assertEqual((alloc["estimated"], alloc["at_random"]), (True, False))
        types = {row["type"]: row for row in alloc["types"]}
        # In such a row no more is missing than what one stands for, and the heap's room between objects.
        for name, objects, size in (("Allocations.Block", BLOCKS, BLOCK_BYTES), ("byte[]", PAGES, PAGE_BYTES)):
            self.assertAlmostEqual(types[name]["bytes"], objects * size, delta=objects * size / 50 + 2 * TICK, msg=name)
        self.assertAlmostEqual(types["Allocations.Block"]["objects"], BLOCKS, delta=BLOCKS / 50)
        self.assertEqual({row["method"] for row in alloc["sites"] if row["type"] == "Allocations.Block"},
                         {"Allocations.Run(int, int)"})
        self.assertIn("samples the object that reaches the next 100 KiB, not a random one", self.oriel("report", "alloc", "run.oriel").out)

    def test_counters(self):
        self.profile("sleep", 2500, options=["--counters"])
        self.assertIn("System.Runtime", {row["meter"] for row in self.report("counters")["counters"]})

    def test_coverage(self):
        source = os.path.join(TARGETS, "programs", "Events.cs")
        with open(source, encoding="utf-8") as file:
            texts = file.read().splitlines()
        line_of = {text: next(i for i, line in enumerate(texts, 1) if text in line)
                   for text in ("try { throw new ArgumentException", "readonly string _message", "throw new FormatException")}
        for mode, counts in (("hit", (1, 1, 0)), ("count", (30, 30, 0))):
            result = self.oriel("cover", "--mode", mode, "--format", "json", "-o", "cover.json", "--", *self.command("throw", 30))
            self.assertEqual((result.code, result.out), (0, "throw done\n"), result.err)
            with open(self.path("cover.json"), encoding="utf-8") as file:
                coverage = json.load(file)
            self.assertEqual(coverage["problems"], [])
            lines, = [{row[0]: row[1] for row in entry["lines"]} for entry in coverage["files"] if entry["path"] == source]
            self.assertEqual(tuple(lines[line] for line in line_of.values()), counts, mode)

    def older_dotnet(self):
        """A folder with a `dotnet` whose only runtime is that of the version: this machine's host, the published runtime."""
        root, host = self.path("root"), os.path.dirname(os.path.realpath(shutil.which("dotnet")))
        with open(self.path("programs/programs.runtimeconfig.json"), encoding="utf-8") as file:
            framework, = json.load(file)["runtimeOptions"]["includedFrameworks"]
        runtime = os.path.join(root, "shared", framework["name"], framework["version"])
        shutil.copytree(self.path("programs"), runtime, ignore=shutil.ignore_patterns("programs*"))
        with open(self.path("programs/programs.deps.json"), encoding="utf-8") as file:
            deps = json.load(file)
        for part in (*deps["targets"].values(), deps["libraries"]):
            for name in [name for name in part if name.startswith("programs/")]: del part[name]
        with open(os.path.join(runtime, framework["name"] + ".deps.json"), "w", encoding="utf-8") as file:
            json.dump(deps, file)
        shutil.copytree(os.path.join(host, "host"), os.path.join(root, "host"))
        shutil.copy(os.path.join(host, "dotnet"), root)
        return root

    @harness.only_long
    def test_what_other_tests_ask(self):
        root = self.older_dotnet()
        env = {"PATH": f"{root}:{os.environ['PATH']}", "DOTNET_ROOT": root, "ORIEL_BUILD": self.folder,
               "PYTHONPATH": os.pathsep.join([harness.HERE, *sys.path])}
        for name in ("bin", "lib", "guests", "tests"): os.symlink(os.path.join(harness.BUILD, name), self.path(name))
        for name in PROGRAMS: self.build("build", name)
        for native in ("libstress.so", "libstress-disk.so", "stress-blocking"):
            shutil.copy(os.path.join(harness.BUILD, "targets", "stress", native), self.path("targets/stress"))
        for suite in SUITES:
            run = self.call([sys.executable, "-B", "-m", "unittest", "-v", suite], env=env, timeout=900)
            failed = {f"{group}.{test}" for test, group in
                      re.findall(rf"^(?:FAIL|ERROR): (\w+) \({suite}\.(\w+)", run.err, re.MULTILINE)}
            with self.subTest(suite=suite):
                self.assertRegex(run.err, r"(?m)^Ran [1-9]\d* tests? in ")
                self.assertLessEqual(failed, NOT_THERE[self.version], run.err)

    def test_a_guest(self):
        self.profile("exceptions", 100, options=["--calls", *guest("counting", 1)])
        self.assertEqual(self.calls()["Exceptions.Thrower()"], 100)


class Net8(OnRuntime, harness.SharedFolder):
    version = 8


@harness.only_long  # between the version that the tests are built for and Net8's
class Net9(OnRuntime, harness.SharedFolder):
    version = 9


if __name__ == "__main__":
    harness.main()
