#!/usr/bin/env python3
"""Plug-ins of the CLR Instrumentation Engine in Oriel's library: what it answers is what the published engine answers, or
docs/PLUGINS.md says why not; and the coverage method of the test platform, unmodified, finds the same in it."""
import glob
import os
import re
import shutil
import unittest
import xml.etree.ElementTree

import harness

ENGINE = os.path.join(harness.BUILD, "lib", "libInstrumentationEngine.so")
CONFORMANCE = os.path.join(harness.BUILD, "plugins", "libconformance.so")
PLUGGED = os.path.join(harness.BUILD, "targets", "plugged", "plugged.dll")
COVERAGE = os.path.join(harness.ROOT, "tests", "e2e", "guests", "platform_coverage")
CLASS = "{324F817A-7420-4E6D-B3C1-143FBED6D855}"

METHOD = """  <InstrumentationMethod>
    <Name>Conformance</Name>
    <Description>Writes what its engine answers</Description>
    <Module>{}</Module>
    <ClassGuid>{}</ClassGuid>
    <Priority>50</Priority>
  </InstrumentationMethod>
"""
OURS = "{7C2F6D2E-9A0B-4C55-8E7B-3B9C7E0D4A11}"


def configuration(*methods):
    return ("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<InstrumentationEngineConfiguration>\n" + "".join(methods) +
            "</InstrumentationEngineConfiguration>\n")


def published():
    """The engine in the test platform's package; None where that is not to be had."""
    packages = os.environ.get("NUGET_PACKAGES", os.path.expanduser("~/.nuget/packages"))
    found = sorted(glob.glob(f"{packages}/microsoft.codecoverage/*/build/netstandard2.0/ubuntu/x64"))
    return found[-1] if found else None


