#!/usr/bin/env python3
"""Programs of others on Mono, from Debian's packages and NuGet: they behave as without Oriel, and what is recorded is true."""
import collections
import concurrent.futures
import glob
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import unittest
import urllib.error
import urllib.request

import harness

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
MODULES = os.path.join(harness.BUILD, "tests", "modules")
FIB_3, FIB_12, FIB_15, FIB_20 = 5, 465, 1973, 21891  # calls of Fib


def needs(program, package):
    found = all(shutil.which(it) for it in ("mono", "mcs", program))
    return unittest.skipUnless(found, f"{program} is not installed here ({package}, mono-runtime and mono-mcs)")


def without_times(text):
    """What a program prints and writes, without the moments and durations in it, and without folders of the tests."""
    text = re.sub(r"\d+/\d+/\d+ \d+:\d+:\d+", "DATE", text)
    text = re.sub(r'\b(date|time|cwd)="[^"]*"', r'\1=""', text)
    return re.sub(r"Time: [\d.]+ seconds", "Time:", text)


class Program(harness.OrielTest):
    def read(self, name):
        with open(self.path(name), encoding="utf-8", errors="surrogateescape") as file:
            return without_times(file.read())

    def build(self, out, source, *options):
        built = self.call(["mcs", *options, "-out:" + self.path(out), os.path.join(HERE, source)])
        self.assertEqual(built.code, 0, built.out + built.err)

    def compare(self, command, *runs, files=()):
        """Runs it plainly and under Oriel, with the options of each of `runs`, into 1.oriel, 2.oriel …; it prints, writes
        and returns the same. Returns what it did plainly."""
        plain = self.call(command)
        written = [self.read(name) for name in files]
        for number, options in enumerate(runs, 1):
            result = self.record(*command, options=options, log=f"{number}.oriel")
            self.assertEqual((result.code, without_times(result.out)), (plain.code, without_times(plain.out)), result.err)
            others = [line for line in result.err.splitlines() if not line.startswith("oriel: wrote ")]
            self.assertEqual([*filter(None, others)], plain.err.splitlines())
            self.assertEqual([self.read(name) for name in files], written)
            self.check_log(f"{number}.oriel")
        return plain

    def check_log(self, log):
        """At most one stack of a hundred is broken."""
        lost = {row["reason"]: row["count"] for row in self.report("rows", "lost", log=log)["rows"]}
        samples = self.report("summary", log=log)["samples"]["periods"]
        self.assertLessEqual(lost.get("stack-broken", 0), 0.01 * samples + 1, (log, lost, samples))

    def compare_walks(self, *command, code=0):
        """Oriel's walks and Mono's, at allocations."""
        module = os.path.join(MODULES, "liboriel-monostacks.so") + ":" + self.path("stacks.txt")
        result = self.oriel("run", "--no-sample", "--module", module, "-o", "walks.oriel", "--", *command)
        self.assertEqual(result.code, code, result.err)
        with open(self.path("stacks.txt"), encoding="utf-8") as file:
            text = file.read()
        stacks, frames, same = map(int, text.splitlines()[0].split())
        self.assertGreater(stacks, 300)
        self.assertGreaterEqual(same, 0.999 * frames, text)

    def calls(self, log, report="calls"):
        calls = collections.Counter()
        for row in self.report(report, log=log)["methods"]: calls[row["name"]] += row["calls"]
        return calls

    def objects(self, log):
        objects = collections.Counter()
        for row in self.report("alloc", log=log)["types"]: objects[row["type"]] += row["objects"]
        return objects

    def assert_callers(self, log, *names):
        stacks = self.oriel("export", "--format", "collapsed", "-o", "-", log).out
        for name in names: self.assertRegex(stacks, re.escape(name) + r"\([^;]*\);")


