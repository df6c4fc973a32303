#!/usr/bin/env python3
"""A log that is cut off or changed anywhere costs what it costs: its whole parts are read, or one line says why not."""
import json
import os
import random

import harness
from harness import program


class Damage(harness.OrielTest):
    def setUp(self):
        super().setUp()
        self.record(*program("exceptions", 200), options=["--module", "log:events=all"])
        with open(self.path("run.oriel"), "rb") as log:
            self.bytes = log.read()

    def read(self, content):
        """Report and dump of a changed log: both work, or both refuse it in one line. Returns the summary, or None."""
        with open(self.path("bad.oriel"), "wb") as out:
            out.write(content)
        result = self.oriel("report", "--json", "bad.oriel")
        dump = self.oriel("report", "dump", "bad.oriel")
        self.assertEqual(result.code, dump.code)
        if result.code != 0:
            self.assert_refused(result, 1, "bad.oriel")
            return None
        return json.loads(result.out)

    def test_cut_off_anywhere(self):
        r = random.Random(3)
        sizes = sorted(r.sample(range(len(self.bytes)), 20)) + [len(self.bytes) - 1]
        thrown = -1
        for size in sizes:
            summary = self.read(self.bytes[:size])
            if summary is None:
                self.assertLess(size, 4096)
                continue
            if size < len(self.bytes) - 200:  # the end block, and a check block after it
                self.assertNotEqual(summary["state"], "complete", size)
            now = sum(entry["thrown"] for entry in summary["exceptions"])
            self.assertGreaterEqual(now, thrown)
            thrown = now
        self.assertGreater(thrown, 0)

    def test_changed_bytes(self):
        r = random.Random(4)
        for _ in range(20):
            content = bytearray(self.bytes)
            for _ in range(r.choice((1, 1, 5, 50))):
                content[r.randrange(len(content))] = r.randrange(256)
            self.read(bytes(content))

    def test_damage_is_told(self):
        content = bytearray(self.bytes)
        middle = len(content) // 2
        content[middle:middle + 64] = os.urandom(64)
        summary = self.read(bytes(content))
        self.assertIsNotNone(summary)
        self.assertTrue(summary["incomplete"] or summary["problems"], summary)
        for sentence in summary["incomplete"]:
            self.assertIn(sentence, self.oriel("query", "bad.oriel", "select count(*) from throws").err)
            self.assertIn(sentence, self.oriel("export", "--format", "sqlite", "-o", "bad.sqlite", "bad.oriel").err)
        asked = self.oriel("query", "--csv", "bad.oriel", "select damaged, cut from processes").out
        self.assertNotEqual(asked, "damaged,cut\n0,0\n")


if __name__ == "__main__":
    harness.main()
