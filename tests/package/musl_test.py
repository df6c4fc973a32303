#!/usr/bin/env python3
"""The build for musl profiles .NET programs on musl: musl_test.py FOLDER ZIG, what ./package built and its toolchain.

Neither Alpine nor .NET for it is installed here. NuGet has the runtime for musl, and musl's loader is of this system's own
package. Of GNU's C++ library the runtime needs only what the toolchain's sources have, and a small host stands for .NET's
(tests/package/musl). What cannot be had is told, and nothing is tried."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "musl")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
LOADER = "/lib/ld-musl-x86_64.so.1"
FOLDER = ""
ZIG = ""
# Of LLVM's C++ library: exceptions, what classes and `new` need, and the unwinder. In the toolchain's own archives they are
# hidden from other libraries.
EXCEPTIONS = ("abort_message cxa_aux_runtime cxa_default_handlers cxa_demangle cxa_exception cxa_exception_storage cxa_guard "
              "cxa_handlers cxa_personality cxa_thread_atexit cxa_vector cxa_virtual fallback_malloc private_typeinfo "
              "stdlib_exception stdlib_new_delete stdlib_stdexcept stdlib_typeinfo").split()
UNWINDER = ("libunwind.cpp", "UnwindLevel1.c", "UnwindLevel1-gcc-ext.c", "UnwindRegistersRestore.S", "UnwindRegistersSave.S")
SECONDS = 300


def call(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS, **options)
    if done.returncode != 0: raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Musl(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not shutil.which("dotnet"): raise unittest.SkipTest("dotnet is not installed")
        if not os.path.exists(LOADER): raise unittest.SkipTest(f"there is no {LOADER}: the Debian package musl is not installed")
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = os.path.join(holder.name, "try")
        os.mkdir(cls.folder)
        cls.oriel = os.path.join(FOLDER, "bin", "oriel")
        cls.publish()
        cls.make_library()
        cls.env = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1", "TMPDIR": holder.name}

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def publish(cls):
        for name in ("Shop.cs", "Shop.csproj"): shutil.copy(os.path.join(HERE, name), cls.path(name))
        done = subprocess.run(["dotnet", "publish", "-nologo", "-nodeReuse:false", "-p:UseSharedCompilation=false", "-o",
                               cls.path("app")], cwd=cls.folder, capture_output=True, text=True, check=False, timeout=SECONDS)
        if re.search(r"error NU1\d\d\d", done.stdout):
            raise unittest.SkipTest("the runtime for musl cannot be had: " + re.search(r"error NU1.*", done.stdout)[0])
        if done.returncode != 0: raise AssertionError(done.stdout + done.stderr)

    @classmethod
    def zig(cls, language, *words):
        # The toolchain's caches are those of ./package.
        cache = os.path.join(ROOT, "build", "portable", "cache")
        env = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache}
        call(ZIG, language, "-target", "x86_64-linux-musl", "-fno-sanitize=undefined", "-O2", *words, env=env)

    @classmethod
    def make_library(cls):
        """libstdc++.so.6 and libgcc_s.so.1, which are one, and the host."""
        os.makedirs(cls.path("library"))
        objects = []

        def compile(language, source, *options):
            objects.append(cls.path(os.path.basename(source) + ".o"))
            cls.zig(language, "-fPIC", *options, "-c", source, "-o", objects[-1])

        sources = os.path.join(os.path.dirname(os.path.realpath(ZIG)), "lib")
        for name in EXCEPTIONS:
            compile("c++", os.path.join(sources, "libcxxabi", "src", name + ".cpp"), "-std=c++20", "-D_LIBCXXABI_BUILDING_LIBRARY",
                    "-D_LIBCPP_BUILDING_LIBRARY", "-I" + os.path.join(sources, "libcxx", "src"))
        for name in UNWINDER:
            cpp = name.endswith(".cpp")
            compile("c++" if cpp else "cc", os.path.join(sources, "libunwind", "src", name), "-D_LIBUNWIND_IS_NATIVE_ONLY",
                    "-I" + os.path.join(sources, "libunwind", "include"), *(["-fno-exceptions", "-fno-rtti"] if cpp else ["-fexceptions"]))
        compile("c++", os.path.join(HERE, "standard_library.cc"))
        library = cls.path("library/libstdc++.so.6")
        cls.zig("cc", "-shared", "-Wl,-soname,libstdc++.so.6", "-o", library, *objects)
        os.symlink("libstdc++.so.6", cls.path("library/libgcc_s.so.1"))
        # With a shared library the toolchain makes a program that can load others.
        cls.zig("cc", os.path.join(HERE, "host.c"), library, "-Wl,-rpath,$ORIGIN/library", "-o", cls.path("host"))

    def program(self, *words):
        return [self.path("host"), self.path("app/Shop.dll"), *words]

    def run_oriel(self, *words, code=0):
        done = subprocess.run([self.oriel, *words], cwd=self.folder, env=self.env, capture_output=True, text=True, check=False,
                              timeout=SECONDS)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def profile(self, *options, what, code=0):
        """The log of a run whose output and exit code are those of the program alone."""
        alone = subprocess.run(self.program(what), env=self.env, capture_output=True, text=True, check=False, timeout=SECONDS)
        self.assertEqual(alone.returncode, code, alone.stderr)
        log = self.path(self._testMethodName + ".oriel")
        done = self.run_oriel("run", "-o", log, *options, "--", *self.program(what), code=code)
        self.assertEqual(done.stdout, alone.stdout)
        return log

    def report(self, *words):
        return self.run_oriel("report", *words).stdout

    def test_samples_with_their_callers(self):
        log = self.profile(what="work")
        self.assertRegex(self.report("top", log), r"\n\s*[\d.]+ %.*Shop\.Program\.Price\(int\)")
        self.assertNotIn("callers not known", self.report("tree", log))
        self.assertRegex(self.report("tree", log), r"Shop\.Program\.Main\(string\[\]\).*\n(.*\n)*?.*[├└] Shop\.Program\.Price\(int\)")

    def test_calls_are_exact(self):
        report = self.report("calls", self.profile("--calls=Shop.*", what="sum", code=3))
        self.assertRegex(report, r"1,002 calls of 3 methods")
        self.assertRegex(report, r" 1,000 .*Shop\.Program\.Add\(int, int\)")

    def test_threads_with_small_stacks(self):
        report = self.report("calls", self.profile("--calls=Shop.Program.Add,Shop.Program.Refuse", "--sample=1000", what="threads", code=5))
        self.assertRegex(report, r" 8,000 .*Shop\.Program\.Add")
        self.assertRegex(report, r" 160 .*Shop\.Program\.Refuse")

    def test_exceptions(self):
        report = self.report("exceptions", self.profile(what="refused", code=4))
        self.assertRegex(report, r"20 +20 .*System\.InvalidOperationException")
        self.assertRegex(report, r"20 +by Shop\.Program\.Refuse\(int\)")

    def test_an_exception_that_ends_the_program(self):
        log = self.path("crash.oriel")
        done = self.run_oriel("run", "-o", log, "--", *self.program("crash"), code=134)
        self.assertIn("Unhandled exception. System.InvalidOperationException: article 7", done.stderr)
        self.assertRegex(self.report(log), r"article 7")

    def test_allocations(self):
        report = self.report("alloc", self.profile("--alloc", what="keep", code=6))
        self.assertRegex(report, r" 5,000 +24 bytes +Shop\.Article\n")

    def test_a_snapshot_of_the_heap(self):
        report = self.report("heap", self.profile("--heap", what="keep", code=6))
        self.assertRegex(report, r" 120 kB +5,000 +Shop\.Article\n")
        self.assertIn("static Shop.Program.kept", report)

    def test_coverage(self):
        done = self.run_oriel("cover", "--format", "lcov", "-o", self.path("lcov.info"), "--", *self.program("sum"), code=3)
        self.assertIn("499500\n", done.stdout)
        with open(self.path("lcov.info"), encoding="utf-8") as file: lines = re.findall(r"DA:(\d+),(\d+)", file.read())
        with open(self.path("Shop.cs"), encoding="utf-8") as file: source = file.read().splitlines()
        ran = {source[int(line) - 1].strip(): int(hits) for line, hits in lines}
        self.assertEqual([ran["static int Add(int left, int right) => left + right;"], ran["GC.Collect();"]], [1, 0])

    def serve(self, *before):
        """A program that works until it is told to end."""
        process = subprocess.Popen([*before, *self.program("serve")], cwd=self.folder, env=self.env, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process

    def end(self, process):
        out, err = process.communicate("\n", timeout=SECONDS)
        self.assertEqual((process.returncode, out), (0, "done\n"), err)

    def test_attach(self):
        process = self.serve()
        log = self.path("attach.oriel")
        self.assertIn(str(process.pid), self.run_oriel("ps").stdout)
        self.run_oriel("attach", str(process.pid), "--for", "2s", "-o", log)
        self.end(process)
        self.assertIn("Shop.Program.Price(int)", self.report("top", log))
        self.assertIn("Shop.Program.Refuse(int)", self.report("exceptions", log))

    def test_ctl(self):
        log = self.path("ctl.oriel")
        process = self.serve(self.oriel, "run", "--paused", "-o", log, "--")
        pid = next(entry["pid"] for entry in json.loads(self.run_oriel("ps", "--json").stdout) if "host" in json.dumps(entry))
        for command in (["start"], ["mark", "here"], ["set", "calls=Shop.Program.Sum"], ["snapshot"], ["flush"], ["stop", "calls"]):
            self.run_oriel("ctl", str(pid), *command)
        self.assertRegex(self.run_oriel("ctl", str(pid)).stdout, r"log +running")
        self.end(process)
        self.assertIn("Shop.Program.Price(int)", self.report("top", log))
        self.assertIn("Shop.Article", self.report("heap", log))
        self.assertIn("Shop.Program.Sum()", self.report("calls", log))

    def test_a_module_that_throws(self):
        module = self.path("liboriel-throws.so")
        self.zig("c++", "-std=c++20", "-shared", "-fPIC", "-I" + os.path.join(ROOT, "include"), "-o", module,
                 os.path.join(ROOT, "tests", "engine", "modules", "throws.cc"))
        done = subprocess.run([self.oriel, "run", "--no-sample", "--module", module, "-o", self.path("throws.oriel"), "--",
                               *self.program("sum")], env=self.env, capture_output=True, text=True, check=False, timeout=SECONDS)
        self.assertIn("threw an exception; this is a bug in the module", done.stderr)
        self.assertIn((done.returncode, done.stdout), [(3, "499500\n"), (125, "")])


if __name__ == "__main__":
    FOLDER, ZIG = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
