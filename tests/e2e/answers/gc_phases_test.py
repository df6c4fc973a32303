#!/usr/bin/env python3
"""Where the garbage collector's time goes, by phase: on a program that makes it work in each of them."""
import os

import harness

harness.CLEAN.update(harness.USUAL_COLLECTIONS)

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

    def test_why_collections_begin_and_what_they_leave_is_told(self):
        gc = self.record_collections("--gc-phases")
        full = [collection for collection in gc["all"] if collection["generation"] == 2]
        self.assertGreaterEqual(sum(collection["trigger"] == "induced" for collection in full), 2 * ROUNDS)
        self.assertEqual({collection["induced"] for collection in full if collection["trigger"] == "induced"}, {True})
        background = [collection for collection in full if collection["background"]]
        self.assertGreater(len(background), 0)
        for collection in background:
            self.assertGreater(collection["end_ns"], collection["start_ns"], "all have an end of their own")
        for collection in gc["all"]:
            heap, free, survived = (collection[name] for name in ("heap", "free", "survived"))
            for part in ("gen0", "gen1", "gen2", "large", "pinned"):
                self.assertLessEqual(free[part], heap[part], collection)
            self.assertEqual(survived["total"], sum(bytes for part, bytes in survived.items() if part != "total"))
        # 400,000 nodes of 24 bytes with an array of 56, two thirds of which lived before, and the array of them.
        self.assertGreater(full[-1]["survived"]["gen2"], 15_000_000)
        self.assertAlmostEqual(full[-1]["survived"]["large"], 3_200_000, delta=10_000)
        self.assertGreaterEqual(max(collection["finalizable"] for collection in gc["all"]), 1000)
        text = self.oriel("report", "gc", "run.oriel").out
        self.assertRegex(text, r"Why: \d+ induced.*; \d+ ran in the\s+background")
        self.assertRegex(text, r"objects alive only for their\s+finalizers")

    def test_where_collections_take_long_it_is_told_how_they_go(self):
        run = self.record("dotnet", COLLECTIONS, "40")
        self.assertEqual(run.code, 0)
        gc = self.report("gc")
        self.assertGreater(gc["phases"]["plan"], 0)
        first, last = gc["all"][0], gc["all"][-1]
        self.assertFalse("trigger" in first)
        self.assertTrue("trigger" in last)

    def test_by_default_only_what_costs_nothing(self):
        run = self.record("dotnet", COLLECTIONS, "1")
        self.assertEqual(run.code, 0)
        gc = self.report("gc")
        self.assertLessEqual({"stop", "collecting"}, gc["phases"].keys())
        self.assertFalse([entry for entry in self.dump() if entry["kind"] in ("gc_marked", "gc_phases")])
        self.assertIn("--gc-phases", self.oriel("report", "gc", "run.oriel").out)


if __name__ == "__main__":
    harness.main()
