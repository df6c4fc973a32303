#!/usr/bin/env python3
"""The modules that are tested on CoreCLR, and the examples, do the same on Mono by the same files."""
import os
import re
import shutil
import unittest

import harness

HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = os.path.join(harness.BUILD, "tests", "modules")


@unittest.skipUnless(shutil.which("mono") and shutil.which("mcs"), "Mono is not installed here (mono-runtime and mono-mcs)")
class Both(harness.SharedFolder):
    def prepare(self):
        built = self.call(["mcs", "-out:" + self.path("values.exe"), os.path.join(HERE, "Values.cs")])
        self.assertEqual(built.code, 0, built.out + built.err)

    def run_with(self, name, arguments=""):
        """What the module says on stderr; the program runs as without it."""
        module = os.path.join(MODULES, f"liboriel-{name}.so") + (":" + arguments if arguments else "")
        run = self.oriel("run", "--no-sample", "--module", module, "--", "mono", self.path("values.exe"))
        self.assertEqual((run.code, run.out), (0, "done 6\n"), run.err)
        return [line for line in run.err.splitlines() if not line.startswith("oriel: ")]

    def lines_of(self, name):
        with open(self.path(name), encoding="utf-8") as file: return file.read().splitlines()

    def test_every_kind_of_value(self):
        """As recording/context_test.py has them of CoreCLR; Mono tells no locals."""
        self.run_with("values", self.path("values"))
        lines = [re.sub(r"^(\w+) ([\w.]+)[^ =]*\(.*?\)", r"\1 \2", line) for line in self.lines_of("values")]
        for line in [
            "enter Numbers 0=true 1=65 2=-7 3=1099511627776 4=2.500000",
            "leave Numbers 0=true 1=65 2=-7 3=1099511627776 4=2.500000 result=true",
            "enter Text 0='hello' 1=null",
            "leave Text 0='hello' 1=null result='hello!'",
            "enter Increment 0=ref 5",
            "leave Increment 0=ref 6 result=6",
            "leave Pair 0=8:0100000002000000 result=8:0200000001000000",
            "leave Nothing",
            "enter Instance this=Values 0=3",
            "leave Instance this=Values 0=3 result=12",
            "leave Sum this=8:0100000002000000 result=3",
            "leave Total this=2:0102 0=7 result=7",
        ]:
            self.assertIn(line, lines)
        self.assertEqual([line for line in lines if "copy differs" in line], [])
        self.assertGreater(int(lines[-1].removeprefix("copies ")), 40)
        self.assertTrue(any(re.fullmatch(r"leave Total this=16:[0-9a-f]{32} 0=8 result=8", line) for line in lines), lines)
        generic = sorted(re.findall(r"^leave Generic.* 0=(\d+):", "\n".join(lines), re.MULTILINE))
        self.assertEqual(generic, ["4", "8", "8"], lines)

    def test_audit(self):
        """Callbacks that may block, with a context."""
        self.run_with("audit", "Values," + self.path("audit"))
        lines = self.lines_of("audit")
        for line in ['1 calls of Values.Text(string, string) with "hello", null', '1 returns of Values.Text(string, string) with "hello!"',
                     "1 calls of Values.Instance(int) with Values, 3", "1 returns of Values.Instance(int) with 12"]:
            self.assertIn(line, lines)

    def test_call_log(self):
        lines = self.run_with("calllog", "Values.Text,Values.Instance")
        self.assertEqual(lines, ['call: Values.Text(string "hello", string null)', "call: Values.Instance(int 3)"])

    def test_gccount(self):
        """Its file is the one that runs on CoreCLR."""
        library = self.path("liboriel-gccount.so")
        built = self.call(["cc", "-shared", "-fPIC", "-I", os.path.join(harness.ROOT, "include"), "-o", library,
                           os.path.join(harness.ROOT, "examples", "gccount", "gccount.c"),
                           "-L" + os.path.join(harness.BUILD, "lib"), "-loriel"])
        self.assertEqual(built.code, 0, built.err)
        for program, out in ((["mono", self.path("values.exe")], "done 6\n"), (["dotnet", os.path.join(harness.BUILD, "targets", "hello", "hello.dll")], None)):
            run = self.oriel("run", "--no-sample", "--module", library, "--", *program)
            self.assertEqual(run.code, 0, run.err)
            self.assertIn("gccount: gen0", run.err)
            if out: self.assertEqual(run.out, out)

    def test_modules_that_change_code(self):
        """They are told so once, and the program runs."""
        for module in ("liboriel-constant.so:Values.Instance=77", "liboriel-timed.so:Values.Instance"):
            run = self.oriel("run", "--no-sample", "--module", os.path.join(MODULES, module), "--", "mono", self.path("values.exe"))
            self.assertEqual((run.code, run.out), (0, "done 6\n"), run.err)
            self.assertEqual(run.err.count("cannot change the code of methods on Mono"), 1, run.err)

    def test_no_callback_comes_once_it_is_removed(self):
        """Mono itself goes on calling for a while."""
        source = self.path("spins.cs")
        with open(source, "w", encoding="utf-8") as file:
            file.write("using System; using System.Runtime.CompilerServices; class Spins {"
                       "[MethodImpl(MethodImplOptions.NoInlining)] static int Step(int i) { return i ^ 1; }"
                       "static void Main() { int end = Environment.TickCount + 1500, i = 0; while (Environment.TickCount < end) "
                       'for (int k = 0; k < 10000; k++) i = Step(i); Console.WriteLine("done " + 6); } }')
        self.assertEqual(self.call(["mcs", "-out:" + self.path("spins.exe"), source]).code, 0)
        module = os.path.join(MODULES, "liboriel-strays.so")
        run = self.oriel("run", "--no-sample", "--module", f"{module}:Spins,1500,{self.path('strays')}", "--", "mono", self.path("spins.exe"))
        self.assertEqual((run.code, run.out), (0, "done 6\n"), run.err)
        flips, heard, strays = map(int, self.lines_of("strays")[0].split())
        self.assertGreater(flips, 20)
        self.assertGreater(heard, 1000 * flips)
        self.assertEqual(strays, 0)

    def test_the_programs_stack_traces_stay(self):
        """Mono needs debug information for values, which would show in stack traces: only modules that may ask for values get it."""
        source = self.path("trace.cs")
        with open(source, "w", encoding="utf-8") as file:
            file.write("class Trace { static void Main() { try { throw new System.Exception(); } "
                       "catch (System.Exception e) { System.Console.WriteLine(e.StackTrace); } } }")
        self.assertEqual(self.call(["mcs", "-debug", "-out:" + self.path("trace.exe"), source]).code, 0)
        plain = self.call(["mono", self.path("trace.exe")])
        self.assertIn(">:0", plain.out)
        run = self.record("mono", self.path("trace.exe"), options=["--calls"])
        self.assertEqual(run.out, plain.out)


if __name__ == "__main__":
    harness.main()
