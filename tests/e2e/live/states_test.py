#!/usr/bin/env python3
"""Each feature, on programs in each state, under Oriel from the start and attached to: the program behaves as without it,
and the log is whole. By default some features, each in one state; all of them in all of them with ORIEL_LONG=1."""
import os
import re
import subprocess
import tempfile
import time

import harness
import other_profilers
from harness import BUILD, CLEAN, ORIEL

STATES = os.path.join(BUILD, "targets", "states", "states.dll")

# The options of each feature, and what the log of a busy program then has: an event, or a table's rows.
FEATURES = {
    "sample": (["--sample=500"], None),
    "sample-real": (["--sample-real"], None),
    "gc-phases": (["--gc-phases"], "gc_phases"),
    "locks": (["--locks"], "monitor_acquired"),
    "alloc-sampled": (["--alloc=sampled"], "gc_allocation_followed"),
    "alloc": (["--alloc-in=*"], "gc_allocation"),
    "calls": (["--calls=State.*"], "method_enter"),
    "callgraph": (["--callgraph=State.*"], None),
    "coverage": (["--coverage=State.*"], None),
    "async": (["--async"], None),
    "counters": (["--counters"], "counter_value"),
    "activities": (["--activities"], None),
    "all": (["--sample=500", "--gc-phases", "--locks", "--alloc-in=*", "--calls=State.*", "--callgraph=State.*",
             "--async", "--counters", "--activities"], None),
}
RUNNING = ("idle", "busy", "collections", "threads")
# A program that starts, one that ends, and one with a profiler that is not Oriel's; all of them busy.
OTHERS = ("starting", "ending", "guest")
NOT_YET = r"has not started yet|is none of \.NET|its runtime is starting"


class States(harness.OrielTest):
    def setUp(self):
        super().setUp()
        self.temporary = tempfile.mkdtemp(prefix="oriel-s-")
        self.addCleanup(subprocess.run, ["rm", "-rf", self.temporary], check=False)

    def begin(self, front, state, seconds, env=None):
        process = subprocess.Popen([*front, "dotnet", STATES, state, str(seconds)], cwd=self.folder, text=True,
                                   env={**CLEAN, "TMPDIR": self.temporary, **(env or {})}, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        self.addCleanup(self.finish, process)
        return process

    def assert_as_alone(self, process, says=r"oriel: wrote .*"):
        out, err = process.communicate(timeout=120)
        self.assertEqual((process.returncode, out[-5:]), (7, "done\n"), err)
        self.assertEqual([line for line in err.splitlines() if not re.fullmatch(says, line)], [])

    def assert_whole(self, event=None):
        summary = self.report("summary")
        self.assertEqual(summary["state"], "complete")
        self.assertEqual(summary.get("problems", []), [])
        if event: self.assertIn(event, self.kinds())

    def started(self, feature, state):
        if feature == "coverage": return  # from the start it has a command of its own: oriel cover
        options, event = FEATURES[feature]
        guests = other_profilers.THREE if state == "guest" else []
        running = state if state in RUNNING else "busy"
        program = self.begin([ORIEL, "run", "-o", "run.oriel", *options, *guests, "--"], running, 1.5)
        self.assert_as_alone(program)
        self.assert_whole(event if running == "busy" else None)

    def attached(self, feature, state):
        options, event = FEATURES[feature]
        own = other_profilers.alone("padding", 1) if state == "guest" else None
        lasts = 1.5 if state == "ending" else 15 if feature == "all" else 5  # to switch all on takes long on a busy machine
        program = self.begin([], state if state in RUNNING else "busy", lasts, own)
        if state != "starting": self.assertEqual(program.stdout.readline(), "ready\n")
        attach = ["attach", str(program.pid), "-o", "run.oriel", "--for", "60s" if state == "ending" else "2s", *options]
        result = self.oriel(*attach)
        for _ in range(400):
            if state != "starting" or result.code == 0 or not re.search(NOT_YET, result.err): break
            time.sleep(0.01)
            result = self.oriel(*attach)
        if state == "guest":
            self.assert_refused(result, 1, "profiler libguest-padding.so")
        elif state == "ending" and result.code == 1:
            # On a busy machine it may end before all that the feature needs is on.
            self.assert_refused(result, 1, "has ended before it could be watched")
        else:
            self.assertEqual(result.code, 0, result.err)
            self.assert_whole(event if state == "busy" else None)
        self.assert_as_alone(program)

    def try_all(self, way, first):
        """All states for each feature; without ORIEL_LONG one for each fourth feature, beginning with the `first` of the states."""
        every = (*RUNNING, *OTHERS)
        features = list(enumerate(FEATURES))
        if not harness.LONG: features = features[first % 4::4]
        for number, feature in features:
            for state in every if harness.LONG else (every[(first + number) % len(every)],):
                with self.subTest(feature=feature, state=state):
                    for log in self.logs(): os.remove(self.path(log))
                    way(feature, state)

    def test_from_the_start(self):
        self.try_all(self.started, 0)

    def test_all_at_once(self):
        if harness.LONG:  # test_from_the_start has it otherwise
            self.started("all", "busy")
            os.remove(self.path("run.oriel"))
        self.attached("all", "busy")

    def test_attached_to(self):
        self.try_all(self.attached, 3)


if __name__ == "__main__":
    harness.main()
