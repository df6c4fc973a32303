#!/usr/bin/env python3
"""What comes and goes in programs on Mono: domains, images, dynamic methods, objects, collections."""
import collections
import json
import os
import shutil
import unittest

import harness

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "..", "..", "..", "include")
ROUNDS = 8
HAS_MONO = shutil.which("mono") and shutil.which("mcs")


@unittest.skipUnless(HAS_MONO, "Mono is not installed here (mono-runtime and mono-mcs)")
class Lives(harness.SharedFolder):
    def prepare(self):
        self.build("lives.exe", "Lives.cs", "-r:System.Core.dll")
        for name in ("host", "even", "odd"):
            self.build(name + ".exe", "Domains.cs", "-d:" + name.upper())
        self.build("nursery.exe", "Nursery.cs")
        self.build("kept.exe", "Kept.cs")
        lib = os.path.join(harness.BUILD, "lib")
        for name in ("watch", "asks"):
            built = self.call(["cc", "-shared", "-fPIC", "-I" + INCLUDE, "-o", self.path(f"liboriel-{name}.so"),
                               os.path.join(HERE, "modules", name + ".c"), "-L" + lib, "-loriel"])
            self.assertEqual(built.code, 0, built.err)

    def build(self, out, source, *options):
        built = self.call(["mcs", *options, "-out:" + self.path(out), os.path.join(HERE, source)])
        self.assertEqual(built.code, 0, built.out + built.err)

    def profile(self, program, *args, options=()):
        """It prints and ends as without Oriel, which says no more than where the log is."""
        command = ["mono", self.path(program), *args]
        plain = self.call(command)
        self.assertEqual(plain.code, 0, plain.err)
        result = self.record(*command, options=options)
        self.assertEqual((result.code, result.out), (0, plain.out), result.err)
        self.assertEqual(len(result.own_lines()), 1, result.err)
        return plain.out

    def watch(self, *args):
        self.profile("lives.exe", *args, options=["--module", self.path("liboriel-watch.so") + ":" + self.path("watch.txt")])
        with open(self.path("watch.txt"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        left = collections.Counter(line for line in lines if line.startswith("left "))
        return {name: int(count) for name, count in (line.rsplit(" ", 1) for line in lines if line not in left)}, left

    def test_domains(self):
        """Classes and instances of an image that was unloaded are forgotten, also List<T> of another image's T; handles and
        exceptions of a domain go with it."""
        domains = [str(ROUNDS), self.path("even.exe"), self.path("odd.exe")]
        out = self.profile("host.exe", *domains, options=["--alloc", "--calls"])
        self.assertEqual(out.count("\n200\n"), ROUNDS)
        objects = collections.Counter()
        for row in self.report("alloc")["types"]: objects[row["type"]] += row["objects"]
        expected = {"List<{}>": ROUNDS // 2, "Stack<{}>": 100 * ROUNDS // 2, "Dictionary<Key, {}[]>": ROUNDS // 2}
        for name in ("First", "Second", "Third"):
            self.assertEqual(objects[name], 100 * ROUNDS // 2, objects)
            for form, count in expected.items():
                self.assertEqual(objects["System.Collections.Generic." + form.format(name)], count, objects)
        calls = collections.Counter()
        for row in self.report("calls")["methods"]: calls[row["name"]] += row["calls"]
        self.assertEqual(calls["Guest.Main()"], ROUNDS)
        self.profile("host.exe", *domains)

    def test_threads_of_oriel_become_known_while_the_program_collects(self):
        """A collection waited for one that blocked Mono's signals."""
        self.profile("nursery.exe", "2000", options=["--module", self.path("liboriel-asks.so")])

    def test_dynamic_methods(self):
        """Their code is freed while stacks are resolved."""
        self.profile("lives.exe", "dynamic", "200", options=["--sample=1000"])
        self.profile("lives.exe", "dynamic", "50", options=["--calls", "--alloc"])

    def test_exceptions_leave_methods(self):
        """Each by its own object, without a handle that the program has not made."""
        counts, left = self.watch("flights", "50")
        invalid, argument = "System.InvalidOperationException", "System.ArgumentException"
        self.assertEqual(left, {f"left Flights.Thrown() {invalid}": 50, f"left Flights.Outer() {invalid}": 50,
                                f"left Flights.Inner() {argument}": 50})
        self.assertLess(counts["handles"], 50)

    def alive(self, *args):
        """Bytes that are left of what the two kinds of objects have, as the log tells it."""
        self.profile("kept.exe", *args, options=["--no-sample", "--alloc=sampled"])
        done = self.oriel("report", "heap", "--alive", "--json", "--all-frames", "run.oriel")
        left = {"Kept": 0, "Dropped": 0}
        if done.code == 0:
            for node in json.loads(done.out)["nodes"]:
                if node["name"] in ("Kept..ctor()", "Dropped..ctor()"): left[node["name"].split(".")[0]] += node["total"]
        return left

    def test_objects_are_followed_until_they_die(self):
        left = self.alive()
        self.assertLess(abs(left["Kept"] - 100_000 * 1040), 0.25 * 100_000 * 1040, left)
        self.assertLess(left["Dropped"], 5_000_000, left)

    def test_objects_die_with_their_domain(self):
        left = self.alive("other")
        self.assertLess(left["Kept"] + left["Dropped"], 5_000_000, left)

    def test_the_contract_of_runtimes(self):
        """What each runtime owes the engine (tests/contract), in programs where much comes and goes."""
        always = ("runtime_initialized+runtime_shutdown_begin+runtime_shutdown_end+domain_loaded+assembly_loaded+image_loaded+"
                  "class_loaded+jit_begin+jit_done+thread_started+thread_stopped+thread_name+gc_begin+gc_end+gc_event+suspend_begin+"
                  "suspend_end+resume_begin+resume_end")
        unloads = "+domain_unloading+domain_unloaded+assembly_unloaded+image_unloading+image_unloaded"
        module = os.path.join(harness.BUILD, "lib", "testing", "liboriel-contract.so")
        programs = ((["host.exe", "4", self.path("even.exe"), self.path("odd.exe")], unloads),
                    (["lives.exe", "flights", "20"], "+exception_throw+exception_clause"),
                    (["lives.exe", "grow", "20"], ""), (["kept.exe", "other"], "+domain_unloaded"))
        for program, more in harness.some(programs, 2):
            with self.subTest(program[0]):
                verdict = self.path("verdict")
                self.profile(*program, options=["--module", f"{module}:out={verdict},no-code,require={always}{more}"])
                with open(verdict, encoding="utf-8") as file: lines = file.read().splitlines()
                os.remove(verdict)
                self.assertEqual([line for line in lines if line.startswith("violation")] + lines[-1:], ["verdict pass"])

    def test_concurrent_collections(self):
        """The nursery is collected while the old generation is marked."""
        counts, _ = self.watch("grow", "60")
        self.assertGreater(counts["concurrent"], 0, counts)
        self.assertGreater(counts["nested"], 0, counts)
        self.assertEqual((counts["wrong numbers"], counts["wrong kinds"]), (0, 0), counts)

    def test_what_mono_cannot_do_is_said_once(self):
        command = ["mono", self.path("lives.exe"), "flights", "20"]
        result = self.record(*command, options=["--alloc-in=Tree"])
        self.assertEqual((result.code, result.out), (0, "20\n"), result.err)
        self.assertEqual(result.own_lines()[:-1], ["oriel: Mono does not say which code allocates an object: those of all code are "
                                                   "reported, not only of what was chosen"])

    def test_names_load_no_assemblies(self):
        """A signature names a type of an assembly that is not there. Code that was compiled ahead of time runs without it."""
        self.build("Gone.dll", "Lacking.cs", "-target:library", "-d:GONE")
        self.build("Lacking.dll", "Lacking.cs", "-target:library", "-d:LIBRARY", "-r:" + self.path("Gone.dll"))
        self.build("program.exe", "Lacking.cs", "-r:" + self.path("Lacking.dll"))
        compiled = self.call(["mono", "--aot", self.path("Lacking.dll")])
        if compiled.code != 0: self.skipTest("Mono cannot compile ahead of time here: " + compiled.out)
        os.remove(self.path("Gone.dll"))
        self.assertEqual(self.profile("program.exe"), "done\n")
        stacks = self.oriel("export", "--format", "collapsed", "-o", "-", "run.oriel").out
        self.assertIn("Lacking.Spin(Kind, int)", stacks)


if __name__ == "__main__":
    harness.main()
