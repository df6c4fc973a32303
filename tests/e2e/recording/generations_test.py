#!/usr/bin/env python3
"""Types that come and go: the runtime uses their memory again, and each object is still told by its own type's name."""
import collections
import os
import re

import harness

GENERATIONS = os.path.join(harness.BUILD, "targets", "generations", "generations.dll")
COUNT = 40
TIMES = 3  # that each generation makes each kind

KINDS = ("{}", "{}[]", "{}[][]", "System.Collections.Generic.List<{}>",
         "System.Collections.Generic.Dictionary<int, {}[]>", "System.Collections.Generic.KeyValuePair<{}, int>[]",
         "System.Collections.Generic.KeyValuePair<{}, int>")


class Generations(harness.OrielTest):
    def record_generations(self, *options, again=True):
        """Memory is used again once the runtime's first 2 GB for types are used up: unless `again`, that is not waited for."""
        run = self.record("dotnet", GENERATIONS, str(COUNT), *([] if again else ["fresh"]), options=("--no-sample", *options))
        used = f"memory is {'' if again else 'not '}used again"
        self.assertEqual((run.code, run.out), (0, f"{COUNT} of {COUNT} gone, {used}\n"), run.err)
        self.assertEqual([line for line in run.own_lines() if "wrote" not in line], [])

    def test_each_object_has_the_name_of_its_own_type(self):
        self.record_generations("--alloc-in=Maker", again=harness.LONG)
        objects = collections.Counter(entry["klass"] for entry in self.dump(kind="gc_allocation"))
        self.assertFalse([name for name in objects if "[un" in name])
        for number in range(1, COUNT + 1):
            for kind in KINDS:
                if kind != "{}":  # made by Activator
                    self.assertEqual(objects[kind.format(f"Thing{number}")], TIMES, f"{kind} {number}")
                self.assertEqual(objects[kind.format(f"Point{number}")], TIMES, f"{kind} {number}")
        others = {re.sub(r"\b(Thing|Point)\d+\b", "{}", name) for name in objects}
        self.assertLessEqual(others, {*KINDS, "object[]"})

    @harness.only_long
    def test_with_allocations_of_everything(self):
        self.record_generations("--calls=Maker", "--alloc")
        names = {entry["klass"] for entry in self.dump(kind="gc_allocation")}
        for number in range(1, COUNT + 1):
            for type in (f"Thing{number}", f"Point{number}"):
                self.assertEqual({kind.format(type) for kind in KINDS} - names, set())


if __name__ == "__main__":
    harness.main()
