#!/usr/bin/env python3
"""The coverage module: what ran of real programs, whatever ends them, and that they run as without it."""
import os
import re
import subprocess

import harness

COUNTED = os.path.join(harness.BUILD, "targets", "counted", "counted.dll")
PERIODS = os.path.join(harness.BUILD, "tests", "modules", "liboriel-periods.so")
SWITCHER = os.path.join(harness.BUILD, "tests", "modules", "liboriel-switcher.so")
ENGINE = {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": "{9A8FE63E-FC98-40FE-9A46-932E43F8A19D}",
          "CORECLR_PROFILER_PATH": os.path.join(harness.BUILD, "lib", "liboriel.so")}


class CountedTest(harness.OrielTest):
    def plain(self, *args):
        return self.call(["dotnet", COUNTED, *args])

    def counted(self, *args, more="", log="run.oriel", modules=(), **rest):
        """The program with the module; its rows by name are in self.rows."""
        modules = [f"coverage:output={self.path(log)}{more}", *modules]
        result = self.call(["dotnet", COUNTED, *args], env={**ENGINE, "ORIEL_PROFILERS": ";".join(modules)}, **rest)
        self.rows = {name: int(row) for name, row in re.findall(r"^(\S+\.\S+) (\d+)$", result.out, re.MULTILINE)}
        return result

    def covered(self, log="run.oriel", image="counted.dll"):
        """By row: place → count, as the dump has them."""
        methods = {}
        for record in self.dump(log, kind="coverage"):
            if record["image"] != image:
                continue
            points = methods.setdefault(record["row"], {})
            for place, count in (point.split(":") for point in record["points"].split()):
                points[place] = points.get(place, 0) + int(count)
        return methods

    def assert_parts(self, covered):
        of = {name: covered.get(row, {}) for name, row in self.rows.items()}
        self.assertTrue(of["Parts.Run"])
        self.assertEqual(set(of["Early.Make"].values()) | set(of["Early..cctor"].values()), {1}, "a static constructor")
        self.assertEqual(set(of["Pair`1.Text"].values()), {1}, "what one instantiation runs and what another")
        cases = [of["Parts.Pick"][f"1/{case}"] for case in range(5)]
        self.assertEqual(cases, [0, 1, 0, 1, 0])
        self.assertNotIn("Parts.NeverCalled", [name for name, points in of.items() if points])
        # Only what stands before the division ran.
        ran = [count for place, count in of["Parts.Broken"].items()]
        self.assertEqual(ran, sorted(ran, reverse=True))
        self.assertEqual({0, 1}, set(ran))

    def test_program_and_what_it_ran(self):
        plain, counted = self.plain("parts"), self.counted("parts")
        self.assertEqual((counted.code, counted.out, counted.err), (plain.code, plain.out, plain.err))
        self.assert_parts(self.covered())
        self.assertEqual(os.listdir(self.folder), ["run.oriel"], "the file of counters is gone")
        properties = self.report("summary")["properties"]
        self.assertEqual((properties["coverage"], properties["coverage.methods"]), ("hit", ""))

    def test_whatever_ends_it(self):
        self.counted("parts", log="whole.oriel")
        whole = self.covered("whole.oriel")
        for how, code in ("killed", -9), ("failed", -6):
            result = self.counted(how, log=how + ".oriel")
            self.assertEqual(result.code, code)
            covered = self.covered(how + ".oriel")
            self.assert_parts(covered)
            # The same but for the program's own choice of what to do.
            for name, row in self.rows.items():
                self.assertEqual(covered.get(row), whole.get(row), name)
        self.assertTrue(os.path.exists(self.path("killed.oriel.counters")))
        self.assertFalse(os.path.exists(self.path("failed.oriel.counters")))

    def test_while_it_runs(self):
        process = subprocess.Popen(["dotnet", COUNTED, "waits"], cwd=self.folder, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, env={**harness.CLEAN, **ENGINE, "ORIEL_PROFILERS":
                                                                f"coverage:output={self.path('run.oriel')}"})
        self.addCleanup(process.wait)
        out = ""
        while "divided by zero" not in out:
            line = process.stdout.readline().decode()
            self.assertTrue(line, out)
            out += line
        self.rows = {name: int(row) for name, row in re.findall(r"^(\S+\.\S+) (\d+)$", out, re.MULTILINE)}
        self.assert_parts(self.covered())
        process.communicate(b"\n")
        self.assert_parts(self.covered())

    def test_loaded_from_bytes_and_gone(self):
        plain = self.plain("loaded", COUNTED)
        counted = self.counted("loaded", COUNTED)
        self.assertEqual((counted.code, counted.out, counted.err), (plain.code, plain.out, plain.err))
        self.assertIn("\ngone\n", counted.out)
        named = {record["name"]: record["points"] for record in self.dump(kind="coverage")}
        self.assertEqual(named["Hot.Add(int, int)"], "0:1")
        self.assertRegex(named["Hot.Round(int)"], "^0:1 .*:1$")

    def test_a_method_of_very_many_conditions(self):
        plain = self.plain("large", "9000")
        for mode in harness.some(("count", "hit")):
            counted = self.counted("large", "9000", more=f",mode={mode}")
            self.assertEqual((counted.code, counted.out, counted.err), (plain.code, plain.out, plain.err))
            points, = [record["points"].split() for record in self.dump(kind="coverage")
                       if record["name"] == "Many.Ask(int)"]
            self.assertGreater(len(points), 30_000)
            # It ran thrice; the first condition was met once, and the last, and no other.
            met = [int(point.rsplit(":", 1)[1]) for point in points if "/1:" in point]
            self.assertEqual(met, [1] + 8_998 * [0] + [1])
            runs = {int(point.rsplit(":", 1)[1]) for point in points if "/0:" in point}
            self.assertEqual(runs, {2, 3} if mode == "count" else {1})

    def test_precompiled_code_of_the_framework(self):
        counted = self.counted("parts", more=",include=[System.Console]")
        self.assertEqual(counted.out, self.plain("parts").out)
        self.assertEqual(counted.own_lines(), [])
        self.assertEqual(self.covered(), {})
        self.assertGreater(len(self.covered(image="System.Console.dll")), 10)

    def last_compiled(self, name):
        """What the compiler says of the last code of the method that it made: bytes of IL and of code."""
        with open(self.path("compiled"), encoding="utf-8") as file:
            found = re.findall(rf"JIT compiled {re.escape(name)}\(.*\[Tier1\b.*IL size=(\d+), code size=(\d+)\]", file.read())
        return tuple(int(bytes) for bytes in found[-1])

    def test_all_that_ran_again_and_again(self):
        # Long enough that methods lose their probes.
        harness.CLEAN.update(DOTNET_JitStdOutFile=self.path("compiled"), DOTNET_JitDisasmSummary="1")
        self.addCleanup(lambda: [harness.CLEAN.pop(name) for name in ("DOTNET_JitStdOutFile", "DOTNET_JitDisasmSummary")])
        plain = self.plain("hot", "2000")
        compiled = {name: self.last_compiled(name) for name in ("Hot:Round", "Hot:Add", "Hot:Part")}
        counted = self.counted("hot", "6000")
        for name, (il, code) in compiled.items():
            now = self.last_compiled(name)
            self.assertEqual(now[0], il, f"{name}: no probe is left in it")
            self.assertLessEqual(now[1], code, f"{name}: nor in what it has inlined, and it calls nothing")
        self.assertEqual((counted.code, counted.err), (0, ""))
        self.assertIn("True True", counted.out)
        self.assertRegex(plain.out, r"(?s)at Hot.Part\(.*:line \d+.*at Hot.Within\(.*:line \d+")
        self.assertEqual(counted.out, plain.out, "places of frames of code with probes, and of code that lost them")
        covered = self.covered()
        for name in "Hot.Round", "Hot.Add", "Hot.Part", "Hot.Within":
            self.assertEqual(set(covered[self.rows[name]].values()), {1}, name)

    def test_beside_other_probes(self):
        log = f"log:hz=100,calls,alloc,async,out={self.path('log.oriel')}"
        counted = self.counted("parts", modules=[log])
        plain = self.plain("parts")
        self.assertEqual((counted.code, counted.out, counted.err), (plain.code, plain.out, plain.err))
        self.assert_parts(self.covered())
        calls = {row["name"].split("(")[0]: row["calls"] for row in self.report("calls", log="log.oriel")["methods"]}
        self.assertEqual(calls["Parts.Pick"], 2)

    def assert_steps(self, counted, counts):
        """What the program itself counted, by several threads, and what `counts` has of its methods' runs."""
        even, odd, inner = (int(number) for number in re.search(r"even (\d+) odd (\d+) inner (\d+)", counted.out).groups())
        self.assertEqual((even + odd, inner > 0), (1_200_000, True))
        begins = {name: counts[name][0] for name in ("Steps.Step", "Steps.Even", "Steps.Odd", "Steps.Inner", "Steps.Work")}
        self.assertEqual(begins, {"Steps.Step": even + odd, "Steps.Even": even, "Steps.Odd": odd, "Steps.Inner": inner,
                                  "Steps.Work": 4})

    def runs(self, covered):
        """By name, the counts of runs by rising offset."""
        of = {name: covered.get(row, {}) for name, row in self.rows.items()}
        return {name: [count for place, count in points.items() if "/" not in place] for name, points in of.items()}

    def test_counts_of_four_threads(self):
        counted = self.counted("steps", "4", "300000", more=",mode=count")
        self.assertEqual((counted.code, counted.err), (0, ""))
        covered = self.covered()
        self.assert_steps(counted, self.runs(covered))
        step = covered[self.rows["Steps.Step"]]
        ways = [count for place, count in step.items() if "/" in place]
        self.assertEqual(ways, [600_000, 600_000], "each way of the branch")
        self.assertEqual(self.report("summary")["properties"]["coverage"], "count")

    def test_counts_of_a_killed_program(self):
        self.counted("killed", more=",mode=count")
        covered = self.covered()
        self.assertEqual(covered[self.rows["Parts.Pick"]]["0"], 2)
        self.assertEqual(covered[self.rows["Parts.Broken"]]["0"], 1)

    def sums(self):
        """What the module said that adds up its periods: by name, the sums of runs by rising offset."""
        sums = {}
        with open(self.path("sums"), encoding="utf-8") as file:
            for line in file:
                name, _, count = line.rsplit(" ", 2)
                sums.setdefault(name.split("(")[0], []).append(int(count))
        return sums

    def test_who_begins_anew_when_methods_have_lost_their_probes(self):
        counted = self.counted("hot", "6000", modules=[f"{PERIODS}:hit,Hot,5000,{self.path('sums')}"])
        self.assertEqual((counted.code, counted.err), (0, ""))
        sums = self.sums()
        for name in "Hot.Round", "Hot.Add", "Hot.Part":
            self.assertGreater(min(sums[name]), 20, f"{name}: periods in which it ran")

    def test_two_profilers_of_which_one_begins_anew_again_and_again(self):
        for mode in harness.some(("count", "hit")):
            counted = self.counted("steps", "4", "300000", more=f",mode={mode}",
                                   modules=[f"{PERIODS}:{mode},Steps,0,{self.path('sums')}"])
            self.assertEqual((counted.code, counted.err), (0, ""))
            runs, sums = self.runs(self.covered()), self.sums()
            if mode == "count":
                self.assert_steps(counted, runs)
                self.assert_steps(counted, sums)
            for name in "Steps.Step", "Steps.Even", "Steps.Odd", "Steps.Inner", "Steps.Work":
                self.assertTrue(all(sums[name]) and all(runs[name]), f"{mode}: {name} ran in some period")

    def test_a_filter_that_goes_and_comes_back_while_the_program_runs(self):
        for mode in "count", "hit":
            done = self.path(f"{mode}-done")
            result = self.call(["dotnet", COUNTED, "until", done],
                               env={**ENGINE, "ORIEL_PROFILERS": f"{SWITCHER}:{mode},{done}"}, timeout=200)
            self.assertEqual((result.code, result.err), (0, ""))
            self.assertTrue(result.out.endswith("\non off on\n"), result.out[-200:])

    def test_include_and_exclude(self):
        self.counted("parts", more=",mode=hit,exclude=Parts.Pick|Early")
        covered = self.covered()
        self.assertIn(self.rows["Parts.Run"], covered)
        for name in "Parts.Pick", "Early.Make", "Early..cctor":
            self.assertNotIn(self.rows[name], covered)
        counted = self.counted("parts", more=",include=Parts.Pick|No.Such")
        self.assertEqual(list(self.covered()), [self.rows["Parts.Pick"]])
        self.assertEqual(len(counted.own_lines()), 1)
        self.assertIn("No.Such", counted.own_lines()[0])

    def test_on_a_full_disk(self):
        plain = self.plain("large", "9000")
        counters, log = r"run.oriel.counters", r"cannot write the log \S+: No space left on device; it ends after \d+ bytes"
        for kilobytes, lines in ((4, [rf"coverage: cannot write \S+{counters}: No space left on device; if the program "
                                      r"is killed", rf"{log}.*; what ran is lost$"]),
                                 (100, [rf"{counters} cannot grow: No space left on device; the program runs on",
                                        rf"{log}.*; what ran is in \S+{counters}, as far as that could grow$"])):
            for mode in harness.some(("hit", "count")):
                with self.full_disk(kilobytes):
                    counted = self.counted("large", "9000", log="full/run.oriel", more=f",mode={mode}")
                    self.assertEqual((counted.code, counted.out), (plain.code, plain.out))
                    self.assertEqual(len(counted.own_lines()), 2, counted.err)
                    for line, told in zip(counted.own_lines(), lines):
                        self.assertRegex(line, told)
        # There is room for the log, and for a part of the counters.
        with self.full_disk(512):
            counted = self.counted("large", "9000", log="full/run.oriel")
            self.assertEqual(len(counted.own_lines()), 1, counted.err)
            self.assertIn(9_000, [sum(":" in point and "/1:" in point for point in record["points"].split())
                                  for record in self.dump("full/run.oriel", kind="coverage")])

    def test_where_nothing_can_be_written(self):
        plain = self.plain("parts")
        counted = self.counted("parts", log="no/such/run.oriel")
        self.assertEqual((counted.code, counted.out), (plain.code, plain.out))
        self.assertIn("no/such/run.oriel: No such file or directory", counted.own_lines()[0])


if __name__ == "__main__":
    harness.main()
