#!/usr/bin/env python3
"""Threads that are ready to run and have no processor are told as that, not as waiting, with the limit that kept them from it."""
import os

import harness
from harness import program

THREADS, ROUNDS = 8, 60
# Where a control group with the processors' controller can be made: version 1, version 2.
GROUPS = "/sys/fs/cgroup/cpu", "/sys/fs/cgroup"


class Processors(harness.OrielTest):
    def nap_seconds(self):
        naps = [wait for wait in self.report("waits")["waited"]["waits"] if wait.get("name", "").startswith("Queued.Nap(")]
        return sum(wait["ns"] for wait in naps) / 1e9

    def test_a_thread_that_is_ready_does_not_wait(self):
        for mode in ("--sample", "--sample-real"):
            with self.subTest(mode):
                self.record(*program("queued", THREADS, ROUNDS), options=[mode])
                summary = self.report()
                ready = summary["processors"]["ready_ns"] / 1e9
                cores = int(summary["properties"]["cores"])
                cpu = (summary["cpu"]["user_us"] + summary["cpu"]["system_us"]) / 1e6
                # Each thread runs, naps, or is ready: where all are busy, as long in all as the run took, eight times.
                self.assertGreater(ready, 0.4 * (THREADS / cores - 1) * cpu)
                self.assertLess(ready, THREADS * summary["wall_ns"] / 1e9)
                # The timer may be late by as much again; before, naps had the ready time as well, some 10 s.
                self.assertLess(self.nap_seconds(), 3 * THREADS * ROUNDS * 0.001 + 0.1 * ready)
                text = " ".join(self.oriel("report", "run.oriel").out.split())
                self.assertRegex(text, r"Ready [\d.]+ m?s that threads were runnable but had no processor, [\d.]+ × the time they ran")
                # Its own threads, where it has the machine to itself; nothing helps then.
                if "It had more runnable threads than" in text:
                    self.assertNotIn("processors", [hint["hint"] for hint in summary["hints"]])
                else:
                    hint = next(hint for hint in summary["hints"] if hint["hint"] == "processors")
                    self.assertRegex(hint["text"], r"^Threads were runnable but had no processor for [\d.]+ m?s in total\. .*"
                                                   r"(Other programs may have used|The host gave this virtual machine)")

    def test_probes_do_not_take_what_other_threads_do(self):
        for option, report in (("--calls=*", "calls"), ("--callgraph=*", "callgraph")):
            with self.subTest(option):
                run = self.oriel("run", "-o", "run.oriel", "--no-sample", option, "--calls-trivial", "--",
                                 *program("busy", THREADS, 6))
                self.assertEqual(run.code, 0, run.err)
                log = "run.callgraph.oriel" if report == "callgraph" else "run.oriel"
                summary, calls = self.report(log=log), self.report(report, log=log)
                cpu = (summary["cpu"]["user_us"] + summary["cpu"]["system_us"]) * 1000
                self.assertLess(calls["measured_ns"] - calls["self_ns"], cpu)
                leaf, = [row for row in calls["methods"] if row["name"].startswith("Busy.Leaf(")]
                self.assertLessEqual(leaf["waited_ns"], leaf["self_ns"])
                for log in self.logs():
                    os.remove(self.path(log))

    def test_a_program_that_has_processors_is_not_told_to_lack_them(self):
        self.record(*program("sleep", 300))
        self.assertNotIn("processors", [hint["hint"] for hint in self.report()["hints"]])
        self.assertNotIn("Ready", self.oriel("report", "run.oriel").out)

    def limited_group(self, quota, period):
        """A control group's folder, whose processes may use so many of so many microseconds."""
        for top in GROUPS:
            folder = os.path.join(top, f"oriel-test-{os.getpid()}")
            try:
                os.mkdir(folder)
            except OSError:
                continue
            self.addCleanup(os.rmdir, folder)
            for name, text in (("cpu.max", f"{quota} {period}"), ("cpu.cfs_quota_us", str(quota))):
                if os.path.exists(os.path.join(folder, name)):
                    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                        file.write(text)
                    return folder
        self.skipTest("no control group with a limit can be made here")

    def test_a_limit_is_named_with_what_it_did(self):
        folder = self.limited_group(30_000, 100_000)
        enter = ("sh", "-c", 'echo $$ >"$0/cgroup.procs" && exec "$@"', folder)
        run = self.call([*enter, harness.ORIEL, "run", "-o", "run.oriel", "--", *program("busy", 2, 30)])
        self.assertEqual((run.code, run.out), (0, "busy done\n"), run.err)
        processors = self.report()["processors"]
        self.assertEqual(processors["limit"], 0.3)
        self.assertGreater(processors["throttled"], 0.5 * processors["periods"])
        self.assertGreater(processors["throttled_ns"], 0.2e9)
        text = " ".join(self.oriel("report", "run.oriel").out.split())
        self.assertRegex(text, r"of 0\.3 cores busy, its limit \(the machine has \d+\)")
        self.assertRegex(text, r"Hint Threads were runnable .* Its limit of 0\.3 processors throttled it in \d+ of \d+ periods "
                               r"\([\d.]+ m?s in total\)\. Raise the limit")


if __name__ == "__main__":
    harness.main()
