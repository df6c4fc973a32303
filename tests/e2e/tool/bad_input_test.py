#!/usr/bin/env python3
"""Whatever is wrong is said in one line with what to do, the tool exits with another code than 0, and a program that was
started runs as if nothing were."""
import os
import re
import shutil
import stat

import harness
from harness import BUILD, ORIEL, program


class BeforeTheStart(harness.OrielTest):
    """What can be known before the program starts: it is not started."""

    def refused(self, code, *parts, options=(), command=("touch", "started"), env=None):
        self.assert_refused(self.oriel("run", *options, "--", *command, env=env), code, *parts)
        self.assertFalse(os.path.exists(self.path("started")))

    def test_program(self):
        self.refused(127, "no-such-program", command=["no-such-program"])
        self.refused(126, "not executable", command=["/etc/passwd"])
        shutil.copy(harness.PROGRAMS, self.path("x.dll"))
        os.chmod(self.path("x.dll"), 0o644)
        self.refused(126, "dotnet ./x.dll", command=["./x.dll"])
        self.assert_refused(self.oriel("run"), 125, "name the program")

    def test_arguments(self):
        for option in ("--sample=0", "--sample=10001", "--sample=fast", "--sample-real=-1", "--sample=1e3"):
            self.refused(125, "from 1 to 10000", options=[option])
        self.refused(125, "--bogus", options=["--bogus"])
        self.refused(125, "--sample and --no-sample cannot be combined", options=["--no-sample", "--sample"])

    def test_command_that_is_none_and_a_rate_apart_from_its_option(self):
        self.assert_refused(self.oriel("frob"), 2, "no command 'frob'", "run, cover, report, query, export, view")
        self.assert_refused(self.oriel("run", "--sample", "100", "--", "touch", "started"), 127, "--sample=100")
        self.assertFalse(os.path.exists(self.path("started")))

    def test_log_place(self):
        with open(self.path("Program.cs"), "w") as source:
            source.write("class Program { }")
        self.refused(125, "is not a log", options=["-o", self.path("Program.cs")])
        os.mkfifo(self.path("pipe"))
        self.refused(125, "nobody reads the pipe", options=["-o", self.path("pipe")])
        os.symlink("pipe", self.path("link"))
        for instrumentation in (["--calls"], ["--callgraph"], ["--callgraph", "--sample"]):
            self.refused(125, "link' is not a file", options=["-o", self.path("link"), *instrumentation])
        os.symlink("pipe", self.path("x.callgraph.oriel"))
        self.refused(125, "is a link", options=["-o", self.path("x.oriel"), "--callgraph", "--sample"])
        for name in ("pipe", "link", "x.callgraph.oriel"):
            self.assertTrue(stat.S_ISFIFO(os.stat(self.path(name)).st_mode))
        self.refused(125, "/dev/stdout", options=["-o", "/dev/stdout"])
        self.refused(125, "/no/such/folder", options=["-o", "/no/such/folder/x.oriel"])
        self.refused(125, "folder", options=["-o", self.folder])
        self.refused(125, "/proc", options=["-o", "/proc/x.oriel"])
        self.refused(125, "%p", options=["--children", "-o", "x.oriel"])
        self.refused(125, ";", options=["-o", "a;b.oriel"])

    def test_modules(self):
        self.refused(125, "liboriel-nope.so", os.path.join(BUILD, "lib"), "/elsewhere", options=["--module", "nope"],
                     env={"ORIEL_MODULE_PATH": "/elsewhere"})
        with open(self.path("liboriel-text.so"), "w", encoding="utf-8") as out:
            out.write("text")
        self.refused(125, "cannot be loaded", options=["--module", "./liboriel-text.so"])
        shutil.copy("/lib/x86_64-linux-gnu/libm.so.6", self.path("liboriel-m.so"))
        self.refused(125, "oriel_api_version_m", options=["--module", self.path("liboriel-m.so") + ":x"])
        for file, start, said in (("liboriel-calls.so", "init_calls", "call its file libmono-profiler-NAME.so"),
                                  ("libmono-profiler-calls.so", "startup", "the profiler API that Mono had before version 5.4"),
                                  ("libmono-profiler-other.so", "init_calls", "it does not export mono_profiler_init_other")):
            with open(self.path("mono.c"), "w", encoding="utf-8") as out:
                out.write(f"void *mono_profiler_create(void *profiler);\n"
                          f"void mono_profiler_{start}(const char *description) {{ mono_profiler_create((void *)description); }}\n")
            built = self.call(["cc", "-shared", "-fPIC", "-o", file, "mono.c"])
            self.assertEqual(built.code, 0, built.err)
            self.refused(125, said, options=["--module", "./" + file + ":x"])

    def test_arguments_of_the_module_that_writes_the_log(self):
        self.refused(125, "unknown argument 'nonsense'", options=["--module", "log:nonsense=1"])
        self.refused(125, "from 1 to 10000", options=["--module", "log:hz=0"])
        self.refused(125, "--sample=100 and log: hz=99 cannot be combined", options=["--sample=100", "--module", "log:hz=99"])
        self.refused(125, "write -o mine.oriel", options=["--module", "log:out=mine.oriel"])
        self.assertEqual(self.logs(), [])

    def test_no_profilers(self):
        self.refused(125, "DOTNET_EnableDiagnostics", env={"DOTNET_EnableDiagnostics": "0"})


