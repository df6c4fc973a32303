#!/usr/bin/env python3
"""`oriel report --follow`: the report of a log that is being written, again and again until the program ends."""
import json
import os
import signal
import threading

import harness
from harness import program


class Follow(harness.OrielTest):
    def begin(self):
        run = self.start("run", "-o", "run.oriel", "--", *program("ticking"))
        self.assertRegex(run.stdout.readline().decode(), r"^1 \d+$")
        self.drain(run)
        self.wait_for(lambda: os.path.exists(self.path("run.oriel")))
        return run

    def drain(self, run):
        """Reads what the program says, so that it goes on."""
        threading.Thread(target=lambda: [None for _ in run.stdout], daemon=True).start()

    def next_report(self, report):
        """The next JSON that the command writes."""
        text = ""
        while True:
            line = report.stdout.readline().decode()
            self.assertNotEqual(line, "", "the command ended")
            text += line
            if line == "}\n": return json.loads(text)

    def test_each_time_that_it_has_grown(self):
        run = self.begin()
        report = self.start("report", "exceptions", "--json", "--follow", "run.oriel")
        thrown = [sum(kind["thrown"] for kind in self.next_report(report)["types"]) for _ in range(3)]
        self.assertTrue(thrown[0] < thrown[1] < thrown[2], thrown)
        os.killpg(run.pid, signal.SIGKILL)
        while report.stdout.read(): pass
        self.assertEqual(report.wait(60), 0)

    def test_it_ends_at_an_interrupt(self):
        self.begin()
        report = self.start("report", "threads", "--json", "--follow", "run.oriel")
        self.assertTrue(self.next_report(report)["threads"])
        os.kill(report.pid, signal.SIGINT)
        self.assertEqual(report.wait(60), 0)

    def test_a_finished_log_is_shown_once(self):
        self.record(*program("exit"))
        once, followed = self.oriel("report", "run.oriel"), self.oriel("report", "--follow", "run.oriel")
        self.assertEqual((followed.code, followed.out), (0, once.out))

    def test_reports_of_several_runs_are_refused(self):
        self.record(*program("exit"))
        for words in (["diff", "run.oriel", "run.oriel"], ["dump", "run.oriel"]):
            self.assert_refused(self.oriel("report", *words, "--follow"), 1, "--follow shows reports of one run")


if __name__ == "__main__":
    harness.main()
