#!/usr/bin/env python3
"""oriel cover: programs, what is asked and cannot be, killed runs, and the formats as another tool reads them."""
import json
import os
import re
import signal
import subprocess

import harness
from harness import PROGRAMS, program

SOURCE = os.path.join(harness.ROOT, "tests", "targets", "programs", "Program.cs")


def lines_of(path):
    """{file: {line: count}} of JSON of Oriel's own."""
    with open(path, encoding="utf-8") as file:
        coverage = json.load(file)
    return {os.path.basename(entry["path"]): {line[0]: line[1] for line in entry["lines"]} for entry in coverage["files"]}


class CoverTest(harness.OrielTest):
    def cover(self, *command, options=(), **rest):
        return self.oriel("cover", *options, "--", *command, **rest)

    def line_of(self, text):
        with open(SOURCE, encoding="utf-8") as file:
            return next(number for number, line in enumerate(file, 1) if text in line)

    def test_what_ran_and_what_did_not(self):
        result = self.cover(*program("exit", 0), options=["--format", "json,log", "-o", "out"])
        self.assertEqual((result.code, result.out), (0, ""), result.err)
        self.assertRegex(result.err, r"(?s)Coverage of programs\nlines [\d.]+ % .*methods never ran\n.*"
                                     r"wrote out/coverage.oriel .* See it: oriel report coverage out/coverage.oriel\n")
        main = lines_of(self.path("out/coverage.oriel.json"))["Program.cs"]
        self.assertEqual(main[self.line_of('case "exit"')], 1)
        self.assertEqual(main[self.line_of('case "busy"')], 0)
        shown = self.oriel("report", "coverage", "--source", "Program.cs", "out/coverage.oriel").out
        self.assertRegex(shown, r'\n! +no .* case "busy"')
        self.assertRegex(shown, r'\n +yes .* case "exit"')
        rows = json.loads(self.oriel("report", "coverage", "--by", "type", "--uncovered", "--json",
                                     "out/coverage.oriel").out)
        self.assertIn("Busy", [row["name"] for row in rows["rows"]])
        missed, = [entry["never"] for entry in rows["uncovered"] if entry["file"].endswith("/Program.cs")]
        self.assertIn(self.line_of('case "busy"'), missed)
        self.assertEqual(os.listdir(self.folder), ["out"])

    def test_the_programs_exit_code_goes_first(self):
        self.assertEqual(self.cover(*program("exit", 4), options=["--fail-under", "100"]).code, 4)
        below = self.cover(*program("exit", 0), options=["--fail-under", "methods=99"])
        self.assertEqual(below.code, 120)
        self.assertRegex(below.own_lines()[-1], r"^oriel: [\d.]+ % of the methods ran, below the required 99 %: \d+ more of \d+")
        self.assertEqual(self.cover(*program("exit", 0), options=["--fail-under", "0.5"]).code, 0)

    def test_runs_add_up_and_are_compared(self):
        self.cover(*program("exit", 0), options=["-o", "exit.oriel"])
        self.cover(*program("throw", 1), options=["-o", "throw.oriel"])
        merged = self.oriel("cover", "merge", "--format", "json,log", "-o", "all", "exit.oriel", "throw.oriel")
        self.assertEqual(merged.code, 0, merged.err)
        main = lines_of(self.path("all/coverage.oriel.json"))["Program.cs"]
        self.assertEqual([main[self.line_of(f'case "{word}"')] for word in ("exit", "throw", "busy")], [1, 1, 0])
        changes = self.oriel("cover", "diff", "all/coverage.oriel.json", "exit.oriel")
        self.assertEqual(changes.code, 0, changes.err)
        self.assertRegex(changes.out, r"\n +\+\d+ .*Events.cs\n")
        self.assertEqual(self.oriel("cover", "diff", "exit.oriel", "all/coverage.oriel").out.count("+"), 0)

    def by_file(self, *logs):
        """Lines and lines that ran, ways and ways taken of each file, from SQL."""
        result = self.oriel("query", "--json", *logs, "select * from coverage_by_file")
        self.assertEqual((result.code, result.err), (0, ""))
        rows = json.loads(result.out)
        self.assertEqual([row["lines_missed"] for row in rows], sorted((row["lines_missed"] for row in rows), reverse=True))
        for row in rows:
            self.assertEqual(row["lines_missed"], row["lines"] - row["lines_ran"])
            self.assertAlmostEqual(row["percent"], 100 * row["lines_ran"] / row["lines"], delta=0.051)
        return {row["file"]: (row["lines"], row["lines_ran"], row["ways"], row["ways_taken"]) for row in rows}

    def reported_by_file(self, *logs):
        report = json.loads(self.oriel("report", "coverage", "--json", *logs).out)
        return {row["name"]: (row["lines"], row["lines_covered"], row["branches"], row["branches_covered"]) for row in report["rows"]}

    def test_sql_has_the_figures_of_the_report(self):
        self.cover(*program("exit", 0), options=["-o", "exit.oriel"])
        self.cover(*program("throw", 1), options=["-o", "throw.oriel"])
        for log in ("exit.oriel", "throw.oriel"):
            files = self.reported_by_file(log)
            self.assertGreater(len(files), 5)
            self.assertEqual(self.by_file(log), files)
        # What ran in either: each line counts once.
        both = {file: figures[:2] for file, figures in self.by_file("exit.oriel", "throw.oriel").items()}
        self.assertEqual(both, {file: figures[:2] for file, figures in self.reported_by_file("exit.oriel", "throw.oriel").items()})
        result = self.oriel("query", "--csv", "exit.oriel",
                            "select line, hits, state from covered_lines where file like '%/Program.cs' order by line")
        states = dict(line.split(",", 1) for line in result.out.split()[1:])
        self.assertEqual(states[str(self.line_of('case "exit"'))], "1,covered")
        self.assertEqual(states[str(self.line_of('case "busy"'))], "0,missed")
        self.assertIn("partly", result.out)

    def test_a_log_without_coverage_has_no_covered_lines(self):
        self.record(*program("exit", 0), options=["--no-sample"])
        self.assertEqual(self.by_file("run.oriel"), {})

    def test_changed_lines_that_no_test_reaches(self):
        self.cover(*program("exit", 0), options=["-o", "exit.oriel"])
        lines = [self.line_of('case "busy"'), self.line_of('case "exit"')]
        diff = "--- a/programs/Program.cs\n+++ b/programs/Program.cs\n" + "".join(
            f"@@ -{line} +{line} @@\n-old\n+new\n" for line in lines)
        touched = self.oriel("cover", "diff", "--lines-of", "-", "--fail-under", "60", "exit.oriel", stdin=diff.encode())
        self.assertEqual(touched.code, 120, touched.err)
        self.assertRegex(touched.out, rf"^1 of 2 changed lines with code ran \(50.0 %\)\n\n.*Program.cs\n    never ran: {lines[0]}\n$")
        self.assertIn("1 more of 2", touched.err)

    def started(self, *command):
        """The process of oriel and that of its program, which has run as far as it does before somebody tells it to end."""
        process = self.start_command(["env", "TMPDIR=" + self.path("tmp"), *command])
        self.assertEqual(process.stdout.readline(), b"ready\n")
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
            return process, int(file.read().split()[0])

    def test_a_killed_program(self):
        os.mkdir(self.path("tmp"))
        process, child = self.started(harness.ORIEL, "cover", "-o", "killed.oriel", "--", *program("wait"))
        os.kill(child, signal.SIGKILL)
        process.wait(60)
        self.assertEqual(process.returncode, 128 + signal.SIGKILL)
        self.oriel("cover", "merge", "--format", "json", "killed.oriel")
        self.assertEqual(lines_of(self.path("coverage.oriel.json"))["Program.cs"][self.line_of('case "wait"')], 1)
        self.assertEqual(self.left_behind(), [])

    def left_behind(self):
        """What is in the folder of temporary files, but for what a killed runtime and a killed engine leave there."""
        killed = ("clr-debug-pipe-", "dotnet-diagnostic-", f"oriel-{os.geteuid()}")
        return [name for name in os.listdir(self.path("tmp")) if not name.startswith(killed)]

    @staticmethod
    def has_ended(pid):
        """Whether nobody runs under that id; whoever adopted it may not have asked for its exit code yet."""
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
                return file.read().rpartition(")")[2].split()[0] in "ZX"
        except OSError:
            return True

    def recover(self, *words):
        return self.oriel("cover", "recover", *words, env={"TMPDIR": self.path("tmp")})

    def test_oriel_and_the_program_killed(self):
        os.mkdir(self.path("tmp"))
        self.assert_refused(self.recover(), 1, "no oriel cover was killed")
        process, child = self.started(harness.ORIEL, "cover", "-o", "killed.oriel", "--", *program("wait"))
        folder, = self.left_behind()
        self.assert_refused(self.recover(self.path("tmp/" + folder)), 1, "the oriel cover that made it still runs")
        self.assert_refused(self.recover(), 1, "no oriel cover was killed")
        process.kill()
        process.wait(60)
        os.kill(child, signal.SIGKILL)
        self.assertEqual(self.left_behind(), [folder])
        following = self.cover(*program("exit", 0), env={"TMPDIR": self.path("tmp")})
        self.assertEqual(following.code, 0, following.err)
        self.assertRegex(following.own_lines()[0], rf"^oriel: an oriel cover was killed before it could report; its results are in "
                                                   rf"\S+/{folder} \(1 log(, 1 still written)?\)\. See it: oriel cover recover "
                                                   rf"\S+/{folder}$")
        self.assertEqual(self.left_behind(), [folder])
        self.wait_for(lambda: self.has_ended(child))
        recovered = self.recover("--format", "json", "-o", "killed.json")
        self.assertEqual(recovered.code, 0, recovered.err)
        self.assertIn("oriel: wrote killed.json", recovered.err)
        self.assertEqual(lines_of(self.path("killed.json"))["Program.cs"][self.line_of('case "wait"')], 1)
        self.assertEqual(self.left_behind(), [])

    def test_oriel_killed_while_the_program_runs_on(self):
        os.mkdir(self.path("tmp"))
        process, child = self.started(harness.ORIEL, "cover", "-o", "killed.oriel", "--", *program("wait"))
        process.kill()
        process.wait(60)
        folder, = self.left_behind()
        running = self.recover("-o", "so-far.oriel")
        self.assertEqual(running.code, 0, running.err)
        self.assertRegex(running.own_lines()[-1], rf"^oriel: 1 of its processes still runs; once it has ended: oriel cover recover "
                                                  rf"\S+/{folder}$")
        os.kill(child, signal.SIGTERM)
        self.assertEqual(process.stdout.read(), b"told\n")
        self.wait_for(lambda: self.has_ended(child))
        ended = self.recover("--format", "json", "-o", "all.json")
        self.assertEqual(ended.code, 0, ended.err)
        self.assertEqual(lines_of(self.path("all.json"))["Program.cs"][self.line_of('case "wait"')], 1)
        self.assertEqual(self.left_behind(), [])

    def test_a_full_disk(self):
        command = program("exit", 0)
        for formats in "json", "html,cobertura", "lcov":
            with self.full_disk(4) as folder:
                result = self.cover(*command, options=["--format", formats, "-o", "full/out"])
                self.assertEqual(result.code, 125, result.err)
                self.assertRegex(result.own_lines()[-1], r"^oriel: 'full/out\S*' cannot be written: No space left on device; "
                                                         r"name another place with -o$")
                self.assertEqual([name for *_, names in os.walk(folder) for name in names], [], "nor is a half left")
        with self.full_disk(4) as folder:
            result = self.cover(*command, env={"TMPDIR": folder})
            self.assertEqual(result.code, 125, result.err)
            self.assertRegex(result.own_lines()[0], r"cannot write the log \S+: No space left on device")
            self.assertEqual(result.own_lines()[-1], "oriel: nothing is covered: see above")
        with self.full_disk(12) as folder:
            result = self.cover(*command, env={"TMPDIR": folder})
            self.assertEqual(result.code, 0, result.err)
            self.assertIn("No space left on device; if the program is killed", result.own_lines()[0])
            self.assertIn("Coverage of programs", result.err)
        full = self.cover(*command, options=["--format", "json", "-o", "/dev/full"])
        self.assertEqual(full.code, 125)
        self.assertIn("'/dev/full' cannot be written: No space left on device", full.own_lines()[-1])

    def test_without_its_pdb(self):
        folder = self.path("program")
        os.makedirs(folder)
        for name in os.listdir(os.path.dirname(PROGRAMS)):
            if name.startswith("programs.") and not name.endswith(".pdb"):
                with open(os.path.join(os.path.dirname(PROGRAMS), name), "rb") as source:
                    data = source.read()
                # Another id: where it was compiled its PDB still is.
                at = data.find(b"RSDS")
                if name.endswith(".dll") and at > 0:
                    data = data[:at + 4] + bytes([data[at + 4] ^ 1]) + data[at + 5:]
                with open(os.path.join(folder, name), "wb") as out:
                    out.write(data)
        result = self.cover("dotnet", os.path.join(folder, "programs.dll"), "exit", "0")
        self.assertEqual(result.code, 0, result.err)
        self.assertRegex(result.err, r"no lines, no branches, methods [\d.]+ %")
        self.assertEqual(result.err.count("PDB"), 1 + result.err.count("_NT_SYMBOL_PATH the PDB"))
        self.assertIn("the PDB of programs.dll was not found", result.err)
        with open(os.path.join(folder, "programs.pdb"), "wb") as out, \
                open(PROGRAMS.replace(".dll", ".pdb"), "rb") as source:
            out.write(source.read())
        result = self.cover("dotnet", os.path.join(folder, "programs.dll"), "exit", "0")
        self.assertIn("programs.pdb is of another build than programs.dll", result.err)


