#!/usr/bin/env python3
"""Exceptions made of faults, ends by exceptions and aborts, and hosts that have Mono in them."""
import os
import unittest

import harness
from mono_modules import HAS_MONO, HAS_MONOS_HEADERS, HERE

HOST = """#include <mono/jit/jit.h>
#include <mono/metadata/assembly.h>
#include <mono/metadata/profiler.h>
int main(int count, char** words) {
  if (count > 2) mono_profiler_load("oriel");
  MonoDomain* domain = mono_jit_init("host");
  return mono_jit_exec(domain, mono_domain_assembly_open(domain, words[1]), count - 1, words + 1);
}
"""


@unittest.skipUnless(HAS_MONO, "Mono is not installed here (mono-runtime and mono-mcs)")
class MonoEnds(harness.SharedFolder):
    def prepare(self):
        built = self.call(["mcs", "-debug", "-out:" + self.path("faults.exe"), os.path.join(HERE, "Faults.cs")])
        self.assertEqual(built.code, 0, built.out + built.err)

    def run_it(self, how):
        command = ["mono", self.path("faults.exe"), how]
        plain, result = self.call(command), self.record(*command)
        self.assertEqual(result.code, 128 - plain.code if plain.code < 0 else plain.code, result.err)
        if plain.code >= 0: self.assertEqual(result.out, plain.out)  # what Mono writes of an abort has addresses
        return " ".join(self.oriel("report", "exceptions", "run.oriel").out.split())

    def test_faults_are_thrown_by_the_method_that_made_them(self):
        text = self.run_it("caught")
        self.assertRegex(text, r"6 6 System\.DivideByZeroException “[^”]*” 6 by Faults\.Divide\(\)")
        self.assertRegex(text, r"6 6 System\.NullReferenceException “[^”]*” 6 by Faults\.Length\(\)")

    def test_what_nobody_catches_ends_the_program(self):
        for how, what in (("unhandled", "NullReferenceException, “Object reference not set to an instance of an object”, "
                           "thrown by Faults.Length()"),
                          ("thread", "DivideByZeroException, “Attempted to divide by zero.”, thrown by Faults.Divide()")):
            text = self.run_it(how)
            self.assertIn("The program ended by an unhandled System." + what, text)
            self.assertIn("1 0 System." + what.split(",")[0], text)

    def test_an_abort_of_the_programs_own(self):
        self.assertIn("The program ended with an abort in Faults.Main(string[])", self.run_it("abort"))

    @unittest.skipUnless(HAS_MONOS_HEADERS, "Mono's headers are not installed here (libmono-2.0-dev)")
    def test_a_host_asks_for_it(self):
        with open(self.path("host.c"), "w", encoding="utf-8") as file: file.write(HOST)
        flags = self.call(["pkg-config", "--cflags", "--libs", "mono-2"]).out.split()
        built = self.call(["gcc", "host.c", "-o", "host", *flags])
        self.assertEqual(built.code, 0, built.err)
        result = self.oriel("run", "-o", "host.oriel", "--", self.path("host"), "faults.exe", "caught")
        self.assertEqual((result.code, result.out), (0, "12\n"), result.err)
        self.assertRegex(self.report("summary", log="host.oriel")["runtime"], "^Mono ")
        silent = self.oriel("run", "-o", "none.oriel", "--", self.path("host"), "faults.exe")
        self.assertIn('have it call mono_profiler_load("oriel") before mono_jit_init', silent.err)


if __name__ == "__main__":
    harness.main()
