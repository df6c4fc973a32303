#!/usr/bin/env python3
"""Whole stacks, of every kind of frame that the runtime's compiler makes, against the runtime's own stack traces."""
import collections
import os
import re

import harness

TARGET = os.path.join(harness.BUILD, "targets", "frames", "frames.dll")
MODULE = os.path.join(harness.BUILD, "tests", "modules", "liboriel-frames.so")
CONFIGURATIONS = {
    "as usual": {},
    "all optimised": {"DOTNET_TieredCompilation": "0"},
    "loops replaced at once": {"DOTNET_TC_OnStackReplacement_InitialCounter": "1", "DOTNET_OSR_HitLimit": "1"},
    "optimised by no profile": {"DOTNET_TieredPGO": "0"},
    "nothing precompiled": {"DOTNET_ReadyToRun": "0"},
}


def without_arguments(name):
    """Samples have a method's exact instantiation, a call graph what all of its have in common."""
    name = name.split("(")[0]
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    return name


class Stacks(harness.OrielTest):
    def edges(self, log, weight):
        """{(caller, called): weight} of all stacks of a log."""
        edges = collections.Counter()
        for line in self.oriel("export", "--format", "collapsed", "--weight", weight, log).out.splitlines():
            stack, _, count = line.rpartition(" ")
            frames = [without_arguments(frame) for frame in stack.split(";")]
            for edge in zip(frames, frames[1:]):
                edges[edge] += int(count)
        return edges

    def test_of_samples_have_the_calls_that_were_counted(self):
        for env in harness.some(({}, {"DOTNET_TieredCompilation": "0"})):
            with self.subTest(env):
                # Inlined methods are in no sampled stack.
                self.record("dotnet", TARGET, "1000", env=env,
                            options=["--sample=1000", "--callgraph=*", "--inlining", "block"])
                counted = self.edges("run.callgraph.oriel", "calls-time")
                known = {method for edge in counted for method in edge}
                sampled = {edge: weight for edge, weight in self.edges("run.oriel", "samples").items() if known.issuperset(edge)}
                self.assertGreater(sum(sampled.values()), 1000)
                wrong = {edge: weight for edge, weight in sampled.items() if edge not in counted}
                # At a filter's first instructions its frame is not there yet.
                self.assertLessEqual(sum(wrong.values()), 0.006 * sum(sampled.values()), wrong)

    def test_are_those_that_the_runtime_tells(self):
        for name, env in harness.some(CONFIGURATIONS.items()):
            with self.subTest(name):
                result = self.record("dotnet", TARGET, "1000", options=["--no-sample", "--module", MODULE],
                                     env={**env, "FRAMES_MODULE": MODULE})
                self.assertEqual(result.code, 0, result.err)
                counts = [list(map(int, found)) for found in re.findall(r": (\d+) right, (\d+) wrong", result.out)]
                right, wrong = map(sum, zip(*counts))
                self.assertGreater(right, 10_000)
                self.assertLessEqual(wrong, 0.001 * right, result.out)

    def test_made_up_frames_do_no_harm(self):
        library = os.path.join(os.path.dirname(MODULE), "liboriel-forged.so")
        command = ["dotnet", TARGET, "forge", library]
        self.assertEqual(self.call(command).out, "lives\n")
        for _ in harness.some(range(3)):
            result = self.record(*command, options=["--sample=1000", "--calls=*"])
            self.assertEqual((result.code, result.out), (0, "lives\n"), result.err)


if __name__ == "__main__":
    harness.main()
