#!/usr/bin/env python3
"""Each object is reported exactly once, with the size that the runtime tells: one run of a program that allocates in every
way there is, counted by Oriel's probes and by the runtime's own ObjectAllocated at the same time."""
import os
import re
import subprocess
import sys

import harness

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "tools"))
import dotnet_sdk
import generate_source

ENGINE = os.path.join(harness.BUILD, "lib", "liboriel.so")
PEER = os.path.join(harness.BUILD, "tests", "modules", "liboriel-allocations.so")
TARGET = os.path.join(harness.BUILD, "targets", "allocations", "allocations.dll")
TIMES = 10

# Types of the program and what is made of them.
OWN = re.compile(r"\b(Made\w+|NoValue|Objects|Boxes|Closures|Natives|Strings|Language|Kinds|Program)\b|<>")

# How often each kind makes objects of these, however it does it.
KNOWN = {
    "MadeClass": 2, "MadeGeneric<int>": 1, "MadeGeneric<string>": 1, "MadeLarge": 1, "MadeFinalized": 1, "MadeByT": 1,
    "MadeElement[,]": 1, "MadeClass[,,]": 1, "MadeElement[][]": 1, "MadeBoxed": 1, "MadeBoxedPair": 1,
    "MadeBoxedForInterface": 1, "MadeWithoutOverride": 1, "MadeByteEnum": 3, "MadeYielded": 4,
    "MadeAwaited": 2, "MadeByActivatorOfT": 1, "MadeStructByActivator": 1, "MadeByClone": 2, "MadeInHelper[]": 5,
    "MadeInHelper[,]": 1, "MadeUninitialized": 1, "MadeInvoked": 2, "MadeException": 1, "MadeByParams": 2,
    "MadeRecordStruct": 1, "MadeNeverBoxed": 0, "MadeNeverBoxedDisposable": 0,
}

# What one of the two does not hear of, and why: runtime's count (None: now and then), probes' count a time.
ONE_SIDED = {
    "MadeNullable": (None, 1),      # the runtime's callback hears of boxes by a helper only where memory had run out,
    "MadeDelegate": (None, 5),      # so with the delegates that Combine and Remove make
    "MadeBoxedInGeneric": (4, 3),   # a constrained call of ValueType's Equals boxes without a box instruction,
    "MadeEnum": (3, 2),             # as one of Enum's ToString does
    "MadeButThrown": (1, 0),        # the constructor throws: nobody ever has the object
    "MadeByActivator": (2, 1),      # reflection's invokers are native code and dynamic methods
    "MadeByInvoke": (1, 0),
    "MadeReturned": (1, 0),
}
# Made once, however often: the compiler keeps delegates of static methods and lambdas.
ONCE = {"MadeDelegate": 2}


