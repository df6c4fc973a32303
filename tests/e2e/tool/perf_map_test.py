#!/usr/bin/env python3
"""`oriel export --format perf-map`: what it has is what the runtime's own map has, and perf takes it for it; and `--format
otlp`, which protoc reads."""
import os
import re
import shutil
import unittest

import harness

PERF, PROTOC = shutil.which("perf"), shutil.which("protoc")
LINE = re.compile(r"([0-9a-f]+) ([0-9a-f]+) (\S.*)")
BUSY = harness.program("busy", 1, 20)


class PerfMap(harness.OrielTest):
    def export(self, name, *words):
        done = self.oriel("export", "--format", name, *words)
        self.assertEqual(done.code, 0, done.err)
        return done.out

    def lines(self, text):
        found = []
        for line in text.splitlines():
            match = LINE.fullmatch(line)
            self.assertIsNotNone(match, line)
            found.append((int(match[1], 16), int(match[2], 16), match[3]))
        return found

    def test_it_is_what_the_runtimes_own_map_says(self):
        self.record(*BUSY, options=["--module", "log:events=jit"],
                    env={"DOTNET_PerfMapEnabled": "1", "DOTNET_PerfMapJitDumpPath": self.path("")})
        own, = [name for name in os.listdir(self.path("")) if re.fullmatch(r"perf-\d+\.map", name)]
        theirs = {}
        with open(self.path(own), encoding="utf-8") as text:
            for line in text:
                address, size, name = line.rstrip("\n").split(" ", 2)
                theirs[int(address, 16)] = (int(size, 16), name)
        ours = self.lines(self.export("perf-map", "run.oriel"))
        self.assertEqual(ours, sorted(ours))
        names = {name: address for address, _, name in ours}
        for method in ("LoopOne", "LoopTwo", "CallsLeaf"):
            address = names[f"Busy.{method}(int)"]
            self.assertIn(f"Busy::{method}(int32)", theirs[address][1])
        for address, size, name in ours:
            self.assertEqual(theirs[address][0], size, name)

    @unittest.skipUnless(PERF, "perf is not there")
    def test_perf_names_managed_code_by_it(self):
        command = [harness.ORIEL, "run", "--no-sample", "--module", "log:events=jit", "-o", "run.oriel", "--", *BUSY]
        recorded = self.call([PERF, "record", "-e", "cpu-clock", "-F", "499", "-g", "-o", "perf.data", "--", *command],
                             env={"DOTNET_EnableWriteXorExecute": "0"})
        if recorded.code != 0:
            self.skipTest("perf may not record here")
        place = f"/tmp/perf-{self.report()['properties']['pid']}.map"
        self.addCleanup(lambda: os.path.exists(place) and os.remove(place))
        report = [PERF, "report", "-i", "perf.data", "--stdio", "--no-children", "--sort", "symbol", "-g", "none"]
        self.assertNotIn("Busy.LoopOne", self.call(report).out)
        self.export("perf-map", "-o", place, "run.oriel")
        shares = dict((name, float(share)) for share, name in
                      re.findall(r"(?m)^ +([0-9.]+)%  \[\.\] (Busy\.\w+)\(", self.call(report).out))
        self.assertGreater(shares["Busy.LoopOne"], 5)
        self.assertGreater(shares["Busy.LoopTwo"], 5)

    @unittest.skipUnless(PERF, "perf is not there")
    def test_perf_names_managed_code_by_a_jitdump(self):
        """As the program runs by default, where perf takes no map."""
        command = [harness.ORIEL, "run", "--no-sample", "--module", "jitdump", "-o", "run.oriel", "--", *BUSY]
        recorded = self.call([PERF, "record", "-k", "mono", "-e", "cpu-clock", "-F", "499", "-g", "-o", "perf.data", "--", *command])
        if recorded.code != 0:
            self.skipTest("perf may not record here")
        self.assertTrue(os.path.exists(self.path(f"jit-{self.report()['properties']['pid']}.dump")))
        injected = self.call([PERF, "inject", "--jit", "-i", "perf.data", "-o", "jit.data"])
        self.assertEqual(injected.code, 0, injected.err)
        report = [PERF, "report", "-i", "jit.data", "--stdio", "--no-children", "--sort", "symbol", "-g", "none"]
        shares = dict((name, float(share)) for share, name in
                      re.findall(r"(?m)^ +([0-9.]+)%  \[\.\] (Busy\.\w+)\(", self.call(report).out))
        self.assertGreater(shares["Busy.LoopOne"], 5)
        self.assertGreater(shares["Busy.LoopTwo"], 5)

    def test_a_jitdump_that_cannot_be_written(self):
        run = self.oriel("run", "--no-sample", "--module", "jitdump:/nowhere", "--", *harness.program("exit", 3))
        self.assertEqual(run.code, 3, run.err)
        self.assertRegex(run.err, r"oriel: jitdump: cannot write /nowhere/jit-\d+\.dump: No such file or directory")

    def test_a_log_without_addresses_is_refused(self):
        self.record(*BUSY)
        refused = self.oriel("export", "--format", "perf-map", "run.oriel")
        self.assert_refused(refused, 1, "nothing to export: the log does not tell where compiled code lies", "log:events=jit")
        refused = self.oriel("export", "--format", "perf-map", "--weight", "bytes", "run.oriel")
        self.assert_refused(refused, 2, "format perf-map takes no --weight: it is of where code lies, not of stacks")

    @unittest.skipUnless(PROTOC, "protoc is not there")
    def test_otlp_has_the_samples_of_the_log(self):
        self.record(*BUSY)
        self.export("otlp", "-o", "run.otlp.pb", "run.oriel")
        with open(os.path.join(harness.ROOT, "tests", "protobuf", "otlp.proto"), "rb") as file: source = file.read()
        with open(self.path("otlp.proto"), "wb") as file: file.write(source)
        with open(self.path("run.otlp.pb"), "rb") as file: data = file.read()
        done = self.call([PROTOC, "--decode=oriel.testing.otlp.ExportProfilesServiceRequest", "otlp.proto"], stdin=data)
        self.assertEqual(done.code, 0, done.err)
        samples = self.report()["samples"]["periods"]
        self.assertEqual(sum(int(value) for value in re.findall(r"(?m)^ +values: (\d+)$", done.out)), samples)
        self.assertIn('string_table: "Busy.LoopOne(int)"', done.out)
        self.assertRegex(done.out, r'key: "service.name"\n +value \{\n +string_value: "\w+')


if __name__ == "__main__":
    unittest.main()
