#!/usr/bin/env python3
"""Modules that change methods' code: what is valid takes effect, what is not is told with its method and offset, and the
method runs as it was."""
import os
import re
import unittest

import harness
from harness import BUILD, program

MODULE = os.path.join(BUILD, "tests", "modules", "liboriel-rewriter.so")


class RewritingTest(harness.OrielTest):
    def rewritten(self, arguments, *command, probes=False, modules=()):
        modules = ";".join([f"{MODULE}:{arguments}", *modules])
        if probes:
            modules += ";" + os.path.join(BUILD, "tests", "modules", "liboriel-probes.so") + ":calls+alloc+context"
        env = {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER_PATH": os.path.join(BUILD, "lib", "liboriel.so"),
               "CORECLR_PROFILER": self.oriel("version", "--clsid").out.strip(), "ORIEL_PROFILERS": modules}
        result = self.call(command, env=env)
        self.assertEqual(result.code, 0, result.err)
        return result

    def assert_all_told(self, result):
        lines = sorted(result.own_lines())
        self.assertEqual(len(lines), 4, result.err)
        for line, (method, why) in zip(lines, [
                ("Damaged", r"IL_0000: the code ends within an operand"),
                ("Invalid", r"IL_0003: .*add.*"),
                ("NoToken", r"IL_0000: call: no token 06ffffff that could stand here"),
                ("Throws", r"the rewriter threw an exception, which it must not")]):
            self.assertRegex(line, rf"^oriel: Rewritten\.{method}\(\) keeps its code, as a profiler's change to it is not "
                                   rf"valid: {why}$")

    def test_valid_changes_take_effect_and_others_are_told(self):
        result = self.rewritten("", *program("rewritten"))
        self.assertEqual(result.out, "42 42 7 8 9 10\nrewritten done\n")
        self.assert_all_told(result)
        self.assertRegex(result.err, r"rewriter: changed=2 refused=3")

    def test_what_the_compiler_would_refuse_is_refused_before(self):
        result = self.rewritten("bodies", *program("rewritten"))
        self.assertEqual(result.out, "41 41 42 8 9 10\nrewritten done\n", result.err)
        self.assertNotIn("taken", result.err)
        self.assertEqual(result.own_lines()[-1], "oriel: more changes of methods were refused")

    def test_with_all_probes_on_top(self):
        result = self.rewritten("", *program("rewritten"), probes=True)
        self.assertEqual(result.out, "42 42 7 8 9 10\nrewritten done\n")
        self.assert_all_told(result)
        self.assertGreater(int(re.search(r"enter=(\d+)", result.err)[1]), 1000)

    def test_coverage_says_once_that_it_does_not_count_them(self):
        result = self.rewritten("", *program("rewritten"), modules=[f"coverage:output={self.path('run.oriel')}"])
        self.assertEqual(result.out, "42 42 7 8 9 10\nrewritten done\n")
        told = [line for line in result.own_lines() if "coverage" in line]
        self.assertEqual(len(told), 1, result.err)
        self.assertRegex(told[0], r"^oriel: coverage: Rewritten\.\w+\(\) is not counted, nor is any method whose body another "
                                  r"profiler replaced")
        counted = [record["row"] for record in self.dump(kind="coverage")]
        self.assertGreater(len(counted), 3, "all else is")

    def test_come_and_go_while_the_program_runs(self):
        for probes in (False, True):
            with self.subTest(probes=probes):
                result = self.rewritten("late=3000", *program("answers", 41, 42, 41), probes=probes)
                self.assertEqual(result.out, "41: True\n42: True\n41: True\nanswers done\n", result.err)


if __name__ == "__main__":
    unittest.main()
