"""What the end-to-end tests share: running `oriel` on real programs, and reading its reports.

The build folder comes in ORIEL_BUILD (ctest sets it); by hand: PYTHONPATH=tests/e2e tests/e2e/harmless/run_test.py
"""
import concurrent.futures
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("ORIEL_BUILD", os.path.join(ROOT, "build", "release")))
ORIEL = os.path.join(BUILD, "bin", "oriel")
PROGRAMS = os.path.join(BUILD, "targets", "programs", "programs.dll")
SERVER = os.path.join(BUILD, "targets", "server", "server.dll")
# A file of tests may use another folder's.
sys.path += sorted(entry.path for entry in os.scandir(HERE) if entry.is_dir())
# What a runtime of these tests must not inherit.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("CORECLR_", "ORIEL_"))}


# The runtime collects its youngest generation as often as the processor's cache lets it fill, and far more often where a
# virtual machine does not tell of one. Tests that count on collections, or on none, add this to CLEAN.
KNOWN_CACHE = os.path.exists("/sys/devices/system/cpu/cpu0/cache/index3")
USUAL_COLLECTIONS = {} if KNOWN_CACHE else {"DOTNET_GCgen0size": "0x2000000"}


# What takes minutes and is like what every run of the tests has: only in ./check --long.
LONG = os.environ.get("ORIEL_LONG") == "1"
only_long = unittest.skipUnless(LONG, "only in ./check --long")


def some(items, count=1):
    """All of them in the long mode, otherwise the first ones."""
    return list(items)[:None if LONG else count]


QUIET = {"DOTNET_NOLOGO": "1", "DOTNET_CLI_TELEMETRY_OPTOUT": "1"}
# What NuGet says when a package, its version or its source is not to be had.
NO_PACKAGES = re.compile(r"\bNU(1101|1102|1103|1301)\b")


def program(*args):
    return ["dotnet", PROGRAMS, *map(str, args)]


class Result:
    """What came of a command: code, out, err (bytes decoded as UTF-8)."""

    def __init__(self, code, out, err):
        self.code = code
        self.out = out.decode(errors="replace")
        self.err = err.decode(errors="replace")

    def own_lines(self):
        """The lines on stderr that are Oriel's."""
        return [line for line in self.err.splitlines() if line.startswith("oriel: ")]


def line_with(source, mark):
    """The number of the line that ends with this mark, a comment of C#."""
    with open(source, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if line.rstrip().endswith("// " + mark))


