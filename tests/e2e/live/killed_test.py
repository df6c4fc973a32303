#!/usr/bin/env python3
"""What is in the log of a process that is killed: all but what happened in its last moments."""
import os
import random
import re
import signal
import statistics
import time

import harness
from harness import program

# A process may have to wait for a processor before it dies, or its log's thread to write. No time is asserted that is
# near the 10 ms between two writes: bench/killed.py measures.
ENOUGH_MS = 150


class Killed(harness.OrielTest):
    def kill(self, *options, after=1.0):
        """Kills the program after about so many seconds. Returns the milliseconds that are missing at its end."""
        run = self.start("run", *options, "-o", "run.oriel", "--", *program("ticking"))
        lines = [run.stdout.readline()]
        self.assertRegex(lines[0].decode(), r"^1 \d+$")
        time.sleep(after)
        os.killpg(run.pid, signal.SIGKILL)
        lines += run.stdout.read().splitlines()
        run.wait(60)
        said = dict(map(int, line.split()) for line in lines if re.fullmatch(rb"\d+ \d+\n?", line))
        self.assertEqual(self.report("summary")["problems"], [])
        logged = re.findall(r"exception_throw .*=Ticking.Tick ", self.oriel("report", "dump", "run.oriel").out)
        last = max(said)  # the log may have one more, which the program did not get to say
        return (said[last] - (said[min(len(logged), last)] if logged else 0)) / 1000

    def test_exceptions(self):
        missing = [self.kill(after=random.uniform(0, 1)) for _ in range(600 if harness.LONG else 3)]
        self.assertLess(statistics.median(missing), ENOUGH_MS, missing)

    def test_a_recorder(self):
        missing = [self.kill("--recorder=60s", after=random.uniform(0, 1)) for _ in range(150 if harness.LONG else 2)]
        self.assertLess(statistics.median(missing), ENOUGH_MS, missing)

    def test_calls(self):
        """Their blocks are open, and blocks of names come between."""
        for _ in range(250 if harness.LONG else 2): self.kill("--calls", "--alloc", after=random.uniform(0, 1))


if __name__ == "__main__":
    harness.main()
