#!/usr/bin/env python3
"""What is read may be a pipe, a device or a file without end: each is refused in one line, and nothing waits for it."""
import os
import shutil

import harness
from harness import ORIEL, program

PLUGIN_ENGINE = os.path.join(harness.BUILD, "lib", "libInstrumentationEngine.so")
PLUGIN_CLASS = "{324F817A-7420-4E6D-B3C1-143FBED6D855}"
GUEST = "{7C2F6D2E-9A0B-4C55-8E7B-3B9C7E0D4A11}"
PATIENCE = 60  # for what would wait for ever


class Inputs(harness.OrielTest):
    def setUp(self):
        super().setUp()
        os.mkfifo(self.path("pipe"))

    def oriel(self, *args, **rest):
        return super().oriel(*args, **{"timeout": PATIENCE, **rest})

    def without_end(self, name):
        """A file with holes, of more bytes than any machine has."""
        with open(self.path(name), "wb") as file:
            file.truncate(1 << 42)
        return name

    def test_logs(self):
        for name, why in (("pipe", "it is a pipe, not a file"), ("/dev/zero", "it is a device, not a file"),
                          (self.without_end("huge.oriel"), "not an Oriel log")):
            for command in (["report"], ["report", "dump"], ["report", "coverage"], ["export", "--format", "collapsed"],
                            ["cover", "merge"], ["cover", "diff", name]):
                with self.subTest(name=name, command=command):
                    self.assert_refused(self.oriel(*command, name), 1, name, why)
        os.rename(self.path("pipe"), self.path("pipe.oriel"))
        self.assert_refused(self.oriel("report"), 1, "there is no log here")

    def test_what_stands_beside_a_log(self):
        self.record(*program("exit", 0), options=["--module", "coverage:output=run.oriel", "--no-sample"])
        whole = self.oriel("report", "run.oriel")
        self.assertEqual(whole.code, 0, whole.err)
        for name in ("run.oriel.counters", "run.callgraph.oriel"):
            os.mkfifo(self.path(name))
        for command in (["report", "run.oriel"], ["report", "coverage", "run.oriel"], ["cover", "merge", "run.oriel"]):
            with self.subTest(command):
                self.assertIn(self.oriel(*command).code, (0, 1))

    def test_changed_lines(self):
        self.assertEqual(self.oriel("cover", "-o", "c.oriel", "--", *program("exit", 0)).code, 0)
        self.assert_refused(self.oriel("cover", "diff", "--lines-of", "pipe", "c.oriel"), 1, "'pipe' cannot be read",
                            "it is a pipe", "- <pipe")
        self.assert_refused(self.oriel("cover", "diff", "--lines-of", "/dev/zero", "c.oriel"), 1, "it is a device")
        self.assert_refused(self.oriel("cover", "diff", "pipe.json", "c.oriel"), 1, "pipe.json")
        # What the shell connects is on purpose.
        for words in ("--lines-of <(printf '') c.oriel", "--lines-of - c.oriel </dev/null"):
            result = self.call(["bash", "-c", f"{ORIEL} cover diff {words}"], timeout=PATIENCE)
            self.assertEqual((result.code, result.err), (0, ""), words)
            self.assertIn("None of the changed lines", result.out)
        if not harness.LONG: return  # to read so much takes long; base.Streams has the bound
        endless = self.call(["bash", "-c", f"{ORIEL} cover diff --lines-of - c.oriel </dev/zero"], timeout=PATIENCE)
        self.assert_refused(endless, 1, "more than 1073 MB came")

    def test_assemblies_their_pdbs_and_their_sources(self):
        """In turn each is a pipe when coverage is shown, which ends all the same."""
        os.mkdir(self.path("app"))
        for file in os.listdir(os.path.dirname(harness.PROGRAMS)):
            whole = os.path.join(os.path.dirname(harness.PROGRAMS), file)
            if os.path.isfile(whole):
                shutil.copy(whole, self.path("app"))
        ran = self.oriel("cover", "-o", "c.oriel", "--", "dotnet", "app/programs.dll", "exit", "0")
        self.assertEqual(ran.code, 0, ran.err)
        for file, said in (("programs.pdb", "programs"), ("programs.dll", "programs")):
            with self.subTest(file):
                os.rename(self.path("app/" + file), self.path("kept"))
                os.mkfifo(self.path("app/" + file))
                shown = self.oriel("report", "coverage", "c.oriel")
                self.assertIn(said, shown.out + shown.err)
                self.assertEqual(self.oriel("export", "--format", "html", "-o", "x.html", "c.oriel").code in (0, 1), True)
                os.remove(self.path("app/" + file))
                os.rename(self.path("kept"), self.path("app/" + file))

    def test_lists_of_guests_and_their_libraries(self):
        self.assert_refused(self.oriel("run", "--clr-profiler-config", "pipe", "--", "true"), 125, "'pipe' cannot be read: it is a pipe")
        self.assert_refused(self.oriel("run", "--clr-profiler", f"{GUEST}={self.path('pipe')}", "--", "true"), 125,
                            "it is a pipe, not a file")
        os.mkfifo(self.path("liboriel-p.so"))
        self.assert_refused(self.oriel("run", "--module", "./liboriel-p.so", "--", "true"), 125, "liboriel-p.so")


class InTheProgram(harness.OrielTest):
    """What is read there: the program runs as without it."""

    def test_files_beside_it(self):
        os.mkdir(self.path("app"))
        for file in os.listdir(os.path.dirname(harness.PROGRAMS)):
            whole = os.path.join(os.path.dirname(harness.PROGRAMS), file)
            if os.path.isfile(whole):
                shutil.copy(whole, self.path("app"))
        os.mkfifo(self.path("app/other.deps.json"))
        for options in ([], ["--calls"], ["--module", "coverage:per-test,output=c.oriel"]):
            with self.subTest(options):
                result = self.oriel("run", "-o", "x.oriel", *options, "--", "dotnet", "app/programs.dll", "exit", "3", timeout=PATIENCE)
                self.assertEqual(result.code, 3, result.err)

    def test_configurations_of_plug_ins_their_libraries_and_their_log(self):
        os.mkfifo(self.path("pipe"))
        with open(self.path("module.config"), "w", encoding="utf-8") as file:
            file.write("<InstrumentationEngineConfiguration><InstrumentationMethod><Name>A</Name><Description>B</Description>"
                       f"<Module>pipe</Module><ClassGuid>{GUEST}</ClassGuid></InstrumentationMethod>"
                       "</InstrumentationEngineConfiguration>")
        for name, said in (("pipe", "pipe cannot be read: it is a pipe, not a file"), ("/dev/zero", "it is a device, not a file"),
                           ("module.config", "/pipe: it is a pipe, not a file")):
            with self.subTest(name):
                result = self.call(program("exit", 3), timeout=PATIENCE, env={
                    "CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": PLUGIN_CLASS, "CORECLR_PROFILER_PATH": PLUGIN_ENGINE,
                    "MicrosoftInstrumentationEngine_ConfigPath64_Test": os.path.join(self.folder, name),
                    "MicrosoftInstrumentationEngine_LogLevel": "Errors",
                    "MicrosoftInstrumentationEngine_FileLogPath": self.path("pipe")})
                self.assertEqual(result.code, 3, result.err)
                self.assertIn(said, result.err)


if __name__ == "__main__":
    harness.main()