class Refused(harness.OrielTest):
    def refused(self, code, *parts, options=(), command=("true",)):
        self.assert_refused(self.oriel("cover", *options, "--", *command), code, *parts)
        self.assertEqual(os.listdir(self.folder), [])

    def test_before_the_program(self):
        self.refused(125, "name the program to run", command=())
        self.refused(127, "no-such-program", command=("no-such-program",))
        self.refused(125, "--fail-under 101", "from 0 to 100", options=["--fail-under", "101"])
        self.refused(125, "--fail-under much", options=["--fail-under", "much"])
        self.refused(125, "hit or count", options=["--mode=often"])
        self.refused(125, '"opencover"', "cobertura", options=["--format", "opencover"])
        self.refused(125, "/no/where/x' cannot be written", "-o", options=["-o", "/no/where/x"])
        self.refused(125, "--include: ", options=["--include", "[Shop"])
        self.refused(125, "--exclude", options=["--exclude", "!Shop"])
        self.refused(125, "--frobnicate", "oriel cover --help", options=["--frobnicate"])

    def test_what_is_not_there(self):
        nothing = self.oriel("cover", "--include", "NoSuchName", "--", *program("exit", 0))
        self.assertEqual(nothing.code, 125, nothing.err)
        self.assertIn("nothing is covered: no code that ran matches --include NoSuchName", nothing.err)
        self.assertEqual(self.oriel("cover", "--include", "NoSuchName", "--", *program("exit", 3)).code, 3)
        half = self.oriel("cover", "--include", "NoSuchName,[programs]", "--", *program("exit", 0))
        self.assertEqual(half.code, 0)
        self.assertEqual(half.own_lines()[0], "oriel: --include NoSuchName: no code that ran matches it")
        native = self.oriel("cover", "--", "sh", "-c", "echo native")
        self.assertEqual((native.code, native.out), (125, "native\n"))
        self.assertIn("no log was written", native.err)

    def test_reading(self):
        self.assert_refused(self.oriel("cover", "merge"), 1, "there is no log here")
        self.assert_refused(self.oriel("cover", "merge", "none.oriel"), 1, "none.oriel")
        self.assert_refused(self.oriel("cover", "diff", "one.oriel"), 1, "BASE NEW")
        self.assert_refused(self.oriel("cover", "diff", "--lines-of", "none.diff", "x.oriel"), 1, "none.diff")
        with open(self.path("other.json"), "w", encoding="utf-8") as out:
            out.write("{}")
        self.assert_refused(self.oriel("cover", "diff", "other.json", "x.oriel"), 1, "other.json: ", "--format json")
        self.assert_refused(self.oriel("cover", "diff", "--lines-of", "-", "x.oriel", stdin=b"hello\n"), 1, "git diff")
        self.record(*program("exit"))
        self.assert_refused(self.oriel("cover", "merge", "run.oriel"), 1, "run.oriel has no coverage", "oriel cover")
        self.assert_refused(self.oriel("report", "top", "--uncovered", "run.oriel"), 2, "goes with coverage")
        self.assert_refused(self.oriel("report", "coverage", "--by", "folder", "run.oriel"), 2, "file, type, namespace")


