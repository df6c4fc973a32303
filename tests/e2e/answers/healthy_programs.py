"""The corpus of healthy programs: nothing is wrong with them, so that no hint names a cause. Most of them nobody here wrote.

A new program is a row here. Its command is run in a folder that healthy_test.py fills: `source` has a C# project of
generated classes and its assembly Generated.dll, `library` a project, `tests` one with tests, `script.fsx` and `Module.fs` F#.
"""
import collections
import glob
import os
import sys

import harness

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "tools"))
import dotnet_sdk

# tool: the NuGet package of a tool that is installed for it. allowed: hints that are true of it, and why. code: what it exits
# with. quick: it is part of the check.
Program = collections.namedtuple("Program", "name command tool allowed code quick")

OF_SHORT = {"pgo": "it ends within seconds and is slower with it"}
NOT_AHEAD = {"ready-to-run": "its package has little code that was compiled ahead", **OF_SHORT}


def program(name, *command, tool=None, allowed=(), code=0, quick=False):
    return Program(name, command, tool, dict(allowed), code, quick)


def target(name):
    return os.path.join(harness.BUILD, "targets", name, name + ".dll")


def of_sdk(*parts):
    return os.path.join(dotnet_sdk.sdk_folder(), *parts)


def framework(name):
    """An assembly of the shared framework."""
    root = os.path.dirname(os.path.dirname(dotnet_sdk.sdk_folder()))
    return sorted(glob.glob(os.path.join(root, "shared", "Microsoft.NETCore.App", "10.*", name)))[-1]


def references():
    return ["-r:" + path for path in dotnet_sdk.reference_assemblies()]


COMPILERS = [
    program("csc", "dotnet", dotnet_sdk.compiler(), "@source/compile.rsp", allowed=OF_SHORT, quick=True),
    program("csc-analyzed", "dotnet", dotnet_sdk.compiler(), "@source/compile.rsp", "-nullable:enable", "-deterministic",
            "-debug:portable", "-doc:docs.xml", allowed=OF_SHORT),
    program("fsc", "dotnet", of_sdk("FSharp", "fsc.dll"), "--nologo", "--noframework", "--target:library", "--out:Sharp.dll",
            "-r:" + of_sdk("FSharp", "FSharp.Core.dll"), *references(), "Module.fs"),
]

SDK = [
    program("dotnet-build", "dotnet", "build", "library", "-nologo", "-v:q"),
    program("dotnet-publish", "dotnet", "publish", "library", "-nologo", "-v:q", "-o", "published"),
    program("dotnet-test", "dotnet", "test", "tests", "-nologo", "-v:q", "--filter",
            "FullyQualifiedName!~WrongOnPurpose"),
    program("dotnet-format", "dotnet", "format", "library/library.csproj", "--no-restore"),
    program("dotnet-msbuild", "dotnet", "msbuild", "library", "-nologo", "-getProperty:TargetFramework"),
    program("dotnet-new", "dotnet", "new", "console", "-o", "made", "--no-restore", quick=True),
    program("dotnet-list", "dotnet", "list", "library", "package"),
    program("dotnet-nuget", "dotnet", "nuget", "locals", "all", "--list"),
    program("dotnet-sln", "dotnet", "new", "sln", "-o", "solution"),
    program("dotnet-fsi", "dotnet", "fsi", "script.fsx"),
]

TOOLS = [
    program("csharpier", "tools/csharpier", "format", "source", tool="csharpier", allowed=NOT_AHEAD),
    program("ilspycmd", "tools/ilspycmd", "-o", "decompiled", framework("System.Private.Xml.dll"), tool="ilspycmd"),
    program("reportgenerator", "tools/reportgenerator", "-reports:coverage.xml", "-targetdir:html",
            tool="dotnet-reportgenerator-globaltool", allowed=NOT_AHEAD),
    program("fantomas", "tools/fantomas", "Module.fs", tool="fantomas", allowed=NOT_AHEAD),
    program("docfx", "tools/docfx", "build", "site/docfx.json", tool="docfx", allowed=NOT_AHEAD),
    program("roslynator", "tools/roslynator", "analyze", "library/library.csproj", tool="roslynator.dotnet.cli",
            allowed=NOT_AHEAD),
    program("pwsh", "tools/pwsh", "-NoProfile", "-Command",
            "$sum = 0; foreach ($i in 1..300000) { $sum += $i * 2 }; 1..20000 | ForEach-Object { \"$_\" } | Sort-Object | "
            "Measure-Object; $sum", tool="powershell", allowed=NOT_AHEAD),
    program("minver", "tools/minver", tool="minver-cli"),
    program("paket", "tools/paket", "--version", tool="paket", allowed=NOT_AHEAD),
    program("apicompat", "tools/apicompat", "-l", framework("System.Private.Xml.dll"), "-r", framework("System.Private.Xml.dll"),
            tool="microsoft.dotnet.apicompat.tool", allowed=NOT_AHEAD),
    program("dotnet-trace", "tools/dotnet-trace", "list-profiles", tool="dotnet-trace"),
    program("husky", "tools/husky", "--version", tool="husky"),
]

OWN = [
    program("libraries", "dotnet", target("libraries")),
    program("sleeper", "dotnet", harness.PROGRAMS, "sleep", "300", quick=True),
    program("busy", "dotnet", harness.PROGRAMS, "busy", "2", "20", quick=True),
    program("bounded-cache", "dotnet", target("steady"), "cache", "3", quick=True),
    program("pools", "dotnet", target("steady"), "pool", "3", allowed=OF_SHORT),
    program("start-that-grows", "dotnet", target("steady"), "start", "3"),
    program("params", "dotnet", target("steady"), "notes", "3"),
]

PROGRAMS = COMPILERS + SDK + TOOLS + OWN
