#!/usr/bin/env python3
"""What plug-ins do while a program runs: hooks, attaching, new versions, coming and going, and what they do wrong.
tests/plugins/small has them, tests/targets/plugins the program."""
import glob
import os
import shutil
import socket
import struct
import subprocess
import unittest
import uuid

import harness
from other_profilers import clsid, library
from plugins_test import CLASS, ENGINE, configuration, published

PROGRAM = os.path.join(harness.BUILD, "targets", "plugins", "plugins.dll")
MARKED = os.path.join(harness.BUILD, "targets", "guests", "guests.dll")


def small(name):
    return os.path.join(harness.BUILD, "plugins", f"libsmall-{name}.so")


def method(name, number, priority=50, module=None):
    return (f"<InstrumentationMethod><Name>{name}</Name><Description>{name}</Description><Module>{module or small(name)}</Module>"
            f"<ClassGuid>{{5B0C1E5E-0001-4000-8000-0000000000{number:02X}}}</ClassGuid><Priority>{priority}</Priority>"
            "</InstrumentationMethod>")


class Live(harness.OrielTest):
    def environment(self, *methods, engine=ENGINE, **more):
        with open(self.path("methods.config"), "w", encoding="utf-8") as file:
            file.write(configuration(*methods))
        return {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": CLASS, "CORECLR_PROFILER_PATH": engine,
                "MicrosoftInstrumentationEngine_ConfigPath64_Test": self.path("methods.config"),
                "MicrosoftInstrumentationEngine_LogLevel": "Errors",
                "MicrosoftInstrumentationEngine_FileLogPath": self.path("engine.log"), **more}

    def tell(self, env, *lines, front=(), program=(PROGRAM,)):
        """What the program answers to each of these lines."""
        result = self.call([*front, "dotnet", *program], stdin="".join(line + "\n" for line in lines).encode(), env=env)
        self.assertEqual(result.code, 0, result.err)
        return result

    def log(self):
        if not os.path.exists(self.path("engine.log")):
            return []
        with open(self.path("engine.log"), encoding="utf-8") as file:
            return file.read().splitlines()


class Hooks(Live):
    def value(self, *methods, **more):
        return self.call(["dotnet", MARKED, "value"], env=self.environment(*methods, **more))

    def hooks(self, *those):
        return ":".join(f"{library(name)}={number:02x}" for name, number in those)

    def test_any_number_of_hooks_change_methods_one_on_top_of_the_other(self):
        result = self.value(method("hooking", 0), ORIEL_SMALL=self.hooks(("rewriting", 1), ("rewriting", 2), ("rewriting", 4)))
        self.assertEqual((result.out, result.err), ("7\n", "hook 00000000\n" * 3))

    def test_the_environment_names_hooks(self):
        more = {"MicrosoftInstrumentationEngine_RawProfilerHook": f"{clsid(8)}:{clsid(16)}",
                "MicrosoftInstrumentationEngine_RawProfilerHookPath_64": ":".join([library("rewriting")] * 2)}
        self.assertEqual(self.value(**more).out, "24\n")
        self.assertEqual(self.value(method("hooking", 0), ORIEL_SMALL=self.hooks(("rewriting", 1)), **more).out, "25\n")

    def test_hooks_go_on_from_what_plug_ins_made(self):
        result = self.value(method("hooking", 64), ORIEL_SMALL=self.hooks(("padding", 1), ("padding", 3)))
        self.assertEqual((result.out, result.err), ("64\n", "hook 00000000\n" * 2))

    def test_versions_that_hooks_ask_for_are_theirs(self):
        result = self.call(["dotnet", MARKED, "rejit", library("rejitting"), "+1", "-1"],
                           env=self.environment(method("hooking", 0), ORIEL_SMALL=self.hooks(("rejitting", 1))))
        self.assertEqual([line.split(" of ")[0] for line in result.out.splitlines()], ["before 0", "+1 0 1", "-1 0 0"],
                         result.err)

    def test_a_hook_hears_all_that_a_profiler_alone_hears(self):
        counted = []
        for name, env in (("alone", {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": clsid(9),
                                     "CORECLR_PROFILER_PATH": library("counting")}),
                          ("hook", self.environment(method("hooking", 0), ORIEL_SMALL=self.hooks(("counting", 9))))):
            env = {**env, "COUNTING_FILE": self.path(f"{name}%n"), "DOTNET_TieredCompilation": "0"}
            result = self.call(["dotnet", MARKED, "value"], env=env)
            self.assertEqual(result.code, 0, result.err)
            file, = glob.glob(self.path(f"{name}*"))
            with open(file, encoding="utf-8") as lines:
                counted.append(dict(line.split()[:2] for line in lines))
        alone, hook = counted
        self.assertEqual(set(alone), set(hook))
        for name in ("AppDomainCreationFinished", "AssemblyLoadFinished", "ModuleLoadFinished", "Shutdown"):
            self.assertEqual(alone.get(name), hook.get(name), name)
        self.assertGreater(int(hook["JITCompilationStarted"]), 5)

    def test_a_hook_that_gives_what_is_no_body_or_throws_is_said_and_the_program_runs_on(self):
        for number, said in ((1, "Initialize returned"), (2, "threw an exception out of Initialize"), (3, "ModuleLoadFinished"),
                             (5, "would reject"), (7, "is refused: it is none")):
            with self.subTest(number):
                result = self.value(method("hooking", 0), ORIEL_SMALL=self.hooks(("bad", number), ("rewriting", 2)))
                self.assertEqual((result.code, result.out), (0, "2\n"), result.err)
                self.assertIn(said, result.err + "\n".join(self.log()))


