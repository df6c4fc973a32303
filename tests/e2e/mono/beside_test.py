#!/usr/bin/env python3
"""Oriel beside other profilers that Mono loads: each has what it asked for, and the program runs as with one alone."""
import os
import unittest

import harness
from mono_modules import HAS_MONO, HAS_MONOS_HEADERS, HERE, Modules
from mono_test import FIB_15, FIB_20, MODULES

PROBES = os.path.join(MODULES, "liboriel-probes.so")
LOG_PROFILERS = ("/usr/lib/libmono-profiler-log.so", "/usr/lib64/libmono-profiler-log.so")


@unittest.skipUnless(HAS_MONO, "Mono is not installed here (mono-runtime and mono-mcs)")
class Beside(Modules):
    def prepare(self):
        built = self.call(["mcs", "-out:" + self.path("program.exe"), os.path.join(HERE, "Program.cs")])
        self.assertEqual(built.code, 0, built.out + built.err)
        if HAS_MONOS_HEADERS: self.build("all", how="mono")
        type(self).expected = self.call(["mono", "program.exe", "counts"]).out

    def run_beside(self, profiler, *options, log="run.oriel", work=("counts",)):
        """The program, with this profiler of Mono's named on its command line."""
        run = self.oriel("run", "-o", log, *options, "--", "mono", "--profile=" + profiler, "program.exe", *work,
                         env={"LD_LIBRARY_PATH": self.folder}, timeout=60)
        self.assertEqual((run.code, run.out), (0, self.expected if work == ("counts",) else ""), run.err)
        return run

    @unittest.skipUnless(HAS_MONOS_HEADERS, "Mono's headers are not installed here (libmono-2.0-dev)")
    def test_calls_are_those_that_were_chosen(self):
        """Whatever the other asks for, with values or without, Mono tells both of it."""
        for profiler in ("all", "all:values"):
            with self.subTest(profiler):
                self.run_beside(profiler, "--no-sample", "--calls=Counts.Fib", "--calls-trivial")
                calls = {row["name"]: row["calls"] for row in self.report("calls")["methods"]}
                self.assertEqual(calls, {"Counts.Fib(int)": FIB_15 + FIB_20})
                run = self.run_beside(profiler, "--no-sample", "--module", PROBES + ":calls=Counts.Fib", log="probes.oriel")
                self.assertIn(f"enter={FIB_15 + FIB_20} leave={FIB_15 + FIB_20} tail=0 exception=0 open=0 ", run.err)

    @unittest.skipUnless(any(map(os.path.exists, LOG_PROFILERS)), "Mono's log profiler is not installed here (libmono-profiler)")
    def test_snapshots_of_the_heap_beside_monos_log(self):
        """It takes itself down when the runtime ends, and must hear of no collection then."""
        for i in range(4):
            self.run_beside(f"log:heapshot=1gc,output=mono-{i}.mlpd", "--heap=every=1s+on-exit", work=("deep", "1500"))
            causes = [one["cause"] for one in self.report("heap")["heap_snapshots"]["snapshots"]]
            self.assertEqual((causes[0], causes[-1]), ("interval", "exit"))


if __name__ == "__main__":
    harness.main()
