#!/usr/bin/env python3
"""Whole stacks, of every kind of frame that the runtime's compiler makes, against the runtime's own stack traces."""
import os
import re

import harness

TARGET = os.path.join(harness.BUILD, "targets", "frames", "frames.dll")
MODULE = os.path.join(harness.BUILD, "tests", "modules", "liboriel-frames.so")
CONFIGURATIONS = {
    "as usual": {},
    "all optimised": {"DOTNET_TieredCompilation": "0"},
    "optimised by no profile": {"DOTNET_TieredPGO": "0"},
    "nothing precompiled": {"DOTNET_ReadyToRun": "0"},
    "loops replaced at once": {"DOTNET_TC_OnStackReplacement_InitialCounter": "1", "DOTNET_OSR_HitLimit": "1"},
}


class Stacks(harness.OrielTest):
    def test_are_those_that_the_runtime_tells(self):
        for name, env in CONFIGURATIONS.items():
            with self.subTest(name):
                result = self.record("dotnet", TARGET, "1000", options=["--no-sample", "--module", MODULE],
                                     env={**env, "FRAMES_MODULE": MODULE})
                self.assertEqual(result.code, 0, result.err)
                counts = [list(map(int, found)) for found in re.findall(r": (\d+) right, (\d+) wrong", result.out)]
                right, wrong = map(sum, zip(*counts))
                self.assertGreater(right, 10_000)
                self.assertLessEqual(wrong, 0.001 * right, result.out)

    def test_made_up_frames_do_no_harm(self):
        library = os.path.join(os.path.dirname(MODULE), "liboriel-forged.so")
        command = ["dotnet", TARGET, "forge", library]
        self.assertEqual(self.call(command).out, "lives\n")
        for _ in range(3):
            result = self.record(*command, options=["--sample=1000", "--calls=*"])
            self.assertEqual((result.code, result.out), (0, "lives\n"), result.err)


if __name__ == "__main__":
    harness.main()
