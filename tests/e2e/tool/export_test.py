#!/usr/bin/env python3
"""Exports of a real run: each format has all the samples."""
import gzip
import json
import os
import shutil

import harness
from harness import program


class Exports(harness.SharedFolder):
    def prepare(self):
        self.record(*program("busy", 2, 100), options=["--sample=250"])
        Exports.samples = self.report("top")["samples"]
        self.assertGreater(self.samples, 50)

    def test_collapsed_to_stdout(self):
        result = self.oriel("export", "--format", "collapsed", "run.oriel")
        self.assertEqual((result.code, result.err), (0, ""))
        lines = [line.rsplit(" ", 1) for line in result.out.splitlines()]
        self.assertEqual(sum(int(count) for _, count in lines), self.samples)
        self.assertTrue(any("Busy.Work(int);Busy.CallsLeaf(int);Busy.Leaf(double)" in stack for stack, _ in lines))

    def test_speedscope(self):
        self.assertEqual(self.oriel("export", "--format", "speedscope", "-o", "x.json", "run.oriel").code, 0)
        with open(self.path("x.json"), encoding="utf-8") as file:
            document = json.load(file)
        self.assertEqual(document["$schema"], "https://www.speedscope.app/file-format-schema.json")
        names = [frame["name"] for frame in document["shared"]["frames"]]
        self.assertIn("Busy.LoopOne(int)", names)

    def test_pprof_is_compressed(self):
        self.assertEqual(self.oriel("export", "--format", "pprof", "-o", "x.pb.gz", "run.oriel").code, 0)
        with gzip.open(self.path("x.pb.gz")) as file:
            self.assertIn(b"Busy.LoopOne", file.read())

    def test_html_stands_alone(self):
        result = self.oriel("export", "--format", "html", "-o", "x.html", "run.oriel")
        self.assertEqual((result.code, result.err), (0, "oriel: wrote x.html\n"))
        with open(self.path("x.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("LoopOne", page)
        self.assertNotIn("src=\"http", page)


class PageOfCollections(harness.OrielTest):
    def test_the_page_lists_what_the_report_has(self):
        collections = os.path.join(harness.BUILD, "targets", "collections", "collections.dll")
        self.record("dotnet", collections, "3", options=["--gc-phases", "--no-sample", "--calls"],
                    env={"DOTNET_gcServer": "1", "DOTNET_GCHeapCount": "2"})
        self.assertEqual(self.oriel("export", "--format", "html", "-o", "x.html", "run.oriel").code, 0)
        with open(self.path("x.html"), encoding="utf-8") as file:
            data = json.loads(file.read().split('id="data">')[1].split("</script>")[0])
        listed = data["collections"]["rows"]
        result = self.oriel("query", "--json", "run.oriel",
                            "select number, start, coalesce(\"end\", -1) as ended, paused, generation, "
                            "generation0 + generation1 + generation2 + large + pinned + frozen as heap from collections")
        self.assertEqual([row[:5] + [row[6]] for row in listed], [list(row.values()) for row in json.loads(result.out)])
        self.assertEqual(data["collections"]["leftOut"], 0)
        self.assertTrue(any(row[5].startswith("induced") for row in listed), listed)
        # Phases are parts of the pause; of several collector threads each has its time.
        self.assertTrue(all(sum(row[7]) <= row[3] for row in listed), listed)
        names = {data["threads"][thread][0] for row in listed for thread, _ in row[8]}
        self.assertGreaterEqual(len(names), 2)
        self.assertTrue(all(".NET" in name for name in names), names)


class Page(harness.SharedFolder):
    """The web page of a log with all that can be logged: its figures are those of the reports."""

    def prepare(self):
        self.record(*program("busy", 2, 100), options=["--sample=250", "--calls=[programs]", "--alloc=sampled"])
        self.assertEqual(self.oriel("export", "--format", "html", "-o", "x.html", "run.oriel").code, 0)
        with open(self.path("x.html"), encoding="utf-8") as file:
            Page.data = json.loads(file.read().split('id="data">')[1].split("</script>")[0])

    def sums(self, weight):
        """The sum of a weight by the group that it is counted to."""
        row = next(row for row in self.data["weights"] if row["name"] == weight)
        tree = self.data["trees"][row["tree"]]
        sums = {}
        for thread in tree["threads"]:
            other = dict(thread["other"])
            node = 0
            for i, step in enumerate(thread["nodes"]):
                node += step
                group = self.data["groups"][other.get(i, tree["group"][node - 1])]
                key = (group[0], group[1])
                sums[key] = sums.get(key, 0) + thread["second" if row["column"] else "self"][i]
        return sums

    def total(self, weight):
        return sum(self.sums(weight).values())

    def test_its_summary_is_that_of_the_report(self):
        summary = self.report("summary")
        self.assertEqual(self.total("samples"), summary["samples"]["periods"])
        by_category = {}
        for share in summary["shares"]:
            by_category[share["category"]] = by_category.get(share["category"], 0) + share["samples"]
        page = {}
        for (category, _), samples in self.sums("samples").items():
            page[category] = page.get(category, 0) + samples
        self.assertEqual({key: count for key, count in page.items() if count}, by_category)
        self.assertEqual(self.data["summary"]["own"], summary["top_own"])
        self.assertEqual(self.data["summary"]["hints"], summary["hints"])
        text = " ".join(self.oriel("report", "run.oriel").out.split())
        for label, fact, _ in self.data["summary"]["facts"]:
            if label not in ("Command", "Runtime"):  # cut there to a line
                self.assertIn(" ".join(fact.split()), text)
        spent = text[:text.index("Command")]
        program = {key: samples for key, samples in self.sums("samples").items() if key[0] != "oriel"}
        for (_, name), samples in sorted(program.items(), key=lambda item: -item[1])[:4]:
            self.assertIn(f"{100 * samples / sum(program.values()):.1f} % {name}", spent)

    def test_its_weights_are_those_of_the_reports(self):
        calls, alloc = self.report("calls"), self.report("alloc")
        self.assertEqual(self.total("calls"), calls["calls"])
        self.assertEqual(self.total("calls-time"), calls["self_ns"])
        self.assertEqual(self.total("bytes"), alloc["bytes"])
        self.assertEqual(self.total("objects"), alloc["objects"])

    def test_its_lines_are_those_of_the_report(self):
        lines = self.data["lines"]
        names = {frame[0]: frame[1] for frame in self.data["frames"]["all"]}
        frame, rows = next(row for row in lines["of"] if names[row[0]] == "Busy.LoopOne(int)")
        reported = self.report("lines", names[frame])["methods"][0]["lines"]
        reported = {row["line"]: (row["self"], row["total"]) for row in reported if "line" in row}
        self.assertTrue(rows)
        for file, line, own, total, _ in rows:
            self.assertTrue(lines["files"][file].endswith(".cs"), lines["files"])
            self.assertEqual(reported[line], (own, total))
        self.assertTrue(any(text for *_, text in rows), rows)


class NothingToExport(harness.OrielTest):
    def test_no_output_replaces_what_is_read(self):
        self.record(*program("busy", 1, 100), options=["--sample=250"])
        shutil.copy(self.path("run.oriel"), self.path("kept.oriel"))
        os.symlink("kept.oriel", self.path("link.oriel"))
        with open(self.path("kept.oriel"), "rb") as file: before = file.read()
        for format in ("collapsed", "html", "sqlite", "perfetto"):
            for output in ("kept.oriel", "./kept.oriel", "link.oriel"):
                self.assert_refused(self.oriel("export", "--format", format, "-o", output, "kept.oriel"), 1, "is a file that is read")
        self.assertEqual(self.oriel("export", "--format", "speedscope", "-o", "a.json", "kept.oriel").code, 0)
        self.assert_refused(self.oriel("convert", "a.json", "./a.json"), 1, "is a file that is read; name another one\n")
        self.assert_refused(self.oriel("convert", "--to", "v1", "a.json", "a.json"), 1, "is a file that is read")
        with open(self.path("kept.oriel"), "rb") as file: self.assertEqual(file.read(), before)

    def test_one_line_and_no_file(self):
        self.record(*program("exit"), options=["--no-sample"])
        for form in ("collapsed", "speedscope", "pprof", "html"):
            result = self.oriel("export", "--format", form, "-o", "out", "run.oriel")
            self.assert_refused(result, 1, "nothing to export", "--no-sample")
            self.assertFalse(os.path.exists(self.path("out")), form)


if __name__ == "__main__":
    harness.main()
