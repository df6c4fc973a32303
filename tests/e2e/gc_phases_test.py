#!/usr/bin/env python3
"""Where the garbage collector's time goes, by phase: on a program that makes it work in each of them."""
import os

import harness

COLLECTIONS = os.path.join(harness.BUILD, "targets", "collections", "collections.dll")
ROUNDS = 6
BESIDE = ("background-mark", "background-sweep")


def in_pauses(phases):
    return sum(ns for phase, ns in phases.items() if phase not in BESIDE)


class GcPhases(harness.OrielTest):
    def record_collections(self, *options, **env):
        run = self.record("dotnet", COLLECTIONS, str(ROUNDS), options=options, env=env)
        self.assertEqual((run.code, run.out), (0, f"{ROUNDS} rounds, {ROUNDS} handles, finalized\n"), run.err)
        gc = self.report("gc")
        self.assertEqual(in_pauses(gc["phases"]), gc["pause_ns"])
        for collection in gc["all"]:
            self.assertEqual(in_pauses(collection["phases"]), collection["pause_ns"], collection)
        return gc

    def parts(self):
        shares = self.report("shares")["shares"]
        return [part["name"] for share in shares if share["category"] == "gc" for part in share["parts"]]

    def check_phases(self, gc):
        phases = gc["phases"]
        for phase in ("stop", "mark-stacks", "mark-handles", "plan", "relocate", "compact", "sweep"):
            self.assertGreater(phases.get(phase, 0), 0, phase)
        for collection in gc["all"]:
            self.assertFalse({"compact", "sweep"} <= collection["phases"].keys(), collection)
        # What is known is most of the pauses, even where threads wait for a processor between phases.
        self.assertLess(phases.get("other", 0), gc["pause_ns"] / 2, phases)
        parts = self.parts()
        self.assertTrue([part for part in parts if "marking" in part], parts)
        self.assertTrue([part for part in parts if part.startswith(("planning", "relocating", "compacting"))], parts)

    def test_beside_the_program(self):
        gc = self.record_collections("--gc-phases", "--sample=1000")
        self.check_phases(gc)
        self.assertGreater(gc["phases"]["mark-older"], 0)
        for phase in BESIDE:
            self.assertGreater(gc["phases"][phase], 0)
        text = self.oriel("report", "gc", "run.oriel").out
        for phase in ("marking from stacks", "planning", "compacting", "marking in the background"):
            self.assertIn(phase, text)

    def test_not_beside_the_program(self):
        gc = self.record_collections("--gc-phases", "--sample=1000", DOTNET_gcConcurrent="0")
        self.check_phases(gc)
        self.assertFalse(gc["phases"].keys() & set(BESIDE))

    def test_on_several_heaps(self):
        gc = self.record_collections("--gc-phases", "--sample=1000", DOTNET_gcServer="1")
        self.check_phases(gc)
        self.assertTrue([part for part in self.parts() if part.endswith("on .NET Server GC")], self.parts())

    def test_by_default_only_what_costs_nothing(self):
        gc = self.record_collections()
        self.assertLessEqual({"stop", "collecting"}, gc["phases"].keys())
        self.assertFalse([entry for entry in self.dump() if entry["kind"] in ("gc_marked", "gc_phases")])
        self.assertIn("--gc-phases", self.oriel("report", "gc", "run.oriel").out)


if __name__ == "__main__":
    harness.main()