class Versions(Live):
    def test_all_that_have_a_method_inlined_are_made_again_at_any_depth(self):
        for settings in ({}, {"DOTNET_TieredCompilation": "0"}, {"DOTNET_TieredPGO": "0"}):
            with self.subTest(settings):
                result = self.tell(self.environment(method("changing", 64), **settings), "values",
                                   f"call {small('changing')} Rejit 0", "values")
                self.assertEqual(result.out.split("\n")[:3], ["111 69", "0", "175 69"], result.err)
                self.assertIn("again Subjects.Outer\n", result.err)
                self.assertIn("again Subjects.Leaf\n", result.err)

    def test_the_same_beside_oriel(self):
        result = self.tell(self.environment(method("changing", 64)), "values", f"call {small('changing')} Rejit 0", "values",
                           front=[harness.ORIEL, "run", "-o", "run.oriel", "--"])
        self.assertEqual(result.out.split("\n")[:3], ["111 69", "0", "175 69"], result.err)

    def test_dynamic_methods_are_told_of_by_name(self):
        result = self.tell(self.environment(method("changing", 1)), "dynamic 3")
        self.assertEqual(result.out, "10\n")
        self.assertIn("dynamic AddedToSeven\n", result.err)


class Asking(Live):
    def test_the_newest_interfaces_of_the_runtime_are_the_plug_ins_too(self):
        result = self.tell(self.environment(method("asking", 1)), f"call {small('asking')} Ask 0", "throw")
        self.assertEqual(result.out, "0\ncaught\n", result.err)
        for line in ("set 00000000", "get 00000000", "it is yes", "provider 00000000", "bounds 00000000", "objects 00000000",
                     "there are many", "handle 00000000", "object 00000000", "it is the same", "destroy 00000000"):
            self.assertIn(line + "\n", result.err)


class ComingAndGoing(Live):
    def test_plug_ins_come_and_go_while_the_program_compiles(self):
        library_of = small("changing")
        env = self.environment(method("changing", 1), ORIEL_SMALL=os.path.dirname(library_of))
        lines = []
        for _ in range(20):
            lines += [f"call {library_of} Add 2", "compile 3", f"call {library_of} Remove 0"]
        result = self.tell(env, *lines, "values", "compile 40")
        answers = result.out.split()
        self.assertEqual(answers[0::3][:20], ["0"] * 20)
        self.assertEqual(answers[2::3][:20], ["0"] * 20)
        self.assertEqual(result.out.splitlines()[-2], "111 6")
        self.assertEqual(self.log(), [])

    def test_one_that_came_changes_what_is_compiled_from_then_on(self):
        library_of = small("changing")
        env = self.environment(method("changing", 1), ORIEL_SMALL=os.path.dirname(library_of))
        self.assertEqual(self.tell(env, f"call {library_of} Add 2", "values").out, "0\n111 8\n")
        self.assertEqual(self.tell(env, f"call {library_of} Add 2", f"call {library_of} Remove 0", "values").out,
                         "0\n0\n111 6\n")
        self.assertEqual(self.tell(env, f"call {library_of} Add 1", "values").out, f"{-0x7fffbffb}\n111 6\n")
        self.assertIn("is already loaded", "\n".join(self.log()))


    def test_one_that_goes_while_a_method_is_compiled(self):
        # What it does until then counts, and it is called no more: no word of its, but that it takes itself out.
        result = self.leaving(1)
        self.assertEqual((result.out, result.err), ("111 1021\n8\nunloaded\n", "out 00000000\n"))
        # What others do counts, too.
        result = self.leaving(2)
        self.assertEqual(result.out, "111 1005\n8\nunloaded\n")
        self.assertIn("out 00000000\ncomplete Subjects.Other\n", result.err)
        self.assertEqual(self.log(), [])

    def leaving(self, number):
        return self.tell(self.environment(method("leaving", number, 1), method("changing", 16, 60)), "values", "compile 2", "unload")


