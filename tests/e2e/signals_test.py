#!/usr/bin/env python3
"""Signals belong to the program: Ctrl-C, SIGTERM and SIGKILL do what they do without Oriel, and the log can be read."""
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
        self.assertEqual(process.wait(30), 4)
        self.assertEqual(self.report()["state"], "complete")

    def test_program_outlives_oriel(self):
        process = self.start("run", "-o", "run.oriel", "--", *program("wait"))
        self.assertEqual(process.stdout.readline(), b"ready\n")
        process.kill()
        process.wait()
        os.killpg(process.pid, signal.SIGTERM)
        self.assertEqual(process.stdout.read(), b"told\n")


class Killed(harness.OrielTest):
    def kill_after(self, seconds):
        """Runs "churn", kills it with SIGKILL so long after it is ready; returns the exit code."""
        process = self.start("run", "-o", "run.oriel", "--sample=1000", "--", *program("churn"))
        self.assertEqual(process.stdout.readline(), b"ready\n")
        time.sleep(seconds)
        child = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=True).stdout
        os.kill(int(child), signal.SIGKILL)
        return process.wait(30)

    def test_kill_at_any_time_leaves_a_readable_log(self):
        for i in range(8):
            with self.subTest(i):
                self.assertEqual(self.kill_after(0.15 * i), 137)
                summary = self.report()
                self.assertEqual(summary["state"], "stopped")
                if i >= 3:
                    self.assertGreater(sum(entry["thrown"] for entry in summary["exceptions"]), 0)
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
        seen = []
        for _ in range(4):
            time.sleep(0.7)
            summary = self.report()
            self.assertEqual(summary["state"], "running")
            seen.append(sum(entry["thrown"] for entry in summary["exceptions"]))
        self.assertEqual(seen, sorted(seen))
        self.assertGreater(seen[-1], seen[0])


if __name__ == "__main__":
    harness.main()
