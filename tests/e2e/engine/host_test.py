#!/usr/bin/env python3
"""A native program that has the runtime in it and is a profiler itself, by the engine's API."""
import glob
import os
import shutil
import unittest

import harness
from harness import BUILD


class HostTest(harness.OrielTest):
    def test_an_embedder_profiles_what_it_embeds(self):
        root = os.path.dirname(os.path.realpath(shutil.which("dotnet")))
        hostfxr = sorted(glob.glob(os.path.join(root, "host", "fxr", "*", "libhostfxr.so")))[-1]
        embedded = os.path.join(BUILD, "targets", "embedded", "embedded")
        run = self.call([os.path.join(BUILD, "tests", "host", "oriel_native_host"), hostfxr,
                         os.path.join(BUILD, "lib", "liboriel.so"), embedded + ".runtimeconfig.json", embedded + ".dll",
                         self.path("run.oriel")])
        self.assertEqual((run.code, run.out.splitlines()), (0, [
            "before: no runtime yet",
            "load log: 0",
            "load no : 1",
            "after: CoreCLR , initialized 1",
            "work 1000, entered 1000",
            "sampling: owner 0, mode 3, 250 Hz",  # the log is
            "collections 1",
            "late 1",
            "off 1",
            "cleanup 1",
        ]), run.err)
        self.assertEqual(run.err, "")
        self.assertEqual(self.report("summary")["state"], "complete")
        kinds = self.kinds()
        self.assertTrue({"gc_begin", "end"} <= kinds, kinds)


if __name__ == "__main__":
    harness.main()
