#!/usr/bin/env python3
"""The flight recorder: its file holds the last seconds in bounded bytes, whatever ends the program, and each cause saves
them as a log of its own, while the program goes on as without."""
import glob
import json
import os
import re
import signal
import subprocess
import time
import urllib.request

import harness
from harness import BUILD, CLEAN, ORIEL, SERVER

PROGRAM = os.path.join(BUILD, "targets", "recorded", "recorded.dll")


class Recorder(harness.OrielTest):
    def begin(self, *options, recorder="60s", folder=""):
        """Starts the program under a recorder; returns the process of oriel run and the program's id."""
        run = subprocess.Popen([ORIEL, "run", "-o", os.path.join(folder, "run.oriel"), f"--recorder={recorder}", *options, "--",
                                "dotnet", PROGRAM], cwd=self.folder, env=CLEAN, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, bufsize=1, start_new_session=True)
        self.addCleanup(self.finish, run)
        self.assertEqual(run.stdout.readline(), "ready\n")
        return run, int(subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True, check=True).stdout.split()[0])

    def do(self, run, *lines):
        for line in lines:
            run.stdin.write(line + "\n")
            self.assertEqual(run.stdout.readline(), f"did {line}\n")

    def end(self, run, code=0):
        """Has the program return that; what was said on stderr."""
        run.stdin.write(f"exit {code}\n")
        self.assertEqual(run.wait(60), code)
        return run.stderr.read()

    def saved(self, word, count=1):
        """The files that were saved for that cause, once there are so many. What has such a name is complete."""
        names = lambda: sorted(glob.glob(self.path(f"run-*-{word}*.oriel")))
        self.wait_for(lambda: len(names()) >= count, 30)
        self.assertEqual(len(names()), count)
        for name in names(): self.assertEqual(self.report("summary", log=name)["state"], "complete")
        return names()

    def marks(self, log):
        return [row["mark"] for row in json.loads(self.oriel("report", "rows", "marks", "--json", log).out)["rows"]]

    def assert_whole(self, log, mark=None):
        """A log that was saved, or that the program's end left."""
        summary = self.report("summary", log=log)
        self.assertEqual((summary["state"], summary["problems"], summary["incomplete"]), ("complete", [], []), log)
        self.assertGreater(summary["samples"]["periods"], 0)
        self.assertIn("Recorded.Program.Spin", json.dumps(self.report("top", log=log)))
        if mark: self.assertRegex(self.marks(log)[-1], mark)
        return summary

    def ctl(self, pid, *words, code=0):
        result = self.oriel("ctl", str(pid), *words)
        self.assertEqual(result.code, code, result.err)
        return result.err if code else result.out

    def test_saved_by_hand_and_at_the_end(self):
        run, pid = self.begin("--keep=2")
        self.do(run, "wait 700")
        self.assertRegex(self.ctl(pid), r"holds the last \d s of 60 s \(\d\.\d MB of 64\.0 MB\)")
        first = re.fullmatch(r"saved (.*-ctl\.oriel)\n", self.ctl(pid, "save")).group(1)
        self.assert_whole(first, "^recorder: somebody asked for it$")
        self.assertEqual(self.ctl(pid, "save", "mine.oriel"), f"saved {self.path('mine.oriel')}\n")
        self.assertEqual(len(self.marks("mine.oriel")), 2)
        self.assertIn("saved 2, the last: ", self.ctl(pid))
        self.ctl(pid, "save")
        self.assertFalse(os.path.exists(first), "two stay")
        running = self.oriel("report", "run.oriel").out
        self.assertRegex(running, r"The program is still running: its flight recorder holds \d")
        self.assertIn("cannot be written", self.ctl(pid, "save", "no/such.oriel", code=1).replace("cannot write", "cannot be written"))
        err = self.end(run)
        self.assertEqual(err.count("oriel: "), 1, err)
        self.assert_whole("run.oriel")
        self.assertEqual(len(self.marks("run.oriel")), 4)

    def test_rotation_begins_anew(self):
        run, pid = self.begin()
        self.do(run, "wait 400", "throw 3")
        self.ctl(pid, "rotate")
        self.do(run, "wait 400")
        self.ctl(pid, "save", "second.oriel")
        self.end(run)
        self.assertEqual([sum(kind["thrown"] for kind in self.report("exceptions", log=log)["types"])
                          for log in ("run.oriel", "second.oriel", "run-2.oriel")], [3, 0, 0])
        for log in ("run.oriel", "second.oriel", "run-2.oriel"): self.assert_whole(log)

    def test_exceptions(self):
        run, _ = self.begin("--on-exception=TimeoutException")
        self.do(run, "wait 300", "throw 1")
        log, = self.saved("exception")
        self.do(run, "throw 100", "wait 500")
        self.assertEqual(self.saved("exception"), [log], "once in the recorder's time")
        self.assert_whole(log, r"^recorder: System\.TimeoutException thrown in Recorded\.Shop\.Pay\(int\)$")
        self.assertIn(f"oriel: log: the recorder saved {log}: System.TimeoutException thrown in ", self.end(run))

    def test_pauses(self):
        run, _ = self.begin("--on-pause=5ms")
        self.do(run, "wait 300", "collect 2000000")
        self.assert_whole(self.saved("pause")[0], r"^recorder: a collection paused the program for \d+ ms$")
        self.end(run)

    def test_requests_of_named_sources(self):
        run, _ = self.begin("--on-request=200ms", "--activities=Recorded.Orders")
        self.do(run, "order 10", "wait 300")
        self.assertEqual(glob.glob(self.path("run-*-request*")), [])
        self.do(run, "order 300")
        self.assert_whole(self.saved("request")[0], r"^recorder: Recorded\.Orders order took \d+ ms$")
        self.end(run)

    def test_requests_of_a_web_server(self):
        run = subprocess.Popen([ORIEL, "run", "-o", "run.oriel", "--recorder=60s", "--on-request=2s", "--", "dotnet", SERVER],
                               cwd=self.folder, env=CLEAN, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)
        self.addCleanup(self.finish, run)
        url = f"http://127.0.0.1:{int(run.stdout.readline())}"
        for path in ("work/10", "wait/2500", "stop"):  # the first takes long too on a busy machine
            with urllib.request.urlopen(f"{url}/{path}", timeout=60): pass
            if path.startswith("wait"): log, = self.saved("request")
        self.assertEqual(run.wait(60), 0)
        self.assertRegex(self.marks(log)[-1], r"^recorder: GET /wait/2500 took [\d.]+ m?s$")

    def test_processor_time(self):
        run, _ = self.begin("--on-cpu=10%")
        self.do(run, "wait 7000")
        self.assert_whole(self.saved("cpu")[0], r"^recorder: \d+ % of \S+ processors used over \d+ s$")
        self.end(run)

    def test_signals(self):
        run, pid = self.begin("--on-signal=USR2")
        self.do(run, "wait 300")
        os.kill(pid, signal.SIGUSR2)
        self.assert_whole(self.saved("signal")[0], "^recorder: the signal SIGUSR2 came$")
        # The program's own handler is called as well, whether it came before or after Oriel's.
        self.do(run, f"handle {int(signal.SIGUSR2)}", "wait 300")
        for count in (2, 3):
            os.kill(pid, signal.SIGUSR2)
            self.assertEqual(run.stdout.readline(), "handled\n")
            self.saved("signal", count)
        self.end(run)

    def crash(self, line, codes, ending=None, **rest):
        run, pid = self.begin(**rest)
        self.do(run, "wait 1500", "throw 2", "wait 300")
        if line: run.stdin.write(line + "\n")
        before = time.time()
        if not line: os.kill(pid, signal.SIGKILL)
        self.assertIn(run.wait(120), codes)
        summary = self.report("summary")
        self.assertIn("Recorded.Program.Spin", json.dumps(self.report("top")))
        self.assertEqual(sum(kind["thrown"] for kind in self.report("exceptions")["types"] if "Timeout" in kind["type"]),
                         3 if line == "unhandled" else 2)
        text = " ".join(self.oriel("report", "run.oriel").out.split())
        self.assertIn(ending or "This is what the flight recorder left of a process that was killed, crashed or called _exit: its last",
                      text)
        self.assertEqual(summary["problems"], [])
        return summary, before

    def test_killed(self):
        summary, killed = self.crash("", [128 + 9])
        self.assertGreater(summary["start_unix_us"] / 1e6 + summary["wall_ns"] / 1e9, killed - 1)

    def test_crashes(self):
        # As without Oriel.
        for line, ending in harness.some((("unhandled", "Ended by an unhandled System.TimeoutException"),
                                          ("segv", "Ended by an unhandled System.AccessViolationException"),
                                          ("failfast", "Ended by Environment.FailFast")), 2):
            with self.subTest(line):
                self.crash(line, [128 + 6, 128 + 11], ending)

    def test_bounded(self):
        run, pid = self.begin("--calls=Recorded.Calls", recorder="60s/4MB")
        for _ in range(4):
            self.do(run, "calls 700")
            self.assertLess(os.path.getsize(self.path("run.oriel")), 4_020_000)
        self.ctl(pid, "save", "saved.oriel")
        self.assertRegex(self.ctl(pid), r"holds the last \d+ s of 60 s \(\d\.\d MB of 4\.0 MB\), as that is full; saved 1: ")
        self.end(run)
        for log in ("run.oriel", "saved.oriel"):
            self.assertLess(os.path.getsize(self.path(log)), 4_020_000)
            self.assertRegex(self.oriel("report", log).out, r"(?m)^Recorder +held the last .* of the 60 s asked for, as 4\.00 MB were full$")
        self.assertEqual(self.report("summary")["problems"], [])

    def test_old_seconds_go(self):
        run, pid = self.begin(recorder="2s")
        self.do(run, "throw 5", "wait 4000", "throw 2")
        self.ctl(pid, "save", "saved.oriel")
        self.end(run)
        self.assertLess(self.assert_whole("saved.oriel")["wall_ns"], 2.9e9)
        self.assertEqual(sum(kind["thrown"] for kind in self.report("exceptions", log="saved.oriel")["types"]), 2)

    def test_saved_while_calls_are_logged(self):
        run, pid = self.begin("--calls=Recorded.Calls", recorder="60s/16MB")
        run.stdin.write("calls 3000\n")
        for number in range(3):
            time.sleep(0.5)
            self.ctl(pid, "save", f"saved-{number}.oriel")
        self.assertEqual(run.stdout.readline(), "did calls 3000\n")
        self.end(run)
        for number in range(3):
            summary = self.report("summary", log=f"saved-{number}.oriel")
            self.assertEqual((summary["state"], summary["problems"]), ("complete", []))
            self.assertIn("Recorded.Calls.Step", json.dumps(self.report("calls", log=f"saved-{number}.oriel")))

    def test_a_folder_that_is_full(self):
        with self.full_disk(3000):
            run, pid = self.begin("--calls=Recorded.Calls", recorder="60s/2MB", folder="full")
            self.do(run, "calls 700")
            self.assertRegex(self.ctl(pid, "save", code=1), "No space left on device")
            self.assertEqual(sorted(os.listdir(self.path("full"))), ["run.oriel", "run.oriel.tail"])
            self.ctl(pid, "save", "elsewhere.oriel")
            self.end(run)
            self.assertEqual(self.oriel("report", "full/run.oriel").code, 0)
            self.assertEqual(self.oriel("report", "elsewhere.oriel").code, 0)

    def test_a_folder_that_is_read_only(self):
        folder = self.path("logs")
        os.mkdir(folder)
        run, pid = self.begin("--on-exception=Timeout*", recorder="1s", folder="logs")
        self.do(run, "wait 300")
        with self.read_only(folder):
            self.do(run, "throw 1", "wait 1500", "throw 1", "wait 300")
            self.assertRegex(self.ctl(pid, "save", code=1), r"/logs/run-\d+-\d+-ctl\.oriel: Read-only file system")
            self.ctl(pid, "save", "elsewhere.oriel")
            err = self.end(run)
        self.assertEqual(err.count("oriel: log: the recorder could not save: "), 1, err)
        self.assertEqual(sorted(os.listdir(folder)), ["run.oriel", "run.oriel.tail"])
        for log in ("logs/run.oriel", "elsewhere.oriel"): self.assert_whole(log)

    def test_the_recorder_itself_has_no_room(self):
        with self.full_disk(700):
            run, _ = self.begin("--calls=Recorded.Calls", recorder="60s/2MB", folder="full")
            self.do(run, "calls 700", "calls 100")
            err = self.end(run)
            self.assertEqual(err.count("No space left on device; what it held until then can be read"), 1, err)
            self.assertEqual(self.oriel("report", "full/run.oriel").code, 0)

    def test_started_in_a_running_program(self):
        run = subprocess.Popen(["dotnet", PROGRAM], cwd=self.folder, env=CLEAN, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, bufsize=1, start_new_session=True)
        self.addCleanup(self.finish, run)
        self.assertEqual(run.stdout.readline(), "ready\n")
        attach = self.start("attach", str(run.pid), "--recorder=60s", "--on-exception=Timeout*", "-o", "run.oriel")
        self.wait_for(lambda: os.path.exists(self.path("run.oriel")))
        time.sleep(1)
        self.do(run, "throw 1")
        self.assert_whole(self.saved("exception")[0], "TimeoutException thrown")
        os.kill(attach.pid, signal.SIGINT)
        attach.wait(60)
        self.assert_whole("run.oriel")
        self.end(run)

    @harness.only_long  # requests of a server, and a recorder in a program that runs, are above
    def test_requests_of_a_server_that_runs(self):
        server = subprocess.Popen(["dotnet", SERVER], cwd=self.folder, env=CLEAN, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, start_new_session=True)
        self.addCleanup(self.finish, server)
        url = f"http://127.0.0.1:{int(server.stdout.readline())}"
        attach = self.start("attach", str(server.pid), "--recorder=60s", "--on-request=300ms", "-o", "run.oriel")
        self.assertIn(b", as --on-request changes its code", attach.stderr.readline())
        self.wait_for(lambda: os.path.exists(self.path("run.oriel")))
        time.sleep(2)
        with urllib.request.urlopen(f"{url}/wait/400", timeout=60): pass
        log, = self.saved("request")
        self.assertRegex(self.marks(log)[-1], r"^recorder: GET /wait/400 took [\d.]+ m?s$")
        os.kill(attach.pid, signal.SIGINT)
        attach.wait(60)

    def test_options_that_do_not_fit(self):
        for options, part in ((["--on-pause=1s"], "--on-pause says when a flight recorder saves; give --recorder=60s too"),
                              (["--recorder=60s", "--rotate=1MB"], "--recorder holds the end of the log in one file; leave out --rotate"),
                              (["--recorder=64MB"], "--recorder=64MB: a recorder holds a time"),
                              (["--recorder=60s/64KB"], "its size is from 1MB to 4GB"),
                              (["--recorder=60s", "--on-cpu=200%"], "--on-cpu=200%: a share of the processors is"),
                              (["--recorder=60s", "--on-request=soon"], "--on-request=soon: a time is a number of us, ms"),
                              (["--recorder=60s", "--on-signal=SEGV"], "--on-signal=SEGV is unknown; use USR1 or USR2")):
            self.assert_refused(self.oriel("run", *options, "--", "dotnet", PROGRAM), 125, part)


if __name__ == "__main__":
    harness.main()