class ReportGenerator(harness.OrielTest):
    """The tool that most people show coverage with counts what Oriel counts."""

    def test_counts_the_same(self):
        try:
            installed = self.call(["dotnet", "tool", "install", "dotnet-reportgenerator-globaltool", "--tool-path", "tool"],
                                  env=harness.QUIET)
        except subprocess.TimeoutExpired:
            self.skipTest("the configured sources of packages do not answer")
        if installed.code != 0:
            self.skipTest("dotnet-reportgenerator-globaltool cannot be had from the configured sources")
        run = self.oriel("cover", "--format", "cobertura,lcov,json", "-o", "out", "--", *program("exceptions", 3))
        self.assertEqual(run.code, 0, run.err)
        with open(self.path("out/coverage.oriel.json"), encoding="utf-8") as file:
            totals = json.load(file)["totals"]
        for name in ("coverage.cobertura.xml", "lcov.info"):
            made = self.call([self.path("tool/reportgenerator"), f"-reports:out/{name}", f"-targetdir:{name}-page",
                              "-reporttypes:JsonSummary", "-verbosity:Error"])
            self.assertEqual(made.code, 0, made.out + made.err)
            with open(self.path(f"{name}-page/Summary.json"), encoding="utf-8") as file:
                summary = json.load(file)["summary"]
            self.assertEqual((summary["coverablelines"], summary["coveredlines"], summary["totalbranches"],
                              summary["coveredbranches"]),
                             (totals["lines"], totals["linesCovered"], totals["branches"], totals["branchesCovered"]), name)


if __name__ == "__main__":
    harness.main()
