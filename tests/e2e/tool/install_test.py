#!/usr/bin/env python3
"""What is installed works without the source tree: the command, both ways to build a module, the package."""
import glob
import os
import re
import shutil
import subprocess
import unittest

import harness
from harness import BUILD, ROOT, program

MODULE = """
#include <oriel/oriel.h>
ORIEL_MODULE_EXPORT uint32_t oriel_api_version_outside(void) { return ORIEL_API_VERSION; }
static void initialized(oriel_profiler *profiler) { (void)profiler; oriel_warn("outside: the runtime is up"); }
ORIEL_MODULE_EXPORT int oriel_init_outside(const char *args) {
  oriel_profiler_set_runtime_initialized_callback(oriel_profiler_create(NULL), initialized);
  return args[0] == 'x' ? 1 : 0;
}
"""


class Installed(harness.OrielTest):
    def setUp(self):
        super().setUp()
        self.prefix = self.path("prefix")
        done = self.call(["cmake", "--install", BUILD, "--prefix", self.prefix])
        self.assertEqual(done.code, 0, done.err)
        self.command = os.path.join(self.prefix, "bin", "oriel")
        os.mkdir(self.path("module"))
        with open(self.path("module/outside.c"), "w", encoding="utf-8") as out:
            out.write(MODULE)

    def runs_with(self, module):
        result = self.call([self.command, "run", "-o", "run.oriel", "--module", module, "--", *program("exit", 6)])
        self.assertEqual(result.code, 6, result.err)
        self.assertIn("oriel: outside: the runtime is up", result.err)

    def test_command_finds_its_engine(self):
        result = self.call([self.command, "run", "-o", "run.oriel", "--", *program("exceptions", 3)])
        self.assertEqual((result.code, result.out), (0, "exceptions done\n"), result.err)
        report = self.call([self.command, "report", "run.oriel"])
        self.assertIn("System.FormatException", report.out)
        page = subprocess.run(["find", self.prefix, "-name", "oriel.1"], capture_output=True, text=True, check=True)
        self.assertTrue(page.stdout.strip())

    def test_links_of_the_documents_lead_to_files_that_are_installed(self):
        folder, = (top for top, _, files in os.walk(self.prefix) if "CHANGELOG.md" in files)
        documents = glob.glob(os.path.join(folder, "*.md")) + glob.glob(os.path.join(folder, "docs", "**", "*.md"), recursive=True)
        self.assertGreater(len(documents), 10)
        for document in documents:
            with open(document, encoding="utf-8") as text:
                links = re.findall(r"\]\((?!https?:)([^)#\s]+)[)#]", text.read())
            for link in links:
                self.assertTrue(os.path.exists(os.path.join(os.path.dirname(document), link)), f"{document}: {link}")
        with open(os.path.join(folder, "copyright"), encoding="utf-8") as text:
            self.assertRegex(text.read(), r"(?s)Copyright: \d{4}.*License: Expat\n Permission is hereby granted.*\n \.\n THE SOFTWARE")

    def test_completions_are_installed_where_shells_look(self):
        for place in ("bash-completion/completions/oriel", "zsh/site-functions/_oriel", "fish/vendor_completions.d/oriel.fish"):
            with open(os.path.join(self.prefix, "share", place), encoding="utf-8") as script:
                self.assertIn("oriel completion", script.read())

    def test_the_version_says_which_modules_and_logs_it_speaks(self):
        said = self.call([self.command, "version"]).out
        found = re.fullmatch(r"oriel (\d+\.\d+\.\d+\S*) for linux-\S+, glibc 2\.\d+ or later "
                             r"\(module API (\d+), takes modules for 1 to \2; logs: writes version 2, reads 1 to 2\)\n", said)
        self.assertTrue(found, said)
        self.assertEqual(self.call([self.command, "--version"]).out, f"oriel {found.group(1)}\n")

    def test_libraries_are_looked_for_in_named_folders_only(self):
        """An empty entry in a library's search path is the working directory: whose ever that is."""
        binaries = [os.path.join(folder, file) for top in (self.prefix, os.path.join(BUILD, "bin"), os.path.join(BUILD, "lib"))
                    for folder, _, files in os.walk(top) for file in files
                    if file == "oriel" or file.endswith(".so") or ".so." in file]
        self.assertGreater(len(binaries), 6)
        for binary in binaries:
            for path in re.findall(r"(?:RUNPATH|RPATH).*\[(.*)\]", self.call(["readelf", "-dW", binary]).out):
                for entry in path.split(":"):
                    self.assertTrue(entry.startswith(("$ORIGIN", "/")), f"{binary}: {path}")

    def test_libraries_take_little_static_thread_local_storage(self):
        """The C library has some 1,600 bytes of it for all that is loaded late, the program's own libraries among them."""
        sizes = {}
        for library in glob.glob(os.path.join(self.prefix, "**", "liboriel*.so"), recursive=True):
            if library.endswith("liboriel-reader.so"):  # never in a profiled program
                continue
            headers = self.call(["readelf", "-lW", library]).out
            sizes[os.path.basename(library)] = sum(int(size, 16) for size in
                                                   re.findall(r"^ *TLS(?: +0x\w+){4} +(0x\w+)", headers, re.MULTILINE))
        self.assertEqual(len(sizes), 7, sizes)
        self.assertGreater(min(sizes.values()), 0, sizes)
        self.assertLessEqual(sizes.pop("liboriel-mono.so"), 40)  # only with a module that was compiled for Mono
        self.assertLessEqual(sizes.pop("liboriel-jitdump.so"), 24)  # likewise where it is asked for
        self.assertLessEqual(sum(sizes.values()), 296, sizes)

    def test_module_built_with_pkg_config(self):
        found = subprocess.run(["find", self.prefix, "-name", "oriel.pc"], capture_output=True, text=True, check=True)
        env = {"PKG_CONFIG_PATH": os.path.dirname(found.stdout.strip())}
        flags = self.call(["pkg-config", "--cflags", "--libs", "oriel"], env=env).out.split()
        library = self.path("module/liboriel-outside.so")
        built = self.call(["cc", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, self.path("module/outside.c"), *flags])
        self.assertEqual(built.code, 0, built.err)
        self.runs_with(library)
        refused = self.call([self.command, "run", "-o", "x.oriel", "--module", library + ":x", "--", *program("exit", 6)])
        self.assertEqual(refused.code, 6)
        self.assertIn("outside", refused.err)

    def test_modules_of_older_api_versions_run_and_of_newer_ones_do_not(self):
        library = self.path("module/liboriel-outside.so")
        engine, = glob.glob(os.path.join(self.prefix, "**", "liboriel.so"), recursive=True)
        for version, code in (("1", 6), ("99", 125)):
            with open(self.path("module/outside.c"), "w", encoding="utf-8") as out:
                out.write(MODULE.replace("return ORIEL_API_VERSION", "return " + version))
            built = self.call(["cc", "-shared", "-fPIC", "-I", os.path.join(self.prefix, "include"), "-o", library,
                               self.path("module/outside.c"), "-L", os.path.dirname(engine), "-loriel"])
            self.assertEqual(built.code, 0, built.err)
            result = self.call([self.command, "run", "-o", "run.oriel", "--module", library, "--", *program("exit", 6)])
            self.assertEqual(result.code, code, result.err)
        self.assertRegex(result.err, r"built for API version 99 and this engine \(.*\) speaks versions 1 to \d+; update Oriel")

    def test_module_built_with_cmake(self):
        with open(self.path("module/CMakeLists.txt"), "w", encoding="utf-8") as out:
            out.write("cmake_minimum_required(VERSION 3.16)\nproject(outside LANGUAGES C)\n"
                      "find_package(Oriel 0.1 REQUIRED)\noriel_add_module(outside outside.c)\n")
        for command in (["cmake", "-S", "module", "-B", "out", f"-DCMAKE_PREFIX_PATH={self.prefix}"],
                        ["cmake", "--build", "out"]):
            done = self.call(command)
            self.assertEqual(done.code, 0, done.out + done.err)
        self.runs_with(self.path("out/liboriel-outside.so"))

    def test_the_library_for_plug_ins_exports_what_they_look_for_and_nothing_of_the_engine(self):
        library, = glob.glob(os.path.join(self.prefix, "**", "libInstrumentationEngine.so"), recursive=True)
        symbols = self.call(["nm", "-D", "--defined-only", "--format=just-symbols", library]).out.split()
        self.assertEqual(symbols, ["DllCanUnloadNow", "DllGetClassObject", "InstrumentationEngineFreeString"])

    def test_plug_in_built_with_the_installed_headers(self):
        """Of the tests' own plug-ins, which have no other; and the installed library runs it."""
        small = os.path.join(ROOT, "tests", "plugins", "small")
        built = self.call(["c++", "-std=c++20", "-Wall", "-shared", "-fPIC", "-o", self.path("every.so"), "-I",
                           os.path.join(self.prefix, "include"), os.path.join(small, "every.cc"), os.path.join(small, "small.cc"),
                           "-ldl"])
        self.assertEqual(built.code, 0, built.err)
        with open(self.path("methods.config"), "w", encoding="utf-8") as file:
            file.write("<InstrumentationEngineConfiguration><InstrumentationMethod><Name>Every</Name><Description>-</Description>"
                       "<Module>every.so</Module><ClassGuid>{5B0C1E5E-0001-4000-8000-000000000001}</ClassGuid>"
                       "</InstrumentationMethod></InstrumentationEngineConfiguration>")
        library, = glob.glob(os.path.join(self.prefix, "**", "libInstrumentationEngine.so"), recursive=True)
        result = self.call(program("exit", 6), env={
            "CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": "{324F817A-7420-4E6D-B3C1-143FBED6D855}",
            "CORECLR_PROFILER_PATH": library, "MicrosoftInstrumentationEngine_ConfigPath64_Test": self.path("methods.config"),
            "MicrosoftInstrumentationEngine_LogLevel": "Dumps", "MicrosoftInstrumentationEngine_FileLogPath": self.path("log")})
        self.assertEqual(result.code, 6)
        self.assertRegex(result.err, r"\Achanged=\d+\n\Z")  # the plug-in's own word
        with open(self.path("log"), encoding="utf-8") as log:
            self.assertGreater(log.read().count("<InstrumentedMethod>"), 3)


