#!/usr/bin/env python3
"""Callbacks of calls and allocations may lock and ask for names, while collections move what they are told of."""
import os
import re

import harness

AUDITED = os.path.join(harness.BUILD, "targets", "audited", "audited.dll")
THREADS = 4
ROUNDS = 1000
ALL = THREADS * ROUNDS


def module(name):
    return os.path.join(harness.BUILD, "tests", "modules", f"liboriel-{name}.so")


class Full(harness.OrielTest):
    def audit(self, prefix="Audited.", others=(), **rest):
        """{what: how often}, as the example has it."""
        options = [f"--module={module('audit')}:{prefix},{self.path('sums')}"]
        options += [f"--module={other}" for other in others]
        result = self.record("dotnet", AUDITED, str(ROUNDS), options=["--no-sample", *options], timeout=300, **rest)
        self.assertEqual((result.code, result.out), (0, "done\n"), result.err)
        self.assertEqual(len(result.own_lines()), 1, result.err)  # where the log is
        with open(self.path("sums"), encoding="utf-8") as file:
            sums = [line.rstrip("\n").split(" ", 1) for line in file]
        return {what: int(count) for count, what in sums}, result

    def assert_sums(self, sums):
        expected = {
            "calls of Audited.Place.Look(ref int) with struct 7, ref 42": ALL,
            "returns of Audited.Place.Look(ref int) with 49": ALL,
            'calls of Audited.Fails.Now(string) with "as it should"': ALL // 100,
            "objects of Audited.Shelf by Audited.Program.Work(int)": ALL,
            "objects of Audited.Place[] by Audited.Program.Work(int)": ALL,
            "objects of byte[] by Audited.Program.Work(int)": ALL,
            "objects of int by Audited.Program.Work(int)": ALL,
            "objects of string[] by Audited.Program.Work(int)": ALL,
            "objects of int[] by Audited.Program.Work(int)": 2 * ALL,
            "objects of System.InvalidOperationException by Audited.Fails.Now(string)": ALL // 100,
        }
        for i in range(10):
            put = "Audited.Shelf.Put(string, object, int)"
            expected[f'calls of {put} with Audited.Shelf, "piece-{i}", int, 3'] = ALL // 10
            expected[f'returns of {put} with "piece-{i}"'] = ALL // 10
        self.assertEqual({what: count for what, count in sums.items() if what in expected}, expected)
        # Nothing else was read of the same methods: what an object is that moved would be another text.
        of_these = re.compile(r"(calls|returns) of Audited\.(Place\.Look|Shelf\.Put|Fails)")
        self.assertEqual([what for what in sums if of_these.match(what) and what not in expected], [])

    def test_names_and_locks_under_collections(self):
        self.assert_sums(self.audit()[0])

    def test_however_the_runtime_compiles_and_collects(self):
        for env in harness.some(({"DOTNET_TieredCompilation": "0"}, {"DOTNET_GCConserveMemory": "9"}, {"DOTNET_JITMinOpts": "1"},
                                 {"DOTNET_gcServer": "1"}, {"DOTNET_gcConcurrent": "0"})):
            with self.subTest(env=env):
                self.assert_sums(self.audit(env=env)[0])

    def test_what_is_told_stays_where_it_is_while_callbacks_wait_for_collections(self):
        for prefix in harness.some(("Audited.Shelf.Put", "Audited.Program.Work", "Audited.Place.", "Audited.Generic")):
            with self.subTest(prefix=prefix):
                result = self.record("dotnet", AUDITED, "300", timeout=300,
                                     options=["--no-sample", "--module", f"{module('pinned')}:{prefix}"])
                self.assertEqual((result.code, result.out), (0, "done\n"), result.err)
                waited, moved = map(int, re.search(r"pinned: waited=(\d+) moved=(\d+)", result.err).groups())
                self.assertGreater(waited, 50)
                self.assertEqual(moved, 0)

    def test_beside_callbacks_of_the_other_kind(self):
        probes = f"{module('probes')}:calls=Audited.+context+alloc=Audited."
        sums, result = self.audit(others=[probes])
        self.assert_sums(sums)
        counts = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", result.err)}
        self.assertGreater(counts["values"], 2 * ALL)
        self.assertEqual(counts["enter"], counts["leave"] + counts["tail"] + counts["exception"] + counts["open"])
        self.assertEqual(counts["enter"], sum(n for what, n in sums.items() if what.startswith("calls of")))
        self.assertEqual(counts["objects"], sum(n for what, n in sums.items() if what.startswith("objects of")))

    def test_all_methods_of_the_program_and_its_libraries(self):
        sums, _ = self.audit(prefix="")
        self.assert_sums(sums)
        self.assertGreater(len(sums), 500)


if __name__ == "__main__":
    harness.main()
