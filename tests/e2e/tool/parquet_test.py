#!/usr/bin/env python3
"""All tables as Parquet files: readers that nobody here wrote, Parquet.Net of NuGet and DuckDB of npm, find what
`oriel query` says."""
import json
import os
import shutil

import harness
from harness import program

THROWN = 70_000  # more rows than a row group has
READER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "parquet")
MOST_ROWS = 65_536
BINDING = "@duckdb/node-api@1.5.6-r.1"
# Each table as a line of JSON; numbers of 64 bits as text, which JSON's would not hold.
DUCKDB = """
import { DuckDBInstance } from '@duckdb/node-api';
import { readdirSync } from 'node:fs';
const database = await (await DuckDBInstance.create(':memory:')).connect();
const ask = async (statement) => (await database.runAndReadAll(statement)).getRowObjectsJson();
for (const file of readdirSync('tables')) {
  const rows = await ask(`select * from read_parquet('tables/${file}', file_row_number = true) order by file_row_number`);
  console.log(JSON.stringify({ name: file.replace('.parquet', ''), rows }));
}
console.log(JSON.stringify({ name: 'asked', rows: await ask(`
  select t.type, m.module, count(*) as thrown from 'tables/throws.parquet' t left join 'tables/stacks.parquet' m using (stack)
  where t."at" >= (select median("at") from 'tables/throws.parquet') group by all order by thrown desc`) }));
"""


class Parquet(harness.SharedFolder):
    def prepare(self):
        self.record(*program("exceptions", THROWN), options=["--sample=1000", "--alloc-in=[programs]"])
        exported = self.oriel("export", "--format", "parquet", "-o", "tables", "run.oriel")
        self.assertEqual((exported.code, exported.err), (0, "oriel: wrote tables\n"))

    def ask(self, statement):
        result = self.oriel("query", "--json", "run.oriel", statement)
        self.assertEqual((result.code, result.err), (0, ""))
        return json.loads(result.out)

    def files(self):
        return sorted(os.path.join("tables", name) for name in os.listdir(self.path("tables")))

    def expected(self, table):
        """Each column of a table. The text of a stack is not part of *, and only there of those that rows have."""
        rows = self.ask(f"select * from {table}")
        columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
        if table == "stacks":
            columns["text"] = [row["text"] for row in self.ask("select case when used then text end as text from stacks")]
        return columns

    def check(self, table, columns):
        for name, values in self.expected(table).items():
            self.assertEqual(columns[name], values, f"{table}.{name}")
            columns.pop(name)
        # A table without rows has its columns all the same.
        self.assertFalse(any(columns.values()), table)

    def test_parquet_net_reads_all_tables(self):
        self.build_project(READER)
        result = self.call(["dotnet", "bin/Debug/net10.0/reader.dll", *self.files()])
        self.assertEqual(result.code, 0, result.err)
        found = {os.path.basename(table["path"]).removesuffix(".parquet"): table for table in map(json.loads, result.out.splitlines())}
        self.assertEqual(len(found), len(self.files()))
        for name, table in found.items():
            self.assertTrue(table["columns"], name)
            for group in table["groups"]:
                self.assertLessEqual(group["rows"], MOST_ROWS, name)
            self.check(name, dict(table["columns"]))
        throws = found["throws"]
        self.assertEqual([group["rows"] for group in throws["groups"]], [MOST_ROWS, len(throws["columns"]["at"]) - MOST_ROWS])
        # What readers leave out row groups by.
        first = throws["columns"]["at"][:MOST_ROWS]
        self.assertEqual(throws["groups"][0]["ranges"]["at"], {"least": min(first), "most": max(first), "nulls": 0})
        lines = found["stacks"]
        self.assertEqual(lines["groups"][0]["ranges"]["parent"]["nulls"], lines["columns"]["parent"][:MOST_ROWS].count(None))

    @harness.only_long
    def test_duckdb_reads_and_joins_them(self):
        if not shutil.which("npm") or self.call(["npm", "install", "--silent", "--no-audit", "--no-fund", BINDING]).code != 0:
            self.skipTest("npm is not here, or its registry does not answer")
        with open(self.path("read.mjs"), "w", encoding="utf-8") as file:
            file.write(DUCKDB)
        result = self.call(["node", "read.mjs"])
        self.assertEqual(result.code, 0, result.err)
        found = {table["name"]: table["rows"] for table in map(json.loads, result.out.splitlines())}
        asked = found.pop("asked")
        self.assertEqual(len(found), len(self.files()))
        for name, rows in found.items():
            columns = {column: [row[column] for row in rows] for column in (rows[0] if rows else ())}
            for column, values in self.expected(name).items():
                wanted = [str(value) if isinstance(value, int) else value for value in values]
                self.assertEqual(columns[column], wanted, f"{name}.{column}")
        self.assertAlmostEqual(sum(int(row["thrown"]) for row in asked), len(found["throws"]) / 2, delta=1)

    def test_what_is_refused(self):
        self.assert_refused(self.oriel("export", "--format", "parquet", "run.oriel"), 2, "needs a place")
        self.assert_refused(self.oriel("export", "--format", "parquet", "-o", "tables", "run.oriel"), 1, "no empty folder")
        self.assert_refused(self.oriel("export", "--format", "parquet", "--weight", "bytes", "-o", "x", "run.oriel"), 2, "all tables")
        with self.full_disk(64) as full:
            result = self.oriel("export", "--format", "parquet", "-o", os.path.join(full, "tables"), "run.oriel")
            self.assert_refused(result, 1, "is the disk full?")


if __name__ == "__main__":
    harness.main()
