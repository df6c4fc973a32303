#!/usr/bin/env python3
"""A program that has much of the framework at work says the same with every method of it instrumented, however the runtime
is set up."""
import os
import re
import unittest

import harness

PROGRAM = ["dotnet", os.path.join(harness.BUILD, "targets", "libraries", "libraries.dll")]
PROBES = os.path.join(harness.BUILD, "tests", "modules", "liboriel-probes.so")
SETTINGS = [{}, {"DOTNET_TieredCompilation": "0"}, {"DOTNET_TieredPGO": "0", "DOTNET_TC_QuickJitForLoops": "0"},
            {"DOTNET_TC_OnStackReplacement": "0"}, {"DOTNET_ReadyToRun": "0"}, {"DOTNET_gcServer": "1"}]


class LibrariesTest(harness.OrielTest):
    def test_output_is_the_same(self):
        plain = self.call(PROGRAM)
        self.assertEqual((plain.code, plain.out.count("\n")), (0, 5), plain.err)
        for setting in harness.some(SETTINGS):
            with self.subTest(**setting):
                run = self.oriel("run", "--no-sample", "--module", f"{PROBES}:calls+alloc+context", "--", *PROGRAM, env=setting)
                self.assertEqual((run.code, run.out), (plain.code, plain.out), run.err)
                told = re.search(r"enter=(\d+) .* objects=(\d+) .*\"refused by Oriel\"=(\d+)", run.err)
                self.assertTrue(told, run.err)
                enters, objects, refused = map(int, told.groups())
                self.assertGreater(enters, 100_000)
                self.assertGreater(objects, 10_000)
                self.assertEqual(refused, 0, run.err)


if __name__ == "__main__":
    unittest.main()
