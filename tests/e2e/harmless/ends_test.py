#!/usr/bin/env python3
"""Programs end as they do without Oriel, whatever the runtime is asked to tell and wherever it is with that: by return,
Environment.Exit, signals and faults, around the moment at which meters are first collected, a second after the start.

With ORIEL_LONG=1 (./check --long) at every 10 ms of the first three seconds.
"""
import concurrent.futures
import os
import re
import subprocess

import harness
from other_profilers import guest

PROGRAM = os.path.join(harness.BUILD, "targets", "ends", "ends.dll")
LONG = harness.LONG
MOMENTS = range(0, 3000, 10) if LONG else range(900, 1101, 40)
HANGS = 30  # seconds after which a program that takes three of them is taken for one that never ends
ABORTED = 134  # a shell's code of SIGABRT
ENDS = {"return": 42, "exit": 43, "exit-on-thread": 44, "unhandled": ABORTED, "fail-fast": ABORTED, "term": 143, "int": 130}
TOLD = {
    "counters": ["--counters"],
    "activities": ["--activities"],
    "phases": ["--gc-phases"],
    "all": ["--counters", "--activities", "--gc-phases", "--locks"],
    "guest": guest("hearing", 8),
    "guest-and-own": ["--counters", *guest("hearing", 9)],
}
RIGHT = re.compile(r"oriel: (wrote .*|log: the file could not be written in time at the program's end; the log lacks its end)")


class Ends(harness.OrielTest):
    def end(self, told, how, moment, *beside):
        """What is wrong with one run; None: nothing."""
        name = " ".join(map(str, (told, how, moment, *beside)))
        command = [harness.ORIEL, "run", "-o", name.replace(" ", "-") + ".oriel", *TOLD[told], "--", "dotnet", PROGRAM, how, str(moment)]
        process = self.start_command([*command, *beside])
        try:
            out, err = process.communicate(timeout=HANGS)
        except subprocess.TimeoutExpired:
            self.finish(process)
            return f"{name}: did not end"
        result = harness.Result(process.returncode, out, err)
        if result.code != ENDS[how] or result.out:
            return f"{name}: exit code {result.code}, stdout {result.out!r}\n{result.err}"
        wrong = [line for line in result.own_lines() if not RIGHT.fullmatch(line)]
        return f"{name}: {wrong}" if wrong else None

    def check(self, runs):
        # They sleep most of their time.
        with concurrent.futures.ThreadPoolExecutor(4) as workers:
            faults = [fault for fault in workers.map(lambda run: self.end(*run), runs) if fault]
        self.assertEqual(faults, [])

    def test_of_plain_programs_are_these(self):
        for how, code in ENDS.items():
            result = self.call(["dotnet", PROGRAM, how, "20"], timeout=HANGS)
            plain = code if code in (42, 43, 44, 143, 130) and result.code >= 0 else 128 - result.code
            self.assertEqual(plain, code, (how, result.code))

    def test_come_while_meters_are_first_collected(self):
        self.check([("counters", how, moment) for how in ("return", "exit") for moment in MOMENTS])

    def test_come_of_every_kind(self):
        moments = MOMENTS if LONG else (980, 1000, 1020)
        self.check([("counters", how, moment) for how in ENDS if how not in ("return", "exit") for moment in moments])

    def test_come_whatever_is_told(self):
        moments = MOMENTS if LONG else (0, 980, 1000)
        kinds = ENDS if LONG else ("return", "exit")
        self.check([(told, how, moment) for told in TOLD if told != "counters" for how in kinds for moment in moments])

    def test_come_while_the_program_makes_event_sources_under_a_lock(self):
        moments = MOMENTS if LONG else range(100, 400, 100)
        self.check([("activities", how, moment, "listeners") for how in ("return", "exit") for moment in moments])

    def test_that_come_as_waits_for_locks_are_first_seen_say_nothing_false(self):
        moments = MOMENTS if LONG else range(0, 120, 20)
        TOLD["locks-when-seen"] = ["--sample"]
        self.check([("locks-when-seen", "return", moment, "locks") for moment in moments])


if __name__ == "__main__":
    harness.main()
