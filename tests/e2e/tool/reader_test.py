#!/usr/bin/env python3
"""liboriel-reader and Oriel.Log as somebody else uses them: from an installed Oriel, with C, C++, C# and from Python's ctypes."""
import csv
import ctypes
import glob
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import harness
from harness import BUILD, ORIEL, QUIET, ROOT, program

BLOCKING = os.path.join(BUILD, "targets", "blocking", "blocking.dll")
EXAMPLES = os.path.join(ROOT, "examples", "reading")
HEADER = os.path.join(ROOT, "include", "oriel", "log.h")


def setUpModule():
    global FOLDER, PREFIX, LOG
    FOLDER = tempfile.mkdtemp(prefix="oriel-e2e-")
    unittest.addModuleCleanup(shutil.rmtree, FOLDER, ignore_errors=True)
    PREFIX = os.path.join(FOLDER, "prefix")
    subprocess.run(["cmake", "--install", BUILD, "--prefix", PREFIX], check=True, stdout=subprocess.DEVNULL)
    LOG = os.path.join(FOLDER, "run.oriel")
    subprocess.run([ORIEL, "run", "-o", LOG, "--", *program("exceptions", 30)], check=True, env=harness.CLEAN,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def library():
    found, = glob.glob(os.path.join(PREFIX, "**", "liboriel-reader.so.1"), recursive=True)
    return found


def pkg_config():
    found, = glob.glob(os.path.join(PREFIX, "**", "oriel-log.pc"), recursive=True)
    return subprocess.run(["pkg-config", "--cflags", "--libs", "oriel-log"], check=True, capture_output=True, text=True,
                          env={**os.environ, "PKG_CONFIG_PATH": os.path.dirname(found)}).stdout.split()


# Version 1, by its description (docs/FORMAT.md), not by Oriel's writer.
def number(value):
    out = bytearray()
    while value >= 128:
        out.append(value & 127)
        value >>= 7
    return bytes(out) + bytes([value | 128])


def text(value):
    return value.encode("ascii") + b"\0"


def block(code, contents):
    return code.to_bytes(2, "little") + len(contents).to_bytes(4, "little") + contents


def packed(code, value, second):
    return bytes([code | (value & 31) << 3]) + number(value >> 5) + number(second)


def version1():
    """A program of version 1: a thread enters Shop.Cart.Add, which allocates, twice; a collection; an exception."""
    clock = number(1000) + number(1_600_000_000_000_000)
    later = number(1_001_000) + number(1_600_000_000_001_000)  # one nanosecond a count
    names = number(128) + text("Shop.Cart") + number(5) + text("System.String") + number(0)
    methods = number(300) + number(128) + text("Add") + number(0)
    events = (packed(1, 300, 100) + packed(4, 5, 24) + packed(2, 300, 900) + packed(1, 300, 100) + packed(4, 5, 40) +
              packed(3, 300, 1900) + bytes([7 | 2 << 3]) + number(1) + number(1000) + bytes([7 | 2 << 3 | 128]) + number(1) +
              number(4000) + bytes([6 | 2 << 3]) + number(5) + number(10))
    return (block(1, number(1) + text("earlier runtime") + number(0) + clock) +
            block(4, clock + number(7) + names + methods + clock) +
            block(5, clock + number(7) + number(1000) + events + b"\0" + later) +
            block(6, number(2000) + number(300) + number(0) + number(0) + number(2500)) +
            block(7, number(1) + number(1_001_000) + number(1_600_000_000_001_000)))


class Library:
    """The C interface by ctypes."""

    class Cell(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("integer", ctypes.c_int64), ("text", ctypes.c_char_p), ("length", ctypes.c_size_t)]

    class Column(ctypes.Structure):
        _fields_ = [("name", ctypes.c_char_p), ("is", ctypes.c_char_p), ("doc", ctypes.c_char_p), ("type", ctypes.c_int)]

    def __init__(self):
        self.c = ctypes.CDLL(library())
        for name in ("tables_load", "table_at", "table_named"):
            getattr(self.c, "oriel_log_" + name).restype = ctypes.c_void_p
        self.c.oriel_log_table_name.restype = ctypes.c_char_p
        self.c.oriel_log_table_rows.restype = ctypes.c_size_t
        self.c.oriel_log_table_column.restype = ctypes.POINTER(self.Column)

    def tables(self, path):
        """{table: rows as dicts}, or what the library says."""
        said = ctypes.create_string_buffer(1000)
        tables = self.c.oriel_log_tables_load(os.fsencode(path), said, ctypes.c_size_t(len(said)))
        if not tables:
            return said.value.decode()
        all_rows, index = {}, 0
        while table := self.c.oriel_log_table_at(ctypes.c_void_p(tables), ctypes.c_size_t(index)):
            table, index = ctypes.c_void_p(table), index + 1
            columns = []
            while column := self.c.oriel_log_table_column(table, ctypes.c_size_t(len(columns))):
                columns.append(column.contents.name.decode())
            rows = [[self.cell(table, row, i) for i in range(len(columns))] for row in range(self.c.oriel_log_table_rows(table))]
            all_rows[self.c.oriel_log_table_name(table).decode()] = [dict(zip(columns, row)) for row in rows]
        self.c.oriel_log_tables_destroy(ctypes.c_void_p(tables))
        return all_rows

    def cell(self, table, row, column):
        cell = self.Cell()
        self.c.oriel_log_table_cell(table, ctypes.c_size_t(row), ctypes.c_size_t(column), ctypes.byref(cell))
        return (None, cell.integer, (cell.text or b"").decode())[cell.type]


class Installed(harness.OrielTest):
    def test_it_shows_its_interface_and_nothing_else(self):
        symbols = self.call(["nm", "-D", "--defined-only", "--format=just-symbols", library()]).out.split()
        with open(HEADER, encoding="utf-8") as header:
            declared = re.findall(r"^ORIEL_LOG_API [^;(]*?\b(oriel_log_\w+)\(", header.read(), re.MULTILINE)
        self.assertGreater(len(declared), 30)
        self.assertEqual(sorted(symbols), sorted(declared))
        dynamic = self.call(["readelf", "-dW", library()]).out
        self.assertIn("soname: [liboriel-reader.so.1]", dynamic)
        self.assertNotIn("libstdc++", dynamic)

    def test_the_manual_names_each_function(self):
        page, = glob.glob(os.path.join(PREFIX, "**", "liboriel-reader.3"), recursive=True)
        with open(HEADER, encoding="utf-8") as header, open(page, encoding="utf-8") as manual:
            declared = set(re.findall(r"\b(oriel_log_\w+)\((?:const|void|oriel|uint)", header.read()))
            said = manual.read()
        for function in declared:
            self.assertIn(function, said)

    def test_it_is_no_module(self):
        for module in ("reader", os.path.splitext(library())[0]):
            result = self.call([os.path.join(PREFIX, "bin", "oriel"), "run", "-o", "x.oriel", "--module", module, "--", "true"])
            self.assertIn("does not export oriel_api_version_reader, so it is not an Oriel module", result.err)

    def examples(self, folder):
        """What the examples in a folder say of logs."""
        env = {"LD_LIBRARY_PATH": os.path.dirname(library())}
        result = self.call([os.path.join(folder, "after-gc"), LOG], env=env)
        shown = self.call([ORIEL, "report", "rows", "throws", LOG])
        thrown = len(list(csv.DictReader(io.StringIO(shown.out))))
        found = re.fullmatch(r"exceptions: (\d+) before any collection, after one of generation 0 (\d+), 1 (\d+), 2 (\d+)\n", result.out)
        self.assertTrue(found, result.out + result.err)
        self.assertEqual(sum(map(int, found.groups())), thrown)
        self.assertGreater(thrown, 29)
        refused = self.call([os.path.join(folder, "after-gc"), "/nowhere"], env=env)
        self.assertEqual((refused.code, refused.err), (1, "after-gc: cannot read /nowhere: No such file or directory\n"))
        run = self.call([ORIEL, "run", "-o", "deep.oriel", "--", "dotnet", BLOCKING, "deep", "1", "40", "500"])
        self.assertEqual(run.code, 0, run.err)
        deepest = self.call([os.path.join(folder, "recursion"), "deep.oriel"], env=env)
        self.assertIn("41 Blocking.Deep.Descend(int, int)\n", deepest.out, deepest.err)

    def test_examples_built_with_cmake(self):
        for command in (["cmake", "-S", EXAMPLES, "-B", "built", f"-DCMAKE_PREFIX_PATH={PREFIX}"], ["cmake", "--build", "built"]):
            done = self.call(command)
            self.assertEqual(done.code, 0, done.out + done.err)
        self.examples(self.path("built"))

    def test_examples_built_with_pkg_config(self):
        for compiler, source, name in (("cc", "after_gc.c", "after-gc"), ("c++", "recursion.cc", "recursion")):
            standard = "-std=c11" if compiler == "cc" else "-std=c++17"
            done = self.call([compiler, standard, "-Wall", "-Wextra", "-Werror", "-o", self.path(name), os.path.join(EXAMPLES, source),
                              *pkg_config()])
            self.assertEqual(done.code, 0, done.err)
        self.examples(self.folder)
        with open(os.path.join(EXAMPLES, "after_gc.c"), encoding="utf-8") as source:
            self.assertLessEqual(len(source.readlines()), 50)

    def test_programs_of_the_document(self):
        with open(os.path.join(ROOT, "docs", "READING.md"), encoding="utf-8") as document:
            programs = dict(re.findall(r"<!-- program: (\w+) -->\n```c\n(.*?)```", document.read(), re.DOTALL))
        self.assertEqual(sorted(programs), ["first", "second"])
        for name, source in programs.items():
            with open(self.path(name + ".c"), "w", encoding="utf-8") as out:
                out.write(source)
            done = self.call(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-o", name, name + ".c", *pkg_config()])
            self.assertEqual(done.code, 0, done.err)
        env = {"LD_LIBRARY_PATH": os.path.dirname(library())}
        self.assertRegex(self.call([self.path("first"), LOG], env=env).out, r"\A[34]\d exceptions\n\Z")
        self.assertRegex(self.call([self.path("second"), LOG], env=env).out, r"\A\d+ threads\n\Z")


class Tables(harness.OrielTest):
    def test_they_are_what_the_reports_rows_are(self):
        tables = Library().tables(LOG)
        self.assertGreater(len(tables), 35)
        with open(os.path.join(ROOT, "docs", "TABLES.md"), encoding="utf-8") as document:
            described = set(re.findall(r"^## (\w+)$", document.read(), re.MULTILINE))
        self.assertLessEqual({"samples", "throws", "collections"}, described & set(tables))
        compared = 0
        for name in ("samples", "throws", "exceptions", "usages", "pauses", "code_counts", "counters", "option_changes"):
            shown = self.call([ORIEL, "report", "rows", name, LOG])
            rows = list(csv.DictReader(io.StringIO(shown.out)))
            self.assertEqual(len(tables[name]), len(rows), name)
            for mine, theirs in zip(tables[name], rows):
                for column, value in theirs.items():
                    value = {"true": "1", "false": "0"}.get(value, value)
                    got = mine[column + "_method" if column + "_method" in mine else column]
                    self.assertEqual("" if got is None else str(got), value, f"{name}.{column}")
                    compared += 1
        self.assertGreater(compared, 200)

    def test_version_1_by_an_independent_writer(self):
        with open(self.path("old.oriel"), "wb") as out:
            out.write(version1())
        tables = Library().tables(self.path("old.oriel"))
        calls = [(row["call"], row["calls"], row["self"]) for row in tables["call_figures"] if row["call"]]
        self.assertEqual(calls, [("Shop.Cart.Add", 2, 2800)])
        self.assertEqual([(row["type"], row["objects"], row["bytes"]) for row in tables["allocations"]], [("System.String", 2, 64)])
        self.assertEqual([(row["generation"], row["end"] - row["start"]) for row in tables["collections"]], [(1, 4000)])
        self.assertEqual([(row["stack_method"], row["periods"]) for row in tables["samples"]], [("Shop.Cart.Add", 1)])

    def test_hostile_logs_do_not_harm_their_reader(self):
        """In a process of its own: files of the fuzzers, each as it is, cut, and with bytes changed."""
        files = sorted(glob.glob(os.path.join(ROOT, "tests", "fuzz", "corpus", "*", "*")))
        self.assertGreater(len(files), 20)
        for file in files:
            with open(file, "rb") as source:
                whole = source.read()
            name = os.path.join(self.folder, os.path.basename(file))
            for at in range(0, len(whole), len(whole) // 4 + 1):
                for kind, contents in (("cut", whole[:at]), ("changed", whole[:at] + bytes([whole[at] ^ 0xff]) + whole[at + 1:])):
                    with open(f"{name}-{at}-{kind}", "wb") as out:
                        out.write(contents)
            shutil.copy(file, name)
        code = ("import os, sys, reader_test\nreader_test.PREFIX = sys.argv[1]\nlib = reader_test.Library()\n"
                "for name in os.listdir('.'):\n  lib.tables(name)\nprint('all read')")
        result = self.call([sys.executable, "-B", "-c", code, PREFIX], env={"PYTHONPATH": os.pathsep.join(sys.path)})
        self.assertEqual(result.out, "all read\n", result.err)


@unittest.skipUnless(os.path.isdir(os.path.join(BUILD, "nuget")), "the .NET package was not built here")
class DotNet(harness.OrielTest):
    """A script that uses the package, which comes from the installed folder and nowhere else."""

    def setUp(self):
        super().setUp()
        feed = os.path.join(PREFIX, "share", "oriel", "nuget")
        with open(self.path("nuget.config"), "w", encoding="utf-8") as out:
            out.write(f'<configuration><packageSources><clear /><add key="oriel" value="{feed}" /></packageSources></configuration>')

    def script(self, file, *arguments):
        return self.call(["dotnet", "run", file, *arguments], env={**QUIET, "NUGET_PACKAGES": self.path("packages")}, timeout=300)

    def test_the_example(self):
        shutil.copy(os.path.join(EXAMPLES, "quiet.cs"), self.folder)
        result = self.script("quiet.cs", LOG)
        self.assertRegex(result.out, r"\A(\d+\.\d ms between \w+ on .+ and \w+ on .+\n){3}\d+ threads, \d+ samples, \d+ collections\n\Z",
                         result.err)
        refused = self.script("quiet.cs", "/nowhere")
        self.assertEqual((refused.code, refused.err), (1, "quiet: cannot read /nowhere: No such file or directory\n"))

    def test_all_kinds_of_records(self):
        run = self.call([ORIEL, "run", "-o", "all.oriel", "--calls", "Exceptions*", "--alloc", "--", *program("exceptions", 30)])
        self.assertEqual(run.code, 0, run.err)
        with open(self.path("all.cs"), "w", encoding="utf-8") as out:
            out.write("""#:package Oriel.Log@*
#:property PublishAot=false
using Oriel.Log;
using var log = LogFile.Open(args[0]);
Console.WriteLine($"threads {log.Threads.Count(t => t.IsManaged) > 0}");
Console.WriteLine($"methods {log.Methods.Count(m => m.IsManaged && m.Name.Length > 0) > 0}");
Console.WriteLine($"samples {log.Samples.All(s => s.Stack == null || s.Stack.Frames.Last().Caller == null)}");
Console.WriteLine($"exceptions {log.Exceptions.Count(e => e.Type.StartsWith("System.")) > 29} {log.Exceptions.Any(e => e.Stack != null)}");
Console.WriteLine($"calls {log.Calls.Sum(c => c.Count) > 0} {log.Calls.First().Method.Contains("Exceptions")}");
Console.WriteLine($"allocations {log.Allocations.Sum(a => a.Bytes) > 0}");
Console.WriteLine($"collections {log.Collections.Count() == log.Table("collections").Rows.Count}");
Console.WriteLine($"events {log.Events().Count(e => e.Name == "exception_throw" && $"{e["exception"]}".StartsWith("System.")) > 29}");
try { _ = log.Table("nothing"); } catch (KeyNotFoundException e) { Console.WriteLine(e.Message); }
try { _ = log.Table("samples").Rows[0]["nothing"]; } catch (KeyNotFoundException e) { Console.WriteLine(e.Message); }
log.Dispose();
try { _ = log.Samples.Count(); } catch (ObjectDisposedException) { Console.WriteLine("closed"); }
""")
        result = self.script("all.cs", "all.oriel")
        self.assertEqual(result.out.splitlines(), [
            "threads True", "methods True", "samples True", "exceptions True True", "calls True True", "allocations True",
            "collections True", "events True", "there is no table nothing", "samples has no column nothing", "closed"], result.err)

    @harness.only_long  # it is built as the two above, and does less
    def test_the_script_of_the_document(self):
        with open(os.path.join(ROOT, "docs", "READING.md"), encoding="utf-8") as document:
            script, = re.findall(r"<!-- script -->\n```csharp\n(.*?)```", document.read(), re.DOTALL)
        with open(self.path("top.cs"), "w", encoding="utf-8") as out:
            out.write(script)
        result = self.script("top.cs", LOG)
        self.assertRegex(result.out, r"\A(\d+ .+\n)+\Z", result.err)


if __name__ == "__main__":
    harness.main()