class Calls(Live):
    def test_no_lock_is_held_while_a_plug_in_runs(self):
        result = self.tell(self.environment(method("waiting", 1)), "values", "compile 3", "throw", "dynamic 3", "unload", "values")
        self.assertEqual(result.out, "111 6\n12\ncaught\n10\nunloaded\n111 6\n")
        self.assertEqual(result.err.split("waited in")[1].split(), [
            "AllowInlineSite", "BeforeInstrumentMethod", "ExceptionCatcherEnter", "ExceptionThrown", "Initialize", "InstrumentMethod",
            "JitComplete", "JitStarted", "LogMessage", "OnAppDomainCreated", "OnAssemblyLoaded", "OnAssemblyUnloaded",
            "OnInstrumentationComplete", "OnModuleLoaded", "OnModuleUnloaded", "OnShutdown", "Release", "ShouldInstrumentMethod"])

    def test_items_go_with_what_they_are_kept_with(self):
        result = self.tell(self.environment(method("keeping", 1)), "values", "unload")
        self.assertEqual(result.out, "111 5\nunloaded\n")
        before, after = result.err.split("module unloaded\n")
        self.assertEqual(before, "item of method gone\n" * 2)
        self.assertEqual(after, "item of module gone\nitem of assembly gone\nshutdown\n")