@harness.only_long  # as ./package --check, which builds and installs packages
@unittest.skipUnless(shutil.which("dpkg-deb"), "no dpkg-deb here")
class Package(harness.OrielTest):
    def test_package_has_everything_and_names_what_it_needs(self):
        done = self.call(["cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", self.folder], timeout=280)
        self.assertEqual(done.code, 0, done.out + done.err)
        (package,) = [name for name in os.listdir(self.folder) if name.endswith(".deb")]
        files = self.call(["dpkg-deb", "--contents", package]).out
        for file in ("/usr/bin/oriel", "liboriel.so.1", "liboriel-log.so", "/usr/include/oriel/oriel.h", "oriel.pc",
                     "liboriel-reader.so.1", "/usr/include/oriel/log.h", "/usr/include/oriel/mono.h", "/usr/include/oriel/mono_events.def",
                     "liboriel-mono.so", "oriel-log.pc", "man3/liboriel-reader.3",
                     "doc/oriel/docs/READING.md", "libInstrumentationEngine.so", "/usr/include/oriel/plugins/method.h", "OrielConfig.cmake", "man1/oriel.1",
                     "doc/oriel/LICENSE", "doc/oriel/CHANGELOG.md", "doc/oriel/README.md", "doc/oriel/copyright",
                     "doc/oriel/docs/API.md", "doc/oriel/docs/GUIDE.md", "doc/oriel/docs/design/guests.md",
                     "bash-completion/completions/oriel", "zsh/vendor-completions/_oriel", "fish/vendor_completions.d/oriel.fish"):
            self.assertIn(file, files)
        depends = self.call(["dpkg-deb", "--field", package, "Depends"]).out
        for library in ("libc6", "libfmt", "libzstd1"):
            self.assertIn(library, depends)
        self.assertEqual(self.call(["dpkg-deb", "--field", package, "Recommends"]).out, "libcurl4\n")


if __name__ == "__main__":
    harness.main()
