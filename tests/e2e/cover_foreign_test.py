#!/usr/bin/env python3
"""oriel cover on libraries that nobody here wrote, under the specification's tests of a container and a few calls: the same
lines as coverlet's collector and Microsoft's have, and the same of them ran."""
import glob
import os
import xml.etree.ElementTree

import harness

PROJECT = os.path.join(harness.ROOT, "tests", "e2e", "cover_foreign")
LIBRARIES = ("FluentValidation", "Humanizer", "Spectre.Console")
# Its lambdas that were never called, each on a line of its own in a statement that ran: coverlet counts that one.
COVERLETS_LAMBDAS = {"Shouldly": {("DeterministicBuildHelpers.cs", 15), ("ShouldMatchConfiguration.cs", 44)}}
COVERLET = """<RunSettings><DataCollectionRunSettings><DataCollectors>
<DataCollector friendlyName="XPlat code coverage"><Configuration><Format>cobertura</Format>
<ExcludeAssembliesWithoutSources>None</ExcludeAssembliesWithoutSources></Configuration></DataCollector>
</DataCollectors></DataCollectionRunSettings></RunSettings>"""


def lines_of(path):
    """{assembly: {(file, line): whether it ran}} of Cobertura."""
    found = {}
    for package in xml.etree.ElementTree.parse(path).getroot().iter("package"):
        lines = found.setdefault(package.get("name").removesuffix(".dll"), {})
        for element in package.iter("class"):
            name = os.path.basename(element.get("filename").replace("\\", "/"))
            for line in element.iter("line"):
                place = (name, int(line.get("number")))
                lines[place] = lines.get(place, False) or int(line.get("hits")) > 0
    return found


class CoverForeign(harness.OrielTest):
    def collected(self, folder, *options):
        run = self.call(["dotnet", "test", "--no-build", "--results-directory", folder, *options], env=harness.QUIET, timeout=280)
        self.assertEqual(run.code, 0, run.out + run.err)
        path, = glob.glob(self.path(f"{folder}/*/*cobertura.xml"))
        return lines_of(path)

    def test_the_same_lines_ran(self):
        self.build_project(PROJECT)
        names = ",".join(f"[{name}]" for name in (*LIBRARIES, "Shouldly"))
        run = self.oriel("cover", "--include", names, "--format", "cobertura", "-o", "ours.xml", "--", "dotnet", "test",
                         "--no-build", env=harness.QUIET, timeout=280)
        self.assertEqual(run.code, 0, run.out + run.err)
        ours = lines_of(self.path("ours.xml"))
        with open(self.path("coverlet.runsettings"), "w", encoding="utf-8") as out:
            out.write(COVERLET)
        coverlet = self.collected("coverlet", "--settings", "coverlet.runsettings", "--collect", "XPlat Code Coverage")
        microsoft = self.collected("microsoft", "--collect", "Code Coverage;Format=cobertura")
        self.assertGreater(sum(len(ours[name]) for name in LIBRARIES), 30_000)
        for theirs, names, differences in ((microsoft, LIBRARIES, {}), (coverlet, (*LIBRARIES, "Shouldly"), COVERLETS_LAMBDAS)):
            for name in names:
                self.assertEqual(set(ours[name]), set(theirs[name]), name)
                ran = {place for place, hit in ours[name].items() if hit}
                others_ran = {place for place, hit in theirs[name].items() if hit}
                self.assertGreater(len(ran), 30, name)
                self.assertEqual(ran - others_ran, set(), name)
                self.assertEqual(others_ran - ran, differences.get(name, set()), name)


if __name__ == "__main__":
    harness.main()
