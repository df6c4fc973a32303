#!/usr/bin/env python3
"""Several logs at once: those of one command as one program, two versions compared, and the newest where none is named."""
import json
import os
import shutil
import tempfile

import harness
from harness import program

QUIET = {"DOTNET_CLI_TELEMETRY_OPTOUT": "1", "DOTNET_NOLOGO": "1"}
PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType>
<TargetFramework>net10.0</TargetFramework><UseAppHost>false</UseAppHost><NuGetAudit>false</NuGetAudit>
</PropertyGroup></Project>"""


class Sdk(harness.OrielTest):
    """What `dotnet` builds and runs. The plain check builds once, under Oriel, and runs what was built."""
    built = None  # the folder with it

    def setUp(self):
        super().setUp()
        with open(self.path("hello.csproj"), "w", encoding="utf-8") as out:
            out.write(PROJECT)
        with open(self.path("Program.cs"), "w", encoding="utf-8") as out:
            out.write('System.Console.WriteLine("hello " + args[0]); return 3;')

    def build(self):
        """Has `dotnet build` run under Oriel once; what it said. What it made is in the test's folder, with its logs."""
        if Sdk.built is None:
            made = self.oriel("run", "--", "dotnet", "build", "-v", "q", env=QUIET, timeout=250)
            self.assertEqual(made.code, 0, made.out + made.err)
            folder = tempfile.mkdtemp(prefix="oriel-sdk-")
            self.addClassCleanup(shutil.rmtree, folder)
            shutil.copytree(self.folder, folder, dirs_exist_ok=True)
            Sdk.built, Sdk.said = folder, made
        shutil.copytree(Sdk.built, self.folder, dirs_exist_ok=True)
        return Sdk.said

    def no_build(self):
        """The option with which `dotnet run` runs what is there already, without any log; in the long mode it builds."""
        if harness.LONG: return []
        self.build()
        for log in self.logs(): os.remove(self.path(log))
        return ["--no-build"]

    def test_dotnet_run_is_about_the_program_that_it_runs(self):
        result = self.oriel("run", "--", "dotnet", "run", *self.no_build(), "-v", "q", "--", "you", env=QUIET, timeout=250)
        self.assertEqual((result.code, result.out), (3, "hello you\n"), result.err)
        (log,) = [name for name in self.logs() if name.startswith("hello-")]
        self.assertIn(f"wrote {log}, the log of the program. See it: oriel report {log}", result.err)
        self.assertIn("more, of 'dotnet run' itself", result.err)
        shown = self.oriel("report", "--json")
        self.assertEqual(json.loads(shown.out)["file"], log)
        self.assertIn(f"the newest log: {log}; of the same run", shown.err)
        processes = json.loads(self.oriel("report", "processes", "--json").out)["processes"]
        self.assertEqual(processes[0]["name"], "dotnet-run")
        (hello,) = [entry for entry in processes if entry["meant"]]
        self.assertEqual((hello["file"], hello["parent"]), (log, processes[0]["pid"]))

    def test_dotnet_build_is_one_tree_whose_parts_add_up(self):
        result = self.build()
        self.assertNotIn("oriel", result.out)
        self.assertRegex(result.err, r"oriel: wrote \d+ logs, one per process \(.*\)\. See them as one: oriel report;")
        self.assertTrue(any(log.startswith("csc-") for log in self.logs()), self.logs())  # not a server that stays
        whole = json.loads(self.oriel("report", "--json").out)
        self.assertEqual(sorted(whole["files"]), self.logs())
        parts = [self.report(log=log) for log in self.logs()]
        self.assertEqual(whole["samples"]["periods"], sum(part["samples"]["periods"] for part in parts))
        self.assertEqual(whole["cpu"]["user_us"], sum(part["cpu"]["user_us"] for part in parts))
        self.assertEqual(whole["gc"]["pause_ns"], sum(part["gc"]["pause_ns"] for part in parts))
        self.assertEqual(sum(entry["samples"] for entry in whole["processes"]), whole["samples"]["periods"])
        self.assertEqual([entry["parent"] for entry in whole["processes"]].count(None), 1)
        self.assertEqual(self.call(["dotnet", "bin/Debug/net10.0/hello.dll", "x"]).out, "hello x\n")

    def test_the_first_process_alone_if_that_is_asked_for(self):
        result = self.oriel("run", "--no-children", "-o", "run.oriel", "--", "dotnet", "run", *self.no_build(), "--", "you",
                            env=QUIET, timeout=250)
        self.assertEqual(result.code, 3, result.err)
        self.assertEqual(self.logs(), ["run.oriel"])
        self.assertIn("this is the log of 'dotnet run' itself", result.err)

    def test_each_process_needs_a_log_of_its_own(self):
        self.assert_refused(self.oriel("run", "-o", "run.oriel", "--", "dotnet", "run"), 125, "'dotnet run' runs in several",
                            "-o run-%p.oriel", "--no-children")


