#!/usr/bin/env python3
"""--budget on real programs: samples come more seldom, what they stand for stays, and the log, reports and oriel ctl say so."""
import json
import os
import subprocess

import harness
from harness import BUILD, CLEAN, ORIEL

ATTACHED = os.path.join(BUILD, "targets", "attached", "attached.dll")


class Budgets(harness.OrielTest):
    def begin(self, *options, seconds="8"):
        run = subprocess.Popen([ORIEL, "run", "-o", "run.oriel", *options, "--", "dotnet", ATTACHED, seconds], cwd=self.folder,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=CLEAN,
                               start_new_session=True)
        self.addCleanup(run.stdin.close)
        self.addCleanup(self.finish, run)
        self.assertEqual(run.stdout.readline(), b"ready\n")
        return run, int(subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True, check=True).stdout.split()[0])

    def end(self, run):
        self.assertEqual(run.wait(60), 7)
        return run.stderr.read().decode()

    def rows(self, table):
        return json.loads(self.oriel("report", "rows", table, "--json", "run.oriel").out)["rows"]

    def status(self, pid, *words):
        result = self.oriel("ctl", "--json", str(pid), *words)
        self.assertEqual(result.code, 0, result.err)
        return json.loads(result.out)

    def test_samples_are_fewer_and_stand_for_the_same(self):
        run, pid = self.begin("--sample=1000", "--budget=0.1%")
        self.wait_for(lambda: self.status(pid).get("budget", {}).get("pace", 1) < 0.7)
        text = self.oriel("ctl", str(pid)).out
        self.assertRegex(text, r"(?m)^budget +Oriel takes \d+\.\d\d % of 0\.1 %, sampling at \d+ % of the rate$")
        self.end(run)
        paces = self.rows("paces")
        self.assertLess(paces[0]["pace"], 1000)
        self.assertEqual(paces[0]["limit"], 1000)
        summary = self.oriel("report", "run.oriel").out
        self.assertRegex(summary, r"(?m)^Budget +sampling lowered from \d+ to [\d.]+ a second at ")
        self.assertIn("to stay within 0.1 %", " ".join(summary.split()))
        # All threads' CPU time since sampling began is in the samples' periods, of 1 ms each.
        report = self.report("summary")
        cpu = (report["cpu"]["user_us"] + report["cpu"]["system_us"] - report["cpu"]["oriel_us"]) / 1e6
        self.assertAlmostEqual(report["samples"]["periods"] / 1000 / cpu, 1, delta=0.15)
        self.assertGreater(report["counters"]["cpu.samples-us"], 0)

    def test_it_can_be_set_and_taken_away(self):
        run, pid = self.begin("--sample=1000", seconds="100")
        self.assertNotIn("budget", self.status(pid))
        self.status(pid, "set", "budget=0.1%")
        self.wait_for(lambda: self.status(pid).get("budget", {}).get("pace", 1) < 0.7)
        refused = self.oriel("ctl", str(pid), "set", "calls=Kinds.*")
        self.assertIn("log: budget cannot limit calls, which counts each one, whatever that takes", refused.err)
        for module in ("callgraph", "coverage"):
            refused = self.oriel("ctl", str(pid), "start", module)
            self.assertIn("which counts each one, whatever that takes; leave one of them out", refused.err)
            self.assertIn("budget cannot limit ", refused.err)
        self.status(pid, "stop", "budget")
        self.wait_for(lambda: "budget" not in self.status(pid))
        self.status(pid, "start", "callgraph", "-o", self.path("calls.oriel"))
        refused = self.oriel("ctl", str(pid), "set", "budget=1%")
        self.assertIn("--budget cannot limit --callgraph, which counts each one", refused.err)
        self.status(pid, "stop", "callgraph")
        run.stdin.close()
        self.end(run)
        paces = self.rows("paces")
        self.assertEqual(paces[-1]["pace"], 1000)
        self.assertEqual([row["options"] for row in self.rows("option_changes")][1:],
                         ["sample=process,hz=1000,budget=0.1%", "sample=process,hz=1000"])

    def test_what_is_exact_has_no_budget(self):
        for options, said in ((("--calls",), "--calls"), (("--alloc",), "--alloc"), (("--callgraph",), "--callgraph"),
                              (("--async",), "--async")):
            result = self.oriel("run", "--budget=1%", *options, "--", "dotnet", ATTACHED, "1")
            self.assertEqual((result.code, result.out), (125, ""))
            self.assertIn(f"--budget cannot limit {said}, which counts each one, whatever that takes; leave one of them out", result.err)
            self.assertEqual(len(result.err.splitlines()), 1)
        result = self.oriel("run", "--budget=1x", "--", "dotnet", ATTACHED, "1")
        self.assertEqual(result.err, "oriel: --budget=1x: a budget is a share of the program's CPU time, from 0.1% to 50%: 1%\n")


if __name__ == "__main__":
    harness.main()
