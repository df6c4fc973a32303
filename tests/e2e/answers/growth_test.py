#!/usr/bin/env python3
"""Of a program whose heap grows the first screen names what stays and where it is made; of others it says nothing."""
import functools
import os
import unittest

import harness

GROWTH = os.path.join(harness.BUILD, "targets", "growth", "growth.dll")
FOLDER = os.path.join(harness.ROOT, "tests", "targets", "growth")
line_with = functools.partial(harness.line_with, os.path.join(FOLDER, "Program.cs"))
registered_at = functools.partial(harness.line_with, os.path.join(FOLDER, "Registrations.cs"))


class Growth(harness.OrielTest):
    def summary(self, name, *options):
        # The runtime collects after as much as the processor's cache holds, which may be more than the program allocates.
        result = self.record("dotnet", GROWTH, name, options=options, env={"DOTNET_GCgen0size": "400000"})
        self.assertEqual((result.code, result.out, result.own_lines()[:-1]), (0, "done\n", []), result.err)
        return self.report("summary")

    def growth_hint(self, summary):
        hint = summary["hints"][0]
        self.assertEqual(hint["hint"], "heap-growth", summary["hints"])
        self.assertEqual(hint["command"], "oriel report heap")
        return hint["text"]

    def stays(self):
        return {(row["type"], row.get("line")): row for row in self.report("heap")["stays"]}

    def test_handlers_that_are_never_taken_away(self):
        text = self.growth_hint(self.summary("handlers"))
        self.assertRegex(text, r"^The heap grew from [\d.]+ MB to \d+ MB over \d+ full collections.*"
                               r"What stays: \d+(\.\d+)? MB of byte\[\] allocated in "
                               r"Growth\.Screen\.\.ctor\(int, int\) \(Program\.cs:%d\).*"
                               r"Handlers that Growth\.Screen\.\.ctor\(int, int\) \(Program\.cs:%d\) adds to "
                               r"(the event Growth\.Market\.PriceChanged|an event) stay in memory" % (line_with("shows"), line_with("subscribes")))

    def test_a_cache_whose_keys_are_never_asked_for_again(self):
        text = self.growth_hint(self.summary("cache"))
        self.assertRegex(text, r"MB of int\[\] allocated in Growth\.Search\.Run\(string\) \(Program\.cs:%d\).*"
                               r"Growth\.Search\.Known \(System\.Collections\.Generic\.Dictionary<string, Growth\.Answer>\), "
                               r"which Growth\.Search\.Find\(string\) \(Program\.cs:%d\) adds to"
                         % (line_with("finds"), line_with("keeps")))

    def check_registration(self, name, sentence):
        text = self.growth_hint(self.summary(name))
        self.assertRegex(text, r"MB of byte\[\] allocated in Growth\.")
        self.assertIn(sentence, text)

    def test_registrations_with_a_token_that_are_never_disposed(self):
        self.check_registration("tokens", "Callbacks that Growth.Registrations.Listen(Visit) (Registrations.cs:%d) registers with the token of "
                                          "Growth.Registrations.Stopping (CancellationToken.Register) stay"
                                % registered_at("registers"))

    @harness.only_long
    def test_timers_that_are_never_disposed(self):
        self.check_registration("timers", "Timers that Growth.Registrations.Wait(Visit) (Registrations.cs:%d) starts stay"
                                % registered_at("starts"))

    def test_what_is_attached_to_objects_that_stay(self):
        self.check_registration("attached", "Values that Growth.Registrations.Attach(Visit) (Registrations.cs:%d) attaches to objects through "
                                            "Growth.Registrations.Notes (ConditionalWeakTable) live" % registered_at("attaches"))
        self.assertEqual([(row["kind"], row["in"]) for row in self.report("heap")["keepers"]],
                         [("weak table", "Growth.Registrations.Notes"), ("collection", "Growth.Registrations.Keys")])

    @harness.only_long
    def test_delegates_that_are_never_taken_away(self):
        self.check_registration("delegates", "Handlers that Growth.Registrations.Tell(Visit) (Registrations.cs:%d) adds to "
                                             "Growth.Registrations.stopping stay" % registered_at("combines"))

    def test_registrations_that_are_disposed_are_no_leak(self):
        self.assertNotIn("heap-growth", [hint["hint"] for hint in self.summary("released")["hints"]])

    def test_a_cache_that_is_full_after_a_while_is_no_leak(self):
        self.assertNotIn("heap-growth", [hint["hint"] for hint in self.summary("bounded")["hints"]])

    @harness.only_long
    def test_what_is_read_at_the_start_is_no_leak(self):
        self.assertNotIn("heap-growth", [hint["hint"] for hint in self.summary("steady")["hints"]])

    def test_what_stays_is_about_what_the_program_keeps(self):
        self.summary("handlers", "--alloc=sampled")
        kept = self.stays()[("byte[]", line_with("shows"))]
        heap = self.report("heap")
        # Of what there was at the last full collection; of samples of 100 KiB each, five standard deviations.
        last = heap["heap"]["full"]["last"]
        self.assertAlmostEqual(kept["bytes"] / last, 1, delta=0.05 + 5 * (102_400 / last) ** 0.5)
        self.assertGreater(kept["stay_bytes"], 0)
        events = [entry for entry in self.dump() if entry["kind"].startswith(("gc_allocation_", "gc_followed_"))]
        self.assertIn("gc_followed_gone", {event["kind"] for event in events})
        numbers = [event["number"] for event in events if event["kind"] == "gc_allocation_followed" and event["number"]]
        self.assertEqual(len(numbers), len(set(numbers)))


if __name__ == "__main__":
    unittest.main()
