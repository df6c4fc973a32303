#!/usr/bin/env python3
"""The log's file: moved or removed while the program runs, asked for by two at once, or a link that somebody planted."""
import os
import stat
import time

import harness
from harness import ORIEL, program


class WhileTheProgramRuns(harness.OrielTest):
    def meanwhile(self, act, options=(), log="run.oriel", children=False):
        """Runs a program that ends with code 7 once `act` was called, which is when its log is there."""
        process = harness.subprocess.Popen([ORIEL, "run", "-o", log, *options, "--", *program("echo")],
                                           cwd=self.folder, env=harness.CLEAN, stdin=harness.subprocess.PIPE,
                                           stdout=harness.subprocess.PIPE, stderr=harness.subprocess.PIPE)
        self.addCleanup(self.finish, process)
        until = time.monotonic() + 60
        while not self.logs() and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.5)
        act()
        time.sleep(0.5)
        out, err = process.communicate(b"seven b", timeout=60)
        return harness.Result(process.returncode, out, err)

    def test_a_log_that_is_moved(self):
        os.mkdir(self.path("there"))
        result = self.meanwhile(lambda: os.rename(self.path("run.oriel"), self.path("there/moved.oriel")))
        self.assertEqual((result.code, result.out), (7, "seven b"), result.err)
        self.assertIn("oriel: wrote there/moved.oriel", result.err)
        self.assertIn("moved from run.oriel", result.err)
        self.assertEqual(result.err.count("oriel: "), 1, result.err)
        self.assertEqual(self.report(log="there/moved.oriel")["state"], "complete")

    def test_a_log_that_is_removed(self):
        result = self.meanwhile(lambda: os.remove(self.path("run.oriel")))
        self.assertEqual((result.code, result.out), (7, "seven b"), result.err)
        self.assertIn("run.oriel was removed", result.err)
        self.assertEqual(result.err.count("oriel: "), 1, result.err)

    def test_a_call_graph_that_is_removed_is_written_again(self):
        result = self.meanwhile(lambda: os.remove(self.path("run.oriel")), ["--callgraph"])
        self.assertEqual(result.code, 7, result.err)
        self.assertEqual(self.report(log="run.oriel")["state"], "complete")

    def test_two_at_once(self):
        for options in ([], ["--callgraph"]):
            with self.subTest(options):
                second = []
                result = self.meanwhile(lambda: second.append(self.oriel("run", "-o", "run.oriel", *options, "--",
                                                                         "touch", "started")), options)
                self.assertEqual(result.code, 7, result.err)
                self.assert_refused(second[0], 125, "run.oriel' is being written by another process", "-o")
                self.assertFalse(os.path.exists(self.path("started")))
                self.assertEqual(self.report()["state"], "complete")
                os.remove(self.path("run.oriel"))

    def test_started_together_only_one_says_that_it_wrote(self):
        """Both find the place free; the second's program starts once the first's writes its log."""
        for code, expected in ((0, 125), (3, 3)):
            with self.subTest(code):
                os.mkfifo(self.path("go"))
                second = self.start("run", "-o", "run.oriel", "--", "sh", "-c",
                                    f'read line <go; exec dotnet {harness.PROGRAMS} exit {code}')
                go = os.open(self.path("go"), os.O_WRONLY)
                said = []

                def release():
                    os.write(go, b"\n")
                    os.close(go)
                    said.extend(second.communicate(timeout=60))

                first = self.meanwhile(release)
                self.assertEqual((second.returncode, said[0]), (expected, b""), said[1])
                lines = said[1].decode().splitlines()
                self.assertIn("is being written by another process", lines[0])
                self.assertEqual(lines[-1:], ["oriel: no log was written: 'run.oriel' belongs to another run at the same time; "
                                              "name another file with -o"])
                self.assertEqual((first.code, first.err.count("oriel: wrote run.oriel")), (7, 1), first.err)
                self.assertEqual(self.report()["state"], "complete")
                os.remove(self.path("go"))
                os.remove(self.path("run.oriel"))

    def test_the_second_to_find_out_late_says_so_and_runs(self):
        second = []
        result = self.meanwhile(lambda: second.append(
            self.oriel("run", "-o", "other.oriel", "--module", "callgraph:out=run.oriel", "--", *program("exit", 3))))
        self.assertEqual(result.code, 7, result.err)
        self.assertEqual(second[0].code, 3, second[0].err)
        self.assertEqual(second[0].err.count("'" + self.path("run.oriel") + "' is being written"), 1, second[0].err)
        self.assertEqual(self.report()["state"], "complete")