class Compare(harness.OrielTest):
    def record_runs(self, name, rounds, runs):
        os.mkdir(self.path(name))
        for i in range(runs):
            self.record(*program("busy", 1, rounds), options=["--sample=1000"], log=f"{name}/{i}.oriel")

    def significant(self, rows):
        return [row["name"] for row in rows if row["significant"]]

    def diff(self, *words):
        result = self.oriel("report", "diff", "--json", *words)
        self.assertEqual(result.code, 0, result.err)
        return json.loads(result.out)

    def test_what_takes_longer_is_found_and_what_is_the_same_is_not(self):
        self.record_runs("before", 60, 3)
        self.record_runs("after", 200, 3)
        shutil.copy(self.path("before/0.oriel"), self.path("a.oriel"))
        same = self.diff("a.oriel", "before/0.oriel")
        self.assertEqual([self.significant(same[key]) for key in ("categories", "own", "self")], [[], [], []])
        grown = self.diff("before", "after")
        self.assertEqual((grown["before"]["runs"], grown["after"]["runs"]), (3, 3))
        self.assertTrue(grown["own"][0]["significant"])
        self.assertGreater(grown["own"][0]["change"], 4e8)  # of CPU time, with other work beside it
        lines = [row for row in grown["lines"] if row["significant"]]
        self.assertTrue(any(row["line_after"].startswith("Busy.cs:") for row in lines), grown["lines"])
        self.assertTrue(all(row["line_before"] == row["line_after"] for row in lines if row["before"] > 0), lines)
        files = [f"before/{i}.oriel" for i in range(3)] + ["vs"] + [f"after/{i}.oriel" for i in range(3)]
        self.assertEqual(self.diff(*files)["own"][0]["change"], grown["own"][0]["change"])
        text = self.oriel("report", "diff", "before", "after").out
        self.assertRegex(text, r"Before  3 runs: ")

    def test_a_method_that_one_side_only_has(self):
        self.record(*program("exit"), options=["--sample=1000"], log="before.oriel")
        self.record(*program("busy", 1, 60), options=["--sample=1000"], log="after.oriel")
        grown = self.diff("--method", "Busy.LoopOne", "before.oriel", "after.oriel")
        self.assertEqual(grown["whole"]["samples"]["before"], 0)
        self.assertGreater(grown["whole"]["samples"]["after"], 0)
        self.assert_refused(self.oriel("report", "diff", "--method", "NoSuch", "before.oriel", "after.oriel"), 1, "NoSuch")

    def test_without_names_the_last_two_runs(self):
        for _ in range(2):
            self.oriel("run", "--", *program("exit"))
        found = self.diff()
        self.assertNotEqual(found["before"]["files"], found["after"]["files"])
        self.assertEqual(sorted(found["before"]["files"] + found["after"]["files"]), self.logs())
        (older,) = found["before"]["files"]
        self.assertEqual(self.diff(older)["after"]["files"], found["after"]["files"])

    def test_another_program_is_nothing_to_compare_with(self):
        runs = [program("exit"), program("exit"), ["dotnet", os.path.join(harness.BUILD, "targets", "waits", "waits.dll"), "sleep"]]
        for name, command in zip(("first", "second", "other"), runs):
            self.oriel("run", "-o", name + ".oriel", "--", *command)
        self.assertEqual(self.diff("first.oriel")["after"]["files"], ["second.oriel"])
        self.assert_refused(self.oriel("report", "diff", "other.oriel"), 1, "no other log of waits here")
        self.assert_refused(self.oriel("report", "diff"), 1, "no other log of waits here to compare 'other.oriel' with")

    def test_children_are_part_of_one_tree(self):
        self.oriel("run", "--children", "--", *program("parent", "parent", "exit", 3))
        processes = json.loads(self.oriel("report", "processes", "--json").out)["processes"]
        self.assertEqual([entry["parent"] for entry in processes], [None] + [entry["pid"] for entry in processes[:2]])

    def test_what_cannot_be_is_told_in_a_line(self):
        self.assert_refused(self.oriel("report"), 1, "there is no log here", "oriel run -- ")
        self.assert_refused(self.oriel("report", "diff"), 1, "there is no log here")
        self.record(*program("exit"), log="a.oriel")
        self.assert_refused(self.oriel("report", "diff"), 1, "no other log of programs here to compare 'a.oriel' with")
        self.assert_refused(self.oriel("report", "diff", "a.oriel"), 1, "no other log of programs here")
        self.assert_refused(self.oriel("report", "diff", "a.oriel", "b.oriel"), 1, "b.oriel")
        self.assert_refused(self.oriel("report", "diff", "a.oriel", "a.oriel", "a.oriel"), 1, "write vs between")
        self.record(*program("exit"), options=["--sample=99"], log="b.oriel")
        self.assert_refused(self.oriel("report", "a.oriel", "b.oriel"), 1, "sampled differently")
        self.assert_refused(self.oriel("report", "dump", "a.oriel", "b.oriel"), 1, "one log at a time")


if __name__ == "__main__":
    harness.main()
