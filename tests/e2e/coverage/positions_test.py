#!/usr/bin/env python3
"""A module learns in the program which lines of which files ran, by the PDBs of this machine."""
import os
import shutil

import harness

MODULE = os.path.join(harness.BUILD, "tests", "modules", "liboriel-positions.so")
SOURCE = os.path.join(harness.ROOT, "tests", "targets", "lines", "Program.cs")
RAN = ("burns in a lambda", "burns in a local function", "burns in an async method")


class Positions(harness.OrielTest):
    def runs(self, assembly):
        """Of the methods of the program: [(count, hidden, line, file)], None where there is no place."""
        module = f"{MODULE}:Lines.,{self.path('positions')}"
        result = self.record("dotnet", assembly, "60", options=["--no-sample", "--module", module])
        self.assertEqual((result.code, len(result.own_lines())), (0, 1), result.err)  # where the log is
        runs = []
        with open(self.path("positions"), encoding="utf-8") as lines:
            for line in lines:
                count, *place = line.rstrip().split(" ", 4)
                runs.append((int(count), int(place[0]), int(place[1]), place[3]) if len(place) == 4 else None)
        self.assertGreater(len(runs), 10)
        return runs

    def assert_lines(self, runs):
        places = [run for run in runs if run]  # what the compiler made up whole has none
        told = {line for count, hidden, line, _ in places if count and not hidden}
        for mark in RAN:
            self.assertIn(harness.line_with(SOURCE, mark), told)
        self.assertEqual({os.path.basename(file) for *_, file in places}, {"Program.cs"})

    def copy(self, name):
        shutil.copytree(os.path.join(harness.BUILD, "targets", name), self.path(name))
        return self.path(f"{name}/{name}.dll")

    def test_by_a_pdb_beside_the_assembly(self):
        self.assert_lines(self.runs(os.path.join(harness.BUILD, "targets", "lines", "lines.dll")))

    def test_by_a_pdb_within_the_assembly(self):
        self.assert_lines(self.runs(self.copy("embedded_lines")))

    def test_a_pipe_beside_the_assembly_is_not_waited_for(self):
        assembly = self.copy("lines")
        os.remove(self.path("lines/lines.pdb"))
        os.mkfifo(self.path("lines/lines.pdb"))
        self.assert_lines(self.runs(assembly))  # by the PDB where it was compiled

    def test_of_another_build_there_are_no_lines(self):
        assembly = self.copy("lines")
        with open(assembly, "rb") as file:
            image = file.read()
        at = image.index(b"RSDS") + 4
        with open(assembly, "wb") as file:  # the id of its PDB
            file.write(image[:at] + bytes(16) + image[at + 16:])
        self.assertEqual(set(self.runs(assembly)), {None})


if __name__ == "__main__":
    harness.main()
