#!/usr/bin/env python3
"""A program under `oriel run` behaves as it does without: output, exit code, children; and the log is where it should be."""
import os
import re

import harness
from harness import program


class Unchanged(harness.OrielTest):
    def test_streams_and_exit_code_are_the_programs_own(self):
        text = "ein Fluß\n" * 100
        plain = self.call(program("echo"), stdin=text.encode())
        result = self.record(*program("echo"), stdin=text.encode())
        self.assertEqual((result.code, result.out), (plain.code, plain.out))
        self.assertEqual(result.code, len(text) % 100)
        self.assertTrue(result.err.startswith(plain.err))
        self.assertEqual(len(result.err[len(plain.err):].splitlines()), 1, result.err)

    def test_exit_codes(self):
        for code in (0, 1, 77, 255):
            self.assertEqual(self.record(*program("exit", code)).code, code)

    def test_faults_that_the_runtime_makes_exceptions_of(self):
        faults = program("faults", 100 if harness.LONG else 30)
        plain = self.call(faults)
        for how in ("--sample=250", "--sample=1000", "--sample-real=1000"):
            with self.subTest(how):
                result = self.oriel("run", how, "-o", self.path("faults.oriel"), "--", *faults)
                self.assertEqual((result.code, result.out), (plain.code, plain.out))

    def test_deaths_by_signal(self):
        for how, code in (("kill", 137), ("unhandled", 134), ("failfast", 134)):
            with self.subTest(how):
                self.assertEqual(self.call(program("crash", how)).code, 128 - code)
                self.assertEqual(self.record(*program("crash", how)).code, code)
                self.assertIn(self.report()["state"], ("stopped", "complete"))

    def test_the_exception_that_ends_a_program_is_in_its_log(self):
        # The writer is told at once, but the program does not wait for it.
        told = 0
        for _ in range(5):
            self.assertEqual(self.record(*program("crash", "unhandled")).code, 134)
            told += any(line.get("exception") == "System.InvalidOperationException" for line in self.dump(kind="exception_throw"))
        self.assertGreaterEqual(told, 3)

    def test_child_processes_run_without_oriel(self):
        result = self.oriel("run", "-o", "%n-%p.oriel", "--", *program("parent", "exit", 9))
        self.assertEqual(result.code, 9)
        self.assertEqual(len(self.logs()), 1)


class Logs(harness.OrielTest):
    def test_default_name_is_program_and_process(self):
        result = self.oriel("run", "--", *program("exit"))
        (log,) = self.logs()
        self.assertRegex(log, r"^programs-\d+\.oriel$")
        self.assertRegex(result.own_lines()[-1], rf"^oriel: wrote {re.escape(log)} \([\d.]+ KB\)\. See it: oriel report {log}$")
        summary = self.report(log=log)
        self.assertEqual(summary["state"], "complete")
        self.assertEqual(summary["properties"]["pid"], re.search(r"\d+", log).group())
        self.assertIn("programs.dll", summary["properties"]["command"])

    def test_folder_with_odd_characters(self):
        folder = self.path("a, b=%p ü")
        os.mkdir(folder)
        self.oriel("run", "-o", folder + "/100%%,x.oriel", "--", *program("exit"))
        self.assertEqual(os.listdir(folder), ["100%,x.oriel"])

    def test_log_goes_where_oriel_was_started_whatever_the_program_does(self):
        os.mkdir(self.path("other"))
        self.oriel("run", "--", "sh", "-c", "cd other && exec " + " ".join(program("exit")))
        self.assertEqual(len(self.logs()), 1)

    def test_children_each_write_their_own(self):
        result = self.oriel("run", "--children", "--", *program("parent", "parent", "exit", 3))
        self.assertEqual(result.code, 3)
        self.assertEqual(len(self.logs()), 3)
        self.assertIn("wrote 3 logs", result.err)
        for log in self.logs():
            self.assertEqual(self.report(log=log)["state"], "complete")

    def test_what_a_script_starts_is_followed_unasked(self):
        with open(self.path("work.sh"), "w", encoding="utf-8") as script:
            script.write("#!/bin/sh\n" + " ".join(program("exit")) + "\n" + " ".join(program("busy", 1, 5)) + "\n")
        os.chmod(self.path("work.sh"), 0o755)
        for command in (["./work.sh"], ["sh", "work.sh"]):
            result = self.oriel("run", "--", *command)
            self.assertEqual((result.code, result.out), (0, "busy done\n"), result.err)
            self.assertIn("wrote 2 logs", result.err)
            for log in self.logs():
                os.remove(self.path(log))
        # One log is that of the process that is started.
        result = self.oriel("run", "-o", "run.oriel", "--", "sh", "-c", "exec " + " ".join(program("busy", 1, 5)))
        self.assertEqual((result.code, self.logs()), (0, ["run.oriel"]), result.err)

    def test_a_program_that_starts_the_one_with_the_work_says_so(self):
        self.record(*program("parent", "busy", 1, 60))
        hint = self.report()["hints"][0]
        self.assertEqual(hint["hint"], "children")
        self.assertRegex(hint["text"], r"^Its child processes took [\d.]+ (m?s) of CPU time, the program itself [\d.]+ m?s\. "
                                       r".*oriel run --children")
        self.oriel("run", "--children", "-o", "with-%p.oriel", "--", *program("parent", "busy", 1, 60))
        for log in [log for log in self.logs() if log.startswith("with-")]:
            self.assertNotIn("children", [hint["hint"] for hint in self.report(log=log)["hints"]])

    def test_no_samples_when_told(self):
        self.record(*program("busy", 1, 100), options=["--no-sample"])
        self.assertIsNone(self.report()["samples"])

    def test_rate_and_mode_are_those_asked_for(self):
        self.record(*program("exit"), options=["--sample-real=99"])
        samples = self.report()["samples"]
        self.assertEqual((samples["mode"], samples["hz"]), ("real", 99))
        self.record(*program("exit"), options=["--sample=500"], log="b.oriel")
        samples = self.report(log="b.oriel")["samples"]
        self.assertEqual((samples["mode"], samples["hz"]), ("process", 500))
        self.record(*program("exit"), options=["--module", "log:hz=1000"], log="c.oriel")
        samples = self.report(log="c.oriel")["samples"]
        self.assertEqual((samples["mode"], samples["hz"]), ("process", 1000))


if __name__ == "__main__":
    harness.main()
