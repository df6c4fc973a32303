#!/usr/bin/env python3
"""Programs on Mono: they behave as without Oriel, and what is recorded is true."""
import os
import re
import shutil
import sys
import unittest

import harness

HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = os.path.join(harness.BUILD, "tests", "modules")
FIB_15, FIB_20 = 1973, 21891  # calls of Fib
HAS_MONO = shutil.which("mono") and shutil.which("mcs")


@unittest.skipUnless(HAS_MONO, "Mono is not installed here (mono-runtime and mono-mcs)")
class MonoTest(harness.SharedFolder):
    def prepare(self):
        built = self.call(["mcs", "-out:" + self.path("program.exe"), os.path.join(HERE, "Program.cs")])
        self.assertEqual(built.code, 0, built.out + built.err)

    def command(self, *args):
        return ["mono", self.path("program.exe"), *args]

    def profile(self, *args, options=(), code=0, **rest):
        """Runs it plainly and under Oriel, which says no more than where the log is."""
        plain = self.call(self.command(*args))
        result = self.record(*self.command(*args), options=options, **rest)
        self.assertEqual((plain.code, result.code, result.out), (code, code, plain.out), result.err)
        self.assertEqual(len(result.own_lines()), 1, result.err)
        others = [line for line in result.err.splitlines() if not line.startswith("oriel: ")]
        self.assertEqual(others, plain.err.splitlines())


