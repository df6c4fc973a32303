#!/usr/bin/env python3
"""A session to the runtime's events that begins while the program runs leaves the engine's thread what it was: the
runtime compiles methods anew for it all the same. On a busy machine collections take long, which is when one begins."""
import os
import subprocess

import harness

STRESS = os.path.join(harness.BUILD, "targets", "stress", "stress.dll")
RUNS, BUSY = 5 if harness.LONG else 1, 4


class LateSessions(harness.OrielTest):
    def setUp(self):
        super().setUp()
        self.busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(BUSY)]

    def tearDown(self):
        for one in self.busy:
            one.kill()
            one.wait()
        super().tearDown()

    def test_methods_are_compiled_anew_after_one(self):
        for _ in range(RUNS):
            result = self.oriel("run", "-o", "run.oriel", "--no-sample", "--calls=*", "--module", "coverage:include=*", "--",
                                "dotnet", STRESS, "heap-storm", env={"DOTNET_GCgen0size": "10000"})
            said = [line for line in result.own_lines() if "oriel report" not in line]
            self.assertEqual((result.code, said), (0, []), result.err)


if __name__ == "__main__":
    harness.main()
