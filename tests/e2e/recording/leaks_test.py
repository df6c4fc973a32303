#!/usr/bin/env python3
"""The first screen of the heap report names the holder of a leak, and of a program that does not leak it names none."""
import concurrent.futures
import os
import subprocess
import unittest

import harness
from harness import BUILD, CLEAN, ORIEL

LEAKS = os.path.join(BUILD, "targets", "leaks", "leaks.dll")
SNAPSHOTS = 5

# What the first sentences say of each, in the program's own names. A list's array is replaced by one of twice the size, and
# stays as it is for a while then: of that they say only that it grew.
HOLDERS = {
    # One of each kind of holder: a static field, a handle, a thread's field, a local variable; and one that only grew.
    "StaticDictionary": r"static Leaks\.s_orders",
    "GcHandles": r"Pixels grew[\s\S]*a GC handle",
    "ThreadStatic": r"thread-static Leaks\.t_pending of thread",
    "LocalOfMain": r"LinkedList",
    "OneList": r"static Leaks\.s_latencies",
    # Others that are held by such.
    "EventHandlers": r"static Publisher\.Changed",
    "Sessions": r"static Leaks\.s_sessions",
    "Timers": r"Timer",
    "Registrations": r"static Leaks\.s_shutdown",
    "UnboundedChannel": r"static Leaks\.s_messages",
    "NeverFinished": r"static Leaks\.s_never",
    "Closures": r"static Leaks\.s_callbacks",
}
HEALTHY = ("BoundedCache", "GrowingStart", "Batches", "Pool", "Churn", "WeakCache", "Subscribers", "Reload", "Documents", "Tasks",
           "Histogram", "Text")
CLAIM = "and kept growing"


class Leaks(harness.OrielTest):
    def first_screen(self, name):
        """What the report says above its table, after a snapshot after each step."""
        log = f"{name}.oriel"
        run = subprocess.Popen([ORIEL, "run", "-o", log, "--", "dotnet", LEAKS, name], cwd=self.folder, env=CLEAN,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            self.assertEqual(run.stdout.readline(), "ready\n")
            children = subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True, check=True).stdout
            # Two first, in which the program starts up.
            for step in range(SNAPSHOTS + 2):
                run.stdin.write("step\n")
                run.stdin.flush()
                self.assertEqual(run.stdout.readline(), "done\n")
                if step >= 2:
                    self.assertEqual(self.oriel("ctl", children.split()[0], "snapshot").code, 0)
            _, err = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 0, err)
        finally:
            run.kill()
            run.communicate()
        report = self.oriel("report", "heap", log)
        self.assertEqual(report.code, 0, report.err)
        return " ".join(report.out.split("type\n")[0].split())

    def screens(self, names):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            return dict(zip(names, pool.map(self.first_screen, names)))

    def test_leaks_have_their_holder_on_the_first_screen(self):
        for name, screen in self.screens(harness.some(HOLDERS, 3)).items():
            with self.subTest(name):
                self.assertIn("grew from" if name == "OneList" else CLAIM, screen)
                self.assertRegex(screen, HOLDERS[name])

    def test_healthy_programs_are_not_blamed(self):
        for name, screen in self.screens(harness.some(HEALTHY, 3)).items():
            with self.subTest(name):
                self.assertIn("No type kept growing", screen)


if __name__ == "__main__":
    unittest.main(verbosity=2)
