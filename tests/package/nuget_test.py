#!/usr/bin/env python3
"""The NuGet packages that ./package made, used as people use them: nuget_test.py FEED, a folder with the packages.

NuGet's own folders are new ones, and the feed is the only source."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MOST_MEGABYTES = 15  # of the package of one system
PROCESSORS = {"x64": "X86-64", "arm64": "AArch64"}  # as readelf names them
MAKER = os.path.join(ROOT, "packaging", "nuget", "make_packages.py")
FEED = ""
PROGRAM = """
var watch = System.Diagnostics.Stopwatch.StartNew();
double sum = 0;
while (watch.ElapsedMilliseconds < 500) sum += System.Math.Sqrt(sum + 1);
System.Console.WriteLine("done");
"""
MONO_PROGRAM = "static class Program {{ static void Main() {{ {} }} }}\n"
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup>{}</ItemGroup>
</Project>
"""
ENGINE = '<PackageReference Include="Oriel.Engine" Version="*" />'
VARIABLES = {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": "{9A8FE63E-FC98-40FE-9A46-932E43F8A19D}"}


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = holder.name
        cls.env = {**os.environ, "NUGET_PACKAGES": cls.path("packages"), "DOTNET_CLI_HOME": cls.path("home"), "DOTNET_NOLOGO": "1",
                   "DOTNET_CLI_TELEMETRY_OPTOUT": "1", "DOTNET_ADD_GLOBAL_TOOLS_TO_PATH": "false", "TMPDIR": cls.path("tmp")}
        os.mkdir(cls.path("tmp"))
        cls.take_from(FEED)
        with open(cls.path("Shop.cs"), "w", encoding="utf-8") as file: file.write(PROGRAM)
        cls.call("dotnet", "tool", "install", "--tool-path", cls.path("tools"), "oriel")
        cls.oriel = cls.path("tools/oriel")

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def take_from(cls, feed):
        with open(cls.path("nuget.config"), "w", encoding="utf-8") as file:
            file.write(f'<configuration><packageSources><clear /><add key="feed" value="{feed}" /></packageSources></configuration>')

    @classmethod
    def call(cls, *command, env=None, cwd=None):
        done = subprocess.run(command, cwd=cwd or cls.folder, env={**cls.env, **(env or {})}, capture_output=True, text=True,
                              check=False, timeout=300)
        if done.returncode != 0: raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def project(self, name, items):
        """A project of the program, in a folder of its own."""
        folder = self.path(name)
        os.mkdir(folder)
        os.symlink(self.path("Shop.cs"), os.path.join(folder, "Shop.cs"))
        with open(os.path.join(folder, "Shop.csproj"), "w", encoding="utf-8") as file: file.write(PROJECT.format(items))
        return folder

    def assert_profiled(self, log):
        self.assertIn("Program.Main", self.call(self.oriel, "report", "top", log).stdout)

    def test_the_tool_profiles_a_program(self):
        published = self.call("dotnet", "publish", "-nodeReuse:false", "-o", "out", cwd=self.project("plain", ""))
        self.assertNotIn("warning", published.stdout)
        done = self.call(self.oriel, "run", "-o", self.path("run.oriel"), "--", "dotnet", self.path("plain/out/Shop.dll"))
        self.assertEqual(done.stdout, "done\n")
        self.assert_profiled(self.path("run.oriel"))

    @unittest.skipUnless(shutil.which("mono") and shutil.which("mcs"), "Mono is not installed here (mono-runtime and mono-mcs)")
    def test_the_tool_profiles_a_program_on_mono(self):
        with open(self.path("Mono.cs"), "w", encoding="utf-8") as file: file.write(MONO_PROGRAM.format(PROGRAM))
        self.call("mcs", "-out:" + self.path("mono.exe"), self.path("Mono.cs"))
        done = self.call(self.oriel, "run", "-o", self.path("mono.oriel"), "--", "mono", self.path("mono.exe"))
        self.assertEqual(done.stdout, "done\n")
        self.assert_profiled(self.path("mono.oriel"))

    def test_the_tool_runs_without_an_installation(self):
        self.assertRegex(self.call("dotnet", "dnx", "--yes", "oriel", "version").stdout, r"^oriel \d+\.\d+\.\d+ ?.* for linux-")

    def targets(self):
        """Those that the feed has builds for, with their packages."""
        found = {re.match(r"oriel\.(linux-[a-z0-9-]+)\.", os.path.basename(path))[1]: path
                 for path in glob.glob(os.path.join(FEED, "oriel.linux-*.nupkg"))}
        return {target: path for target, path in found.items()
                if f"tools/any/{target}/bin/oriel" in zipfile.ZipFile(path).namelist()}

    def test_packages_are_small(self):
        self.assertIn("linux-x64", self.targets())
        for target, path in self.targets().items():
            self.assertLess(os.path.getsize(path) / 1e6, MOST_MEGABYTES, target)

    def make_feed(self, name, target):
        """Packages of an empty build for that target."""
        os.makedirs(self.path("empty/lib"), exist_ok=True)
        open(self.path("empty/lib/liboriel-reader.so"), "wb").close()
        version = re.search(r"oriel\.(\d.*)\.nupkg", glob.glob(os.path.join(FEED, "oriel.[0-9]*.nupkg"))[0])[1]
        subprocess.run([sys.executable, MAKER, version, self.path("work"), self.path(name), f"{target}={self.path('empty')}"], check=True,
                       capture_output=True)
        return self.path(name), version

    def test_a_system_with_musl_does_not_get_the_build_for_glibc(self):
        feed, version = self.make_feed("glibc-feed", "linux-arm64")
        with zipfile.ZipFile(os.path.join(feed, f"oriel.{version}.nupkg")) as tool:
            settings = tool.read("tools/any/any/DotnetToolSettings.xml").decode()
        self.assertEqual(re.findall(r'Id="oriel\.(.*?)"', settings), ["linux-arm64", "linux-musl-arm64", "any"])
        with zipfile.ZipFile(os.path.join(feed, f"oriel.linux-musl-arm64.{version}.nupkg")) as told:
            self.assertIn("tools/net8.0/any/oriel.dll", told.namelist())

    def test_systems_without_a_build_are_told(self):
        other, _ = self.make_feed("other-feed", "freebsd-x64")
        self.take_from(other)
        self.addCleanup(self.take_from, FEED)
        packages = {"NUGET_PACKAGES": self.path("other-packages")}
        self.call("dotnet", "tool", "install", "--tool-path", self.path("other-tools"), "oriel", env=packages)
        told = subprocess.run([self.path("other-tools/oriel"), "version"], env=self.env, capture_output=True, text=True, check=False)
        self.assertEqual((told.returncode, told.stdout), (1, ""))
        self.assertRegex(told.stderr, r"^oriel: there is no build for linux-\w+; there is one for freebsd-x64\n$")

    def engine_of(self, folder, *options):
        """Publishes a program with the engine. Returns the program and what the container's image would set."""
        self.call("dotnet", "publish", "-nodeReuse:false", "-o", "out", *options, cwd=folder)
        # Of what is published for one system, the RID is known when the variables are.
        properties = [f"-p:RuntimeIdentifier={options[1]}"] if options else []
        items = self.call("dotnet", "msbuild", "-getItem:ContainerEnvironmentVariable", *properties, cwd=folder).stdout
        values = dict(re.findall(r'"Identity": "(\w+)",\s+"Value": "([^"]*)"', items))
        self.assertEqual({name: values.pop(name) for name in VARIABLES}, VARIABLES)
        inside = {name: value.replace("/app/", folder + "/out/") for name, value in values.items()}
        return os.path.join(folder, "out", "Shop"), inside

    def assert_engine(self, program, paths):
        env = {**VARIABLES, **paths}
        off = self.call(program, env=env)
        self.assertEqual((off.stdout, off.stderr), ("done\n", ""))
        log = program + ".oriel"
        on = self.call(program, env={**env, "ORIEL_PROFILERS": f"log:out={log}"})
        self.assertEqual((on.stdout, on.stderr), ("done\n", ""))
        self.assert_profiled(log)

    def test_a_project_has_the_engine(self):
        program, paths = self.engine_of(self.project("for-one", ENGINE), "-r", "linux-x64", "--self-contained=false")
        self.assertEqual(list(paths), ["CORECLR_PROFILER_PATH"])
        self.assert_engine(program, paths)

    def test_a_project_for_all_systems_has_the_engine(self):
        program, paths = self.engine_of(self.project("for-all", ENGINE))
        self.assertEqual(sorted(paths), ["CORECLR_PROFILER_PATH_64", "CORECLR_PROFILER_PATH_ARM64"])
        self.assert_engine(program, paths)

    def test_each_system_gets_its_own_engine(self):
        folder = self.project("for-each", ENGINE)
        for target in self.targets():
            engine = os.path.join(folder, target, "liboriel.so.1")
            self.call("dotnet", "publish", "-nodeReuse:false", "-r", target, "--self-contained=false",
                      "-p:UseAppHost=false", "-o", target, cwd=folder)
            header = self.call("readelf", "-hd", engine).stdout
            self.assertIn(PROCESSORS[target.split("-")[-1]], header, target)
            self.assertIn("[libc.so]" if "musl" in target else "[libc.so.6]", header, target)

    def test_an_image_without_the_variables(self):
        folder = self.project("without", ENGINE)
        self.call("dotnet", "restore", cwd=folder)
        items = self.call("dotnet", "msbuild", "-getItem:ContainerEnvironmentVariable", "-p:OrielInContainer=false", cwd=folder).stdout
        self.assertNotIn("CORECLR", items)

    def test_a_module_is_built_with_it(self):
        folder = self.project("native", '<PackageReference Include="Oriel.Native" Version="*" />')
        self.call("dotnet", "publish", "-nodeReuse:false", "-o", "out", cwd=folder)
        self.assertFalse(glob.glob(os.path.join(folder, "out", "**", "*.so*"), recursive=True))  # for building only
        native, = glob.glob(self.path("packages/oriel.native/*/linux-x64"))
        example = os.path.join(ROOT, "examples", "gccount")
        self.call("cmake", "-S", example, "-B", self.path("module"), f"-DCMAKE_PREFIX_PATH={native}")
        self.call("cmake", "--build", self.path("module"))
        module = self.path("module/liboriel-gccount.so")
        done = self.call(self.oriel, "run", "--module", module, "--", "dotnet", os.path.join(folder, "out", "Shop.dll"))
        self.assertIn("done\n", done.stdout)
        self.assertIn("gccount: gen0", done.stderr)
        # And by the linker's own search.
        self.call("cc", "-shared", "-fPIC", "-I", f"{native}/include", f"{example}/gccount.c", "-o", self.path("linked.so"),
                  "-L", f"{native}/lib", "-loriel", "-loriel-reader", "-Wl,--no-undefined")


if __name__ == "__main__":
    FEED = os.path.abspath(sys.argv.pop(1))
    unittest.main()
