#!/usr/bin/env python3
"""The JIT takes every method body of the shared frameworks and of the C# compiler with every probe in it, and as a module has
put it together again of its instructions: what it compiles and what it does not is the same as without Oriel.

By default of every so many bodies one; of all, slice by slice, with ORIEL_LONG=1 (./check --long).
"""
import collections
import os
import re
import sys
import unittest

import harness

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "tools"))
import dotnet_sdk  # noqa: E402

PREPARE = os.path.join(harness.BUILD, "targets", "prepare", "prepare.dll")
PROBES, THROUGH = (os.path.join(harness.BUILD, "tests", "modules", f"liboriel-{name}.so") for name in ("probes", "through"))
LONG = harness.LONG
LONG_SLICES = 8
CONTEXTS, FULL = "calls+alloc+context", "calls+alloc+full"
FIRST_TIER, OPTIMIZED = {"DOTNET_TieredCompilation": "1"}, {"DOTNET_TieredCompilation": "0"}
Mode = collections.namedtuple("Mode", "probes jit slices")


class PrepareTest(harness.OrielTest):
    def prepare(self, slice_of, *front, env):
        # Precompiled code would be taken instead; and many virtual methods are left to their first call where they are
        # called through slots that the runtime writes again once they are compiled.
        command = [*front, "dotnet", PREPARE, slice_of, os.path.dirname(dotnet_sdk.compiler())]
        result = self.call(command, timeout=1200,
                           env={"DOTNET_ReadyToRun": "0", "DOTNET_BackpatchEntryPointSlots": "0", **env})
        self.assertEqual(result.code, 0, (slice_of, result.out[-2000:], result.err[-2000:]))
        return result

    def sums(self, line):
        return {name.strip(): int(number) for name, number in re.findall(r"\"?([a-zA-Z' ]+)\"?=(\d+)", line)}

    def under(self, module, mode, number):
        """What a module's run of a slice adds up to, and what the module says of it; nothing is refused in it that is not
        without Oriel."""
        slice_of = f"{number}/{mode.slices}"
        plain = self.prepare(slice_of, env=mode.jit)
        run = self.prepare(slice_of, harness.ORIEL, "run", "-o", "run.oriel", "--no-sample", "--module",
                           f"{module}:{mode.probes}", "--", env=mode.jit)
        *expected, _ = plain.out.splitlines()
        *refused, last = run.out.splitlines()
        self.assertEqual(refused, expected, slice_of)
        self.assertNotIn("InvalidProgramException", run.out)
        self.assertEqual([line for line in run.own_lines() if "oriel report" not in line], [])
        sums = self.sums(last)
        self.assertGreater(sums["bodies"], 500)
        return sums, self.sums(run.err), run

    def check_slice(self, mode, number):
        sums, told, run = self.under(PROBES, mode, number)
        self.assertLess(sums["failed"] + sums["uninstantiated"], sums["bodies"] / 200)
        self.assertEqual((told["refused by Oriel"], told["refused by the runtime"]), (0, 0), run.err)
        self.assertLess(sums["there"], sums["bodies"] / 20)
        # Each was compiled with its probes, but for the few that are left alone.
        without = sums["failed"] + sums["uninstantiated"] + told["the runtime's own"] + told["not supported"]
        self.assertGreaterEqual(told["instrumented"], sums["bodies"] - without, run.err)
        return sums

    def check_editor(self, what, slices):
        mode = Mode(what, FIRST_TIER, LONG_SLICES if LONG else slices)
        for number in range(mode.slices if LONG else 1):
            sums, told, run = self.under(THROUGH, mode, number)
            self.assertEqual((told["unreadable"], told["different"], told["not wrapped"]), (0, 0, 0), run.err)
            self.assertGreaterEqual(told["bodies"], sums["bodies"] - sums["failed"] - sums["uninstantiated"])

    def check(self, probes, jit, slices):
        mode = Mode(probes, jit, LONG_SLICES if LONG else slices)
        totals = collections.Counter()
        for number in range(mode.slices if LONG else 1):
            totals.update(self.check_slice(mode, number))
        print(f"{probes}, {jit}:", *(f"{name}={totals[name]}" for name in totals if name != "all"), file=sys.stderr)

    def test_first_tier(self):
        self.check(CONTEXTS, FIRST_TIER, 160)

    @harness.only_long
    def test_optimized(self):
        self.check(CONTEXTS, OPTIMIZED, 160)

    @harness.only_long
    def test_callbacks_of_the_full_kind(self):
        self.check(FULL, FIRST_TIER, 400)

    def test_taken_apart_and_put_together_again(self):
        self.check_editor("same", 160)

    @harness.only_long
    def test_in_a_finally_block(self):
        self.check_editor("wrapped", 160)


if __name__ == "__main__":
    for needed in (PREPARE, PROBES, THROUGH):
        if not os.path.exists(needed):
            sys.exit(f"{needed} is missing: build first (./check does), or set ORIEL_BUILD")
    unittest.main()