class Compilers(Program):
    def csc(self):
        """Roslyn's for the .NET Framework."""
        shutil.copy(os.path.join(HERE, "csc.csproj"), self.folder)
        try:
            restored = self.call(["dotnet", "restore", "-v:q", "-nodeReuse:false"], env=harness.QUIET)
        except subprocess.TimeoutExpired:
            self.skipTest("the configured sources of packages do not answer")
        if harness.NO_PACKAGES.search(restored.out + restored.err):
            self.skipTest("Roslyn's package cannot be had from the configured sources")
        self.assertEqual(restored.code, 0, restored.out + restored.err)
        packages = os.environ.get("NUGET_PACKAGES") or os.path.expanduser("~/.nuget/packages")
        return os.path.join(packages, "microsoft.net.compilers.toolset", "4.14.0", "tasks", "net472", "csc.exe")

    @needs("dotnet", "the .NET SDK")
    @harness.only_long
    def test_csc(self):
        source = os.path.join(HERE, "..", "Program.cs")
        command = ["mono", self.csc(), "-nologo", "-deterministic", "-out:out.exe", source]
        mains = "Microsoft.CodeAnalysis.CSharp.CommandLine.*"
        self.compare(command, ["--alloc", "--locks", "--calls=" + mains], files=["out.exe"])
        self.assert_callers("1.oriel", "Microsoft.CodeAnalysis.CSharp.CSharpCompilation.CompileMethods",
                            "Microsoft.CodeAnalysis.CSharp.MethodCompiler.CompileMethod")
        self.assertEqual(self.calls("1.oriel")["Microsoft.CodeAnalysis.CSharp.CommandLine.Program.Main(string[])"], 1)
        self.compare_walks(*command)

    @harness.only_long
    @needs("dafny", "dafny")
    def test_dafny(self):
        command = ["dafny", "/compile:0", os.path.join(HERE, "max.dfy")]
        plain = self.compare(command, ["--calls", "--no-trivial", "--alloc"], ["--callgraph", "--sample", "--no-trivial"])
        self.assertIn("3 verified, 0 errors", plain.out)
        self.assert_callers("1.oriel", "Microsoft.Dafny.DafnyDriver.ProcessFiles")
        self.assertGreater(self.objects("1.oriel")["Microsoft.Boogie.Token"], 1000)
        # Its threads may take turns otherwise, the compiler's front does not.
        counts = [{name: count for name, count in counted.items() if name.startswith("Microsoft.Dafny.")}
                  for counted in (self.calls("1.oriel"), self.calls("2.callgraph.oriel", "callgraph"))]
        self.assertGreater(len(counts[0]), 500)
        self.assertEqual(counts[0], counts[1])
        self.compare_walks(*command)


class Checkers(Program):
    def suite(self):
        frameworks = glob.glob("/usr/lib/cli/nunit.framework-2*/nunit.framework.dll")
        if not frameworks: self.skipTest("NUnit 2 is not installed here (libnunit-framework2.6.3-cil)")
        self.build("Suite.dll", "Suite.cs", "-target:library", "-r:" + frameworks[0])

    @needs("gendarme", "gendarme")
    def test_gendarme(self):
        self.suite()
        command = ["gendarme", "--quiet", "--xml", "found.xml", "Suite.dll"]
        plain = self.compare(command, ["--calls", "--no-trivial"], ["--callgraph", "--sample", "--no-trivial"],
                             files=["found.xml"])
        self.assertEqual(plain.code, 1)
        counted = self.calls("1.oriel")
        self.assertGreater(len(counted), 500)
        self.assertEqual(counted, self.calls("2.callgraph.oriel", "callgraph"))
        self.assert_callers("1.oriel", "Gendarme.ConsoleRunner.Execute")

    @needs("nunit-console", "nunit-console")
    def test_nunit(self):
        """Tests run in a domain of their own, which is unloaded."""
        self.suite()
        command = ["nunit-console", "Suite.dll", "-nologo"]
        plain = self.compare(command, ["--calls", "--alloc", "--alloc-stacks"], ["--sample-real=500", "--locks"],
                             files=["TestResult.xml"])
        self.assertEqual(plain.code, 1)
        calls = self.calls("1.oriel")
        self.assertEqual((calls["Suite.Fib(int)"], calls["Suite.Cases(int)"], calls["Node..ctor(Node)"]),
                         (FIB_20 + FIB_15 + FIB_3, 2, 1000))
        self.assertEqual((calls["Suite.Throws()"], calls["Suite.Ignored()"]), (1, 0))
        self.assertEqual(self.objects("1.oriel")["Node"], 1000)
        thrown = {row["type"]: row["thrown"] for row in self.report("exceptions", log="1.oriel")["types"]}
        self.assertGreaterEqual(thrown["System.InvalidOperationException"], 1)
        self.assertIn("NUnit.Framework.AssertionException", thrown)
        self.compare_walks(*command, code=1)

    @needs("nunit-console", "nunit-console")
    def test_coverage_is_of_what_nunit_runs(self):
        self.suite()
        result = self.oriel("cover", "-f", "json", "-o", "covered.json", "--", "nunit-console", "Suite.dll", "-nologo")
        self.assertEqual(result.code, 1, result.err)
        with open(self.path("covered.json"), encoding="utf-8") as file:
            self.assertEqual([assembly["name"] for assembly in json.load(file)["assemblies"]], ["Suite"])


