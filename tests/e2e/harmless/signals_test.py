#!/usr/bin/env python3
"""Signals belong to the program: Ctrl-C, SIGTERM and SIGKILL do what they do without Oriel, and the log can be read."""
import json
import os
import pty
import signal
import subprocess
import time
import unittest

import harness
from harness import CLEAN, ORIEL, program


class Signals(harness.OrielTest):
    def press_ctrl_c(self, command):
        """Runs a command on a terminal of its own, presses Ctrl-C once it has printed "ready"; returns exit code, output."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execvpe(command[0], command, CLEAN)
        output = b""
        pressed = False
        while True:
            try:
                data = os.read(terminal, 4096)
            except OSError:  # the terminal's last user has gone
                break
            if not data:
                break
            output += data
            if not pressed and b"ready" in output:
                os.write(terminal, b"\x03")
                pressed = True
        _, status = os.waitpid(pid, 0)
        os.close(terminal)
        return os.waitstatus_to_exitcode(status), output.decode()

    def test_ctrl_c_reaches_a_program_that_handles_it(self):
        code, output = self.press_ctrl_c([ORIEL, "run", "-o", "run.oriel", "--", *program("wait")])
        self.assertEqual(code, 3, output)
        self.assertIn("told", output)
        self.assertIn("oriel: wrote run.oriel", output)
        self.assertEqual(self.report()["state"], "complete")

    def test_ctrl_c_ends_a_program_that_does_not(self):
        code, output = self.press_ctrl_c([ORIEL, "run", "-o", "run.oriel", "--", *program("churn")])
        self.assertEqual(code, 130, output)
        # The runtime ends such a program on the spot: what was not yet written is missing, the rest is whole.
        summary = self.report()
        self.assertIn(summary["state"], ("complete", "stopped"))
        self.assertEqual(summary["problems"], [])

    def test_sigterm_is_passed_on(self):
        process = self.start("run", "-o", "run.oriel", "--", *program("wait"))
        self.assertEqual(process.stdout.readline(), b"ready\n")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 4)
        self.assertEqual(self.report()["state"], "complete")

    def test_program_outlives_oriel(self):
        process = self.start("run", "-o", "run.oriel", "--", *program("wait"))
        self.assertEqual(process.stdout.readline(), b"ready\n")
        process.kill()
        process.wait()
        os.killpg(process.pid, signal.SIGTERM)
        self.assertEqual(process.stdout.read(), b"told\n")


class Killed(harness.OrielTest):
    def exceptions(self):
        """How many the log has so far; 0 for a log that cannot be read yet."""
        result = self.oriel("report", "--json", "run.oriel")
        return sum(entry["thrown"] for entry in json.loads(result.out)["exceptions"]) if result.code == 0 else 0

    def wait_for_exceptions(self, more_than):
        """Waits until the log has more of them, a minute at most; returns how many."""
        end = time.monotonic() + 60
        while (seen := self.exceptions()) <= more_than and time.monotonic() < end:
            time.sleep(0.05)
        return seen

    def kill_after(self, seconds, logged):
        """Runs "churn", kills it with SIGKILL so long after it is ready, if `logged` after its log has something too;
        returns the exit code and how many exceptions the log had before."""
        process = self.start("run", "-o", "run.oriel", "--sample=1000", "--", *program("churn"))
        self.assertEqual(process.stdout.readline(), b"ready\n")
        seen = self.wait_for_exceptions(0) if logged else 0
        time.sleep(seconds)
        child = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=True).stdout
        os.kill(int(child), signal.SIGKILL)
        return process.wait(60), seen

    def test_kill_at_any_time_leaves_a_readable_log(self):
        for i in range(8):
            with self.subTest(i):
                code, seen = self.kill_after(0.15 * (i % 4), logged=i >= 4)
                self.assertEqual(code, 137)
                self.assertEqual(self.report()["state"], "stopped")
                self.assertGreaterEqual(self.exceptions(), max(seen, i >= 4))
                os.remove(self.path("run.oriel"))

    def test_kill_during_start_up(self):
        for i in range(8):
            process = self.start("run", "-o", "run.oriel", "--", *program("churn"))
            time.sleep(0.01 + 0.02 * i)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if os.path.exists(self.path("run.oriel")):
                result = self.oriel("report", "run.oriel")
                self.assertIn(result.code, (0, 1))
                if result.code == 1:
                    self.assert_refused(result, 1, "run.oriel")
                os.remove(self.path("run.oriel"))

    def test_report_while_the_program_runs(self):
        process = self.start("run", "-o", "run.oriel", "--", *program("churn"))
        self.assertEqual(process.stdout.readline(), b"ready\n")
        seen = 0
        for _ in range(4):
            now = self.wait_for_exceptions(seen)
            self.assertGreater(now, seen)
            self.assertEqual(self.report()["state"], "running")
            seen = now


if __name__ == "__main__":
    harness.main()
