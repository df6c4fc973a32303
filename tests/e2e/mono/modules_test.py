#!/usr/bin/env python3
"""Profiler modules for Mono run in a program on CoreCLR: compiled against Mono's headers unmodified, or against oriel/mono.h in
place of these. Compiled so, the same file does the same on Mono."""
import collections
import os
import re
import shutil
import unittest

import harness
from mono_modules import HAS_MONO, HAS_MONOS_HEADERS, HERE, Modules

CALLS = os.path.join(harness.BUILD, "targets", "calls", "calls.dll")
ROUNDS = 10


class OnCoreClr:
    """The tests of modules that were compiled in one of the ways."""
    how = None

    def prepare(self):
        self.build("mcalls", "gcount", "samples", how=self.how)

    def run_with(self, *modules, program=("dotnet", CALLS, str(ROUNDS)), options=("--no-sample", "-o", "run.oriel")):
        """Runs the program with these modules, each writing to a file of its name; returns what each wrote, and stderr."""
        plain = self.call(program)
        words = [word for name in modules for word in ("--module", f"{self.library(name)}:{self.path(name + '.txt')}")]
        result = self.oriel("run", *options, *words, "--", *program)
        self.assertEqual((result.code, result.out), (plain.code, plain.out), result.err)
        lines = [line for line in result.err.splitlines() if not line.startswith("oriel: wrote ")]
        return [self.read(name + ".txt") for name in modules], lines

    def test_calls_with_arguments_and_results(self):
        (written,), err = self.run_with("mcalls")
        methods = {}
        for line in written.splitlines():
            name, *figures = line.split("\t")
            methods[name] = [int(figure) for figure in figures]
        self.assertEqual(methods["Known.Recursion:Down (int)"][:4], [21 * ROUNDS, 21 * ROUNDS, 0, sum(range(21)) * ROUNDS])
        self.assertEqual(methods["Known.Recursion:Even (int)"][:3], [6 * ROUNDS, 6 * ROUNDS, 0])
        self.assertEqual(methods["Known.Exceptions:Throw (int)"][:3], [3 * ROUNDS, 0, 3 * ROUNDS])
        self.assertEqual(methods["Known.Exceptions:Catch (int)"][:3], [ROUNDS, ROUNDS, 0])
        self.assertEqual(err, [])

    def test_events(self):
        (written,), err = self.run_with("gcount")
        counts = {name: int(count) for name, count in (line.split() for line in written.splitlines())}
        self.assertEqual(counts["nodes"], 10 * ROUNDS)
        self.assertGreater(counts["thrown"], 0)
        self.assertGreater(counts["compiled"], 20)
        self.assertEqual(counts["code"], counts["compiled"])
        self.assertGreaterEqual(counts["threads"], 5)
        self.assertEqual(counts["started"], counts["ended"])
        self.assertEqual(counts["stopped"], counts["running"])
        self.assertEqual(counts["resized"], 0)
        self.assertEqual(err, ["oriel: a module for Mono waits for gc_resize, of which CoreCLR does not tell: the runtime tells of the heap's "
                               "size only after a collection"])

    def test_samples(self):
        (written,), _ = self.run_with("samples", program=harness.program("busy", 1))
        head, *methods = written.splitlines()
        samples, frames, nameless = (int(part.split()[0]) for part in head.split(", "))
        self.assertEqual(nameless, 0)
        self.assertGreater(samples, 100)
        self.assertGreater(frames, samples)
        busy = sum(count for name, count in collections.Counter(methods).items() if "Busy" in name)
        self.assertGreater(busy, samples / 4)

    def test_several_at_once_and_beside_a_log(self):
        self.run_with("mcalls", "gcount", options=("-o", "run.oriel"))
        self.assertTrue(os.path.exists(self.path("run.oriel")))
        self.assertIn("Known.Recursion:Down (int)", self.read("mcalls.txt"))
        self.assertIn("nodes", self.read("gcount.txt"))


@unittest.skipUnless(HAS_MONOS_HEADERS, "Mono's headers are not installed here (libmono-2.0-dev)")
class WithMonosHeaders(OnCoreClr, Modules):
    how = "mono"

    def test_what_only_mono_has_is_named_before_the_program_starts(self):
        """Also of modules as distributions link them, of which the loader names only the first that it does not find."""
        module = self.library("missing")
        for options in ((), ("-Wl,-z,now",)):
            self.build("missing", how="mono", options=options)
            result = self.oriel("run", "--module", module, "--", "dotnet", CALLS, "1")
            self.assertEqual((result.code, result.out), (125, ""))
            self.assertEqual(result.err, f"oriel: module 'mono_missing' ({module}): it uses mono_gc_collection_count, "
                                         "mono_gc_get_heap_size, mono_gc_get_used_size and 2 more, which only Mono has: "
                                         "MONO_ENV_OPTIONS=--profile=missing loads it into a program on Mono\n")
            named = self.oriel("run", "--module", "mono:missing", "--", "dotnet", CALLS, "1", env={"LD_LIBRARY_PATH": self.folder})
            self.assertEqual(named.err, result.err.replace(module, os.path.basename(module)))