class Help(harness.OrielTest):
    def test_fits_a_terminal_of_100_columns(self):
        for command in ([], ["run"], ["cover"], ["cover", "merge"], ["cover", "diff"], ["report"], ["export"], ["convert"], ["ps"], ["attach"],
                        ["version"]):
            lines = self.oriel(*command, "--help").out.splitlines()
            self.assertGreater(len(lines), 4, command)
            self.assertEqual([line for line in lines if len(line) > 100], [], command)

    def test_the_manual_has_all_options(self):
        text = self.oriel("manual", os.path.join(harness.ROOT, "docs", "oriel.1.in")).out.replace("\\-", "-")
        for command in (["run"], ["cover"], ["cover", "merge"], ["cover", "diff"], ["report"], ["export"], ["ps"], ["attach"]):
            options = re.findall(r"^  (?:-\w,)?(--(?!help)[\w-]+)", self.oriel(*command, "--help").out, re.MULTILINE)
            self.assertGreater(len(options), 1)
            self.assertEqual([option for option in options if not re.search(option + r"\b(?!-)", text)], [])


class AfterTheStart(harness.OrielTest):
    """What can only be known later: the program runs on."""

    def test_native_program(self):
        result = self.oriel("run", "--", "echo", "native")
        self.assertEqual((result.code, result.out), (125, "native\n"))
        self.assertEqual(len(result.err.splitlines()), 1, result.err)
        self.assertIn("--children", result.err)
        # A shell's children are followed unasked.
        result = self.oriel("run", "--", "sh", "-c", "echo native; exit 0")
        self.assertEqual((result.code, len(result.err.splitlines())), (125, 1), result.err)
        self.assertNotIn("--children", result.err)
        self.assertEqual(self.oriel("run", "--", "sh", "-c", "exit 3").code, 3)
        self.assertEqual(self.logs(), [])

    def test_disk_full(self):
        # The runtime would map its code through a file, which has no room either.
        env = {"DOTNET_EnableWriteXorExecute": "0"}
        result = self.call(["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", ORIEL, "run", "-o", "x.oriel", "--",
                            *program("exceptions", 5)], env=env)
        self.assertEqual((result.code, result.out), (125, "exceptions done\n"), result.err)
        self.assertIn("x.oriel: File too large", result.err)

    def test_a_modules_file_that_is_none(self):
        os.mkfifo(self.path("pipe"))
        result = self.oriel("run", "--module", "callgraph:out=pipe", "--", *program("exit", 4))
        self.assertEqual(result.code, 4)
        self.assertEqual(result.err.count("/pipe' is not a file"), 1, result.err)
        self.assertTrue(stat.S_ISFIFO(os.lstat(self.path("pipe")).st_mode))

    def test_modules_argument(self):
        result = self.oriel("run", "--module", "callgraph:nonsense=1", "--", *program("exit", 4))
        self.assertEqual(result.code, 4)
        self.assertIn("nonsense", result.err)


