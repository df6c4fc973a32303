#!/usr/bin/env python3
"""Which clauses run for which exception, and which exception it is that leaves a method; however the code was compiled."""
import os
import unittest

import harness
from harness import BUILD

MODULE = os.path.join(BUILD, "tests", "modules", "liboriel-clauses.so")
PROGRAM = ["dotnet", os.path.join(BUILD, "targets", "clauses", "clauses.dll")]

# What tests/targets/clauses does, read off its source. Indexes are those of the C# compiler's tables, inner clauses
# first.
CLAUSES = """\
step caught
throw FirstException
catch 0 Caught FirstException
step second catch
throw FirstException
catch 1 SecondCatch FirstException
step filtered
throw FirstException
filter 0 Filtered FirstException
filter 1 Filtered FirstException
catch 1 Filtered FirstException
step two finallys
throw FirstException
finally 0 InnerFinallys FirstException
finally 1 InnerFinallys FirstException
catch 0 TwoFinallys FirstException
step one fault
throw FirstException
fault 0 <Numbers>d__14.MoveNext FirstException
finally 0 Fault FirstException
catch 1 Fault FirstException
step replaced
throw ThirdException
finally 1 AroundReplaces ThirdException
throw FirstException
finally 0 Replaces FirstException
throw SecondException
catch 0 AroundReplaces SecondException
catch 0 Replaced ThirdException
step caught within
throw FirstException
finally 1 CatchesWithin FirstException
throw SecondException
catch 0 CatchesWithin SecondException
finally 0 AroundCatchesWithin FirstException
catch 0 CaughtWithin FirstException
step thrown in a filter
throw FirstException
filter 0 AroundThrowingFilter FirstException
throw SecondException
finally 1 AroundThrowingFilter FirstException
catch 0 ThrownInFilter FirstException
step thrown anew
throw FirstException
catch 0 CatchesAndThrowsAnew FirstException
throw FirstException
finally 1 CatchesAndThrowsAnew FirstException
catch 0 ThrownAnew FirstException
step of a static constructor
throw FirstException
finally 1 OfStaticConstructor FirstException
throw FirstException
catch 0 OfStaticConstructor System.TypeInitializationException
catch 2 OfStaticConstructor FirstException
step of the processor
finally 1 InFinallyOfNull System.NullReferenceException
catch 0 InFinallyOfNull System.DivideByZeroException
finally 0 OfProcessor System.NullReferenceException
catch 1 OfProcessor System.NullReferenceException
step of the runtime
finally 2 InFinallyOfCast System.InvalidCastException
catch 0 InFinallyOfCast System.MissingMethodException
catch 1 InFinallyOfCast System.ArgumentException
finally 0 OfRuntime System.InvalidCastException
catch 1 OfRuntime System.InvalidCastException
""".splitlines()

# Whom exceptions leave in each step.
LEFT = {
    "caught": ["First FirstException"],
    "second catch": ["First FirstException"],
    "filtered": ["First FirstException"],
    "two finallys": ["First FirstException", "InnerFinallys FirstException"],
    "one fault": ["First FirstException", "<Numbers>d__14.MoveNext FirstException"],
    "replaced": ["Third ThirdException", "First FirstException", "Second SecondException", "Replaces SecondException",
                 "AroundReplaces ThirdException"],
    "caught within": ["First FirstException", "Second SecondException", "CatchesWithin FirstException",
                      "AroundCatchesWithin FirstException"],
    "thrown in a filter": ["Second SecondException", "Throws SecondException", "First FirstException",
                           "AroundThrowingFilter FirstException"],
    "thrown anew": ["First FirstException", "CatchesAndThrowsAnew FirstException"],
    "of a static constructor": ["First FirstException", "First FirstException", "Broken..cctor FirstException",
                                "ReadBroken System.TypeInitializationException"],
    "of the processor": ["Length System.NullReferenceException", "InFinallyOfNull System.NullReferenceException"],
    "of the runtime": ["Cast System.InvalidCastException", "InFinallyOfCast System.InvalidCastException"],
}


def left_by_step(lines):
    left, step = {}, None
    for line in lines:
        kind, rest = line.split(" ", 1)
        if kind == "step":
            step = left.setdefault(rest, [])
        elif kind == "leave":
            step.append(rest)
    return left


class ClausesTest(harness.OrielTest):
    def run_with(self, arguments, *program_arguments, **environment):
        """What the module wrote, without the throws of the runtime's own exceptions."""
        run = self.oriel("run", "--no-sample", "--module", f"{MODULE}:{self.path('out')}{arguments}", "--", *PROGRAM,
                         *program_arguments, env=environment)
        self.assertEqual((run.code, run.out), (0, "done\n"), run.err)
        with open(self.path("out"), encoding="utf-8") as file:
            return [line for line in file.read().splitlines() if not line.startswith("throw System")]

    def test_clauses_of_all_kinds(self):
        self.assertEqual(self.run_with(""), CLAUSES)
        self.assertEqual(self.run_with("", DOTNET_TieredCompilation="0"), CLAUSES)

    def test_probes_add_no_clauses_and_tell_whom_exceptions_leave(self):
        for environment in ({}, {"DOTNET_TieredCompilation": "0"}):
            lines = self.run_with("+probes", **environment)
            self.assertEqual([line for line in lines if not line.startswith("leave ")], CLAUSES)
            self.assertEqual(left_by_step(lines), LEFT)

    def test_probes_that_come_at_run_time(self):
        lines = self.run_with("+probes+late", self.path("out.heard"))
        last = lines[len(lines) - lines[::-1].index("step caught") - 1:]
        # A static constructor runs, and throws, only once.
        clauses, left = list(CLAUSES), dict(LEFT)
        del clauses[clauses.index("catch 0 OfStaticConstructor System.TypeInitializationException") - 1]
        left["of a static constructor"] = ["First FirstException", "ReadBroken System.TypeInitializationException"]
        self.assertEqual([line for line in last if not line.startswith("leave ")], clauses)
        self.assertEqual(left_by_step(last), left)

    def test_callbacks_that_may_do_all_get_no_exception(self):
        left = left_by_step(self.run_with("+probes+full"))
        self.assertEqual(left, {step: [line.split()[0] + " null" for line in lines] for step, lines in LEFT.items()})

    def test_the_log_has_them(self):
        self.record(*PROGRAM, options=["--no-sample"])
        clauses = self.dump(kind="exception_clause")
        faults = [line for line in clauses if line["clause"] == "fault"]
        self.assertEqual([(line["method"], line["index"], line["exception"]) for line in faults],
                         [("Clauses.Numbers()", 0, "FirstException")])


if __name__ == "__main__":
    harness.main()