class Allocations(harness.OrielTest):
    def count(self, **environment):
        return self.count_in(["dotnet", TARGET, str(TIMES)], f"26 kinds, {TIMES} times each\n", **environment)

    def count_in(self, command, output, **environment):
        """{class: ((count, bytes) told by the runtime, (count, bytes) told by probes)}"""
        clsid = subprocess.run([harness.ORIEL, "version", "--clsid"], capture_output=True, text=True, check=True)
        result = self.call(command, env={
            "CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": clsid.stdout.strip(), "CORECLR_PROFILER_PATH": ENGINE,
            "CORECLR_ENABLE_NOTIFICATION_PROFILERS": "1",
            "CORECLR_NOTIFICATION_PROFILERS": PEER + "={0B1E57A1-7E57-4A11-0C8E-D0B5E7E0A110};",
            "ORIEL_PROFILERS": PEER, "ORIEL_PEER": "count", **environment})
        self.assertEqual(result.code, 0, result.err)
        self.assertEqual(result.out, output)
        classes = {}
        for line in result.err.splitlines():
            if line.startswith("class: "):
                *numbers, name = line.split(" ", 5)[1:]
                a, b, c, d = map(int, numbers)
                old = classes.get(name, ((0, 0), (0, 0)))  # arrays with and without a lower bound have the same name
                classes[name] = ((old[0][0] + a, old[0][1] + b), (old[1][0] + c, old[1][1] + d))
        self.assertGreater(len(classes), 100, result.err)
        return classes

    def test_probes_tell_what_the_runtime_tells(self):
        # Code of the first tier boxes by a helper that the runtime's callback does not hear of: all is optimized here.
        classes = self.count(DOTNET_TieredCompilation="0")
        for name, (runtime, probes) in sorted(classes.items()):
            if not OWN.search(name):
                continue
            with self.subTest(name):
                if name in ONE_SIDED:
                    expected = tuple(n and n * TIMES + ONCE.get(name, 0) for n in ONE_SIDED[name])
                    self.assertEqual((runtime[0] if expected[0] is not None else None, probes[0]), expected)
                else:
                    self.assertEqual(runtime, probes)

    def assert_known(self, classes):
        for name, times in KNOWN.items():
            with self.subTest(name):
                self.assertEqual(classes.get(name, ((0, 0), (0, 0)))[1][0], times * TIMES)

    def test_known_counts(self):
        self.assert_known(self.count())

    def test_known_counts_of_optimized_code(self):
        self.assert_known(self.count(DOTNET_TieredCompilation="0"))

    def test_known_counts_without_objects_on_the_stack(self):
        self.assert_known(self.count(DOTNET_TieredCompilation="0", DOTNET_JitObjectStackAllocation="0"))

    def test_known_counts_of_code_without_precompiled_parts(self):
        self.assert_known(self.count(DOTNET_ReadyToRun="0"))

    def test_strings_and_arrays_of_the_framework(self):
        classes = self.count(DOTNET_TieredCompilation="0")
        for name in ("char[]", "long[]", "object", "System.Text.StringBuilder", "System.Uri", "System.Net.IPAddress",
                     "System.Collections.BitArray", "System.Collections.Specialized.NameValueCollection"):
            runtime, probes = classes[name]
            with self.subTest(name):
                # The runtime makes one object of its own when it starts, and keeps it as an example of an object.
                spare = 1 if name == "object" else 0
                self.assertEqual(runtime[0] - spare, probes[0])
        # Literals are strings that the runtime makes; all others are reported.
        self.assertGreater(classes["string"][1][0], 40 * TIMES)
        self.assertLessEqual(classes["string"][1][0], classes["string"][0][0])

    @harness.only_long  # the plain check has each way of making objects, and sdk_test and others the compiler
    def test_compiler(self):
        # A program of many precompiled methods, each with others inlined into it. Its structs in static fields are boxes
        # that the runtime makes; other than that, no class is passed by.
        response = generate_source.generate(self.path("source"), 20)
        classes = self.count_in(["dotnet", dotnet_sdk.compiler(), "@" + response], "", DOTNET_TieredCompilation="0")
        theirs = {name: told for name, told in classes.items() if name.startswith("Microsoft.CodeAnalysis.CSharp.")
                  and told[0] != told[1] and told[0][0] - told[1][0] > 20}
        self.assertEqual(theirs, {})
        self.assertGreater(sum(probes[0] for _, probes in classes.values()), 100_000)


class Versions(harness.OrielTest):
    def test_of_one_assembly_may_disagree_on_what_is_a_class(self):
        versions = os.path.join(harness.BUILD, "targets", "versions", "versions.dll")
        for order in (["class", "struct"], ["struct", "class"]):
            with self.subTest(order=order):
                plain = self.call(["dotnet", versions, *order])
                self.assertEqual((plain.code, plain.out.count(": 999000")), (0, 2), plain.err)
                run = self.record("dotnet", versions, *order, options=["--no-sample", "--alloc"])
                self.assertEqual((run.code, run.out), (plain.code, plain.out), run.err)


if __name__ == "__main__":
    harness.main()