class WithOrielsHeader(OnCoreClr, Modules):
    how = "c"

    def test_what_only_mono_has_is_named_by_the_compiler(self):
        refused = self.compile("missing", "c")
        self.assertNotEqual(refused.code, 0)
        for name in ("mono_gc_get_used_size", "mono_gc_collection_count", "mono_thread_current"): self.assertRegex(refused.err, f"implicit declaration of function .{name}.")


@harness.only_long  # OneFileOnCoreClr has such modules
class WithOrielsHeaderAsCxx(OnCoreClr, Modules):
    how = "c++"


class ByName(Modules):
    def prepare(self):
        self.build("hello", "gcount", how="c")

    def run_with(self, module):
        return self.oriel("run", "--no-sample", "-o", "run.oriel", "--module", module, "--", "dotnet", CALLS, "1",
                          env={"LD_LIBRARY_PATH": self.folder})

    def test_is_searched_for_as_by_mono(self):
        self.assertIn("the runtime is up\n", self.run_with("mono:hello").out)
        self.assertEqual(self.run_with("mono:gcount:" + self.path("gcount.txt")).code, 0)
        self.assertIn("nodes", self.read("gcount.txt"))

    def test_what_cannot_be_is_said_before_the_program_starts(self):
        which = "it loads a profiler for Mono, and must know which: write mono:NAME:args, or /path/libmono-profiler-NAME.so:args"
        for module, said in (("mono", which), ("mono:", which), ("mono:/some/libother.so", which),
                             ("mono:libm", "without a folder only the system's libraries are searched, so give its path"),
                             ("libm", "; a profiler for Mono is written mono:libm\n")):
            result = self.run_with(module)
            self.assertEqual((result.code, result.out, len(result.err.splitlines())), (125, "", 1), result.err)
            self.assertIn(said, result.err)


