#!/usr/bin/env python3
"""oriel top on real programs: the screen as a person sees it, lines for pipes, and that the program and the terminal are
afterwards as they were before."""
import json
import os
import re
import signal
import subprocess
import time
import unittest

import harness
from attach_test import ATTACHED, BUSY, Attachable, threads_of_oriel
from harness import CLEAN, ORIEL
from terminal import Terminal

DOWN, ENTER, ESCAPE = "\x1bOB", "\r", "\x1b"
XTERM = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}


class Top(Attachable):
    def terminal(self, *command, rows=30, columns=100, env=None):
        terminal = Terminal(command, rows, columns, env={**CLEAN, **XTERM, "TMPDIR": self.temporary, **(env or {})},
                            cwd=self.folder)
        self.addCleanup(terminal.close)
        return terminal

    def top(self, process, *options, **rest):
        return self.terminal(ORIEL, "top", str(process.pid), *options, **rest)

    def quit(self, terminal, keys="q"):
        terminal.keys(keys)
        self.assertEqual(terminal.wait(), 0)
        self.assertTrue(terminal.is_restored())

    def test_killed_tools_leave_nothing_for_good(self):
        program = self.begin("dotnet", ATTACHED, "600")
        killed = subprocess.Popen([ORIEL, "top", str(program.pid), "--json"], stdout=subprocess.PIPE,
                                  env={**CLEAN, "TMPDIR": self.temporary})
        self.assertIn(b"cpu", killed.stdout.readline())
        killed.kill()
        killed.communicate()
        folders = lambda: [name for name in os.listdir(self.temporary) if name.startswith("oriel-log-")]
        self.assertEqual(len(folders()), 1)
        users = os.path.join(self.temporary, "oriel-log-users")
        os.mkdir(users)
        with open(os.path.join(users, "shop.oriel"), "w", encoding="utf-8") as log:
            log.write("a log that somebody may want to read")
        self.wait_for(lambda: not threads_of_oriel(program.pid))
        other = subprocess.run([ORIEL, "top", str(program.pid), "--json", "--count", "1"], capture_output=True, check=False,
                               env={**CLEAN, "TMPDIR": self.temporary})
        self.assertEqual(other.returncode, 0, other.stderr)
        self.assertEqual(folders(), ["oriel-log-users"])

    def test_screen(self):
        program = self.begin("dotnet", ATTACHED, "600")
        begin = time.monotonic()
        terminal = self.top(program)
        first = terminal.wait_for(r"Kinds\.Optimized")
        self.assertLess(time.monotonic() - begin, 10)
        self.assertRegex(first, r"^attached \(\d+\), up .* CPU \d+ % ")
        self.assertRegex(first, r"(?m)^CPU +\d+ % your code")
        for keys, words in (("2", r"FUNCTION, OF ALL CODE[\s\S]*attached\.dll"), ("3", r"TYPE OF ALLOC[\s\S]*string\[\]"),
                            ("4", r"THROWN/s[\s\S]*InvalidOperationException"), ("5", r"WAITING IN[\s\S]*WaitsForLocks"),
                            ("6", r"MOSTLY IN[\s\S]*Kinds\.Optimized"), ("7", r"REQUEST\s+no requests: "),
                            ("\t", r"YOUR METHOD"), ("h", r"1-7, Tab"), ("x", r"YOUR METHOD")):
            terminal.keys(keys)
            terminal.wait_for(words)
        terminal.keys("/plain" + ENTER)
        terminal.wait_for(r"YOUR METHOD[^\n]*\n[^\n]*Kinds\.Plain\(\) *\n\s*\n")
        terminal.keys(ENTER)
        terminal.wait_for(r"CALLERS OF Kinds\.Plain\(\)[\s\S]*Program\.Main\.lambda#0\(\)")
        terminal.keys(ESCAPE)
        terminal.wait_for(r"YOUR METHOD")
        terminal.keys(ESCAPE)
        terminal.wait_for(r"Kinds\.Optimized")
        terminal.keys("p")
        frozen = terminal.wait_for(r"frozen")
        terminal.read(3)
        self.assertEqual(terminal.screen.text(), frozen)
        terminal.keys("p")
        terminal.wait_for(r"last \d+ s")
        terminal.resize(10, 40)
        os.killpg(terminal.process.pid, signal.SIGWINCH)
        terminal.wait_for(r"h help$")
        self.assertIn("Kinds.Optimized", terminal.screen.text())
        self.quit(terminal)
        self.assert_gone(program)
        self.assert_untouched(program)

    def test_saves_what_it_shows_as_a_log(self):
        program = self.begin("dotnet", ATTACHED, "600")
        terminal = self.top(program)
        terminal.wait_for(r"Kinds\.Optimized")
        terminal.keys("w")
        terminal.wait_for(r"wrote attached-\d+-top\.oriel")
        self.quit(terminal)
        self.assertRegex(terminal.raw, r"oriel: wrote attached-\d+-top\.oriel \(.*\)\. See it: oriel report attached-")
        report = self.report("top", log=f"attached-{program.pid}-top.oriel")
        self.assertIn("Kinds.Optimized()", [method["name"] for method in report["own"]])
        self.assert_gone(program)
        self.assert_untouched(program)

    def test_ends_by_signals_as_by_the_key(self):
        program = self.begin("dotnet", ATTACHED, "600")
        for end in (lambda terminal: terminal.keys("\x03"), lambda terminal: terminal.process.terminate(),
                    lambda terminal: terminal.process.send_signal(signal.SIGHUP)):
            terminal = self.top(program)
            terminal.wait_for(r"Kinds\.")
            end(terminal)
            self.assertEqual(terminal.wait(), 0)
            self.assertTrue(terminal.is_restored())
            self.assert_gone(program)
        self.assert_untouched(program)

    def test_the_programs_end(self):
        program = self.begin("dotnet", ATTACHED, "600")
        terminal = self.top(program)
        terminal.wait_for(r"Kinds\.Optimized")
        self.assert_untouched(program)
        self.assertEqual(terminal.wait(), 0)
        self.assertTrue(terminal.is_restored())
        # The last screen stays as text.
        left = terminal.raw[terminal.raw.rindex("\x1b[?1049l"):]
        self.assertRegex(left, r"Kinds\.Optimized\(\)[\s\S]*oriel: attached \(\d+\) has ended\r\n$")

    @harness.only_long
    def test_terminals_of_other_kinds(self):
        program = self.begin("dotnet", ATTACHED, "600")
        for env in harness.some(({"LANG": "C"}, {"NO_COLOR": "1"}, {"TERM": "screen"}, {"TERM": "vt100"}), 2):
            terminal = self.top(program, env=env)
            terminal.wait_for(r"Kinds\.Optimized")
            if "LANG" in env:
                self.assertTrue(terminal.raw.isascii())
            if "NO_COLOR" in env:
                self.assertNotRegex(terminal.raw, r"\x1b\[[\d;]*3[0-7]m")
            self.quit(terminal)
        for name in harness.some(("dumb", "no-such-terminal")):
            terminal = self.top(program, "--count", "1", env={"TERM": name})
            self.assertEqual(terminal.wait(), 0)
            self.assertIn("plain lines follow", terminal.raw)
            self.assertIn("Kinds.Optimized", terminal.raw)
            self.assertTrue(terminal.is_restored())
        self.assert_gone(program)
        self.assert_untouched(program)

    def test_lines_for_pipes(self):
        program = self.begin("dotnet", ATTACHED, "600")
        result = self.oriel("top", str(program.pid), "--count", "2", "--interval", "1s")
        self.assertEqual((result.code, result.err), (0, ""))
        blocks = result.out.strip().split("\n\n")
        self.assertEqual(len(blocks), 2)
        for block in blocks:
            self.assertRegex(block, r"^\d\d:\d\d:\d\d  attached \(\d+\), up .* CPU \d")
            self.assertRegex(block, r"(?m)^ +[\d.]+ %  Kinds\.Optimized\(\)$")
        begin = time.monotonic()
        result = self.oriel("top", str(program.pid), "--json", "--for", "3s", "--interval", "500ms")
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertLess(time.monotonic() - begin, 20)
        lines = [json.loads(line) for line in result.out.splitlines()]
        self.assertGreater(len(lines), 1)
        for line in lines:
            self.assertEqual((line["pid"], line["program"]), (program.pid, "attached"))
        self.assertIn("Kinds.Optimized()", [row["name"] for row in lines[-1]["tables"]["methods"]])
        self.assertTrue(any(line["exceptions"] > 0 for line in lines))
        with subprocess.Popen([ORIEL, "top", str(program.pid), "--interval", "300ms"], cwd=self.folder, env=CLEAN,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as top:
            top.stdout.readline()
            top.stdout.close()
            self.assertEqual((top.wait(60), top.stderr.read()), (0, b""))
        self.assert_gone(program)
        self.assert_untouched(program)

    def test_a_program_that_oriel_records_already(self):
        program = subprocess.Popen([ORIEL, "run", "-o", "run.oriel", "--", "dotnet", ATTACHED, "600"], cwd=self.folder,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**CLEAN, **BUSY},
                                   start_new_session=True)
        self.addCleanup(self.finish, program)
        self.addCleanup(program.stdin.close)
        self.assertEqual(program.stdout.readline(), b"ready\n")
        pid = int(subprocess.run(["pgrep", "-P", str(program.pid)], capture_output=True, check=True).stdout)
        result = self.oriel("top", str(pid), "--count", "2", "--interval", "1s")
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertIn("Kinds.Optimized()", result.out)
        watching = self.start("top", str(pid), "--json")
        watching.stdout.readline()
        # Without a log of its own, one is started and goes again.
        self.assertEqual(self.oriel("ctl", str(pid), "stop", "log").code, 0)
        _, err = watching.communicate(timeout=60)
        self.assertEqual((watching.returncode, err),
                         (1, b"oriel: top: the program's log has ended, and no other has begun: it was stopped\n"))
        result = self.oriel("top", str(pid), "--count", "2", "--interval", "1s")
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertIn("Kinds.Optimized()", result.out)
        status = json.loads(self.oriel("ctl", "--json", str(pid)).out)
        self.assertEqual([module["state"] for module in status["modules"] if module["name"] == "log"], ["stopped"])
        _, err = program.communicate(b"", timeout=60)
        self.assertEqual(program.returncode, 7)
        self.assertIn(b"wrote run.oriel", err)

    def test_goes_on_where_the_log_does(self):
        program = self.begin("dotnet", ATTACHED, "600")
        top = self.start("top", str(program.pid), "--json", "--interval", "500ms")

        def next_line():
            return json.loads(top.stdout.readline())

        next_line()
        for _ in harness.some(range(3)):
            self.assertEqual(self.oriel("ctl", str(program.pid), "rotate", "log").code, 0)
            time.sleep(1)
            lines = [next_line() for _ in range(8)]
            self.assertIn("Kinds.Optimized()", [row["name"] for row in lines[-1]["tables"]["methods"]])
            files = [name for _, _, names in os.walk(self.temporary) for name in names if name.endswith(".oriel")]
            self.assertEqual(len(files), 1, files)
        top.terminate()
        _, err = top.communicate(timeout=60)
        self.assertEqual((top.returncode, err), (0, b""))
        self.assert_gone(program)
        self.assert_untouched(program)

    def test_run_with_the_screen(self):
        terminal = self.terminal(ORIEL, "run", "--top", "-o", "run.oriel", "--", "dotnet", ATTACHED, "12" if harness.LONG else "7")
        terminal.wait_for(r"Kinds\.Optimized")
        self.assertEqual(terminal.wait(), 7)
        self.assertTrue(terminal.is_restored())
        self.assertRegex(terminal.raw, r"oriel: the program's output is in attached-\d+-output\.txt \(\d+ bytes\)")
        self.assertIn("oriel: wrote run.oriel", terminal.raw)
        output = re.search(r"attached-\d+-output\.txt", terminal.raw).group()
        with open(self.path(output), encoding="utf-8") as text:
            self.assertEqual(text.read().split()[0], "ready")
        refused = self.oriel("run", "--top", "--", "dotnet", ATTACHED, "1")
        self.assert_refused(refused, 125, "--top needs a terminal")

    def test_what_cannot_be_watched(self):
        for words, code, says in ((("0",), 1, "is no process id"), (("99999999",), 1, "is no process id"),
                                  ((str(os.getpid()),), 1, "is none of .NET"),
                                  ((str(os.getpid()), "--interval", "1us"), 2, "--interval"),
                                  ((str(os.getpid()), "--for", "x"), 2, "--for")):
            self.assert_refused(self.oriel("top", *words), code, says)
        program = self.begin(env={"DOTNET_EnableDiagnostics": "0"})
        self.assert_refused(self.oriel("top", str(program.pid)), 1, "cannot be attached to: DOTNET_EnableDiagnostics=0")
        self.assertEqual(threads_of_oriel(program.pid), [])


if __name__ == "__main__":
    harness.main()