class OrielTest(unittest.TestCase):
    """A test in a folder of its own, the working directory of what it runs."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="oriel-e2e-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def call(self, command, stdin=b"", env=None, timeout=120):
        done = subprocess.run(command, input=stdin, capture_output=True, cwd=self.folder, env={**CLEAN, **(env or {})},
                              timeout=timeout)
        return Result(done.returncode, done.stdout, done.stderr)

    @contextlib.contextmanager
    def full_disk(self, kilobytes):
        """The test's folder "full" as a file system of its own that has no more room than that; skips the test where
        nothing may be mounted."""
        folder = self.path("full")
        os.makedirs(folder, exist_ok=True)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", folder], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("nothing may be mounted here")
        try:
            yield folder
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)

    @contextlib.contextmanager
    def read_only(self, folder):
        """Nothing new can be written in the folder; what is open stays so. Skips the test where nothing may be mounted."""
        if subprocess.run(["mount", "--bind", folder, folder], capture_output=True).returncode != 0:
            self.skipTest("nothing may be mounted here")
        try:
            subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
            yield
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)

    def build_project(self, project, *options, within="."):
        """Builds a copy of a project that needs packages, in the test's folder, or what is in it `within` a folder; skips
        the test where they cannot be had."""
        shutil.copytree(project, self.folder, dirs_exist_ok=True)
        try:
            restored = self.call(["dotnet", "restore", within, "-v:q", "-nodeReuse:false"], env=QUIET)
        except subprocess.TimeoutExpired:
            self.skipTest("the configured sources of packages do not answer")
        if NO_PACKAGES.search(restored.out + restored.err):
            self.skipTest("the project's packages cannot be had from the configured sources")
        self.assertEqual(restored.code, 0, restored.out + restored.err)
        built = self.call(["dotnet", "build", within, "--no-restore", "-v:q", "-nodeReuse:false", *options], env=QUIET, timeout=200)
        self.assertEqual(built.code, 0, built.out + built.err)

    def dotnet_test(self, *front, options=(), folder="results"):
        """`dotnet test` of a project of which a test fails, built by build_project(), behind `front`; what it says of
        each test: outcome, message, where it failed. Its files are in that folder."""
        # The test host is killed 100 ms after its last test unless it is given more: its log would miss the end.
        env = {**QUIET, "VSTEST_TESTHOST_SHUTDOWN_TIMEOUT": "60000"}
        run = self.call([*front, "dotnet", "test", "--no-build", "--logger", "trx;LogFileName=results.trx",
                         "--results-directory", folder, *options], env=env, timeout=200)
        self.assertEqual(run.code, 1, run.out + run.err)
        results = {}
        for result in xml.etree.ElementTree.parse(self.path(f"{folder}/results.trx")).iter():
            if result.tag.endswith("}UnitTestResult"):
                message = "".join(part.text for part in result.iter() if part.tag.endswith("}Message"))
                trace = "".join(part.text for part in result.iter() if part.tag.endswith("}StackTrace"))
                # The frames below are the framework's, and depend on what was inlined there.
                results[result.get("testName")] = (result.get("outcome"), message, trace.split("\n")[0])
        os.remove(self.path(f"{folder}/results.trx"))
        return results

    def oriel(self, *args, **rest):
        return self.call([ORIEL, *args], **rest)

    def record(self, *command, options=(), log="run.oriel", **rest):
        """`oriel run` of a command that must write the log; returns the result. Targets' methods are often trivial:
        their calls count too, unless the options say "--no-trivial"."""
        if any(option.startswith(("--calls", "--callgraph")) for option in options):
            options = [*options, "--calls-trivial"]
        if "--no-trivial" in options:
            options = [option for option in options if option not in ("--no-trivial", "--calls-trivial")]
        result = self.oriel("run", "-o", log, *options, "--", *command, **rest)
        self.assertTrue(os.path.exists(self.path(log)), result.err)
        self.assertNotIn("lacks its end", result.err)
        return result

    def start(self, *args, **rest):
        """`oriel` with these arguments in the background, a session of its own."""
        return self.start_command([ORIEL, *args], **rest)

    def start_command(self, command, stdin=subprocess.DEVNULL, **rest):
        process = subprocess.Popen(command, cwd=self.folder, env=CLEAN, stdin=stdin,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **rest)
        self.addCleanup(self.finish, process)
        return process

    def wait_for(self, holds, timeout=120, what=lambda: ""):
        """Until that holds; the time is for what never would, and `what` tells more of it."""
        until = time.monotonic() + timeout
        while not holds():
            if time.monotonic() > until: self.fail(f"it was waited for in vain: {what()}")
            time.sleep(0.02)

    def finish(self, process):
        """Ends a process of start_command() if it still runs."""
        if process.poll() is None:
            os.killpg(process.pid, 9)
        process.wait()
        process.stdout.close()
        process.stderr.close()

    def ask_server(self, port, requests):
        """Has the server of tests/targets/server answer so many requests, 32 at a time, and stop."""
        def ask(i):
            path = f"work/{100 + i % 50}" if i % 3 else "wait/2"
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=60) as answer:
                return answer.status, answer.read().decode()

        with concurrent.futures.ThreadPoolExecutor(32) as clients:
            answers = list(clients.map(ask, range(requests)))
        for i, answer in enumerate(answers):
            n = 100 + i % 50
            self.assertEqual(answer, (200, str(n * (n - 1) // 2) if i % 3 else "waited"))
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/stop", timeout=60):
            pass

    def report(self, *args, log="run.oriel"):
        """The JSON of a report."""
        result = self.oriel("report", *args, "--json", log)
        self.assertEqual(result.code, 0, result.err)
        return json.loads(result.out)

    def dumped(self, log):
        """A line for each record of a log, which begins with its kind."""
        result = self.oriel("report", "dump", "--json", log)
        self.assertEqual(result.code, 0, result.err)
        return result.out.splitlines()

    def dump(self, log="run.oriel", kind=None):
        """Every record of a log as a dictionary, or those of a kind: to parse a million others takes long."""
        begin = f'{{"kind":"{kind}"' if kind else "{"
        return [json.loads(line) for line in self.dumped(log) if line.startswith(begin)]

    def kinds(self, log="run.oriel"):
        """The kinds of records that a log has."""
        return {line.split('"', 4)[3] for line in self.dumped(log)}

    def logs(self):
        return sorted(name for name in os.listdir(self.folder) if name.endswith(".oriel"))

    def assert_refused(self, result, code, *parts):
        """One line of Oriel's on stderr with these parts in it, this exit code, nothing on stdout."""
        self.assertEqual(result.code, code, result.err)
        self.assertEqual(result.err.count("\n"), 1, result.err)
        self.assertTrue(result.err.startswith("oriel: "), result.err)
        for part in parts:
            self.assertIn(part, result.err)
        self.assertEqual(result.out, "")


class SharedFolder(OrielTest):
    """Tests of what is built once, by prepare(), in a folder that all of them work in."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        first = cls()
        OrielTest.setUp(first)
        cls.addClassCleanup(first.doCleanups)
        cls.folder = first.folder
        first.prepare()

    def setUp(self):
        pass


class CopiedFolder(SharedFolder):
    """Tests of what is made once, by prepare(), each in a folder of its own that begins with a copy of it."""

    def setUp(self):
        made = self.folder
        OrielTest.setUp(self)
        shutil.copytree(made, self.folder, dirs_exist_ok=True)


def main():
    for needed in (ORIEL, PROGRAMS):
        if not os.path.exists(needed):
            sys.exit(f"{needed} is missing: build first (./check does), or set ORIEL_BUILD")
    unittest.main()
