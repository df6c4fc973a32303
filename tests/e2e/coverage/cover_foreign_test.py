#!/usr/bin/env python3
"""oriel cover on libraries that nobody here wrote, under published suites of tests and a few calls: the same lines as
coverlet's collector and Microsoft's have, and the same of them ran; and of branches never more ways than they tell.

The suites: the specification's tests of a container (LightInject), JMESPath's compliance tests (JmesPath.Net) and
MessagePack's test suite (MessagePack)."""
import glob
import io
import os
import re
import subprocess
import tarfile
import xml.etree.ElementTree

import harness

PROJECT = os.path.join(harness.ROOT, "tests", "e2e", "coverage", "foreign")
LIBRARIES = ("FluentValidation", "Humanizer", "JmePath.Net.Parser", "LightInject", "MessagePack", "Spectre.Console")
# Suites that are data, as packages of npm.
SUITES = ("jmespath@0.15.0", "msgpack-test-suite@1.0.0")
# One test of the specification disposes of what this container then gives.
TESTS = ["--filter", "FullyQualifiedName!~OtherContainer.NonSingletonService"]

# Lines that only Oriel has, by the method they are in; docs/COVERAGE.md says why.
ONLY_OURS = {
    # Two local functions of a method, with variables of its. And one line of a third, which a lambda has too.
    "coverlet": {("MessagePack", "CreateOrNull.AddEmittableMemberOrIgnore"), ("MessagePack", "CreateOrNull.CreateEmittableMember"),
                 ("MessagePack", "BuildDeserializeInternalDeserializeLoopIntKey.ForBody")},
    # Behind a call that never comes back.
    "microsoft": {("MessagePack", "GetFormatterWithVerify<T>"), ("MessagePack", "ThrowIfLengthsDontMatch")},
}
# Lambdas that were never called, each on a line of its own in a statement that ran: coverlet counts that one.
COVERLETS_LAMBDAS = {("DeterministicBuildHelpers.cs", 15), ("ShouldMatchConfiguration.cs", 44), ("LightInject.cs", 2924),
                     ("LightInject.cs", 3989), ("LightInject.cs", 4001)}
# Hash tables and trees of objects without hash codes of their own: what runs there differs from run to run.
BY_CHANCE = re.compile(r"ThreadsafeTypeKeyHashTable|ImmutableHashTree")
COVERLET = """<RunSettings><DataCollectionRunSettings><DataCollectors>
<DataCollector friendlyName="XPlat code coverage"><Configuration><Format>cobertura</Format>
<ExcludeAssembliesWithoutSources>None</ExcludeAssembliesWithoutSources></Configuration></DataCollector>
</DataCollectors></DataCollectionRunSettings></RunSettings>"""


class Figures:
    """Of one assembly in Cobertura: which lines ran {(file, line): bool}, the ways of conditions {(file, line): (gone,
    ways)}, the methods that a line is in, and the lines that run by chance."""

    def __init__(self):
        self.lines, self.ways, self.methods, self.by_chance = {}, {}, {}, set()

    def add(self, element):
        file = os.path.basename(element.get("filename").replace("\\", "/"))
        for line in element.iter("line"):
            place = (file, int(line.get("number")))
            self.lines[place] = self.lines.get(place, False) or int(line.get("hits")) > 0
            if told := re.search(r"\((\d+)/(\d+)\)", line.get("condition-coverage") or ""):
                self.ways[place] = tuple(map(int, told.groups()))
            if BY_CHANCE.search(element.get("name")):
                self.by_chance.add(place)
        for method in element.iter("method"):
            for line in method.iter("line"):
                self.methods.setdefault((file, int(line.get("number"))), set()).add(method.get("name").split("(")[0])

    def ran(self):
        return {place for place, hit in self.lines.items() if hit} - self.by_chance


def figures_of(path):
    found = {}
    for package in xml.etree.ElementTree.parse(path).getroot().iter("package"):
        figures = found.setdefault(package.get("name").removesuffix(".dll"), Figures())
        for element in package.iter("class"):
            figures.add(element)
    return found


