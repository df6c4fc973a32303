#!/usr/bin/env python3
"""oriel cover on programs of a single file, which are run where nothing of their build is but the sources: the lines of
their own code, also of one that is killed."""
import json
import os
import shutil
import subprocess
import sys
import unittest

import harness

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "tools"))
import dotnet_sdk

PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType>
<TargetFramework>net10.0</TargetFramework><RuntimeIdentifier>linux-x64</RuntimeIdentifier><NuGetAudit>false</NuGetAudit>
<PublishSingleFile>true</PublishSingleFile><UseSharedCompilation>false</UseSharedCompilation></PropertyGroup></Project>
"""
SOURCE = """static class Program {
  static int Main(string[] args) {
    System.Console.WriteLine("hello");
    if (args.Length > 5) {
      System.Console.WriteLine("many");
    }
    if (args[0] == "killed") System.Diagnostics.Process.GetCurrentProcess().Kill();
    return args.Length;
  }
}
"""
RAN = {3: (1, 0, 0), 4: (1, 1, 2), 5: (0, 0, 0), 7: (1, 1, 2), 8: (1, 0, 0)}


@unittest.skipUnless(dotnet_sdk.has_launchers(), "this SDK has no launcher to put a bundle behind")
class CoverSingleFile(harness.OrielTest):
    def publish(self, *options):
        """The program; its build is gone."""
        for name, text in (("Single.csproj", PROJECT), ("Program.cs", SOURCE)):
            with open(self.path(name), "w", encoding="utf-8") as out:
                out.write(text)
        try:
            published = self.call(["dotnet", "publish", "-o", "out", "-nodeReuse:false", "-v:q", *options], env=harness.QUIET,
                                  timeout=280)
        except subprocess.TimeoutExpired:
            self.skipTest("the configured sources of packages do not answer")
        if harness.NO_PACKAGES.search(published.out + published.err):
            self.skipTest("the runtime's package cannot be had from the configured sources")
        self.assertEqual(published.code, 0, published.out + published.err)
        for folder in "obj", "bin":
            shutil.rmtree(self.path(folder))
        self.assertFalse(os.path.exists(self.path("out/Single.dll")))

    def assert_ran(self, *arguments, code, expected):
        result = self.oriel("cover", "--format", "json", "-o", "ours.json", "--", self.path("out/Single"), *arguments)
        self.assertEqual((result.code, result.out), (code, "hello\n"), result.err)
        with open(self.path("ours.json"), encoding="utf-8") as file:
            coverage = json.load(file)
        self.assertEqual(coverage["problems"], [])
        lines, = [entry["lines"] for entry in coverage["files"]]
        self.assertEqual({line: (count, gone, ways) for line, count, _, gone, ways in lines}, expected)

    def test_with_the_pdb_beside_it(self):
        self.publish("--self-contained", "false")
        self.assert_ran("once", code=1, expected=RAN)
        self.assert_ran("killed", code=128 + 9, expected={**RAN, 8: (0, 0, 0)})
        os.remove(self.path("out/Single.pdb"))
        result = self.oriel("cover", "--", self.path("out/Single"), "once")
        self.assertIn("the PDB of Single.dll was not found", result.err)

    @harness.only_long  # lines_test and others have PDBs that are embedded
    def test_with_the_runtime_and_the_pdb_in_it_and_compressed(self):
        self.publish("--self-contained", "true", "-p:DebugType=embedded", "-p:EnableCompressionInSingleFile=true")
        self.assert_ran("once", code=1, expected=RAN)


if __name__ == "__main__":
    harness.main()
