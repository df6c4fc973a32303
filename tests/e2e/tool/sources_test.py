#!/usr/bin/env python3
"""Which files reports and pages show as sources."""
import os
import subprocess
import sys

import harness
from harness import OrielTest, main

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "tools"))
import dotnet_sdk


class Sources(OrielTest):
    """A PDB may name any file: an assembly that maps its lines to one outside is compiled by the SDK's compiler."""

    def covered(self, mapped):
        """Covers a program whose only line is said to be that file's first."""
        for folder in ("shop", "out"):
            os.makedirs(self.path(folder), exist_ok=True)
        with open(self.path("shop/shop.csproj"), "w", encoding="utf-8") as out:
            out.write('<Project Sdk="Microsoft.NET.Sdk" />')  # it ends the search for the project's folder
        with open(self.path("shop/Program.cs"), "w", encoding="utf-8") as out:
            out.write(f'#line 1 "{mapped}"\nSystem.Console.WriteLine("ran");\n')
        with open(self.path("out/shop.runtimeconfig.json"), "w", encoding="utf-8") as out:
            out.write('{"runtimeOptions": {"framework": {"name": "Microsoft.NETCore.App", "version": "10.0.0"}}}')
        references = [f"-r:{path}" for path in dotnet_sdk.reference_assemblies()]
        built = self.call(["dotnet", dotnet_sdk.compiler(), "-nologo", "-debug:portable", "-out:out/shop.dll", *references,
                           "shop/Program.cs"])
        self.assertEqual(built.code, 0, built.out)
        log = self.oriel("cover", "-o", "coverage.oriel", "--", "dotnet", "out/shop.dll")
        self.assertEqual(log.code, 0, log.err)

    def shown(self, *options, cwd="shop"):
        """What pages and reports show, all together, made in that folder."""
        text = ""
        for command in (["cover", "merge", "--format", "html", "-o", "-"], ["report", "coverage", "--source", "secret"]):
            said = subprocess.run([harness.ORIEL, *command, *options, self.path("coverage.oriel")], cwd=self.path(cwd),
                                  capture_output=True, text=True, check=False)
            text += said.stdout + said.stderr
        return text

    def test_a_file_outside_of_the_project_is_not_shown_unless_it_is_named(self):
        os.mkdir(self.path("elsewhere"))
        secret = self.path("elsewhere/secret.txt")
        with open(secret, "w", encoding="utf-8") as out:
            out.write("planted_secret\n" * 3)
        self.covered(secret)
        self.assertNotIn("planted_secret", self.shown())
        self.assertIn("outside the project", self.shown())
        os.symlink(secret, self.path("shop/secret.txt"))
        self.covered("secret.txt")
        self.assertNotIn("planted_secret", self.shown())
        self.covered(secret)
        self.assertIn("planted_secret", self.shown("--sources", self.path("elsewhere")))

    def test_a_file_of_the_systems_is_never_shown(self):
        self.covered("/etc/passwd")
        with open("/etc/passwd", encoding="utf-8") as file:
            line = file.readline().strip()
        for folder in ("shop", "/", "/etc"):
            self.assertNotIn(line, self.shown(cwd=folder))

    def test_a_file_that_is_no_code_is_not_shown_unless_it_is_named(self):
        for name in ("settings.json", "Written.cs"):
            os.makedirs(self.path("shop"), exist_ok=True)
            with open(self.path("shop/" + name), "w", encoding="utf-8") as out:
                out.write("// secret planted_secret\n")
        self.covered("settings.json")
        self.assertNotIn("planted_secret", self.shown())
        self.assertIn("settings.json", self.shown("--sources", self.path("shop")))
        self.covered("Written.cs")
        self.assertIn("planted_secret", self.shown())

    def test_a_hidden_folder_of_the_project_is_not_shown(self):
        os.makedirs(self.path("shop/.ssh"))
        with open(self.path("shop/.ssh/secret"), "w", encoding="utf-8") as out:
            out.write("planted_secret\n")
        self.covered(self.path("shop/.ssh/secret"))
        self.assertNotIn("planted_secret", self.shown())


if __name__ == "__main__":
    main()