class Plugins(harness.OrielTest):
    def run_with(self, engine, name, front=(), text=None, env=(), program=PLUGGED):
        """The program with plug-ins in this engine; its transcript is left as name.txt."""
        if text is None:
            shutil.copy(CONFORMANCE, self.path("libconformance.so"))
            text = configuration(METHOD.format("libconformance.so", OURS))
        with open(self.path("methods.config"), "w", encoding="utf-8") as file:
            file.write(text)
        return self.call([*front, "dotnet", program], env={
            "CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": CLASS, "CORECLR_PROFILER_PATH": engine,
            "MicrosoftInstrumentationEngine_ConfigPath64_Test": self.path("methods.config"),
            "MicrosoftInstrumentationEngine_LogLevel": "Errors",
            "MicrosoftInstrumentationEngine_FileLogPath": self.path(f"{name}.log"),
            "ORIEL_TRANSCRIPT": self.path(f"{name}.txt"), **dict(env)})

    def lines(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return [line.rstrip("\n") for line in file]

    def plain(self):
        return self.call(["dotnet", PLUGGED])


def told_differences():
    """{slot: (theirs, ours)} of the table in docs/PLUGINS.md."""
    rows = {}
    with open(os.path.join(harness.ROOT, "docs", "PLUGINS.md"), encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip().strip("`") for cell in line.strip().strip("|").split(" | ")]
            if line.startswith("| `") and len(cells) == 4:
                rows[cells[0]] = (cells[1], cells[2])
    return rows


def slot_of(line):
    """"GetName" of "    GetName 0x00000000 …"; of a line in a listing "instruction"."""
    text = line.strip()
    if re.match(r'[0-9a-f]{4} "', text):
        return "instruction"
    return re.split(r" 0x[0-9a-f]{8}", text)[0]


class Conformance(Plugins):
    def setUp(self):
        super().setUp()
        self.package = published()
        if self.package is None:
            self.build_project(COVERAGE)  # restores it, or skips the test
            self.package = published()
        self.theirs = os.path.join(self.package, "libInstrumentationEngine.so")

    def test_every_slot_answers_as_in_the_published_engine_or_is_listed(self):
        listed, met = told_differences(), set()
        for env in ({}, {"DOTNET_TieredCompilation": "0"}):
            theirs = self.run_with(self.theirs, "theirs", env=env)
            ours = self.run_with(ENGINE, "ours", env=env)
            self.assertEqual((theirs.code, ours.code), (0, 0), ours.err)
            self.assertEqual(ours.out, theirs.out)
            self.assertNotEqual(ours.out, self.plain().out, "the plug-in changes methods")
            met |= self.differences("theirs.txt", "ours.txt", listed)
        self.assertEqual(set(listed) - met, set(), "listed, but no longer different")

    def differences(self, theirs, ours, allowed):
        """The slots that answer otherwise. They are called in the same order: lines are compared one by one."""
        theirs, ours = self.lines(theirs), self.lines(ours)
        self.assertGreater(len(theirs), 15_000)
        self.assertEqual(len(theirs), len(ours))
        different = [(a, b) for a, b in zip(theirs, ours) if a != b]
        slots = {slot_of(line) for pair in different for line in pair}
        self.assertEqual(slots - set(allowed), set(), different[:10])
        return slots

    def test_beside_oriel_it_answers_the_same(self):
        alone = self.run_with(ENGINE, "alone")
        beside = self.run_with(ENGINE, "beside", front=[harness.ORIEL, "run", "-o", "run.oriel",
                                                        "--calls=Plugged.Subjects.Switched", "--"])
        self.assertEqual((alone.code, beside.code), (0, 0), beside.err)
        self.assertEqual(beside.out, alone.out)
        # Oriel's own local variables are in the module's metadata too.
        self.differences("alone.txt", "beside.txt", ["GetLocalVarSigToken"])
        calls = {row["name"].split("(")[0]: row["calls"] for row in self.report("calls")["methods"]}
        self.assertEqual(calls["Plugged.Subjects.Switched"], 4)

    @harness.only_long  # it is built and tested three times; the plain check has all that a plug-in may ask for, above
    def test_the_coverage_method_finds_the_same_as_in_its_own_engine(self):
        self.build_project(COVERAGE)
        own = self.covered("own")
        self.assertEqual(self.covered("again"), own)
        # The same package, with another library in it.
        # Not in the project's folder, all of whose sources are built: packages have some too.
        packages = self.folder + "-packages"
        self.addCleanup(shutil.rmtree, packages)
        shutil.copytree(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(self.package)))),
                        f"{packages}/microsoft.codecoverage/{self.package.split('/')[-5]}")
        for entry in os.scandir(os.environ.get("NUGET_PACKAGES", os.path.expanduser("~/.nuget/packages"))):
            if entry.name != "microsoft.codecoverage":
                os.symlink(entry.path, f"{packages}/{entry.name}")
        library, = glob.glob(f"{packages}/microsoft.codecoverage/*/build/netstandard2.0/ubuntu/x64/libInstr*.so")
        shutil.copy(ENGINE, library)
        os.environ["NUGET_PACKAGES"] = harness.CLEAN["NUGET_PACKAGES"] = packages
        try:
            self.call(["dotnet", "build", "-v:q", "-nodeReuse:false", "--no-incremental"], env=harness.QUIET, timeout=200)
            self.assertEqual(self.covered("ours", {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": self.path("loads")}), own)
        finally:
            del os.environ["NUGET_PACKAGES"], harness.CLEAN["NUGET_PACKAGES"]
        loads = ""
        for file in glob.glob(self.path("loads.*")):
            with open(file, encoding="utf-8", errors="replace") as log:
                loads += log.read()
        self.assertIn(f"calling init: {library}", loads)
        self.assertRegex(loads, r"libCoverageInstrumentationMethod\.so \[0\];  dynamically loaded by " + re.escape(library))

    def covered(self, name, env=None):
        run = self.call(["dotnet", "test", "--no-build", "--results-directory", name, "--settings", "coverage.runsettings"],
                        env={**harness.QUIET, **(env or {})}, timeout=200)
        self.assertIn("Passed:    15", run.out)
        file, = glob.glob(self.path(f"{name}/*/*.cobertura.xml"))
        coverage = xml.etree.ElementTree.parse(file).getroot()
        del coverage.attrib["timestamp"]
        self.assertGreater(int(coverage.get("lines-covered")), 150)
        return xml.etree.ElementTree.canonicalize(xml.etree.ElementTree.tostring(coverage))


class BadInput(Plugins):
    def test_a_configuration_that_is_none_is_said_and_the_program_runs_on(self):
        plain = self.plain()
        good = METHOD.format(CONFORMANCE, OURS)
        for text, said in (
                ("<a>", "line 1: the outermost element is <a>"),
                ("no xml", "line 1: "),
                (configuration("<Other/>"), "line 3: <Other> is none of"),
                (configuration(METHOD.format("a.so", "{none}")), "line 7: <ClassGuid> is '{none}', which is not a class id"),
                (configuration(good, good), "two methods have the same <ClassGuid>"),
                (configuration(good.replace("50", "-1")), "<Priority> is '-1'"),
                (configuration(good.replace("Description", "Descripcion")), "<Descripcion> is not an element of a method"),
                (configuration(METHOD.format("nowhere.so", OURS)), "nowhere.so"),
                (configuration(METHOD.format(ENGINE, OURS)), "it has no class"),
                (configuration(METHOD.format("/bin/true", OURS)), "Conformance (/bin/true)")):
            with self.subTest(said):
                result = self.run_with(ENGINE, "bad", text=text)
                self.assertEqual((result.code, result.out), (0, plain.out))
                line, = result.own_lines()
                self.assertIn(said, line)
                self.assertTrue(line.endswith("left out"), line)
                self.assertIn(said, " ".join(self.lines("bad.log")))

    def test_without_plug_ins_the_program_runs_alone(self):
        result = self.run_with(ENGINE, "none", text=configuration())
        self.assertEqual((result.code, result.out, result.err), (0, self.plain().out, ""))


if __name__ == "__main__":
    unittest.main()
