#!/usr/bin/env python3
"""Profiles that `raku --profile` (MoarVM 2022.12) wrote of the programs in moar/, read as logs. What must be found stands
in the programs: how often each routine is called follows from its numbers."""
import json
import lzma
import os
import sqlite3
import unittest

import harness
from harness import ORIEL

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "moar")


class Moar(harness.OrielTest):
    def sample(self, name):
        with lzma.open(os.path.join(SAMPLES, name + ".xz")) as packed, open(self.path(name), "wb") as file:
            file.write(packed.read())
        return name

    def oriel(self, *words, code=0):
        result = self.call([ORIEL, *words])
        self.assertEqual(result.code, code, result.out + result.err)
        return result

    def report(self, *words):
        return json.loads(self.oriel("report", words[0], "--json", *words[1:]).out)

    def methods(self, file):
        return {row["name"]: row for row in self.report("callgraph", file)["methods"]}

    def rows(self, file, statement):
        return json.loads(self.oriel("query", "--json", file, statement).out)

    def test_routines_are_called_as_often_as_the_programs_say(self):
        small = {"inner (small.raku:1)": (20000, 20000), "outer (small.raku:2)": (1, 1), "rec (small.raku:3)": (2047, 1)}
        expected = {
            "small.json": small,
            "small.sql": small,
            "pool.json": {"fib (pool.raku:2)": (465, 1), "deep (pool.raku:3)": (41, 1), "thrower (pool.raku:5)": (20, 20)},
            "threads.sql": {"fib (threads.raku:2)": (3193, 1), "deep (threads.raku:3)": (401, 1),
                            "thrower (threads.raku:5)": (300, 300)},
        }
        for file, routines in expected.items():
            methods = self.methods(self.sample(file))
            for name, (calls, outermost) in routines.items():
                self.assertEqual((methods[name]["calls"], methods[name]["outermost"]), (calls, outermost), file + name)

    def database(self, file):
        database = sqlite3.connect(":memory:")
        with open(self.path(file), encoding="utf-8") as text:
            database.executescript(text.read())
        return database

    def test_times_and_code_are_those_of_the_file(self):
        file = self.sample("threads.sql")
        truth = self.database(file)
        calls, own, specialized, compiled, inlined, osr, deopts = truth.execute(
            "select sum(entries), sum(exclusive_time), sum(spesh_entries), sum(jit_entries), sum(inlined_entries), sum(osr),"
            " sum(deopt_one + deopt_all) from calls").fetchone()
        root, = truth.execute("select sum(inclusive_time) from calls where id in (select root_node from profile)").fetchone()
        graph = self.report("callgraph", file)
        self.assertEqual(graph["calls"], calls)
        self.assertEqual(graph["self_ns"], own * 1000)
        self.assertEqual(graph["measured_ns"], root * 1000)
        code = self.report("jit", file)["entries"]["all"]
        self.assertEqual((code["specialized"], code["compiled"], code["inlined"], code["replaced"]),
                         (specialized, compiled, inlined, osr))
        self.assertEqual(code["deoptimized"] + code["deoptimized_all"], deopts)
        # By routine, and inclusive times of one way.
        fib = self.methods(file)["fib (threads.raku:2)"]
        own, = truth.execute("select sum(exclusive_time) from calls join routines on routine_id = routines.id"
                             " where name = 'fib'").fetchone()
        self.assertEqual(fib["self_ns"], own * 1000)
        inclusive, = truth.execute("select max(inclusive_time) from calls join routines on routine_id = routines.id"
                                   " where name = 'fib'").fetchone()
        rows = self.rows(file, "select call, caller, measured from call_figures")
        root = next(i for i, row in enumerate(rows) if (row["call"] or "").startswith("fib ("))
        below, measured = {root}, 0  # callers come first
        for i, row in enumerate(rows):
            if i in below or row["caller"] in below:
                below.add(i)
                measured += row["measured"]
        self.assertEqual(measured, inclusive * 1000)

    def test_allocations_are_those_of_the_file(self):
        file = self.sample("threads.sql")
        truth = self.database(file)
        expected = dict(truth.execute("select name, sum(count) from allocations join types on type_id = types.id"
                                      " group by name having sum(count) > 0"))
        size = dict(truth.execute("select name, json_extract(extra_info, '$.managed_size') from types"))
        report = self.report("alloc", file)
        self.assertEqual({row["type"]: row["objects"] for row in report["types"]}, expected)
        box = next(row for row in report["types"] if row["type"] == "Box")
        self.assertEqual(box["bytes"], box["objects"] * size["Box"])
        self.assertIn("boxes (threads.raku:8)", json.dumps(report["sites"]))
        # JSON does not tell the size of objects, so nothing is said about bytes.
        text = self.oriel("report", "alloc", self.sample("small.json")).out
        self.assertNotIn("bytes", text)
        self.assertRegex(text, r"80,\d{3}  +Int")

    def test_each_thread_has_its_part_in_a_collection(self):
        file = self.sample("threads.sql")
        truth = self.database(file)
        expected = truth.execute("select sequence_num, 'thread ' || thread_id, start_time * 1000, time * 1000, responsible,"
                                 " retained_bytes, promoted_bytes, cleared_bytes, gen2_roots from gcs order by 3").fetchall()
        found = self.rows(file, "select number, thread, start, lasted, responsible, kept, promoted, freed, roots from gc_parts"
                                " order by start")
        self.assertEqual([tuple(row.values()) for row in found], expected)
        collections = self.report("gc", file)["all"]
        self.assertEqual([one["number"] for one in collections], sorted({row[0] for row in expected}))
        third = next(one for one in collections if one["number"] == 3)
        self.assertEqual([part["thread"] for part in third["parts"]], ["thread 3", "thread 1"])
        self.assertRegex(self.oriel("report", "gc", file).out, r"(?m)^ +5 .* thread 1, which led$")

    def test_both_forms_say_the_same(self):
        forms = [self.sample("small.json"), self.sample("small.sql")]  # of two runs
        calls = [{name: row["calls"] for name, row in self.methods(file).items()} for file in forms]
        same = [name for name in calls[0] if calls[0][name] == calls[1].get(name)]
        self.assertGreater(len(same), 0.95 * len(calls[0]))
        self.assertEqual(self.report("diff", *forms)["whole"]["collections"]["change"], 0)

    def test_they_can_be_converted_and_exported(self):
        file = self.sample("pool.json")
        wrote = self.oriel("convert", file, "pool.oriel").err
        self.assertRegex(wrote, r"\Aoriel: wrote pool\.oriel: [0-9,]+ calls and 12 events of a MoarVM profile")
        self.assertEqual(self.methods("pool.oriel"), self.methods(file))
        self.assertEqual(self.report("jit", "pool.oriel")["entries"], self.report("jit", file)["entries"])
        self.assertIn("deep (pool.raku:3)", self.oriel("export", "--format", "collapsed", file).out)
        self.oriel("export", "--format", "html", "-o", "pool.html", file)
        self.assertIn('"kind":"call_entries"', self.oriel("report", "dump", "--json", file).out)
        self.assertIn('"kind":"gc_parts"', self.oriel("report", "dump", "--json", file).out)

    def test_a_file_that_was_cut_or_does_more_than_profiles_do(self):
        with open(self.path(self.sample("small.sql")), encoding="utf-8") as whole:
            text = whole.read()
        with open(self.path("cut.sql"), "w", encoding="utf-8") as file:
            file.write(text[:len(text) * 3 // 4])
        self.assertIn("It was cut within a statement", self.oriel("convert", "cut.sql", "cut.oriel").err)
        self.assertEqual(self.methods("cut.oriel")["inner (small.raku:1)"]["calls"], 20000)
        with open(self.path("bad.sql"), "w", encoding="utf-8") as file:
            file.write(text.replace("END;", "ATTACH 'here.db' AS here;\nEND;"))
        self.assertRegex(self.oriel("report", "bad.sql", code=1).err, r"'bad\.sql' cannot be read: line \d+: not authorized")
        self.assertFalse(os.path.exists(self.path("here.db")))


if __name__ == "__main__":
    unittest.main()