class Reading(harness.OrielTest):
    def test_report(self):
        self.assert_refused(self.oriel("report"), 1, "there is no log here")
        self.assert_refused(self.oriel("report", "top"), 1, "there is no log here")
        self.assert_refused(self.oriel("report", "callers"), 2, "METHOD [FILE]")
        self.assert_refused(self.oriel("report", "nonsense", "x.oriel"), 2, "summary")
        self.assert_refused(self.oriel("report", "top", "a", "b"), 1, " a:")
        self.assert_refused(self.oriel("report", "none.oriel"), 1, "none.oriel")
        self.assert_refused(self.oriel("report", self.folder), 1, self.folder)
        self.assert_refused(self.oriel("report", "--from", "soon", "x"), 2, "--from", "1.5s")
        self.assert_refused(self.oriel("report", "--from", "2", "--to", "1", "x"), 2, "swap")
        for limit in ("-3", "0", "many", "1.5", "1e3", "99999999999999999999999", ""):
            for option in (["--limit", limit], ["--limit=" + limit]):
                self.assert_refused(self.oriel("report", "top", *option, "x"), 2, "--limit")

    def test_foreign_files(self):
        for content in (b"", b"text\n" * 1000, bytes(range(256)) * 10, b"\x7fELF" + bytes(500)):
            with open(self.path("x.oriel"), "wb") as out:
                out.write(content)
            for command in (["report"], ["report", "dump"], ["export", "--format", "collapsed"]):
                self.assert_refused(self.oriel(*command, "x.oriel"), 1, "x.oriel")

    def test_what_cannot_be_opened_is_not_called_another_kind_of_file(self):
        os.mkdir(self.path("folder"))
        os.mkfifo(self.path("pipe"))
        for name, why in (("none", "No such file"), ("folder", "it is a folder"), ("pipe", "it is a pipe, not a file"),
                          ("/dev/null", "it is a device, not a file")):
            self.assert_refused(self.oriel("convert", name, "x.oriel"), 1, f"cannot read {name}: {why}")
            self.assert_refused(self.oriel("convert", "--to", "v1", name, "x.oriel"), 1, f"cannot read {name}: {why}")
        self.assertFalse(os.path.exists(self.path("x.oriel")))

    def test_numbers(self):
        for command in (["view", "--port"], ["top", "4711", "--count"], ["top", "4711", "--sample"], ["cover", "diff", "--limit"],
                        ["convert", "--process"]):
            for number in ("99999999999999999999", "-1", "abc"):
                self.assert_refused(self.oriel(*command, number, "x", "y"), 2, f"'{number}' is not a whole number")

    def test_names_do_not_control_the_terminal(self):
        self.record(*program("exit"))
        for name, shown in (("esc\x1b[31m", "$'esc\\e[31m'"), ("new\nline", "$'new\\nline'"), (b"bad\xff", "$'bad\\xff'"),
                            ("a b", "'a b'")):
            path = os.path.join(os.fsencode(self.folder), os.fsencode(name))
            shutil.copy(self.path("run.oriel"), path)
            result = self.oriel("report", name)
            self.assertEqual(result.code, 0, result.err)
            self.assertNotIn("\x1b", result.out + result.err)
            self.assertIn(" " + shown, result.out)
            pasted = self.call(["bash", "-c", f"ls {shown}"])
            self.assertEqual(pasted.code, 0, pasted.err)
            os.remove(path)
            missing = self.oriel("report", b"no/" + os.fsencode(name))
            self.assertNotIn("\x1b", missing.err)
            self.assertEqual(missing.err.count("\n"), 1, missing.err)

    def test_a_log_that_is_named_twice_counts_once(self):
        self.record(*program("exit"))
        os.link(self.path("run.oriel"), self.path("link.oriel"))
        once = self.oriel("query", "run.oriel", "select count(*) from processes")
        for again in ("run.oriel", "./run.oriel", "link.oriel"):
            twice = self.oriel("query", "run.oriel", again, "select count(*) from processes")
            self.assertEqual(twice.out, once.out)
            self.assertIn(f"{again} is named more than once; it is read once", twice.err)

    def test_export(self):
        self.record(*program("exit"))
        self.assert_refused(self.oriel("export", "run.oriel"), 2, "--format")
        self.assert_refused(self.oriel("export", "--format", "svg", "run.oriel"), 2, "speedscope")
        self.assert_refused(self.oriel("export", "--format", "html", "-o", "/no/x.html", "run.oriel"), 1, "/no/x.html")
        self.assert_refused(self.oriel("export", "--format", "html", "-o", "/dev/full", "run.oriel"), 1, "disk")

    def test_callers_of_nothing(self):
        self.record(*program("busy", 1, 100))
        self.assert_refused(self.oriel("report", "callers", "NoSuchMethod", "run.oriel"), 1, "NoSuchMethod")

    def test_patterns_that_matched_nothing(self):
        self.record(*program("exit"), options=["--calls=Nobody.*,!*.Some", "--alloc-in=Nobody.*"])
        calls = "no calls in this log: no method that --calls='Nobody.*,!*.Some' chooses was called"
        for kind in ("calls", "callgraph"):
            self.assertIn(calls, self.oriel("report", kind, "run.oriel").out)
        self.assertIn("--alloc-in='Nobody.*' chooses allocated nothing", self.oriel("report", "alloc", "run.oriel").out)
        export = self.oriel("export", "--format", "collapsed", "--weight", "calls-time", "run.oriel")
        self.assert_refused(export, 1, calls)

    def test_weight_that_the_log_does_not_have(self):
        self.record(*program("exit"), options=["--no-sample"])
        for weight, option in (("samples", "--sample"), ("calls-time", "--calls"), ("bytes", "--alloc")):
            for format in ("collapsed", "pprof"):
                export = ["export", "--format", format, "--weight", weight, "-o", "out", "run.oriel"]
                self.assert_refused(self.oriel(*export), 1, "oriel run " + option)
                self.assertFalse(os.path.exists(self.path("out")))

    def test_filters_that_match_nothing(self):
        self.record(*program("busy", 1, 100))
        for options in (["--thread", "nosuch"], ["--method", "NoSuchMethod"], ["--from", "1000000"]):
            part = options[1] if options[0] != "--from" else "--from"
            for kind in ("summary", "top", "threads", "gc"):
                self.assert_refused(self.oriel("report", kind, *options, "run.oriel"), 1, part)
            self.assert_refused(self.oriel("export", "--format", "collapsed", *options, "run.oriel"), 1, part)
            self.assert_refused(self.oriel("report", "dump", *options, "run.oriel"), 1)


if __name__ == "__main__":
    harness.main()
