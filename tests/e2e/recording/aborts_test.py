#!/usr/bin/env python3
"""How a program ended that its runtime aborts is in its log: which exception, what it said, where it was thrown."""
import os

import harness
from harness import program

SOURCE = os.path.join(harness.ROOT, "tests", "targets", "programs", "Processes.cs")


class Aborts(harness.OrielTest):
    def end_of(self, how, *options):
        """Runs the program with Oriel and without, and returns how the log says that it ended."""
        plain = self.call(program("crash", how))
        result = self.record(*program("crash", how), options=options)
        self.assertEqual((result.code, result.out), (128 - plain.code if plain.code < 0 else plain.code, plain.out))
        summary = self.report("summary")
        self.assertEqual(summary["state"], "complete")
        return summary["aborts"]

    def line_of(self, text):
        with open(SOURCE, encoding="utf-8") as source:
            return next(number for number, line in enumerate(source, 1) if text in line)

    def assert_by(self, abort, method, text):
        self.assertEqual(abort["by"]["name"], method)
        self.assertTrue(abort["by"]["file"].endswith("Processes.cs"), abort)
        self.assertEqual(abort["by"]["line"], self.line_of(text))

    def test_the_exception_that_nobody_catches(self):
        for how, kind, message, method, text in (
                ("unhandled", "System.InvalidOperationException", "nobody catches this", "Crash.Run(string)", 'how == "unhandled"'),
                ("thread", "Crash.Refusal", "on a thread", "Crash.InThread.lambda#0()", '"on a thread"'),
                ("async-void", "Crash.Refusal", "nobody can await this", "Crash.FromAsyncVoid()", '"nobody can await'),
                ("nobody", "Crash.Refusal", "the last", "Crash.NotAwaited.lambda#0(int)", '"the last"')):
            with self.subTest(how):
                (abort,) = self.end_of(how)
                self.assertEqual((abort["cause"], abort["type"], abort.get("message")), ("exception", kind, message))
                self.assert_by(abort, method, text)
                self.assertIn("Ended       by an unhandled " + kind, self.oriel("report", "run.oriel").out.split("\n")[0])

    def test_one_that_is_thrown_again(self):
        (abort,) = self.end_of("again")
        self.assertEqual((abort["type"], abort["message"]), ("Crash.Refusal", "caught once"))
        self.assertEqual(abort["by"]["name"], "Crash.ThrowAgain()")

    def test_fail_fast(self):
        (abort,) = self.end_of("failfast")
        self.assertEqual(abort["cause"], "fail-fast")
        self.assert_by(abort, "Crash.Run(string)", 'how == "failfast"')

    def test_exceptions_that_end_nothing(self):
        for how in ("task", "handler"):
            with self.subTest(how):
                self.assertEqual(self.end_of(how), [])

    def test_an_overflowed_stack_ends_as_ever(self):
        self.assertEqual(self.call(program("crash", "overflow")).code, -6)
        self.assertEqual(self.record(*program("crash", "overflow")).code, 134)
        self.assertNotIn("exception", [abort["cause"] for abort in self.report("summary")["aborts"]])

    def test_without_samples_and_exceptions_the_end_is_told(self):
        (abort,) = self.end_of("unhandled", "--no-sample", "--module", "log:events=none")
        self.assertEqual(abort["cause"], "other")

    def test_other_modules_write_what_they_have(self):
        self.assertEqual(self.record(*program("crash", "unhandled"), options=["--callgraph=Crash.*"]).code, 134)
        methods = [entry["name"] for entry in self.report("callgraph")["methods"]]
        self.assertIn("Crash.Run(string)", methods)


if __name__ == "__main__":
    harness.main()
