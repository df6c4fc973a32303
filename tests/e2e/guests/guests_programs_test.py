#!/usr/bin/env python3
"""Programs that nobody here wrote, with other profilers that change all of their methods, and Oriel recording beside
them: the C# compiler, `dotnet build` with its children, a web API, under the runtime's settings that decide what is
compiled when."""
import os
import sys

import harness
from other_profilers import ALL, THREE
import sdk_test
import webapi_test

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "tools"))
import dotnet_sdk
import generate_source

SETTINGS = ({}, {"DOTNET_ReadyToRun": "0"}, {"DOTNET_TieredPGO": "0", "DOTNET_TC_QuickJitForLoops": "0"},
            {"DOTNET_gcServer": "1"}, {"DOTNET_TieredCompilation": "0"})


class Compiler(harness.OrielTest):
    def test_output_is_byte_for_byte_the_same(self):
        response = generate_source.generate(self.path("source"), 20 if harness.LONG else 2)
        command = ["dotnet", dotnet_sdk.compiler(), "@" + response]
        expected = self.compiled(self.call(command))
        for settings in harness.some(SETTINGS):
            with self.subTest(settings):
                options = [*ALL, "--calls=Microsoft.CodeAnalysis.CSharp.*", "--alloc"]
                self.assertEqual(self.compiled(self.record(*command, options=options, env=settings)), expected)
                summary = self.report()
                self.assertEqual(summary["state"], "complete")
                changed = [count for name, count in summary["counters"].items() if name.startswith("guest.methods.")]
                # How many versions there are in time is the machine's affair.
                self.assertGreater(max(changed), 500)

    def compiled(self, result):
        self.assertEqual((result.code, result.out), (0, ""), result.err)
        with open(self.path("source/Generated.dll"), "rb") as file:
            return file.read()


@harness.only_long
class Build(sdk_test.Build):
    def oriel(self, command, *args, **rest):
        return super().oriel(command, *(ALL if command == "run" else []), *args, **rest)


@harness.only_long
class WebServer(sdk_test.WebServer):
    def start(self, command, *args, **rest):
        return super().start(command, *ALL, *args, **rest)


# Hooks keep the framework's methods from being inlined, and so change what stacks look like.
@harness.only_long
class WebApi(webapi_test.WebApi):
    def start(self, command, *args, **rest):
        return super().start(command, *THREE, *args, **rest)


if __name__ == "__main__":
    harness.main()
