#!/usr/bin/env python3
"""oriel cover on a suite of hard cases, beside coverlet's collector and Microsoft's: the same lines, and each difference is
one of those that docs/COVERAGE.md explains. The lines that never ran, and the branches of which the others tell other ways,
stand in cover/uncovered.txt and cover/branches.txt, which ORIEL_REGENERATE=1 writes anew. And of eight hosts of tests at once,
added up exactly."""
import glob
import json
import os
import re
import xml.etree.ElementTree

import harness

harness.CLEAN.update(harness.USUAL_COLLECTIONS)

PROJECT = os.path.join(harness.ROOT, "tests", "e2e", "coverage", "cases")
TESTS = "Tests/bin/Debug/net10.0/Tests.dll"


def texts(name):
    path, = glob.glob(os.path.join(PROJECT, "*", name))
    with open(path, encoding="utf-8") as file:
        return [""] + file.read().splitlines()


def numbers(name, *parts):
    """Of the lines of a case that have one of these texts."""
    found = {number for number, text in enumerate(texts(name)) if any(part in text for part in parts)}
    assert len(found) >= len(parts), (name, parts)
    return found


# Lines that only the other has, by file; docs/COVERAGE.md says why, in this order.
ONLY_COVERLET = {"Excluded.cs": numbers("Excluded.cs", "int Hidden()", "int HiddenToo()")}
ONLY_MICROSOFT = {"Records.cs": numbers("Records.cs", "record class Empty"),
                  "Switches.cs": numbers("Switches.cs", "record Shape;")}
# Lines behind one that threw, which Microsoft's has as run.
AFTER_A_THROW = {"Exceptions.cs": numbers("Exceptions.cs", "int after = value + before", "return after;")}


def has_case(name):
    return bool(glob.glob(os.path.join(PROJECT, "*Cases", name)))


class Figures:
    """Of Cobertura: {file: {line: count}} and {file: {line: (ways gone, ways)}}, of files that are wanted."""

    def __init__(self, path, wanted=has_case):
        self.lines, self.ways = {}, {}
        for element in xml.etree.ElementTree.parse(path).getroot().iter("class"):
            name = os.path.basename(element.get("filename"))
            if not wanted(name):
                continue
            lines, ways = self.lines.setdefault(name, {}), self.ways.setdefault(name, {})
            for line in element.iter("line"):
                number = int(line.get("number"))
                lines[number] = max(lines.get(number, 0), int(line.get("hits")))
                if line.get("condition-coverage"):
                    ways[number] = tuple(map(int, re.search(r"\((\d+)/(\d+)\)", line.get("condition-coverage")).groups()))


