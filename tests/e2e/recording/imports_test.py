#!/usr/bin/env python3
"""Files of other tools, read as logs: what reports say of a .nettrace file is what dotnet-trace's own conversion has, and
what Oriel's own exports have comes back."""
import json
import os
import re
import shutil
import subprocess
import time
import unittest

import harness
import machine_trace
from harness import ORIEL

# Where tests/tools/setup.sh puts it.
FOLDER = os.environ.get("ORIEL_DOTNET_TOOLS", os.path.join(harness.ROOT, "build", "dotnet-tools"))
TRACE = shutil.which("dotnet-trace", path=os.pathsep.join([FOLDER, os.environ.get("PATH", ""), os.path.expanduser("~/.dotnet/tools")]))
PERF = shutil.which("perf")
PROVIDERS = "Microsoft-DotNETCore-SampleProfiler,Microsoft-Windows-DotNETRuntime:0x14C14FCCBD:5"
BURN, SLEEP = "Shop.Program.Burn(int)", "System.Threading.Thread.Sleep(int)"

PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework>
</PropertyGroup></Project>"""
PROGRAM = """using System;
using System.Collections.Generic;
using System.Threading;

namespace Shop;

class Cart { public int Id; public byte[] Data = new byte[100]; }

static class Program
{
    static readonly object Gate = new();
    static double Burn(int rounds)
    {
        double sum = 0;
        for (int i = 1; i < rounds; i++) sum += Math.Sqrt(i) / (i + 1.0);
        return sum;
    }
    static int Allocate(int count)
    {
        var all = new List<Cart>();
        for (int i = 0; i < count; i++) all.Add(new Cart { Id = i });
        return all.Count;
    }
    static void Throw(int number)
    {
        try { throw new InvalidOperationException("no " + number); } catch (InvalidOperationException) { }
    }
    static void Main(string[] words)
    {
        var end = DateTime.UtcNow.AddSeconds(double.Parse(words[0]));
        var holder = new Thread(() => { while (DateTime.UtcNow < end) { lock (Gate) Thread.Sleep(20); Thread.Sleep(2); } });
        var waiter = new Thread(() => { while (DateTime.UtcNow < end) { lock (Gate) Burn(10); Thread.Sleep(2); } });
        holder.Start();
        waiter.Start();
        for (int i = 0; DateTime.UtcNow < end || i < 10; i++) { Burn(1000000); Allocate(20000); Throw(i); }
        GC.Collect();
        holder.Join();
        waiter.Join();
    }
}
"""


class Imports(harness.OrielTest):
    @classmethod
    def setUpClass(cls):
        cls.built = None

    def program(self):
        """Its command, built once."""
        if Imports.built is None:
            folder = self.path("shop")
            os.mkdir(folder)
            for name, text in (("Shop.csproj", PROJECT), ("Program.cs", PROGRAM)):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            out = os.path.join(harness.BUILD, "imports-test")
            built = self.call(["dotnet", "build", folder, "-c", "Release", "-v:q", "-nodeReuse:false", "-o", out],
                              env=harness.QUIET, timeout=200)
            self.assertEqual(built.code, 0, built.out + built.err)
            Imports.built = os.path.join(out, "Shop.dll")
        return ["dotnet", Imports.built, "2"]

    def oriel(self, *words, code=0):
        result = self.call([ORIEL, *words])
        self.assertEqual(result.code, code, result.out + result.err)
        return result

    def summary(self, *words):
        return json.loads(self.oriel("report", "--json", *words).out)

    def trace(self, *options):
        command = [TRACE, "collect", "-o", "shop.nettrace", *options, "--", *self.program()]
        done = self.call(command, env=harness.QUIET, timeout=200)
        self.assertEqual(done.code, 0, done.out + done.err)
        return "shop.nettrace"

    @staticmethod
    def shares(summary):
        whole = summary["samples"]["periods"]
        return {row["name"]: row["total"] / whole for row in summary["top_total"] + summary["top_self"]}

    @unittest.skipUnless(TRACE, "dotnet-trace is not there: see tests/tools/setup.sh")
    def test_a_nettrace_file_is_read_as_a_log(self):
        file = self.trace("--providers", PROVIDERS)
        summary = self.summary(file)
        self.assertEqual(summary["samples"]["mode"], "real")
        self.assertGreater(summary["samples"]["periods"], 500)
        self.assertIn("Shop.dll 2", summary["properties"]["command"])
        self.assertEqual(summary["lost"], {})
        self.assertGreaterEqual(summary["gc"]["collections"], 1)
        thrown = {row["type"]: row for row in summary["exceptions"]}["System.InvalidOperationException"]
        self.assertGreaterEqual(thrown["thrown"], 10)
        self.assertEqual(thrown["thrown"], thrown["caught"])
        self.assertGreater(summary["compilations"], 10)
        alloc = self.oriel("report", "alloc", file).out
        self.assertIn("Shop.Cart", alloc)
        self.assertIn("System.Byte[]", alloc)
        self.assertRegex(self.oriel("report", "locks", file).out, r"Main\.lambda")
        self.assertIn("gc_begin", self.oriel("report", "dump", file).out)
        self.assertIn(BURN, self.oriel("query", file, "select method from methods").out)
        # The same by way of a log, and the two differ in nothing.
        converted = self.oriel("convert", file, "shop.oriel")
        self.assertRegex(converted.err, r"\Aoriel: wrote shop\.oriel: [0-9,]+ samples and [0-9,]+ events of a \.nettrace file; left out: .*\n\Z")
        other = self.summary("shop.oriel")
        for part in ("samples", "top_self", "gc", "exceptions", "shares"):
            self.assertEqual(other[part], summary[part])
        self.oriel("report", "diff", file, "shop.oriel")
        self.oriel("export", "--format", "html", "-o", "shop.html", file)

    @unittest.skipUnless(TRACE, "dotnet-trace is not there: see tests/tools/setup.sh")
    def test_shares_are_those_that_dotnet_trace_finds(self):
        file = self.trace("--profile", "dotnet-sampled-thread-time")
        done = self.call([TRACE, "convert", file, "--format", "Speedscope"], env=harness.QUIET)
        self.assertEqual(done.code, 0, done.out + done.err)
        ours, theirs = self.shares(self.summary(file)), self.shares(self.summary("shop.speedscope.json"))
        for method in (BURN, SLEEP, "[waiting]"):
            self.assertAlmostEqual(ours[method], theirs[method], delta=0.03, msg=method)
        # And what dotnet-trace itself says of the methods' own shares.
        top = self.call([TRACE, "report", file, "topN", "-n", "20"], env=harness.QUIET).out
        burned = re.search(r"Program\.Burn\(int32\)\s+([0-9.]+)%\s+([0-9.]+)%", top)
        self.assertIsNotNone(burned, top)
        self.assertAlmostEqual(ours[BURN], float(burned[1]) / 100, delta=0.03)
        self.assertIn("no allocations in this log", self.oriel("export", "--format", "collapsed", "--weight", "bytes", file, code=1).err)

    @unittest.skipUnless(TRACE, "dotnet-trace is not there: see tests/tools/setup.sh")
    def test_of_a_cut_file_everything_before_the_cut_is_read(self):
        file = self.trace("--providers", PROVIDERS)
        size = os.path.getsize(self.path(file))
        for part in (0.3, 0.6, 0.95):
            with open(self.path(file), "rb") as whole, open(self.path("cut.nettrace"), "wb") as cut:
                cut.write(whole.read(int(size * part)))
            summary = self.summary("cut.nettrace")
            self.assertRegex(" ".join(summary["incomplete"]), r"The file has no end, and its last [0-9]+ bytes are no whole block")

    @unittest.skipUnless(TRACE and machine_trace.library(FOLDER), "dotnet-trace has no recorder of machines here")
    def test_a_trace_of_the_machine(self):
        """Of two .NET programs that run while it is recorded."""
        commands = self.program(), self.program()
        recorder = machine_trace.record(self.path("all.nettrace"), 4, FOLDER)
        time.sleep(1)  # until it records; what began before that has no names in its code
        programs = [subprocess.Popen(command, env={**harness.CLEAN, "DOTNET_PerfMapEnabled": "1"}) for command in commands]
        for program in programs: program.wait()
        recorder.wait()
        if not os.path.exists(self.path("all.nettrace")): self.skipTest("the machine may not be recorded here")
        counts = machine_trace.cpu_samples(self.path("all.nettrace"))
        for program in programs:
            self.oriel("convert", "--process", str(program.pid), "all.nettrace", "one.oriel")
            summary = self.summary("one.oriel")
            self.assertEqual(summary["samples"]["periods"], counts[program.pid])
            self.assertEqual(summary["samples"]["mode"], "process")
            self.assertEqual(int(summary["properties"]["pid"]), program.pid)
            self.assertGreater(self.shares(summary).get(BURN, 0), 0.02)  # of a busy machine, most is the start
        # Without a choice it is one of .NET's.
        report = self.oriel("report", "all.nettrace").out
        self.assertRegex(report, r"left out: [0-9]+ samples of [0-9]+ other processes")
        self.assertRegex(self.oriel("convert", "--process", "99999999", "all.nettrace", "no.oriel", code=1).err,
                         r"it has nothing of process 99999999; most of its samples are of [0-9]+ \(dotnet\), ")

    def test_own_exports_come_back(self):
        self.oriel("run", "--no-waits", "-o", "own.oriel", "--", *self.program())
        before = self.summary("own.oriel")
        for name, file in (("speedscope", "own.speedscope.json"), ("perf-script", "own.perf.txt")):
            self.oriel("export", "--format", name, "-o", file, "own.oriel")
            after = self.summary(file)
            self.assertEqual(after["samples"]["periods"], before["samples"]["periods"], name)
            self.assertEqual(after["samples"]["mode"], "process", name)
            ours, theirs = self.shares(before), self.shares(after)
            self.assertAlmostEqual(ours[BURN], theirs[BURN], places=3, msg=name)

    @unittest.skipUnless(PERF, "perf is not there")
    def test_text_of_perf_script(self):
        recorded = self.call([PERF, "record", "-e", "cpu-clock", "-F", "499", "-g", "-o", "perf.data", "--", *self.program()],
                             env={"DOTNET_PerfMapEnabled": "1", "DOTNET_EnableWriteXorExecute": "0"})
        if recorded.code != 0:
            self.skipTest("perf may not record here")
        with open(self.path("perf.txt"), "wb") as text:
            subprocess.run([PERF, "script", "-i", self.path("perf.data")], stdout=text, stderr=subprocess.DEVNULL, check=True)
        summary = self.summary("perf.txt")
        self.assertEqual(summary["samples"]["mode"], "process")
        self.assertIn(BURN, {row["name"] for row in summary["top_self"]})

    def test_a_short_text_of_perf_script_is_told_as_it_is(self):
        with open(self.path("one.txt"), "w", encoding="utf-8") as text:
            text.write("x 77/78 [000] 100.01: 250000 cpu-clock:u:\n\tff foo+0x10 ([kernel.kallsyms])\n\n")
        report = self.oriel("report", "one.txt").out
        self.assertRegex(report, r"(?m)^Process +77$")
        self.assertNotIn("clock rate", report)
        top = self.oriel("report", "top", "one.txt").out
        self.assertIn("foo [kernel.kallsyms]", top)
        self.assertIn("foo", self.oriel("report", "callers", "foo [kernel.kallsyms]", "one.txt").out)

    def test_what_is_no_such_file_is_refused_in_one_line(self):
        with open(self.path("other.txt"), "w", encoding="utf-8") as text:
            text.write("hello\n")
        self.assertRegex(self.oriel("convert", "other.txt", "a.oriel", code=1).err, r"\Aoriel: 'other.txt' is no \.nettrace file, .*\n\Z")
        with open(self.path("cut.nettrace"), "wb") as cut:
            cut.write(b"Nettrace\x14\0\0\0!FastSerialization.1")
        self.assertRegex(self.oriel("report", "cut.nettrace", code=1).err, r"\Aoriel: 'cut\.nettrace' cannot be read: it is cut before its head, or damaged\n\Z")
        self.assertFalse(os.path.exists(self.path("a.oriel")))
        os.mkdir(self.path("folder"))
        for place, why in (("folder", "'folder' is a folder; name a file in it"), ("other.txt", "'other.txt' already exists and is not a log; name another file, or remove it")):
            self.assertIn(why, self.oriel("convert", "cut.nettrace", place, code=1).err)


if __name__ == "__main__":
    unittest.main()