class Attach(Live):
    def attach(self, program, data, length=None):
        """The diagnostics port's answer to a request to attach the engine with these bytes."""
        ports = []
        while not ports:
            ports = glob.glob(self.path(f"dotnet-diagnostic-{program.pid}-*-socket"))
        path = (ENGINE + "\0").encode("utf-16-le")
        payload = struct.pack("<I", 10_000) + uuid.UUID(CLASS).bytes_le + struct.pack("<I", len(path) // 2) + path
        payload += struct.pack("<I", len(data)) + data
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(ports[0])
            connection.sendall(struct.pack("<14sHBBH", b"DOTNET_IPC_V1\0", 20 + len(payload), 3, 1, 0) + payload)
            answer = connection.recv(100)
        return struct.unpack_from("<I", answer, 20)[0]

    def begin(self):
        program = subprocess.Popen(["dotnet", PROGRAM], cwd=self.folder, env={**harness.CLEAN, "TMPDIR": self.folder},
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True, text=True, errors="replace")
        self.addCleanup(self.finish, program)
        return program

    def ask(self, program, line):
        program.stdin.write(line + "\n")
        program.stdin.flush()
        return program.stdout.readline().rstrip("\n")

    def end(self, program):
        program.stdin.close()
        self.assertEqual(program.wait(60), 0)
        return program.stderr.read()

    def test_plug_ins_come_by_xml_and_change_what_runs(self):
        self.environment(method("changing", 64))
        program = self.begin()
        self.assertEqual(self.ask(program, "values"), "111 5")
        log = self.path("attached.log")
        text = (f"<InstrumentationEngineConfiguration><InstrumentationEngine><Settings><Setting Name='LogLevel' Value='Errors'/>"
                f"<Setting Name='LogFilePath' Value='{log}'/></Settings></InstrumentationEngine><InstrumentationMethods>"
                f"<AddInstrumentationMethod ConfigPath='{self.path('methods.config')}'><Settings>"
                "<Setting Name='Colour' Value='gr\u00fcn'/><Setting Name='Size' Value='7'/></Settings>"
                "</AddInstrumentationMethod></InstrumentationMethods></InstrumentationEngineConfiguration>")
        self.assertEqual(self.attach(program, text.encode()), 0)
        self.assertEqual(self.ask(program, "values"), "111 5")
        self.assertEqual(self.ask(program, f"call {small('changing')} Rejit 0"), "0")
        self.assertEqual(self.ask(program, "values"), "175 5")
        said = self.end(program)
        self.assertTrue(os.path.exists(log))
        for line in ("setting Colour is gr\ufffdn", "setting Size is 7", "attached, plugins.dll is there", "again Subjects.Leaf", "again Subjects.Outer"):
            self.assertIn(line, said)

    def test_what_is_no_configuration_attaches_nothing_and_the_program_runs_on(self):
        program = self.begin()
        self.assertEqual(self.ask(program, "values"), "111 5")
        for data in (b"", b"<a/>", b"no xml", b"<InstrumentationEngineConfiguration><InstrumentationMethods>"
                     b"<AddInstrumentationMethod/></InstrumentationMethods></InstrumentationEngineConfiguration>",
                     b"<InstrumentationEngineConfiguration/>"):
            self.assertNotEqual(self.attach(program, data), 0)
            self.assertEqual(self.ask(program, "values"), "111 5")
        said = self.end(program)
        self.assertEqual(said.count("nothing is attached"), 4, said)


class Faults(Live):
    """One that fails is said in the log, its method keeps the code that it had, and the program's answers stay."""
    PHASES = ("Initialize", "OnAppDomainCreated", "OnAssemblyLoaded", "OnModuleLoaded", "ShouldInstrumentMethod",
              "BeforeInstrumentMethod", "InstrumentMethod", "OnInstrumentationComplete", "AllowInlineSite", "OnShutdown")

    def faulty(self, number, phase=""):
        if os.path.exists(self.path("engine.log")):
            os.remove(self.path("engine.log"))
        # The other one adds 16 to Subjects.Other.
        env = self.environment(method("changing", 16, 60), method("faulty", number, 50), ORIEL_SMALL=phase)
        return self.tell(env, "values", "compile 3")

    def test_one_that_fails_or_throws_in_any_phase(self):
        for number, said in ((1, "returned 0x80004005"), (2, "threw an exception out of {}; it is no longer called")):
            for phase in self.PHASES:
                with self.subTest(phase=phase, number=number):
                    result = self.faulty(number, phase)
                    values = result.out.splitlines()[0]
                    # What failed before both changed the method, or afterwards: one, both, or none of the changes.
                    left = {"Initialize": "21", "ShouldInstrumentMethod": "21", "BeforeInstrumentMethod": "5", "InstrumentMethod": "5"}
                    if number == 2:
                        left.update({"OnAppDomainCreated": "21", "OnAssemblyLoaded": "21", "OnModuleLoaded": "21",
                                     "AllowInlineSite": "21"})
                    expected = left.get(phase, "1021")
                    allowed = {expected, "1021"} if phase == "AllowInlineSite" else {expected}
                    self.assertIn(values, {f"111 {value}" for value in allowed}, self.log())
                    log = "\n".join(self.log())
                    self.assertIn(phase, log)
                    self.assertIn(said.format(phase), log + result.err)

    def test_two_configurations_with_one_class(self):
        env = self.environment(method("changing", 1))
        shutil.copy(self.path("methods.config"), self.path("again.config"))
        result = self.tell({**env, "MicrosoftInstrumentationEngine_ConfigPath64_Test":
                            f"{self.path('methods.config')}:{self.path('again.config')}"}, "values")
        self.assertEqual(result.out, "111 6\n")
        line, = result.own_lines()
        self.assertIn("is already loaded; it is left out", line)

    def test_one_that_answers_garbage(self):
        for phase in self.PHASES:
            self.assertEqual(self.faulty(3, phase).out.splitlines()[0], "111 21")

    def test_instructions_that_are_kept_stay_valid(self):
        self.assertIn("kept ldc.i4.5 ret\n", self.faulty(4).err)

    def test_a_body_that_does_not_verify_never_reaches_the_runtime(self):
        result = self.faulty(5)
        self.assertEqual(result.out.splitlines()[0], "111 5")
        log = "\n".join(self.log())
        self.assertRegex(log, "Subjects.Other is unchanged: .*add")

    def test_calls_from_another_thread_and_at_the_wrong_time(self):
        result = self.faulty(6)
        self.assertEqual(result.out.splitlines()[0], "111 21")
        self.assertIn("there Subjects.Other\n", result.err)
        log = "\n".join(self.log())
        for call in ("DisableProfiling", "SetupProfilingEnvironment", "AddRawProfilerHook"):
            self.assertIn(f"{call} 80004005\n", result.err)
            self.assertEqual(log.count(f"{call} fails: "), 1, log)
        self.assertIn("RemoveInstrumentationMethod 80004003\n", result.err)
        self.assertIn("CreateBaseline 80004005\n", result.err)


class BesideThePublished(Live):
    def test_two_libraries_of_one_name(self):
        theirs = published()
        if theirs is None:
            self.skipTest("the published engine is not on this machine")
        theirs = os.path.join(theirs, "libInstrumentationEngine.so")
        shutil.copy(small("changing"), self.path("beside.so"))  # theirs takes libraries beside the configuration only
        for first, second in ((theirs, ENGINE), (ENGINE, theirs)):
            env = self.environment(method("changing", 1, module="beside.so"))
            for name in ("CORECLR_ENABLE_PROFILING", "CORECLR_PROFILER", "CORECLR_PROFILER_PATH"):
                del env[name]
            result = self.tell(env, "values", "compile 5",
                               front=[harness.ORIEL, "run", "-o", "run.oriel", "--clr-profiler", f"{CLASS}={first}",
                                      "--clr-profiler", f"{CLASS}={second}", "--"])
            self.assertEqual(result.out.splitlines()[0], "111 7", result.err)


if __name__ == "__main__":
    unittest.main()