class OneFile:
    """The same libraries and the same program on one of the runtimes; the expectations are the same too. The modules hello,
    entered and expects do what the examples do that come with Mono, in its documentation and as its sources' samples."""

    def prepare(self):
        self.build("entered", "expects", "mcalls", "gcount", "ran", "samples", "every", how="c++")
        self.build("hello", how="c")
        built = self.call(["mcs", "-out:" + self.path("known.exe"), os.path.join(HERE, "Known.cs")])
        self.assertEqual(built.code, 0, built.out + built.err)
        shutil.copy(CALLS.replace(".dll", ".runtimeconfig.json"), self.path("known.runtimeconfig.json"))

    def out_of(self, name, arguments="", work=()):
        """What the module, and the program before or after it, write to stdout; and the lines on stderr."""
        result = self.run_on(name, arguments, self.path("known.exe"), str(ROUNDS), *work)
        self.assertEqual(result.code, 0, result.err)
        line = f"sum {22 * ROUNDS}\n"
        self.assertEqual(result.out.count(line), 1, repr(result.out) + result.err)
        return result.out.replace(line, ""), [line for line in result.err.splitlines() if not line.startswith("oriel: wrote ")]

    def lines_of(self, name, work=()):
        """What the module writes to its file, in fields; and the lines on stderr."""
        out, err = self.out_of(name, ":" + self.path(name + ".txt"), work)
        self.assertEqual(out, "")
        return [line.split("\t") for line in self.read(name + ".txt").splitlines()], err

    def test_hello(self):
        self.assertEqual(self.out_of("hello"), ("the runtime is up\n", []))

    def test_all_calls_are_counted(self):
        out, err = self.out_of("entered")
        self.assertRegex(out, r"\A\d+ calls\n\Z")
        self.assertGreater(int(out.split()[0]), 21 * ROUNDS + 3 * ROUNDS)
        self.assertEqual(err, [])

    def test_calls_of_a_method_are_as_many_as_expected(self):
        calls = 21 * ROUNDS
        self.assertEqual(self.out_of("expects", f":Down:{calls}"), (f"Down: {calls} calls, as expected\n", []))
        self.assertEqual(self.out_of("expects", f":Throw:{calls}"), (f"Throw: {ROUNDS} calls, not {calls}\n", []))

    def test_calls_with_arguments_and_results(self):
        lines, err = self.lines_of("mcalls")
        down, numbers = sum(range(21)) * ROUNDS, sum(range(ROUNDS))
        self.assertEqual(sorted(lines), [["Known.Exceptions:Catch (int)", *map(str, (ROUNDS, ROUNDS, 0, numbers, ROUNDS))],
                                         ["Known.Exceptions:Throw (int)", *map(str, (ROUNDS, 0, ROUNDS, numbers, 0))],
                                         ["Known.Recursion:Down (int)", *map(str, (21 * ROUNDS, 21 * ROUNDS, 0, down, down))]])
        self.assertEqual(err, [])

    def test_events(self):
        lines, _ = self.lines_of("gcount")
        counts = {name: int(count) for name, count in (line[0].split() for line in lines)}
        self.assertEqual((counts["nodes"], counts["thrown"]), (10 * ROUNDS, ROUNDS))
        self.assertGreater(counts["code"], 5)
        self.assertGreaterEqual(counts["threads"], ROUNDS)
        self.assertGreaterEqual(counts["started"], ROUNDS)
        self.assertEqual(counts["started"], counts["ended"])
        self.assertEqual(counts["stopped"], counts["running"])

    def test_coverage(self):
        lines, err = self.lines_of("ran")
        methods = {name: [int(figure) for figure in figures] for name, *figures in lines}
        self.assertEqual(set(methods), {"Known.Exceptions:Catch", "Known.Exceptions:Throw"})
        for first, places, ran in methods.values():
            self.assertEqual(first, ROUNDS)
            self.assertTrue(0 < ran <= places)
        self.assertLess(methods["Known.Exceptions:Catch"][2], methods["Known.Exceptions:Catch"][1])  # Throw never returns
        self.assertEqual(err, [])

    def test_samples(self):
        lines, _ = self.lines_of("samples", work=["600"])
        samples, frames, nameless = (int(part.split()[0]) for part in lines[0][0].split(", "))
        self.assertEqual(nameless, 0)
        self.assertGreater(samples, 20)
        self.assertGreater(frames, samples)
        self.assertGreater(sum("Busy" in line[0] for line in lines[1:]), samples / 4)

    def test_every_callback(self):
        rows, err = self.lines_of("every")
        counts = {name: int(count) for name, count, _ in rows}
        self.assertEqual(len(counts), 62)
        for name in ("runtime_initialized", "runtime_shutdown_begin", "runtime_shutdown_end", "domain_loaded", "jit_begin", "jit_done",
                     "class_loaded", "image_loaded", "assembly_loaded", "gc_event", "gc_allocation", "thread_started", "thread_stopped"):
            self.assertGreater(counts[name], 0, name)
        self.assertEqual([counts[name] for name in ("method_enter", "method_leave", "method_exception_leave")],
                         [2 * ROUNDS, ROUNDS, ROUNDS])
        self.assertGreaterEqual(counts["exception_throw"], ROUNDS)
        self.assertGreaterEqual(counts["exception_clause"], ROUNDS)
        self.check_missing(counts, {name: why for name, _, why in rows if why}, err)


@unittest.skipUnless(HAS_MONO, "Mono is not installed here (mono-runtime and mono-mcs)")
class OneFileOnMono(OneFile, Modules):
    def run_on(self, name, arguments, *program):
        return self.call(["mono", f"--profile={name}{arguments}", *program], env={"LD_LIBRARY_PATH": self.folder})

    def check_missing(self, counts, missing, err):
        """Mono has also what CoreCLR lacks."""
        self.assertEqual(err, [])
        self.assertGreater(sum(counts[name] > 0 for name in missing), 10)


@unittest.skipUnless(HAS_MONO, "Mono's compiler is not installed here (mono-mcs)")
class OneFileOnCoreClr(OneFile, Modules):
    def run_on(self, name, arguments, *program):
        return self.oriel("run", "--no-sample", "-o", "run.oriel", "--module", self.library(name) + arguments, "--", "dotnet", *program)

    def check_missing(self, counts, missing, err):
        """What never comes is said, once each."""
        said = dict(re.fullmatch(r"oriel: a module for Mono waits for (\w+), of which CoreCLR does not tell: (.+)", line).groups()
                    for line in err)
        self.assertEqual((said, len(err)), (missing, len(missing)))
        self.assertEqual([name for name in missing if counts[name] > 0], [])


if __name__ == "__main__":
    harness.main()
