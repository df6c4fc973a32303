"""Other profilers, unmodified, beside Oriel: tests/guests has them, tests/targets/guests the program."""
import itertools
import os
import shutil

from harness import BUILD, OrielTest, main, some
from other_profilers import alone, clsid, guest, library

PROGRAM = os.path.join(BUILD, "targets", "guests", "guests.dll")
# What decides which code a method has when.
SETTINGS = ({}, {"DOTNET_TieredPGO": "0"}, {"DOTNET_ReadyToRun": "0"}, {"DOTNET_TieredCompilation": "0"},
            {"DOTNET_gcServer": "1"}, {"DOTNET_OSR_HitLimit": "1", "DOTNET_TC_OnStackReplacement_InitialCounter": "1"})


class Guests(OrielTest):
    def values(self, *options, env=None):
        result = self.record("dotnet", PROGRAM, "value", options=options, env=env)
        self.assertEqual(result.code, 0, result.err)
        return result

    def test_one_changes_methods_as_it_does_alone(self):
        there = self.call(["dotnet", PROGRAM, "value"], env=alone("rewriting", 3))
        self.assertEqual(there.out, "3\n", there.err)
        beside = self.values(*guest("rewriting", 3))
        self.assertEqual(beside.out, there.out)
        self.assertEqual(self.report("summary")["properties"]["guests"], f"libguest-rewriting.so {clsid(3)}")
        self.assertEqual(len(beside.own_lines()), 1, beside.err)

    def test_two_change_the_same_method_and_oriel_counts_its_calls(self):
        result = self.values(*guest("rewriting", 1), *guest("rewriting", 2), "--calls=Marked")
        self.assertEqual(result.out, "3\n")
        calls = {row["name"]: row["calls"] for row in self.report("calls")["methods"]}
        self.assertEqual(calls["Marked.Value()"], 120_000)

    def test_one_uses_what_it_adds_to_metadata_and_oriel_counts_its_calls(self):
        result = self.record("dotnet", PROGRAM, "value", options=[*guest("rewriting", 64), "--calls=Marked", "--alloc"])
        self.assertEqual((result.out, len(result.own_lines())), ("64\n", 1), result.err)
        calls = {row["name"]: row["calls"] for row in self.report("calls")["methods"]}
        self.assertEqual(calls["Marked.Value()"], 120_000)

    def test_versions_of_what_never_ran_have_their_calls_counted(self):
        result = self.record("dotnet", PROGRAM, "value", options=[*guest("rejitting", 64), "--calls=Marked"])
        self.assertEqual((result.out, len(result.own_lines())), ("64\n", 1), result.err)
        calls = {row["name"]: row["calls"] for row in self.report("calls")["methods"]}
        self.assertEqual(calls["Marked.Value()"], 120_000)

    def test_oriel_knows_what_is_a_class_beside_one(self):
        versions = os.path.join(BUILD, "targets", "versions", "versions.dll")
        result = self.record("dotnet", versions, "class", "struct", options=[*guest("counting", 1), "--alloc"])
        self.assertEqual((result.code, result.out.count(": 999000")), (0, 2), result.err)

    def test_versions_are_made_of_all_that_asked_whoever_takes_back(self):
        three = [*guest("rejitting", 1), *guest("rejitting", 2), *guest("rejitting", 4)]
        others = [*guest("rewriting", 8), *guest("counting", 9), *guest("hooks", 0x31),
                  "--sample=1000", "--calls=Marked", "--alloc"]
        for (order, settings), beside in itertools.product(
                some(zip(itertools.permutations((1, 2, 4)), SETTINGS)), ([], others)):
            steps = [f"+{n}" for n in (1, 2, 4)] + [f"-{n}" for n in order]
            result = self.record("dotnet", PROGRAM, "rejit", library("rejitting"), *steps, options=[*three, *beside],
                                 env=settings)
            self.assertEqual(result.code, 0, result.err)
            self.check_steps(result.out, steps, 8 if beside else 0)

    def check_steps(self, out, steps, value):
        lines = out.splitlines()
        self.assertEqual(lines[0], f"before {value}", out)
        for step, line in zip(steps, lines[1:], strict=True):
            before, value = value, value + int(step)
            given, result, settled, _, seen = line.split()
            self.assertEqual((given, result, int(settled)), (step, "0", value), out)
            self.assertLessEqual({int(one) for one in seen.split(",")}, {before, value}, out)

    def test_versions_are_on_top_of_what_others_made_first_and_below_probes(self):
        options = [*guest("rewriting", 8), *guest("rejitting", 1), "--calls=Marked"]
        result = self.record("dotnet", PROGRAM, "rejit", library("rejitting"), "+1", "-1", options=options)
        self.assertEqual(result.code, 0, result.err)
        lines = [line.split(" of ")[0] for line in result.out.splitlines()]
        self.assertEqual(lines, ["before 8", "+1 0 9", "-1 0 8"], result.err)
        calls = {row["name"]: row["calls"] for row in self.report("calls")["methods"]}
        self.assertEqual(calls["Marked.Value()"], calls["Marked.Added()"])

    def test_each_hears_what_it_asked_for_and_nothing_else(self):
        env = {"COUNTING_FILE": self.path("alone"), "COUNTING_MASK": "4"}
        self.call(["dotnet", PROGRAM, "value"], env={**env, **alone("counting", 1)})
        env["COUNTING_FILE"] = self.path("%n")
        self.values(*guest("counting", 1), *guest("counting", 2), "--calls=Marked", env=env)
        counts = [self.counts(name) for name in ("alone", "1", "2")]
        self.assertEqual(set(counts[0]), {"ModuleLoadStarted", "ModuleLoadFinished", "ModuleAttachedToAssembly"})
        self.assertEqual(counts[1], counts[0])
        self.assertEqual(counts[2], counts[0])

    def test_each_hears_by_any_mask_what_it_hears_alone(self):
        # How often differs from run to run, and some things happen in some runs only.
        rare = {"RuntimeSuspendAborted", "ModuleUnloadStarted", "DynamicMethodUnloaded", "ThreadDestroyed"}
        masks = ((0xffffffff & ~0x80102c00, 0x71), (0x2, 0), (0x20, 0x20), (0x800, 0), (0, 0x1), (0x20000, 0), (0x8, 0), (0x40, 0),
                 (0x80, 0), (0x200, 0), (0x10000, 0), (0x800100, 0), (0x1000000, 0), (0, 0x10))
        for low, high in some(masks, 6):
            env = {"COUNTING_FILE": self.path("alone"), "COUNTING_MASK": hex(low), "COUNTING_MASK_HIGH": hex(high)}
            there = self.call(["dotnet", PROGRAM, "events"], env={**env, **alone("counting", 1)})
            self.assertEqual(there.code, 0, there.err)
            env["COUNTING_FILE"] = self.path("%n")
            beside = self.record("dotnet", PROGRAM, "events", options=[*guest("counting", 1), *guest("counting", 2)], env=env)
            self.assertEqual(beside.code, 0, beside.err)
            heard = [set(self.counts(name)) - rare for name in ("alone", "1", "2")]
            self.assertEqual(heard[1:], [heard[0]] * 2, (hex(low), hex(high), heard))

    def test_each_gets_the_answers_that_it_gets_alone(self):
        for number in (1, 2, 3, 4, 5, 6):
            there = self.call(["dotnet", PROGRAM, "ask", library("asking"), str(number)], env=alone("asking", number))
            beside = self.record("dotnet", PROGRAM, "ask", library("asking"), str(number),
                                 options=[*guest("asking", number), *guest("counting", 9)],
                                 env={"COUNTING_MASK": "24"})
            self.assertEqual(beside.out, there.out)
            self.assertIn(f"{number} left: {'yes' if number in (4, 5) else 'no'}", there.out)

    def test_each_hears_each_event_as_often_as_it_hears_it_alone(self):
        numbers = (1, 2, 3, 4, 5)
        there = [self.call(["dotnet", PROGRAM, "events"], env=alone("hearing", number)).out for number in numbers]
        self.assertIn("3 event 3: 4000, sum 998000", there[2], "by two sessions of its own")
        self.assertEqual(there[3], "4 event 3: 2000, sum 499000\n", "only what has no keyword")
        self.assertEqual(self.heard(*numbers), sorted("".join(there).splitlines()))
        for other in (6, 7):
            self.assertEqual(self.heard(2, 3, other), sorted((there[1] + there[2]).splitlines()))

    def heard(self, *numbers):
        options = [option for number in numbers for option in guest("hearing", number)]
        result = self.record("dotnet", PROGRAM, "events", options=options)
        self.assertEqual(result.code, 0, result.err)
        return sorted(result.out.splitlines())

    def test_the_log_says_who_was_there(self):
        self.values(*guest("rewriting", 1), *guest("counting", 2), *guest("bad", 3), env={"COUNTING_MASK": "a4"})
        summary = self.report("summary")
        names = [f"libguest-{name}.so {clsid(number)}" for name, number in
                 (("rewriting", 1), ("counting", 2), ("bad", 3))]
        self.assertEqual(summary["properties"]["guests"], ", ".join(names))
        self.assertEqual(summary["properties"]["guests.began"],
                         ", ".join(f"ICorProfilerCallback11 {mask} 0x0" for mask in ("0x24", "0xa4", "0x4")))
        counters = summary["counters"]
        self.assertEqual([counters["guest.methods." + name] for name in names], [1, 0, 0])
        self.assertGreater(counters["guest.ns." + names[1]], 10_000)
        self.assertEqual(counters.get("guest.out." + names[2]), 1)
        shown = " ".join(self.oriel("report", "summary", "run.oriel").out.split())
        self.assertIn(f"{names[0]}: 1 method changed, ", shown)
        self.assertIn("ICorProfilerCallback11, mask 0xa4 0x0, turns concurrent collections off", shown)
        self.assertIn(f"{names[2]}: left out", shown)

    def counts(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return {line.split()[0]: int(line.split()[1]) for line in file}


class Takeover(OrielTest):
    def test_the_profiler_of_the_environment_runs_beside_oriel(self):
        env = alone("rewriting", 5)
        result = self.record("dotnet", PROGRAM, "value", env=env)
        self.assertEqual((result.code, result.out), (0, "5\n"), result.err)
        self.assertEqual(len(result.own_lines()), 2, result.err)
        self.assertIn("libguest-rewriting.so", result.own_lines()[0])
        self.assertIn("runs beside Oriel", result.own_lines()[0])
        self.assertGreater(self.report("summary")["samples"]["periods"], 0)
        for switch, runs in (("0x2", True), ("0", False), ("yes", False)):
            there = {**env, "CORECLR_ENABLE_PROFILING": switch}
            self.assertEqual(self.call(["dotnet", PROGRAM, "value"], env=there).out, "5\n" if runs else "0\n")
            result = self.record("dotnet", PROGRAM, "value", log="switch.oriel", env=there)
            self.assertEqual((result.code, result.out), (0, "5\n" if runs else "0\n"), result.err)
        without = self.record("dotnet", PROGRAM, "value", options=["--no-guests"], log="alone.oriel", env=env)
        self.assertEqual((without.code, without.out), (0, "0\n"), without.err)

    def test_it_and_children_find_its_own_values(self):
        env = alone("rewriting", 5)
        there = self.call(["dotnet", PROGRAM, "environment"], env=env)
        beside = self.record("dotnet", PROGRAM, "environment", env=env)
        self.assertEqual(beside.out, there.out)
        self.assertEqual(there.out.count(clsid(5)), 2)

    def test_its_path_may_be_any_but_one_with_an_end_of_line(self):
        for name, out in (("blank .so ", "5\n"), ("two\nlines.so", "0\n")):
            path = shutil.copy(library("rewriting"), self.path(name))
            result = self.record("dotnet", PROGRAM, "value", env={**alone("rewriting", 5), "CORECLR_PROFILER_PATH": path})
            self.assertEqual((result.code, result.out), (0, out), result.err)
            self.assertIn("runs beside Oriel" if out == "5\n" else "its path contains a line break", result.own_lines()[0])

    def test_one_that_the_runtime_could_not_load_either_is_left_out(self):
        env = {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": clsid(5), "CORECLR_PROFILER_PATH": "/nowhere.so"}
        result = self.record("dotnet", PROGRAM, "value", env=env)
        self.assertEqual((result.code, result.out), (0, "0\n"), result.err)
        self.assertIn("is left out", result.own_lines()[0])


class LateComers(OrielTest):
    def late(self, name, number, *options, env=None):
        engine = os.path.join(BUILD, "lib", "liboriel.so")
        description = f"{clsid(number)}={library(name)}"
        return self.record("dotnet", PROGRAM, "late", engine, description, options=options, env=env)

    def test_one_hears_what_happens_from_then_on(self):
        result = self.late("counting", 1, env={"COUNTING_MASK": "24", "COUNTING_FILE": self.path("counts")})
        self.assertEqual((result.code, result.out), (0, "0 \n0\n"), result.err)
        with open(self.path("counts"), encoding="utf-8") as file:
            self.assertIn("JITCompilationStarted", file.read())
        self.assertIn("0 methods changed", self.oriel("report", "summary", "run.oriel").out)

    def test_one_changes_what_is_compiled_from_then_on_below_probes(self):
        result = self.late("rewriting", 6, *guest("rewriting", 1), "--calls=Marked")
        self.assertEqual((result.code, result.out), (0, "0 \n7\n"), result.err)
        calls = {row["name"]: row["calls"] for row in self.report("calls")["methods"]}
        self.assertEqual(calls["Marked.Value()"], 120_000)

    def test_what_cannot_come_late_is_refused_and_harms_nobody(self):
        result = self.late("asking", 3, *guest("rewriting", 1))
        self.assertIn("InitializeForAttach returned 0x80004005", result.out)
        self.assertEqual((result.code, result.out.splitlines()[-1]), (0, "1"), result.err)
        result = self.late("counting", 1, env={"COUNTING_MASK": "800"})
        self.assertIn("is refused SetEventMask2, as by the runtime: 0x", result.err)
        self.assertEqual((result.code, result.out.splitlines()[-1]), (0, "0"), result.err)


class BadGuests(OrielTest):
    def refused(self, *options):
        return self.oriel("run", *options, "--", "dotnet", PROGRAM, "value")

    def test_what_cannot_be_loaded_is_told_before_the_program_starts(self):
        self.assert_refused(self.refused("--clr-profiler", "nonsense"), 125, "{CLSID}=PATH")
        self.assert_refused(self.refused("--clr-profiler", f"{clsid(1)}=/nowhere.so"), 125, "/nowhere.so")
        self.assert_refused(self.refused("--clr-profiler", f"{clsid(1)}={PROGRAM}"), 125, "cannot be loaded")
        self.assert_refused(self.refused("--clr-profiler", f"{clsid(1)}={BUILD}/lib/liboriel-log.so"), 125,
                            "DllGetClassObject")
        other = "{00000000-0000-4000-8000-000000000001}"
        self.assert_refused(self.refused("--clr-profiler", f"{other}={library('bad')}"), 125, "0x80040111")
        self.assert_refused(self.refused(*guest("bad", 1), *guest("bad", 1)), 125, "twice")

    def test_a_library_for_another_processor_is_told_as_such(self):
        with open(library("counting"), "rb") as file:
            image = bytearray(file.read())
        image[18:20] = (183).to_bytes(2, "little")  # e_machine: EM_AARCH64
        with open(self.path("other.so"), "wb") as file:
            file.write(image)
        self.assert_refused(self.refused("--clr-profiler", f"{clsid(1)}=./other.so"), 125,
                            "is for another processor (Arm64)")

    def test_an_error_in_a_list_has_its_place(self):
        with open(self.path("guests.txt"), "w", encoding="utf-8") as file:
            file.write(f"# beside us\n{clsid(1)}={library('counting')}\n  {clsid(2)[:-3]}Z}}=/x.so\n")
        self.assert_refused(self.refused("--clr-profiler-config", "guests.txt"), 125, "line 3, column 38")

    def test_one_that_fails_is_named_and_the_others_run_on(self):
        for number, why in ((1, "0x80004005"), (2, "Initialize"), (3, "ModuleLoadFinished")):
            result = self.record("dotnet", PROGRAM, "value", options=[*guest("bad", number), *guest("rewriting", 9)])
            self.assertEqual((result.code, result.out), (0, "9\n"), result.err)
            told = [line for line in result.own_lines() if "libguest-bad.so" in line]
            self.assertEqual(len(told), 1, result.err)
            self.assertIn(why, told[0])

    def test_one_that_does_not_want_the_process_goes_without_a_word(self):
        for number in (0, 6):
            result = self.record("dotnet", PROGRAM, "value", options=[*guest("bad", number), *guest("rewriting", 9)])
            self.assertEqual((result.code, result.out), (0, "9\n"), result.err)
            self.assertEqual(len(result.own_lines()), 1, result.err)

    def test_a_body_that_the_runtime_would_reject_is_told_and_not_taken(self):
        bad, good = guest("bad", 5), guest("rewriting", 9)
        for order in ((good, bad), (bad, good), (bad, guest("rewriting", 4), good)):
            result = self.record("dotnet", PROGRAM, "value", options=[part for one in order for part in one])
            self.assertEqual((result.code, result.out), (0, "13\n" if len(order) == 3 else "9\n"), result.err)
            told = [line for line in result.own_lines() if "libguest-bad.so" in line]
            self.assertEqual(len(told), 1, result.err)
            self.assertIn("Marked.Value", told[0])
            self.assertIn("IL_0000: pop", told[0])

    def test_what_is_no_body_is_told_and_not_taken(self):
        result = self.record("dotnet", PROGRAM, "value", options=[*guest("bad", 7), *guest("rewriting", 9)])
        self.assertEqual((result.code, result.out), (0, "9\n"), result.err)
        told = [line for line in result.own_lines() if "libguest-bad.so" in line]
        self.assertEqual(len(told), 1, result.err)
        self.assertIn("Marked.Value that the runtime would reject: it does not begin with a body's header", told[0])

    def test_one_that_hangs_or_crashes_when_it_is_loaded_is_told_before_the_program_starts(self):
        for how, why in (("hang", "did not load within 10 s"), ("crash", "")):
            result = self.oriel("run", *guest("bad", 1), "--", "dotnet", PROGRAM, "value", env={"BAD_LOAD": how})
            self.assert_refused(result, 125, "libguest-bad.so", why)

    def test_one_that_releases_what_it_does_not_have_harms_nobody(self):
        result = self.record("dotnet", PROGRAM, "value", options=[*guest("bad", 4), *guest("rewriting", 1)])
        self.assertEqual((result.code, result.out), (0, "1\n"), result.err)


if __name__ == "__main__":
    main()