class CoverForeign(harness.OrielTest):
    def unpack(self, suite):
        """A package's files in the folder suites/NAME."""
        try:
            packed = self.call(["npm", "pack", "--silent", suite], timeout=60)
        except (OSError, subprocess.TimeoutExpired):
            self.skipTest("npm is not here, or its registry does not answer")
        if packed.code != 0:
            self.skipTest(f"{suite} cannot be had from the configured registry")
        with open(self.path(packed.out.split()[-1]), "rb") as file:
            data = io.BytesIO(file.read())
        with tarfile.open(fileobj=data) as archive:
            for member in archive.getmembers():
                if member.isfile():
                    path = self.path(os.path.join("suites", suite.split("@")[0], *member.name.split("/")[1:]))
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with open(path, "wb") as out:
                        out.write(archive.extractfile(member).read())

    def run_tests(self, *front, options=()):
        run = self.call([*front, "dotnet", "test", "--no-build", *TESTS, *options], env=harness.QUIET, timeout=280)
        self.assertEqual(run.code, 0, run.out + run.err)
        self.assertIn("Passed:   210", run.out)

    def collected(self, folder, *options):
        self.run_tests(options=["--results-directory", folder, *options])
        path, = glob.glob(self.path(f"{folder}/*/*cobertura.xml"))
        return figures_of(path)

    @harness.only_long
    def test_the_same_lines_ran(self):
        for suite in SUITES:
            self.unpack(suite)
        self.build_project(PROJECT)
        names = ",".join(f"[{name}]" for name in (*LIBRARIES, "Shouldly"))
        self.run_tests(harness.ORIEL, "cover", "--include", names, "--format", "cobertura", "-o", "ours.xml", "--")
        ours = figures_of(self.path("ours.xml"))
        with open(self.path("coverlet.runsettings"), "w", encoding="utf-8") as out:
            out.write(COVERLET)
        coverlet = self.collected("coverlet", "--settings", "coverlet.runsettings", "--collect", "XPlat Code Coverage")
        microsoft = self.collected("microsoft", "--collect", "Code Coverage;Format=cobertura")
        self.assertGreater(sum(len(ours[name].lines) for name in LIBRARIES), 50_000)
        for who, theirs, names, more_ran in (("microsoft", microsoft, LIBRARIES, set()),
                                             ("coverlet", coverlet, (*LIBRARIES, "Shouldly"), COVERLETS_LAMBDAS)):
            for name in names:
                with self.subTest(who=who, library=name):
                    self.check_lines(name, ours[name], theirs[name], ONLY_OURS[who], more_ran)
                    self.check_ways(ours[name], theirs[name])

    def check_lines(self, name, ours, theirs, only_ours, more_ran):
        self.assertEqual(set(theirs.lines) - set(ours.lines), set())
        more = {place: ours.methods[place] for place in set(ours.lines) - set(theirs.lines)}
        self.assertEqual({place: methods for place, methods in more.items()
                          if not any((name, method) in only_ours for method in methods)}, {})
        ran, others_ran = ours.ran(), theirs.ran()
        self.assertGreater(len(ran), 400)
        self.assertEqual(ran - others_ran, set())
        self.assertEqual(others_ran - ran, {place for place in more_ran if place in ours.lines})

    def check_ways(self, ours, theirs):
        """Theirs count a way as gone whoever arrives where it leads, so that there it is never fewer than ours."""
        places = {place for place, (_, ways) in ours.ways.items() if theirs.ways.get(place, (0, 0))[1] == ways}
        places -= ours.by_chance
        self.assertGreater(len(places), 0.85 * len(ours.ways))
        self.assertEqual({place: (ours.ways[place], theirs.ways[place]) for place in places
                          if ours.ways[place][0] > theirs.ways[place][0]}, {})
        same = sum(ours.ways[place] == theirs.ways[place] for place in places)
        self.assertGreater(same, 0.85 * len(places))


if __name__ == "__main__":
    harness.main()
