#!/usr/bin/env python3
"""A method that is compiled anew while its loop runs, and replaced on the stack, keeps its caller in samples' stacks."""
import os

import harness

TARGET = os.path.join(harness.BUILD, "targets", "paths", "paths.dll")
CALLERS = {"Left.Middle(int)", "Left.Other(int)", "Right.Middle(int)"}


class ReplacedCode(harness.OrielTest):
    def test_callers_of_loops_are_there(self):
        result = self.record("dotnet", TARGET, "10000000", options=["--sample=1000"])
        self.assertEqual(result.code, 0, result.err)
        export = self.oriel("export", "--format", "collapsed", "run.oriel")
        self.assertEqual(export.code, 0, export.err)
        right, not_known, all_of_it = 0, 0, 0
        for line in export.out.splitlines():
            stack, _, count = line.rpartition(" ")
            frames = stack.split(";")
            if "Shared.Make(int)" in frames:
                all_of_it += int(count)
                caller = frames[frames.index("Shared.Make(int)") - 1]
                right += int(count) if caller in CALLERS else 0
                not_known += int(count) if caller == "[callers not known]" else 0
        self.assertGreater(all_of_it, 50)
        self.assertGreater(right, 0.95 * (all_of_it - not_known))
        # On a busy machine a method can run in its new code for a while before the engine has heard of it.
        self.assertLess(not_known, 0.2 * all_of_it)


if __name__ == "__main__":
    harness.main()