class CoverPeers(harness.SharedFolder):
    maxDiff = None

    def prepare(self):
        self.build_project(PROJECT, within="Tests")
        self.cover("--mode=count", "--format", "cobertura,json,log", "-o", "ours")

    def assert_is(self, name, text):
        """What the file of this name beside the cases has."""
        path = os.path.join(PROJECT, name)
        if os.environ.get("ORIEL_REGENERATE") == "1":
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(text, file.read(), f"{name}; ORIEL_REGENERATE=1 writes it anew")

    def cover(self, *options, command=("dotnet", "test", "Tests", "--no-build")):
        result = self.oriel("cover", *options, "--", *command, env=harness.QUIET, timeout=280)
        self.assertEqual(result.code, 0, result.out + result.err)
        return result

    def collected(self, folder, collector, *settings):
        result = self.call(["dotnet", "test", "Tests", "--no-build", "--collect", collector, "--results-directory", folder,
                            *settings], env=harness.QUIET, timeout=280)
        self.assertEqual(result.code, 0, result.out + result.err)
        path, = glob.glob(self.path(f"{folder}/*/*cobertura.xml"))
        return path

    def test_the_peers_count_the_same_lines(self):
        ours = Figures(self.path("ours/coverage.cobertura.xml"))
        self.assertGreater(sum(map(len, ours.lines.values())), 400)
        self.check_ways_are_those_of_the_sources(ours)
        coverlets = Figures(self.collected("coverlet", "XPlat Code Coverage"))
        self.check(ours, coverlets, ONLY_COVERLET, {})
        self.check_counts(ours, coverlets)
        microsofts = self.collected("microsoft", "Code Coverage;Format=cobertura")
        self.check(ours, Figures(microsofts), ONLY_MICROSOFT, AFTER_A_THROW)
        self.assert_is("branches.txt", self.other_branches(ours, coverlets, Figures(microsofts)))
        if harness.LONG: self.check_the_library_of_fsharp(microsofts)

    def test_reports_tell_the_same_lines(self):
        with open(self.path("ours/coverage.oriel.json"), encoding="utf-8") as file:
            files = {entry["path"]: {line[0]: line for line in entry["lines"]} for entry in json.load(file)["files"]}
        uncovered = self.oriel("report", "coverage", "--uncovered", "ours/coverage.oriel").out.split("\n\n")
        own = sorted(part.rstrip("\n") for part in uncovered if has_case(os.path.basename(part.split("\n")[0])))
        self.assert_is("uncovered.txt", "\n\n".join(own) + "\n")
        never = {entry["file"]: entry["never"] for entry in json.loads(self.oriel(
            "report", "coverage", "--uncovered", "--json", "ours/coverage.oriel").out)["uncovered"]}
        for path, lines in files.items():
            missed = [number for number, (_, count, *_) in lines.items() if count == 0]
            self.assertEqual(never.get(path, []), missed, path)
            if has_case(os.path.basename(path)):
                self.assertEqual(self.marks_of(os.path.basename(path)), {
                    number: (count, int(count > 0 and (partly == 1 or gone < ways)), f"{gone}/{ways}" if ways else "")
                    for number, count, partly, gone, ways in lines.values()})

    def marks_of(self, name):
        """{line: (count, 1 if it or its ways ran in part, ways)} of a source with marks, whose text is that of the source."""
        shown = self.oriel("report", "coverage", "--source", name, "ours/coverage.oriel", env={"COLUMNS": "250"}).out
        marks, sources = {}, texts(name)
        for row in shown.splitlines()[2:]:
            mark, count, ways, number, text = re.match(r"(.)(?: +([\d,]+))?(?: +(\d+/\d+))? +(\d+)(?: (.*))?$", row).groups()
            self.assertEqual((text or "").strip(), sources[int(number)].replace("\t", "    ").strip())
            self.assertEqual(mark == "!", count == "0", row)
            if count:
                marks[int(number)] = (int(count.replace(",", "")), int(mark == "~"), ways or "")
        return marks

    def other_branches(self, ours, coverlet, microsoft):
        """The lines of which one of them tells other ways than Oriel: ways gone of ways."""
        rows = []
        for name in sorted(ours.lines):
            told = [figures.ways.get(name, {}) for figures in (ours, coverlet, microsoft)]
            for number in sorted(set().union(*told)):
                ways = ["{}/{}".format(*of[number]) if number in of else "-" for of in told]
                if len(set(ways)) > 1:
                    rows.append("{:>6}  {:>8}  {:>9}  {}:{}  {}".format(*ways, name, number, texts(name)[number].strip()))
        return " oriel  coverlet  microsoft\n" + "\n".join(rows) + "\n"

    def check(self, ours, theirs, only_theirs, only_they_ran):
        self.assertEqual(set(ours.lines), set(theirs.lines))
        for name, lines in ours.lines.items():
            others = theirs.lines[name]
            self.assertEqual(set(lines) - set(others), set(), name)
            self.assertEqual(set(others) - set(lines), only_theirs.get(name, set()), name)
            ran = {line for line, count in lines.items() if count > 0}
            others_ran = {line for line in lines if others[line] > 0}
            self.assertEqual(ran - others_ran, set(), name)
            self.assertEqual(others_ran - ran, only_they_ran.get(name, set()), name)

    def check_counts(self, ours, theirs):
        """Of a line with several statements theirs is the sum, ours the most frequent one's."""
        both = [(count, theirs.lines[name][line]) for name, lines in ours.lines.items() for line, count in lines.items()]
        self.assertEqual([pair for pair in both if pair[0] > pair[1]], [])
        self.assertGreater(sum(count == other for count, other in both), 0.9 * len(both))
        self.assertEqual(ours.lines["Conditions.cs"][min(numbers("Conditions.cs", "for (int i = 0; i < count"))], 5)

    def check_the_library_of_fsharp(self, microsofts):
        """Of FSharp.Core, whose PDB is in it: 16,000 lines that nobody here wrote."""
        def is_its(name):
            return name.endswith((".fs", ".fsi")) and not has_case(name)

        self.cover("--include", "[FSharp.Core]", "--format", "cobertura", "-o", "library.xml")
        ours, theirs = Figures(self.path("library.xml"), is_its).lines, Figures(microsofts, is_its).lines
        places = [{(name, line): count > 0 for name, lines in of.items() for line, count in lines.items()} for of in (ours, theirs)]
        self.assertGreater(len(places[0]), 10_000)
        self.assertEqual(set(places[0]), set(places[1]))
        ran = [{place for place, hit in of.items() if hit} for of in places]
        self.assertGreater(len(ran[0]), 100)
        self.assertEqual(ran[0] - ran[1], set())
        # The last arm of a match in a lock: what the lock does behind it has no line of its own, and no part in it.
        self.assertLessEqual({name for name, _ in ran[1] - ran[0]}, {"async.fs"})

    def check_ways_are_those_of_the_sources(self, ours):
        for name in ours.lines:
            told = {number: int(match.group(1)) for number, text in enumerate(texts(name))
                    if (match := re.search(r"  // (\d+) ways$", text))}
            if told and name != "Lined.cs":
                self.assertEqual({line: ways for line, (_, ways) in ours.ways[name].items()}, told, name)

    def of_hosts(self, hosts, mode):
        """{(file, line): (count, ways gone)} of so many hosts of the tests at once."""
        host = ("sh", "-c", 'for i in $(seq $0); do "$@" > out-$i & all="$all $!"; done; '
                            'for pid in $all; do wait $pid || exit 1; done', str(hosts), "dotnet", "vstest", TESTS)
        self.cover(f"--mode={mode}", "--format", "json", "-o", "hosts.json", command=host)
        return self.places("hosts.json")

    def places(self, name):
        """{(file, line): (count, ways gone)} of Oriel's JSON."""
        with open(self.path(name), encoding="utf-8") as file:
            coverage = json.load(file)
        return {(os.path.basename(entry["path"]), line[0]): (line[1], line[3])
                for entry in coverage["files"] for line in entry["lines"]}

    def test_hosts_at_once_add_up_exactly(self):
        if harness.LONG:
            one, several = self.of_hosts(1, "hit"), self.of_hosts(8, "hit")
        else:  # what prepare() counted, as it would have been hit
            one = {place: (min(count, 1), gone) for place, (count, gone) in self.places("ours/coverage.oriel.json").items()}
            several = self.of_hosts(2, "hit")
        self.assertGreater(len(one), 400)
        self.assertEqual(several, one)

    @harness.only_long
    def test_counts_of_eight_hosts_add_up_exactly(self):
        one, eight = self.of_hosts(1, "count"), self.of_hosts(8, "count")
        self.assertGreater(max(count for count, _ in one.values()), 1)
        self.assertEqual(eight, {place: (8 * count, gone) for place, (count, gone) in one.items()})


if __name__ == "__main__":
    harness.main()