class Xsp(Program):
    """The web server of Mono. Debian's names types that its Mono does not have."""

    def setUp(self):
        super().setUp()
        cecil = glob.glob("/usr/lib/mono/gac/Mono.Cecil/0.11*/Mono.Cecil.dll")
        if not cecil: self.skipTest("Mono.Cecil is not installed here (libmono-cecil-private-cil)")
        shutil.copy(cecil[0], self.path("Mono.Cecil.dll"))
        self.build("Tls.dll", "Tls.cs", "-target:library")
        self.build("retarget.exe", "Retarget.cs", "-r:" + self.path("Mono.Cecil.dll"))
        made = self.call(["mono", "retarget.exe", "/usr/lib/mono/4.5/xsp4.exe", "xsp4.exe"])
        self.assertEqual(made.code, 0, made.err)
        shutil.copytree(os.path.join(HERE, "site"), self.path("site"))

    def ask(self, port, page):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{page}", timeout=60) as answer:
            return re.search(r"\d+", answer.read().decode()).group()

    def answers(self, port):
        try:
            return self.ask(port, "Handler.ashx") == "144"
        except urllib.error.URLError:
            return False

    def serve(self, number, *front, holds=lambda: True):
        """What it prints and returns after it has answered 20 requests for each page, and `holds`."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = ["mono", self.path("xsp4.exe"), "--port", str(port), "--address", "127.0.0.1", "--nonstop",
                   "--applications", "/:" + self.path("site")]
        process = self.start_command(["env", "MONO_PATH=" + self.folder, *front, *command])
        self.wait_for(lambda: process.poll() is not None or self.answers(port))
        with concurrent.futures.ThreadPoolExecutor(8) as clients:
            pages = ["Handler.ashx"] * 19 + ["Default.aspx"] * 20
            found = collections.Counter(clients.map(lambda page: self.ask(port, page), pages))
        self.assertEqual(found, {"144": 19, "610": 20})
        self.wait_for(holds)
        os.killpg(process.pid, number)
        out, err = process.communicate(timeout=60)
        return process.returncode, out.decode().replace(str(port), "PORT"), err.decode()

    def counted(self):
        calls = self.calls("run.oriel") if os.path.exists(self.path("run.oriel")) else {}
        return [calls.get("Handler.Fib(int)"), calls.get("ASP.default_aspx.Fib(int)")] == [20 * FIB_12, 20 * FIB_15]

    @needs("xsp4", "mono-xsp4")
    def test_serves_until_ctrl_c(self):
        code, out, err = self.serve(signal.SIGINT)
        self.assertEqual((code, err), (-signal.SIGINT, ""), out)
        front = [harness.ORIEL, "run", "-o", "run.oriel", "--calls", "--alloc", "--locks", "--"]
        result = self.serve(signal.SIGINT, *front, holds=self.counted)
        self.assertEqual(result[:2], (128 + signal.SIGINT, out), result[2])
        self.assertRegex(result[2], r"^oriel: wrote run.oriel .*\n$")
        self.check_log("run.oriel")
        self.assert_callers("run.oriel", "Mono.WebServer.XSPApplicationHost.ProcessRequest")

    @harness.only_long
    @needs("xsp4", "mono-xsp4")
    def test_serves_until_it_is_terminated(self):
        plain = self.serve(signal.SIGTERM)
        result = self.serve(signal.SIGTERM, harness.ORIEL, "run", "-o", "run.oriel", "--")
        self.assertEqual((plain[0], result[:2]), (-signal.SIGTERM, (128 + signal.SIGTERM, plain[1])), result[2])


class Desktop(Program):
    # It is told to end until it does, because it may not listen yet.
    UNTIL_ENDED = """"$@" & pid=$!
until ! kill -0 $pid 2>/dev/null; do sleep 1; keepass2 --exit-all; done
wait $pid"""

    @unittest.skipUnless(shutil.which("xvfb-run") and shutil.which("xauth"), "there is no Xvfb here (xvfb, xauth)")
    @harness.only_long
    @needs("keepass2", "keepass2")
    def test_keepass(self):
        env = {"HOME": self.folder}
        front = ["xvfb-run", "-a", "sh", "-c", self.UNTIL_ENDED, "sh"]
        plain = self.call([*front, "keepass2"], env=env)
        self.assertEqual(plain.code, 0, plain.out + plain.err)
        result = self.call([*front, harness.ORIEL, "run", "-o", "run.oriel", "--calls", "--alloc", "--", "keepass2"], env=env)
        self.assertEqual((result.code, result.out), (0, plain.out), result.err)
        self.assertEqual(len(result.own_lines()), 1, result.err)
        self.check_log("run.oriel")
        calls = self.calls("run.oriel")
        for method in ("KeePass.Program.Main(string[])", "KeePass.Forms.MainForm..ctor()"): self.assertEqual(calls[method], 1)
        self.assertEqual(self.objects("run.oriel")["KeePass.Forms.MainForm"], 1)


if __name__ == "__main__":
    harness.main()