class Behaviour(MonoTest):
    def test_exit_codes(self):
        self.profile("code", code=7)
        self.profile("exit", code=8)
        self.assertNotIn("process_abort", [record["kind"] for record in self.dump()])

    def test_the_programs_environment_is_its_own(self):
        self.profile("environment")
        env = {"MONO_ENV_OPTIONS": "--optimize=all", "LD_LIBRARY_PATH": "/nowhere"}
        result = self.record(*self.command("environment"), env=env)
        self.assertEqual(sorted(result.out.split()), ["LD_LIBRARY_PATH=/nowhere", "MONO_ENV_OPTIONS=--optimize=all"])

    def test_monos_own_option(self):
        """Says what it lacks: the environment says what to record, not the option. The program runs on."""
        folder = os.path.join(harness.BUILD, "lib", "oriel-mono")
        what_to_do = "; start the program by `oriel run -- mono …`, or name the modules in ORIEL_PROFILERS\n"
        plain = self.call(self.command("counts"))
        for option, env, said in (
                ("oriel", {}, "oriel: --profile=oriel alone records nothing" + what_to_do),
                ("oriel:out=run.oriel", {}, "oriel: --profile=oriel:out=run.oriel: what follows the name has no effect" + what_to_do),
                ("oriel", {"ORIEL_PROFILERS": "log:out=option.oriel"}, None)):
            command = ["mono", "--profile=" + option, self.path("program.exe"), "counts"]
            result = self.call(command, env={"LD_LIBRARY_PATH": folder, **env})
            self.assertEqual((result.code, result.out), (0, plain.out), result.err)
            self.assertEqual(os.path.exists(self.path("option.oriel")), said is None)
            if said: self.assertEqual(result.err, said)
            else: self.assertNotIn("--profile", result.err)

    def test_children_and_scripts(self):
        plain = self.call(self.command("child"))
        os.mkdir(self.path("alone"))
        result = self.oriel("run", "--no-children", "-o", "alone/%p.oriel", "--", *self.command("child"))
        self.assertEqual((result.code, result.out), (0, plain.out), result.err)
        self.assertEqual(len(os.listdir(self.path("alone"))), 1)
        os.mkdir(self.path("both"))
        result = self.oriel("run", "--children", "-o", "both/%p.oriel", "--", *self.command("child"))
        self.assertEqual((result.code, result.out), (0, plain.out), result.err)
        self.assertEqual(len(os.listdir(self.path("both"))), 2)
        with open(self.path("script"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + " ".join(self.command("counts")) + "\n")
        os.chmod(self.path("script"), 0o755)
        os.mkdir(self.path("of-script"))
        result = self.oriel("run", "-o", "of-script/%p.oriel", "--", "./script")
        self.assertEqual((result.code, result.out), (0, plain.out), result.err)
        self.assertEqual(len(os.listdir(self.path("of-script"))), 1)

    def test_a_program_that_the_kernel_starts_by_mono(self):
        """As binfmt has it, here for an ending that no other file has."""
        folder, name = "/proc/sys/fs/binfmt_misc", f"oriel-{os.getpid()}"
        mounted = os.path.exists(folder + "/register")
        if not mounted and self.call(["mount", "-t", "binfmt_misc", "binfmt_misc", folder]).code != 0:
            self.skipTest("nothing may be mounted here")
        try:
            with open(folder + "/register", "w", encoding="utf-8") as file:
                file.write(f":{name}:E::{name}::{os.path.realpath(shutil.which('mono'))}:")
            self.addCleanup(self.forget_format, f"{folder}/{name}", None if mounted else folder)
        except OSError as error:
            self.skipTest(f"no format can be registered here: {error}")
        program = self.path("program." + name)
        shutil.copy(self.path("program.exe"), program)
        os.chmod(program, 0o755)
        result = self.record(program, "counts", log="binfmt.oriel")
        self.assertEqual((result.code, result.out), (0, self.call(self.command("counts")).out), result.err)
        self.assertRegex(self.report("summary", log="binfmt.oriel")["runtime"], "^Mono ")

    def forget_format(self, entry, mount):
        with open(entry, "w", encoding="utf-8") as file: file.write("-1")
        if mount: self.call(["umount", mount])

    def test_ends_by_error(self):
        self.profile("throw", code=1)
        report = self.oriel("report", "exceptions", "run.oriel").out
        self.assertIn("The program ended by an unhandled System.InvalidOperationException, “nobody catches it”, thrown by "
                      "Program.Main(string[])", " ".join(report.split()))
        self.assertRegex(report, r"(?m)^ +1 +0  System.InvalidOperationException$")
        plain = self.call(self.command("fail"))
        result = self.record(*self.command("fail"))
        self.assertEqual((result.code, plain.code), (128 + 6, -6), result.err)
        self.assertIn("by Environment.FailFast, called by Program.Main(string[])", self.oriel("report", "run.oriel").out)

    def test_the_compiler_compiles_the_same(self):
        source = os.path.join(HERE, "Program.cs")
        plain = self.call(["mcs", "-out:plain.exe", source])
        result = self.record("mcs", "-out:profiled.exe", source)
        self.assertEqual((result.code, result.out), (plain.code, plain.out), result.err)
        self.assertEqual(self.call(["mono", "profiled.exe", "counts"]).out, self.call(["mono", "plain.exe", "counts"]).out)
        summary = self.report("summary")
        self.assertRegex(summary["runtime"], r"^Mono \d+\.\d+\.\d+")

    def test_a_process_without_mono(self):
        """Who loads the library as Mono does is told what it lacks, and runs on."""
        library = os.path.join(harness.BUILD, "lib", "libmono-profiler-oriel.so")
        done = self.call([sys.executable, "-c", f"import ctypes; ctypes.CDLL('{library}').mono_profiler_init_oriel(b'oriel')"])
        self.assertEqual(done.code, 0)
        self.assertRegex(done.err, r"^oriel: this Mono has no function \w+: the program runs without Oriel.*\n$")


class Recording(MonoTest):
    def calls(self):
        return {row["name"]: row["calls"] for row in self.report("calls")["methods"]}

    def test_calls_are_exact(self):
        expected = {"Counts.Run()": 1, "Counts.Catch(int)": 1000, "Counts.Throw(int)": 1000, "Counts.Tick()": 1000,
                    "Counts.Fib(int)": FIB_15 + FIB_20, "Counts.Allocate(int)": 1, "Node..ctor(int)": 50000,
                    "Counts.Run.lambda#0()": 1}
        self.profile("counts", options=["--calls"])
        calls = self.calls()
        self.assertEqual({name: calls.get(name) for name in expected}, expected, calls)
        thrown = {row["name"]: row["by_exception"] for row in self.report("calls")["methods"]}
        self.assertEqual((thrown["Counts.Throw(int)"], thrown["Counts.Catch(int)"]), (500, 0))
        self.profile("counts", options=["--callgraph"], log="graph.oriel")
        graph = {row["name"]: row["calls"] for row in self.report("callgraph", log="graph.oriel")["methods"]}
        self.assertEqual({name: graph.get(name) for name in expected}, expected, graph)

    def compile_ahead(self):
        """The program, compiled ahead of time, in a folder of its own."""
        os.makedirs(self.path("ahead"), exist_ok=True)
        shutil.copy(self.path("program.exe"), self.path("ahead"))
        compiled = self.call(["mono", "--aot", self.path("ahead/program.exe")])
        if compiled.code != 0: self.skipTest("Mono cannot compile ahead of time here: " + compiled.out)
        return self.path("ahead/program.exe")

    def test_calls_of_code_that_was_compiled_ahead_of_time(self):
        """Mono compiles it again, unless the user has it otherwise: then what is missing is said."""
        program = self.compile_ahead()
        result = self.record("mono", program, "counts", options=["--calls"])
        self.assertEqual(len(result.own_lines()), 1, result.err)
        self.assertEqual(self.calls()["Counts.Fib(int)"], FIB_15 + FIB_20)
        self.assertEqual(self.oriel("cover", "-f", "json", "-o", "cover.json", "--", "mono", program, "counts").code, 0)
        with open(self.path("cover.json"), encoding="utf-8") as file: self.assertIn('"Fib(int)", "count": 1', file.read())
        result = self.record("mono", "-O=aot", program, "counts", options=["--calls"])
        self.assertRegex(result.own_lines()[0], r"^oriel: methods that were compiled ahead of time \(mono --aot\) are left out of calls "
                                                r"and coverage, such as \S.*; start the program with mono -O=-aot to have them$")

    @unittest.skipUnless(os.path.exists("/usr/lib/mono/4.5/mcs.exe"), "mcs is elsewhere")
    def test_calls_of_the_compiler_are_the_same_each_time(self):
        """Debian's is compiled ahead of time."""
        counts = []
        for name in ("first", "second"):
            self.record("mcs", "-out:out.exe", os.path.join(HERE, "Program.cs"), log=name,
                        options=["--callgraph=[mcs]Mono.CSharp.Tokenizer"])
            counts.append({row["name"]: row["calls"] for row in self.report("callgraph", log=name)["methods"]})
        self.assertEqual(counts[0], counts[1])
        self.assertGreater(counts[0]["Mono.CSharp.Tokenizer.token()"], 1000)

    def test_samples_in_shared_code_have_the_name_of_what_is_shared(self):
        self.profile("shared", "300", options=["--sample=1000"])
        own = self.report("summary")["top_own"][0]["name"]
        self.assertEqual(own, "Shared<T>.Spin(int)")

    def test_what_mono_cannot_tell_is_said(self):
        result = self.record(*self.command("counts"), options=["--async", "--counters", "--activities", "--gc-phases"])
        said = [line.split(" gives nothing: ")[0] for line in result.own_lines()[:-1]]
        self.assertEqual(said, ["oriel: log: --" + option for option in ("async", "counters", "activities", "gc-phases")])
        for report, text in (("async", "Oriel does not log them on Mono"), ("requests", "Mono has no event sources"),
                             ("counters", "Mono has no event sources")):
            self.assertIn(text, self.oriel("report", report, "run.oriel").out)
        self.assertNotIn("--gc-phases", self.oriel("report", "gc", "run.oriel").out)

    def test_the_interpreter_is_named(self):
        command = ["mono", "--interpreter", self.path("program.exe"), "counts"]
        result = self.record(*command)
        self.assertEqual(result.out, self.call(command).out)
        self.assertEqual(sum(line.startswith("oriel: Mono interprets the program (--interpreter): ") for line in result.own_lines()), 1)

    def test_what_begins_too_late_is_said_to_who_begins_it(self):
        run = self.start("run", "-o", "run.oriel", "--", *self.command("ticks"))
        pid = run.stdout.readline().decode().strip()
        done = self.oriel("ctl", pid, "start", "async")
        self.assertIn("no probes for awaits", done.out)
        self.assertNotIn("only as it compiles them", done.out)
        for feature, text in (("alloc", "--alloc gives nothing: Mono reports allocations only if"),
                              ("calls=Counts.Tick", "Mono adds to methods only as it compiles them")):
            done = self.oriel("ctl", pid, "start", feature)
            self.assertEqual(done.code, 0, done.err)
            self.assertIn(text, done.out)
        done = self.oriel("ctl", pid, "start", "coverage")
        self.assertNotEqual(done.code, 0, done.out)
        self.assertIn("start it under oriel cover", done.err)
        self.finish(run)

    def test_names_of_generic_methods(self):
        """Code that all references share names its parameters; of values each has its own."""
        self.profile("generics", options=["--calls"])
        self.assertEqual({name: calls for name, calls in self.calls().items() if name.startswith("Pair") and "ctor" not in name},
                         {"Pair<TKey, TValue>.Set(TKey, TValue)": 1, "Pair<TKey, TValue>.Map<U>(TKey, U)": 2,
                          "Pair<string, Node>.Map<int>(string, int)": 1, "Pair<int, string>.Set(int, string)": 1})

    def test_allocations_are_exact(self):
        self.profile("counts", options=["--alloc"])
        types = {row["type"]: row for row in self.report("alloc")["types"]}
        self.assertEqual((types["Node"]["objects"], types["Node"]["bytes"]), (50000, 50000 * 24))
        self.assertEqual(types["System.InvalidOperationException"]["objects"], 500)

    def test_exceptions(self):
        self.profile("counts")
        row = next(row for row in self.report("exceptions")["types"] if row["type"] == "System.InvalidOperationException")
        self.assertEqual((row["thrown"], row["caught"]), (500, 500))
        self.assertEqual(sorted(row["messages"]), ["even 0", "even 2"])
        self.assertEqual([where["method"] for where in row["thrown_by"]], ["Counts.Throw(int)"])
        self.assertEqual([where["method"] for where in row["caught_in"]], ["Counts.Catch(int)"])

    def test_callers_of_samples(self):
        self.profile("deep", "400", options=["--sample=1000"])
        stacks = self.oriel("export", "--format", "collapsed", "-o", "-", "run.oriel").out
        spins = [line.rsplit(" ", 1) for line in stacks.splitlines() if "Deep.Spin" in line]
        whole = re.compile(r"Program\.Main.*;Deep\.Outer.*;Deep\.Middle.*;Deep\.Inner.*;Deep\.Spin")
        right = sum(int(count) for stack, count in spins if whole.search(stack))
        everything = sum(int(count) for _, count in spins)
        self.assertGreater(everything, 0)
        self.assertGreaterEqual(right, 0.99 * everything, stacks)

    def compare_stacks(self, *options):
        module = os.path.join(MODULES, "liboriel-monostacks.so") + ":" + self.path("stacks.txt")
        command = ["mono", *options, os.path.realpath("/usr/lib/mono/4.5/mcs.exe"), "-out:out.exe", os.path.join(HERE, "Program.cs")]
        result = self.oriel("run", "--no-sample", "--module", module, "-o", "run.oriel", "--", *command)
        self.assertEqual(result.code, 0, result.err)
        with open(self.path("stacks.txt"), encoding="utf-8") as file:
            text = file.read()
        stacks, frames, same = map(int, text.splitlines()[0].split())
        self.assertGreater(stacks, 500)
        self.assertGreaterEqual(same, 0.99 * frames, text)

    @unittest.skipUnless(os.path.exists("/usr/lib/mono/4.5/mcs.exe"), "mcs is elsewhere")
    def test_walks_are_monos_own(self):
        """At allocations, of code compiled ahead of time where it is there, and of the JIT compiler's."""
        self.compare_stacks("-O=aot")
        self.compare_stacks("-O=-aot")

    def stacks_of(self, log):
        """Each stack, outermost method first, and its weight."""
        text = self.oriel("export", "--format", "collapsed", "-o", "-", log).out
        return [(stack.split(";"), int(count)) for stack, count in (line.rsplit(" ", 1) for line in text.splitlines())]

    @unittest.skipUnless(os.path.exists("/usr/lib/mono/4.5/mcs.exe"), "mcs is elsewhere")
    @harness.only_long
    def test_callers_are_those_of_the_call_graph(self):
        """Of each pair of counted methods in samples, that the one called the other is in the call graph."""
        self.record("mcs", "-out:out.exe", os.path.join(HERE, "Program.cs"),
                    options=["--callgraph=*", "--sample=1000"], log="samples.oriel")
        graph = [stack for stack, _ in self.stacks_of("samples.callgraph.oriel")]
        counted = {name for stack in graph for name in stack}
        calls = {pair for stack in graph for pair in zip(stack, stack[1:])}
        right, wrong = 0, {}
        for stack, count in self.stacks_of("samples.oriel"):
            of_counted = [name for name in stack if name in counted]
            for pair in zip(of_counted, of_counted[1:]):
                if pair in calls: right += count
                else: wrong[pair] = wrong.get(pair, 0) + count
        self.assertGreater(right, 5000)
        self.assertGreaterEqual(right, 0.99 * (right + sum(wrong.values())), sorted(wrong.items(), key=lambda one: -one[1])[:10])

    def test_threads_locks_and_collections(self):
        self.profile("counts")
        names = {row["name"] for row in self.report("threads")["threads"]}
        self.assertLessEqual({"Main", "fifteen", "Finalizer"}, names)
        self.profile("wait", options=["--locks"])
        waits = self.dump(kind="monitor_acquired")
        self.assertEqual(len(waits), 1)
        self.assertIn("Program.Wait.lambda#0-0()", self.oriel("report", "locks", "run.oriel").out)
        self.profile("collect")
        gc = self.report("gc")
        self.assertGreaterEqual(sum(row["collections"] for row in gc["generations"] if row["generation"] == 1), 3)
        self.assertGreater(gc["pause_ns"], 0)
        self.assertIsNone(gc["induced"])
        self.assertNotIn("induced", self.oriel("report", "gc", "run.oriel").out)


if __name__ == "__main__":
    harness.main()
