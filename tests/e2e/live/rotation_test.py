#!/usr/bin/env python3
"""A log in several files: each can be read alone, together they are the whole, and the program never notices."""
import glob
import json
import os

import harness
from harness import program


class Rotation(harness.OrielTest):
    def files(self, pattern="run*.oriel"):
        names = sorted(glob.glob(self.path(pattern)), key=lambda name: (len(name), name))
        return [os.path.basename(name) for name in names]

    def json(self, *words):
        result = self.oriel("report", *words, "--json")
        self.assertEqual(result.code, 0, result.err)
        return json.loads(result.out)

    def assert_adds_up(self, files):
        parts, whole = [self.json("summary", name) for name in files], self.json("summary", *files)
        self.assertEqual({part["state"] for part in parts}, {"complete"})
        self.assertEqual({part["properties"]["run"] for part in parts}, {parts[0]["properties"]["run"]})
        self.assertEqual(whole["samples"]["periods"], sum(part["samples"]["periods"] for part in parts))
        self.assertEqual(whole["cpu"]["oriel_us"], sum(part["cpu"]["oriel_us"] for part in parts))
        # A file has the time of the program since its start; one that begins late, on a slow machine, since its own beginning.
        spent = [part["cpu"]["user_us"] + part["cpu"]["system_us"] for part in parts]
        together = whole["cpu"]["user_us"] + whole["cpu"]["system_us"]
        self.assertLess(min(abs(together - spent[-1]), abs(together - sum(spent))), 200_000 * len(files), (together, spent))

    def test_files_by_size_add_up(self):
        thrown = 60000
        run = self.record(*program("throw", thrown), options=["--rotate", "64KB", "--calls=[programs]"])
        self.assertEqual(run.code, 0, run.err)
        files = self.files()
        self.assertGreater(len(files), 1, run.err)
        self.assertRegex(run.own_lines()[-1], rf"wrote {len(files)} files, one after another \(.*\)\. See them as one: ")
        count = sum(kind["thrown"] for name in files for kind in self.json("exceptions", name)["types"])
        self.assertEqual(count, 3 * thrown)
        self.assertEqual(sum(kind["thrown"] for kind in self.json("exceptions", *files)["types"]), count)
        for name in files[:-1]:  # the last may have the program's end only
            self.assertIn("Exceptions.Refusal", json.dumps(self.json("exceptions", name)), name)
        self.assert_adds_up(files)

    def test_files_by_time_of_which_some_stay(self):
        run = self.oriel("run", "-o", "run.oriel", "--rotate=1s", "--keep", "2", "--", *program("sleep", 4500))
        self.assertEqual((run.code, len(run.own_lines())), (0, 1), run.err)
        files = self.files()
        self.assertEqual(len(files), 2, run.err)
        self.assertNotIn("run.oriel", files)
        for name in files: self.assertEqual(self.json("summary", name)["state"], "complete")

    def test_a_full_disk(self):
        with self.full_disk(300) as folder:
            run = self.oriel("run", "-o", os.path.join(folder, "run.oriel"), "--rotate=64KB", "--calls=[programs]", "--",
                             *program("throw", 60000))
            self.assertEqual(run.code, 0, run.err)
            self.assertEqual(run.err.count("No space left on device"), 1, run.err)
            files = self.files("full/run*.oriel")
            self.assertEqual(self.oriel("report", os.path.join(folder, files[0])).code, 0)


if __name__ == "__main__":
    harness.main()
