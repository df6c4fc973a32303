#!/usr/bin/env python3
"""`oriel query` and the exports of tables: their figures are those of the reports."""
import csv
import io
import json
import os
import select
import shutil
import signal
import sqlite3
import subprocess
import time

import harness
from harness import CLEAN, ORIEL, program

# Tables that only SQL has.
TABLES_OF_QUERY = ("stacks", "threads", "functions", "processes", "covered_lines")
COLUMNS_OF_QUERY = {"stack_method", "first_at_method", "call_stack", "own_site", "own_line"}


class Query(harness.SharedFolder):
    def prepare(self):
        self.record(*program("busy", 2, 40), options=["--sample=1000", "--calls=[programs]", "--alloc-in=[programs]"])

    def ask(self, statement, *options):
        result = self.oriel("query", "--json", *options, "run.oriel", statement)
        self.assertEqual((result.code, result.err), (0, ""))
        return json.loads(result.out)

    def tables(self):
        return [table["name"] for table in self.report("tables")["tables"]]

    def ask_all(self, statements):
        """The rows of each of the statements, of one start of the command."""
        result = self.oriel("query", "--json", "run.oriel", stdin=";\n".join(statements).encode())
        self.assertEqual((result.code, result.err), (0, ""))
        answers, text = [], result.out.strip()
        while text:
            rows, end = json.JSONDecoder().raw_decode(text)
            answers.append(rows)
            text = text[end:].lstrip()
        return answers

    def test_each_table_has_the_rows_of_the_report(self):
        tables = self.tables()
        answers = self.ask_all(f"select * from {table}" for table in tables)
        for table, rows in zip(tables, answers, strict=True):
            expected = self.report("rows", table)["rows"]
            self.assertEqual(len(rows), len(expected), table)
            for row, wanted in zip(rows, expected):
                # A stack is a number here, and its innermost function in a column of its own.
                for name in [name for name in row if name.endswith("_method") and name in COLUMNS_OF_QUERY]:
                    row[name.removesuffix("_method")] = row.pop(name)
                for name in COLUMNS_OF_QUERY & set(row):
                    del row[name]
                for name, value in wanted.items():
                    if isinstance(value, bool): wanted[name] = int(value)
                    if isinstance(value, list): row[name] = json.loads(row[name])
                self.assertEqual(row, wanted, table)

    def test_methods_are_those_of_the_reports(self):
        by_name = {row["method"]: row for row in self.ask("select * from methods")}
        for wanted in self.report("top")["by_self"]:
            if wanted["name"].startswith("Busy."):
                row = by_name[wanted["name"]]
                self.assertEqual((row["self"], row["total"]), (wanted["self"], wanted["total"]), wanted["name"])
        # Methods of one name are apart: an async Main has an entry point of its name.
        calls = sorted((row["method"], row["calls"], row["self"]) for row in self.ask("select * from called_methods"))
        report = self.report("calls")["methods"]
        self.assertGreater(len(report), 3)
        self.assertEqual(calls, sorted((one["name"], one["calls"], one["self_ns"]) for one in report))

    def test_allocations_are_those_of_the_report(self):
        wanted = sorted((site["type"], site["method"], site["objects"], site["bytes"]) for site in self.report("alloc")["sites"])
        rows = self.ask("select * from allocations_by_own_method")
        self.assertGreater(len(rows), 1)
        self.assertEqual(sorted((row["type"], row["method"], row["objects"], row["bytes"]) for row in rows), wanted)

    def test_stacks(self):
        leaf = "contains(stack, 'Busy.Leaf')"
        (row,) = self.ask(f"select sum(periods) as n from samples where {leaf}")
        (view,) = self.ask("select total from methods where method like 'Busy.Leaf(%'")
        self.assertEqual(row["n"], view["total"])
        frames = self.ask(f"select f.method from frames((select stack from samples where {leaf} limit 1)) f order by f.depth desc")
        text = self.ask(f"select stack_text(stack) as text from samples where {leaf} limit 1")[0]["text"]
        self.assertEqual(text.split(";"), [frame["method"] for frame in frames])

    def test_a_part_of_the_log(self):
        whole, part = (self.ask("select count(*) as n from samples", *options)[0]["n"]
                       for options in ((), ("--thread", "busy")))
        self.assertLess(part, whole)
        self.assertGreater(part, 0)

    def test_forms(self):
        statement = "select method, self from methods limit 3"
        rows = self.ask(statement)
        result = self.oriel("query", "--csv", "run.oriel", statement)
        self.assertEqual([{**row, "self": int(row["self"])} for row in csv.DictReader(io.StringIO(result.out))], rows)
        lines = self.oriel("query", "run.oriel", statement, env={"COLUMNS": "80"}).out.splitlines()
        self.assertEqual(lines[0].split(), ["method", "self"])
        self.assertEqual(len(lines), 4)
        self.assertTrue(all(len(line) <= 80 for line in lines), lines)

    def test_statements_from_stdin(self):
        result = self.oriel("query", "run.oriel", stdin=b"select 1 as a;\n.schema marks\nselect\n  ';' as b, 2\n  as c")
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertTrue(result.out.startswith("a\n1\nmarks: a row is "), result.out)
        self.assertTrue(result.out.endswith("b  c\n;  2\n"), result.out)
        result = self.oriel("query", "run.oriel", stdin=b"select 1 as a;\nselect missing;\nselect 2 as b;\n")
        self.assertEqual((result.code, result.out), (1, "a\n1\n"))
        self.assertIn("no such column: missing", result.err)

    def test_words_between_statements(self):
        script = b"select 1 as a;\n\n.schema marks\n-- a comment\n.schema marks\n/* of two\nlines */\n  .schema marks\n"
        result = self.oriel("query", "run.oriel", stdin=script + b"\n-- the end")
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertEqual(result.out.count("marks: a row is "), 3)

    def test_what_is_refused(self):
        self.assert_refused(self.oriel("query", "run.oriel", "delete from samples"), 1, "only reading is possible")
        self.assert_refused(self.oriel("query", "run.oriel", "attach 'x.db' as x"), 1)
        self.assert_refused(self.oriel("query", "run.oriel", "select * from sampels"), 1, "did you mean samples?")
        self.assert_refused(self.oriel("query", "none.oriel", "select 1"), 1, "none.oriel")
        self.assert_refused(self.oriel("query", "run.oriel", ".tabels"), 1, "there is no '.tabels'; .help lists")
        self.assert_refused(self.oriel("query", "run.oriel", stdin=b".schema sampels\nselect 1;\n"), 1, ".tables lists them")
        self.assert_refused(self.oriel("query", "--json", "--csv", "run.oriel", "select 1"), 2)
        self.assertEqual(os.listdir(self.folder).count("x.db"), 0)

    def test_ctrl_c_ends_a_statement(self):
        endless = "select 1 as begun; with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n"
        with subprocess.Popen([ORIEL, "query", "--csv", "run.oriel", endless], cwd=self.folder, env=CLEAN,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as query:
            self.assertEqual(query.stdout.readline() + query.stdout.readline(), b"begun\n1\n")
            time.sleep(0.5)
            query.send_signal(signal.SIGINT)
            _, err = query.communicate(timeout=60)
        self.assertEqual((query.returncode, err), (130, b"oriel: the statement was interrupted\n"))

    def test_a_prompt_on_a_terminal(self):
        main, side = os.openpty()
        with subprocess.Popen([ORIEL, "query", "run.oriel"], cwd=self.folder, env=CLEAN, stdin=side,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as query:
            os.close(side)
            os.write(main, b"select missing;\n.tabels\n\nselect 40 +\n 2 as answer;\n.tables\n.quit\n")
            out, _ = query.communicate(timeout=60)
        os.close(main)
        text = out.decode()
        self.assertEqual(query.returncode, 0, text)
        self.assertIn("oriel> ", text)
        self.assertIn("   ...> ", text)
        self.assertIn("no such column: missing", text)
        self.assertIn("there is no '.tabels'", text)
        self.assertIn("answer\n    42\n", text)
        self.assertIn("slowest_requests", text)

    def test_ctrl_c_at_the_prompt_drops_what_is_typed(self):
        main, side = os.openpty()
        with subprocess.Popen([ORIEL, "query", "run.oriel"], cwd=self.folder, env=CLEAN, stdin=side,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0) as query:
            os.close(side)
            os.write(main, b"select missing\n")
            told = b""
            while not told.endswith(b"   ...> "): told += query.stdout.read(1)
            while not told.endswith(b"oriel> "):  # a signal just before the line is read does not end the reading
                query.send_signal(signal.SIGINT)
                while not told.endswith(b"oriel> ") and select.select([query.stdout], [], [], 0.5)[0]:
                    told += query.stdout.read(1)
            os.write(main, b"select 42 as answer;\n.quit\n")
            rest, _ = query.communicate(timeout=60)
        os.close(main)
        self.assertEqual(query.returncode, 0)
        self.assertIn(b"answer\n    42\n", rest)
        self.assertNotIn(b"missing", told + rest)

    def test_what_rows_do_not_say_is_said(self):
        text = "select sum(thrown) from exceptions"
        self.assertEqual(self.oriel("query", "run.oriel", text).err, "")
        told = self.oriel("query", "--from", "10ms", "run.oriel", text + "; " + text).err
        self.assertEqual(told, "oriel: The filter does not choose among the rows of exceptions, which are of the whole log.\n")
        self.assertEqual(self.oriel("query", "--from", "10ms", "run.oriel", "select count(*) from samples").err, "")

    def test_several_logs(self):
        shutil.copy(self.path("run.oriel"), self.path("again.oriel"))  # the same file by another name would count once
        self.addCleanup(os.remove, self.path("again.oriel"))
        result = self.oriel("query", "--json", "run.oriel", "again.oriel",
                            "select process, run, sum(periods) as n from samples group by 1, 2")
        self.assertEqual(result.code, 0, result.err)
        (one,) = self.ask("select process, run, sum(periods) as n from samples group by 1, 2")
        self.assertEqual(json.loads(result.out), [{**one, "n": 2 * one["n"]}])

    def test_export_to_sqlite(self):
        self.assertEqual(self.oriel("export", "--format", "sqlite", "-o", "run.sqlite", "run.oriel").code, 0)
        database = sqlite3.connect(f"file:{self.path('run.sqlite')}?mode=ro", uri=True)
        self.addCleanup(database.close)
        database.row_factory = sqlite3.Row
        tables = [*self.tables(), *TABLES_OF_QUERY]
        counts = " union all ".join(f"select '{table}' as name, count(*) as n from {table}" for table in tables)
        self.assertEqual([dict(row) for row in database.execute(counts)], self.ask(counts))
        for view in ("methods", "called_methods", "allocations_by_type", "waits_by_lock"):
            rows = [dict(row) for row in database.execute(f"select * from {view}")]
            key = lambda row: json.dumps(row, sort_keys=True)
            self.assertEqual(sorted(rows, key=key), sorted(self.ask(f"select * from {view}"), key=key), view)
        texts = [row[0] for row in database.execute("select k.text from samples s join stacks k using (stack)")]
        self.assertTrue(any("Busy.CallsLeaf(int);Busy.Leaf(double)" in text for text in texts))
        self.assertFalse(any(text is None for text in texts))

    def test_export_to_csv(self):
        self.assertEqual(self.oriel("export", "--format", "csv", "-o", "tables", "run.oriel").code, 0)
        self.assertEqual({name.removesuffix(".csv") for name in os.listdir(self.path("tables"))},
                         {*self.tables(), *TABLES_OF_QUERY})
        with open(self.path("tables/samples.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(sum(int(row["periods"]) for row in rows), self.ask("select sum(periods) as n from samples")[0]["n"])
        self.assert_refused(self.oriel("export", "--format", "csv", "-o", "tables", "run.oriel"), 1, "no empty folder")

    def test_exports_of_tables_need_a_place(self):
        for format in ("sqlite", "csv"):
            self.assert_refused(self.oriel("export", "--format", format, "run.oriel"), 2, "needs a place")
        self.assert_refused(self.oriel("export", "--format", "sqlite", "--weight", "samples", "-o", "x", "run.oriel"), 2)
        self.assert_refused(self.oriel("export", "--format", "sqlite", "-o", "/nowhere/x", "run.oriel"), 1, "/nowhere/x")


if __name__ == "__main__":
    harness.main()
