#!/usr/bin/env python3
"""A profiler that asks for new versions before methods first run, beside those that change them as they are compiled."""
import itertools
import json
import os

import harness
import plugins_test
from harness import BUILD, OrielTest, main
from other_profilers import alone, guest, library

PROGRAM = os.path.join(BUILD, "targets", "guests", "guests.dll")
SETTINGS = harness.some(({"DOTNET_OSR_HitLimit": "1", "DOTNET_TC_OnStackReplacement_InitialCounter": "1",
                          "DOTNET_TC_BackgroundWorkerTimeoutMs": "0", "DOTNET_TC_CallCountThreshold": "1",
                          "DOTNET_TC_CallCountingDelayMs": "0"}, {},
                         {"DOTNET_TieredPGO": "0"}, {"DOTNET_ReadyToRun": "0"}, {"DOTNET_TieredCompilation": "0"}))
# These ask in ModuleLoadFinished and in ModuleAttachedToAssembly.
EARLY, ATTACHED = ("early", 4), ("rejitting", 64)
NOTHING, TAKEN_BACK = 32, 64  # numbers of "early" from which on it changes nothing, and takes back at once


class Early(OrielTest):
    def kinds(self, *options, env=None):
        """What is added in each kind of method, by name."""
        result = self.record("dotnet", PROGRAM, "kinds", options=options, env=env)
        self.assertEqual((result.code, len(result.own_lines())), (0, 1), result.err)
        return dict(line.rsplit(" ", 1) for line in result.out.splitlines())

    def assert_all_add(self, number, kinds):
        self.assertEqual({name: int(added) for name, added in kinds.items()}, dict.fromkeys(kinds, number))
        self.assertEqual(len(kinds), 9)

    def test_alone_it_changes_them(self):
        there = self.call(["dotnet", PROGRAM, "kinds"], env=alone(*EARLY))
        self.assertEqual({line.rsplit(" ", 1)[1] for line in there.out.splitlines()}, {"4"}, there.out + there.err)

    def test_both_changes_are_there_in_either_order_in_each_kind_of_code(self):
        for early, settings in itertools.product(harness.some((EARLY, ATTACHED)), SETTINGS):
            for order in itertools.permutations((early, ("rewriting", 1))):
                kinds = self.kinds(*(option for one in order for option in guest(*one)), env=settings)
                with self.subTest(order=order, settings=settings):
                    self.assert_all_add(early[1] + 1, kinds)

    def test_three_of_each(self):
        kinds = self.kinds(*guest("rewriting", 1), *guest("early", 2), *guest("rewriting", 4), *guest("early", 8),
                           *guest("rejitting", 64), *guest("rewriting", 16))
        self.assert_all_add(1 + 2 + 4 + 8 + 64 + 16, kinds)

    def test_a_version_without_a_change_leaves_what_was_changed(self):
        for order in harness.some(itertools.permutations((("early", NOTHING), ("rewriting", 1)))):
            self.assert_all_add(1, self.kinds(*(option for one in order for option in guest(*one)), *guest("padding", 3)))

    def test_what_was_taken_back_before_the_first_call_was_never_there(self):
        without = self.kinds(*guest("rewriting", 1))
        for order in harness.some(itertools.permutations((("early", TAKEN_BACK + 4), ("rewriting", 1)))):
            self.assertEqual(self.kinds(*(option for one in order for option in guest(*one))), without)

    def test_it_takes_its_change_back_and_makes_it_again_while_threads_run(self):
        for order, settings in itertools.product(harness.some(itertools.permutations((EARLY, ("rewriting", 1)))), SETTINGS):
            result = self.record("dotnet", PROGRAM, "rejit", library("early"), "-4", "+4", "-4", env=settings,
                                 options=[option for one in order for option in guest(*one)])
            lines = [line.split(" of ")[0] for line in result.out.splitlines()]
            self.assertEqual(lines, ["before 5", "-4 0 1", "+4 0 5", "-4 0 1"], result.err)

    def test_who_works_as_methods_are_compiled_hears_of_each(self):
        # Without tiers there is one compilation of each. Versions are compiled also of what has precompiled code.
        env = {"DOTNET_TieredCompilation": "0", "COUNTING_FILE": self.path("%n"), "COUNTING_MASK": "20"}
        heard = []
        for options in ([], guest("early", NOTHING), guest("early", TAKEN_BACK + NOTHING)):
            result = self.record("dotnet", PROGRAM, "kinds", options=[*options, *guest("counting", 1)], env=env)
            self.assertEqual(result.code, 0, result.err)
            with open(self.path("1"), encoding="utf-8") as file:
                counts = {name: int(number) for name, number in (line.split() for line in file)}
            self.assertEqual(counts["JITCompilationStarted"], counts["JITCompilationFinished"])
            heard.append(counts["JITCompilationStarted"])
        self.assertGreater(heard[1], heard[0])
        self.assertEqual(heard[2], heard[0])

    def test_oriel_counts_what_asked_for_versions_and_what_did_not(self):
        for options in (guest("early", 4), guest("early", NOTHING), [*guest("early", 4), *guest("rewriting", 1)]):
            self.record("dotnet", PROGRAM, "kinds", options=[*options, "--calls=Marked*"])
            calls = {row["name"]: row["calls"] for row in self.report("calls")["methods"]}
            self.assertEqual({name: calls.get(name) for name in ("Marked.Value()", "Marked.Added()", "Marked.Inline()")},
                             {"Marked.Value()": 40_000, "Marked.Added()": 40_000, "Marked.Inline()": 40_000}, calls)

    def test_oriel_covers_the_same(self):
        def lines(*options, env=None):
            result = self.oriel("cover", "--format", "json", "-o", "out.json", *options, "--", "dotnet", PROGRAM, "kinds", env=env)
            self.assertEqual(result.code, 0, result.err)
            with open(self.path("out.json"), encoding="utf-8") as file:
                covered = {entry["path"]: entry["lines"] for entry in json.load(file)["files"]}
            return covered

        beside = alone("early", NOTHING)
        for mode in harness.some(("hit", "count")):
            self.assertEqual(lines("--mode", mode, env=beside), lines("--mode", mode))


class WithPlugIns(plugins_test.Plugins):
    def test_plug_ins_change_what_another_asked_for_as_it_was_loaded(self):
        alone_, plain = self.run_with(plugins_test.ENGINE, "alone"), self.plain()
        self.assertNotEqual(alone_.out, plain.out)
        beside = self.run_with(plugins_test.ENGINE, "beside", front=[
            harness.ORIEL, "run", "-o", "run.oriel", *guest("early", NOTHING), "--"])
        self.assertEqual((beside.code, beside.out), (0, alone_.out), beside.err)


if __name__ == "__main__":
    main()