class AfterTheProgram(harness.OrielTest):
    def test_a_child_that_lives_on_holds_no_log(self):
        stress = os.path.join(harness.BUILD, "targets", "stress", "stress.dll")
        command = [ORIEL, "run", "-o", "run.oriel", "--callgraph", "--sample", "--"]
        # What the child writes to must not keep this waiting for its end.
        first = self.call(["sh", "-c", '"$@" >said 2>&1', "sh", *command, "dotnet", stress, "children-left-behind",
                           "15000"])
        self.assertEqual(first.code, 17, first.err)
        self.assertEqual(self.report()["state"], "complete")
        began = time.monotonic()
        second = self.call([*command, *program("exit", 3)])
        self.assertLess(time.monotonic() - began, 12, "the child has ended: nothing is tried")
        self.assertEqual(second.code, 3, second.err)
        self.assertEqual(self.report()["state"], "complete")


class Messages(harness.OrielTest):
    def test_are_told_by_the_processes_if_oriel_is_killed(self):
        script = 'dotnet "$0" exit; dotnet "$0" echo; exit 0'
        process = harness.subprocess.Popen([ORIEL, "run", "--children", "--calls=Nobody.*", "--", "sh", "-c", script,
                                            harness.PROGRAMS], cwd=self.folder, env=harness.CLEAN,
                                           stdin=harness.subprocess.PIPE, stdout=harness.subprocess.PIPE,
                                           stderr=harness.subprocess.PIPE)
        self.addCleanup(self.finish, process)
        until = time.monotonic() + 60
        while len(self.logs()) < 2 and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.5)
        process.kill()
        _, err = process.communicate(b"text", timeout=60)
        self.assertEqual(err.decode().count("Nobody"), 2, err)


class Places(harness.OrielTest):
    def test_only_the_user_reads_it(self):
        for options in ([], ["--callgraph"]):
            self.record(*program("exit"), options=options)
            self.assertEqual(stat.S_IMODE(os.stat(self.path("run.oriel")).st_mode), 0o600)

    def test_a_finished_log_is_replaced_by_a_new_file(self):
        self.record(*program("exit"))
        os.chmod(self.path("run.oriel"), 0o666)
        os.link(self.path("run.oriel"), self.path("kept"))
        before = os.stat(self.path("kept"))
        self.record(*program("exit"))
        self.assertEqual(os.stat(self.path("kept")).st_size, before.st_size)
        self.assertFalse(os.path.samefile(self.path("kept"), self.path("run.oriel")))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("run.oriel")).st_mode), 0o600)

    def test_a_link_that_the_user_names_leads_to_the_log(self):
        os.mkdir(self.path("there"))
        os.symlink("there/log.oriel", self.path("link.oriel"))
        for options in ([], ["--callgraph"]):
            self.record(*program("exit"), options=options, log="link.oriel")
            self.assertTrue(os.path.islink(self.path("link.oriel")))
            self.assertEqual(self.report(log="there/log.oriel")["state"], "complete")

    def test_another_users_link_is_not_followed(self):
        if os.geteuid() != 0:
            self.skipTest("only root gives files away")
        os.symlink("victim", self.path("link.oriel"))
        os.lchown(self.path("link.oriel"), 12345, 12345)
        result = self.oriel("run", "-o", "link.oriel", "--", "touch", "started")
        self.assert_refused(result, 125, "link.oriel", "another user's link")
        self.assertFalse(os.path.exists(self.path("victim")) or os.path.exists(self.path("started")))

    def test_a_name_that_was_not_given_is_never_a_link(self):
        # A shell that plants links for its own process id, and then becomes the program.
        for ending, options in ((".oriel", []), (".oriel", ["--callgraph"]), (".callgraph.oriel", ["--callgraph", "--sample"])):
            script = f'ln -s "$PWD/victim" "sh-$$.callgraph.oriel"; ln -s "$PWD/victim" "sh-$$.oriel"; exec "$@"'
            if ending == ".callgraph.oriel":
                script = f'ln -s "$PWD/victim" "sh-$$.callgraph.oriel"; exec "$@"'
            with self.subTest(ending=ending, options=options):
                result = self.oriel("run", "--no-children", *options, "--", "sh", "-c", script, "sh", *program("exit", 5))
                self.assertEqual(result.code, 5, result.err)
                self.assertIn("is a link", result.err)
                self.assertFalse(os.path.exists(self.path("victim")))


if __name__ == "__main__":
    harness.main()
