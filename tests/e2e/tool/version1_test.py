#!/usr/bin/env python3
"""Logs of real programs as version 1 of the format: a decoder that knows only the format's description finds what the log
says, and Oriel reads the same summary from both as far as version 1 can tell it."""
import collections
import os
import shutil

import harness
import version1

CALLS = os.path.join(harness.BUILD, "targets", "calls", "calls.dll")
COLLECTIONS = os.path.join(harness.BUILD, "targets", "collections", "collections.dll")
KEPT = os.path.join(harness.ROOT, "tests", "log", "kept")
LEAVES = {"method_leave": "exit", "method_exception_leave": "implicit exit", "method_tail_call": "implicit exit"}


class Version1(harness.OrielTest):
    def convert(self, log="run.oriel"):
        """What the decoder reads, and what Oriel says on stderr."""
        result = self.oriel("convert", "--to", "v1", log, "v1.oriel")
        self.assertEqual((result.code, result.out), (0, ""), result.err)
        return version1.read(self.path("v1.oriel")), result.err

    def check_events(self, old, dump):
        """Calls, allocations and exceptions: each one, by thread, in order."""
        expected = collections.defaultdict(list)
        for entry in dump:
            kind = entry["kind"]
            if kind == "method_enter":
                told = ("enter", entry["method"], 0)
            elif kind in LEAVES:
                told = (LEAVES[kind], entry["method"], 0)
            elif kind == "gc_allocation":
                told = ("allocation", entry["klass"], entry["size"])
            elif kind == "exception_throw":
                told = ("exception", entry["exception"], 0)
            else:
                continue
            expected[entry["thread_id"]].append(told)
        found = collections.defaultdict(list)
        for event in old.events:
            if event.what in ("allocation", "exception"):
                found[event.thread].append((event.what, old.classes[event.value], event.extra))
            elif event.what in ("enter", "exit", "implicit exit"):
                found[event.thread].append((event.what, old.method_name(event.value), 0))
        self.assertEqual(found, expected)
        return found

    def check_summary(self, old):
        """What Oriel says of the log and of the file of version 1."""
        new, again = self.report(), self.report(log="v1.oriel")
        for key in ("runtime", "start_unix_us", "images_loaded", "allocations", "incomplete", "problems"):
            self.assertEqual(again[key], new[key], key)
        for key in ("methods_compiled", "compilations"):
            self.assertEqual(again[key] or 0, new[key] or 0, key)
        # Version 1 does not tell whether what it has none of was recorded.
        self.assertEqual([(row["type"], row["thrown"]) for row in again["exceptions"] or []],
                         [(row["type"], row["thrown"]) for row in new["exceptions"]])
        if new["calls"]:
            self.assertAlmostEqual(again["calls"]["measured_ns"] / new["calls"]["measured_ns"], 1, delta=0.02)
        self.assertEqual(again["gc"]["collections"] if again["gc"] else 0, new["gc"]["collections"])
        self.assertEqual(again["samples"]["periods"], new["samples"]["periods"])
        self.assertEqual(len(old.method_hits) + len(old.native_hits), new["samples"]["periods"])
        self.assertAlmostEqual(again["wall_ns"] / new["wall_ns"], 1, delta=0.02)

    def check_methods(self, old):
        """The hits of methods are the samples in their own code."""
        rows = self.query("select f.method, sum(s.periods) from samples s join stacks f on f.stack = s.stack "
                          "join functions n on n.name = f.method and n.module = f.module where n.managed group by 1")
        hits = collections.Counter(old.method_name(number) for number in old.method_hits)
        self.assertEqual(hits, {method: int(periods) for method, periods in rows})

    def query(self, statement, log="run.oriel"):
        result = self.oriel("query", "--csv", log, statement)
        self.assertEqual(result.code, 0, result.err)
        return [line.rsplit(",", 1) for line in result.out.replace('"', "").splitlines()[1:]]

    def test_calls_samples_allocations_and_exceptions(self):
        self.record("dotnet", CALLS, "20", options=["--sample=1000", "--calls=Known", "--alloc"])
        old, told = self.convert()
        self.assertTrue(old.ended)
        self.assertIn("CoreCLR", old.runtime)
        found = self.check_events(old, self.dump())
        events = sum(found.values(), [])
        self.assertEqual(sum(event == ("exception", "System.InvalidOperationException", 0) for event in events), 4 * 20)
        self.assertGreater(sum(event[0] == "implicit exit" for event in events), 20)
        self.assertGreater(sum(event[0] == "allocation" for event in events), 100)
        self.check_summary(old)
        self.assertGreater(len(old.loads), 3)
        self.assertEqual({load[:2] for load in old.loads}, {("loaded", kind | 8) for kind in (1, 2, 4)})
        self.assertLessEqual(max(event.counter for event in old.events), max(old.clocks)[0])
        self.assertGreaterEqual(min(event.counter for event in old.events), old.clocks[0][0])
        self.assertTrue(all(start <= end for start, end in old.spans))
        lines = told.splitlines()
        self.assertEqual(len(lines), 2, told)
        self.assertRegex(lines[0], r"\Aoriel: wrote v1\.oriel, version 1 of the format: [\d,]+ events and [\d,]+ hits of samples\Z")
        self.assertRegex(lines[1], r"\Aoriel: not in version 1: .*\bsamples' threads and callers\b.*\ballocations' methods\b"
                                   r".*\bnative functions' names\b")

    def test_collections(self):
        self.record("dotnet", COLLECTIONS, "4")
        old, told = self.convert()
        self.check_summary(old)
        self.check_methods(old)
        rows = self.query("select generation, count(*) from collections group by 1")
        generations = collections.Counter(event.value for event in old.events if event.what == "collection start")
        # Of those that the runtime reports as the beginning of another one only the end is in the log.
        self.assertLessEqual(set(generations), {int(generation) for generation, _ in rows})
        self.assertEqual(generations.total(), sum(entry["kind"] == "gc_begin" for entry in self.dump()))
        sizes = [event.value for event in old.events if event.what == "resize start"]
        told_sizes = [sum(value for key, value in entry.items() if key in ("generation0", "generation1", "generation2", "large",
                                                                          "pinned", "frozen"))
                      for entry in self.dump(kind="gc_heap")]
        self.assertLessEqual(set(sizes), set(told_sizes))
        self.assertEqual(sizes[-1], told_sizes[-1])
        self.assertRegex(told, r"\b[\d,]+ events of gc\b")

    def test_a_log_that_was_cut_has_no_end(self):
        self.record("dotnet", CALLS, "5", options=["--calls=Known"])
        for cut in 100, 1:  # where a block ends at the first, none does at the second
            with open(self.path("run.oriel"), "rb+") as file:
                file.truncate(os.path.getsize(file.name) - cut)
            old, told = self.convert()
            self.assertFalse(old.ended)
            self.check_events(old, self.dump())
            if "behind the last whole block" in told: break
        self.assertRegex(told, r"\b[\d,]+ bytes? behind the last whole block")

    def test_logs_of_earlier_writers(self):
        for name in sorted(os.listdir(KEPT)):
            shutil.copy(os.path.join(KEPT, name), self.path("run.oriel"))
            old, told = self.convert()
            self.assertTrue(old.ended, name)
            self.check_events(old, self.dump())
            self.assertIn("not in version 1: ", told)

    def test_version_1_itself_and_files_of_other_tools(self):
        self.record("dotnet", CALLS, "5", options=["--calls=Known", "--alloc"])
        old, _ = self.convert()
        shutil.copy(self.path("v1.oriel"), self.path("again.oriel"))
        same, told = self.convert("again.oriel")
        self.assertEqual(collections.Counter(event.what for event in same.events)["enter"],
                         collections.Counter(event.what for event in old.events)["enter"])
        self.assertEqual(same.classes, old.classes)
        self.assertEqual(sorted(same.method_hits), sorted(old.method_hits))
        self.assertEqual(told.count("\n"), 1, told)
        with open(self.path("other.txt"), "w", encoding="utf-8") as file:
            file.write("app  1234  1.000000:  1000000 cycles:\n\t    7f01 main (/bin/app)\n\n")
        perf, _ = self.convert("other.txt")
        self.assertEqual(len(perf.native_hits), 1)

    def test_names_that_are_not_ascii(self):
        with open(self.path("other.json"), "w", encoding="utf-8") as file:
            file.write('{"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": "grüß()"}]},'
                       '"profiles": [{"type": "sampled", "name": "a", "unit": "milliseconds", "startValue": 0, "endValue": 2,'
                       '"samples": [[0], [0]], "weights": [1, 1]}]}')
        old, told = self.convert("other.json")
        names = {name for _, name in old.methods.values()} | set(old.classes.values())
        self.assertNotIn("ü", "".join(names))
        self.assertGreater(len(old.method_hits) + len(old.native_hits), 0)
        self.assertIn("samples' threads and callers", told)

    def test_what_is_refused(self):
        self.assert_refused(self.oriel("convert", "--to", "v1", "none.oriel", "v1.oriel"), 1, "cannot read none.oriel")
        with open(self.path("notes.txt"), "w", encoding="utf-8") as file:
            file.write("no log")
        self.record("dotnet", CALLS, "1")
        self.assert_refused(self.oriel("convert", "--to", "v1", "run.oriel", "notes.txt"), 1, "is not a log")
        self.assert_refused(self.oriel("convert", "--to", "v1", "notes.txt", "v1.oriel"), 1)
        self.assert_refused(self.oriel("convert", "--to", "v3", "run.oriel", "v1.oriel"), 2, "v3")
        self.assert_refused(self.oriel("convert", "--to", "v1", "run.oriel", "./run.oriel"), 1, "is a file that is read")
        self.assertEqual(self.oriel("report", "run.oriel").code, 0)
        self.assertEqual(self.logs(), ["run.oriel"])
        with self.full_disk(4) as full:
            result = self.oriel("convert", "--to", "v1", "run.oriel", os.path.join(full, "v1.oriel"))
            self.assert_refused(result, 1, "No space left on device")
            self.assertEqual(os.listdir(full), [])


if __name__ == "__main__":
    harness.main()
