#!/usr/bin/env python3
"""Programs that nobody here wrote: the C# compiler, `dotnet build` with its child processes, a web
server under load."""
import os
import sys

import harness
from harness import SERVER

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "tools"))
import dotnet_sdk
import generate_source


class Compiler(harness.OrielTest):
    def test_output_is_byte_for_byte_the_same(self):
        response = generate_source.generate(self.path("source"), 100 if harness.LONG else 20)
        assembly = self.path("source/Generated.dll")
        command = ["dotnet", dotnet_sdk.compiler(), "@" + response]
        self.assertEqual(self.call(command).code, 0)
        with open(assembly, "rb") as file:
            expected = file.read()
        os.remove(assembly)
        result = self.record(*command)
        self.assertEqual((result.code, result.out), (0, ""))
        with open(assembly, "rb") as file:
            self.assertEqual(file.read(), expected)
        summary = self.report()
        self.assertEqual(summary["state"], "complete")
        self.assertGreater(summary["samples"]["periods"], 100)
        names = " ".join(entry["name"] for entry in self.report("top", "--limit", "500")["by_total"])
        self.assertIn("Microsoft.CodeAnalysis.CSharp", names)


class Build(harness.OrielTest):
    def test_dotnet_build_with_its_children(self):
        os.mkdir(self.path("app"))
        with open(self.path("app/app.csproj"), "w", encoding="utf-8") as out:
            out.write('<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType>'
                      "<TargetFramework>net10.0</TargetFramework><UseAppHost>false</UseAppHost>"
                      "<NuGetAudit>false</NuGetAudit></PropertyGroup></Project>")
        with open(self.path("app/Program.cs"), "w", encoding="utf-8") as out:
            out.write('System.Console.WriteLine("built");')
        # MSBuild takes a line on the compiler's stderr for an error: what each process has to say is said at the end.
        result = self.oriel("run", "--children", "--calls=Shpo.*", "--", "dotnet", "build", "-nodeReuse:false", "-v:q",
                            "-p:UseSharedCompilation=false", "app", env={"DOTNET_CLI_TELEMETRY_OPTOUT": "1"}, timeout=280)
        self.assertEqual(result.code, 0, result.out + result.err)
        self.assertNotIn("oriel", result.out)
        (complaint,) = [line for line in result.own_lines() if "Shpo" in line]
        self.assertRegex(complaint, r"^oriel: --calls 'Shpo\.\*' matched no method that ran; ")
        self.assertEqual(self.call(["dotnet", "app/bin/Debug/net10.0/app.dll"]).out, "built\n")
        self.assertTrue(any(log.startswith("dotnet-build-") for log in self.logs()), self.logs())
        self.assertTrue(any(log.startswith("csc-") for log in self.logs()), self.logs())
        for log in self.logs():
            self.assertIn(self.report(log=log)["state"], ("complete", "stopped"))


class WebServer(harness.OrielTest):
    def test_every_request_is_answered(self):
        server = self.start("run", "-o", "run.oriel", "--sample=1000", "--", "dotnet", SERVER)
        port = int(server.stdout.readline())
        self.ask_server(port, 3000 if harness.LONG else 1000)
        self.assertEqual(server.wait(60), 0)
        summary = self.report()
        self.assertEqual(summary["state"], "complete")
        self.assertGreater(summary["samples"]["periods"], 100)


if __name__ == "__main__":
    harness.main()
