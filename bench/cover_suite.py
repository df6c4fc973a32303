#!/usr/bin/env python3
"""A whole `dotnet test` under oriel cover, beside the plain run, Microsoft's collector and coverlet's, run in turn; and
writing files for 100,000 lines. Prints minima and medians, and their parts of the plain run's.

  suite      tests/e2e/coverage/cases, 12 tests of three small assemblies: what it costs to begin
  foreign    tests/e2e/coverage/foreign, 93 tests; the collectors as they come, oriel cover of four libraries
  write      oriel cover merge of a log into each format, of generated sources

usage: bench/cover_suite.py [--runs N] [--build FOLDER] [suite] [foreign] [write]
       after: cmake --preset release && cmake --build --preset release
"""
import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time

import machine

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
QUIET = {**os.environ, "DOTNET_NOLOGO": "1", "DOTNET_CLI_TELEMETRY_OPTOUT": "1"}
FORMATS = ("log", "lcov", "cobertura", "coverlet", "json", "html")
SUITES = {"suite": ("cases", "Tests", []),
          "foreign": ("foreign", ".", ["--include", "[FluentValidation],[Humanizer],[Spectre.Console],[Shouldly]"])}
# Each method has seven lines with code: braces, a loop, a condition and their bodies.
METHOD = """    public static int Work{0}(int value)
    {{
        for (int i = 0; i < 3; i++)
            if (value > i)
                value += {0};
        return value;
    }}
"""
PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework><OutputType>Exe</OutputType>
<UseAppHost>false</UseAppHost><UseSharedCompilation>false</UseSharedCompilation><NuGetAudit>false</NuGetAudit>
<Optimize>false</Optimize><RunAnalyzers>false</RunAnalyzers></PropertyGroup></Project>
"""


def run(command, folder):
    begin = time.monotonic()
    done = subprocess.run(command, cwd=folder, env=QUIET, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    took = time.monotonic() - begin
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout.decode(errors='replace')}")
    return took


def compare(ways, runs, folder, clear=()):
    """Seconds of each way's runs, in turn, after one that is not counted."""
    times = {name: [] for name in ways}
    for turn in range(runs + 1):
        for name, command in ways.items():
            for path in clear:
                shutil.rmtree(os.path.join(folder, path), ignore_errors=True)
            took = run(command, folder)
            if turn > 0:
                times[name].append(took)
    return times


def tell(title, times, base):
    print(title)
    for name, took in times.items():
        part = f"  {min(took) / min(times[base]):5.2f} x  {statistics.median(took) / statistics.median(times[base]):5.2f} x" if base else ""
        print(f"  {name:<22} {min(took):7.3f} s  {statistics.median(took):7.3f} s{part}")


def suite(name, oriel, runs, folder):
    project, within, options = SUITES[name]
    shutil.copytree(os.path.join(ROOT, "tests", "e2e", "coverage", project), folder, dirs_exist_ok=True)
    run(["dotnet", "build", within, "-v:q", "-nodeReuse:false"], folder)
    test = ["dotnet", "test", within, "--no-build", "--results-directory", "results"]
    cover = [oriel, "cover", *options, "--format", "cobertura", "-o", "ours.xml"]
    ways = {"plain": test,
            "oriel cover": [*cover, "--", *test],
            "oriel cover, count": [*cover, "--mode=count", "--", *test],
            "Microsoft's collector": [*test, "--collect", "Code Coverage;Format=cobertura"],
            "coverlet's collector": [*test, "--collect", "XPlat Code Coverage"]}
    tell(f"{name}: whole dotnet test, Cobertura written; minimum, median, parts of the plain run",
         compare(ways, runs, folder, clear=["results"]), "plain")


def write(oriel, runs, folder):
    files, methods = 23, 720
    for number in range(files):
        with open(os.path.join(folder, f"Part{number}.cs"), "w", encoding="utf-8") as out:
            out.write(f"public static class Part{number}\n{{\n")
            out.writelines(METHOD.format(i) for i in range(methods))
            out.write("}\n")
    with open(os.path.join(folder, "Program.cs"), "w", encoding="utf-8") as out:
        out.writelines(f"Part{part}.Work{method}(1);\n" for part in range(files) for method in range(0, methods, 7))
    with open(os.path.join(folder, "Many.csproj"), "w", encoding="utf-8") as out:
        out.write(PROJECT)
    run(["dotnet", "build", "-v:q", "-nodeReuse:false"], folder)
    run([oriel, "cover", "--format", "log,lcov", "-o", ".", "--", "dotnet", "bin/Debug/net10.0/Many.dll"], folder)
    with open(os.path.join(folder, "lcov.info"), encoding="utf-8") as file:
        lines = sum(line.startswith("DA:") for line in file)
    shutil.copy(os.path.join(folder, "coverage.oriel"), os.path.join(folder, "many.oriel"))
    ways = {name: [oriel, "cover", "merge", "--format", name, "-o", "written", "many.oriel"] for name in FORMATS}
    tell(f"write: a log read, {lines:,} lines made of it and written, the whole command; minimum, median",
         compare(ways, runs, folder), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("what", nargs="*", choices=[[], "suite", "foreign", "write"])
    options = parser.parse_args()
    machine.say()
    oriel = os.path.join(os.path.abspath(options.build), "bin", "oriel")
    for name in options.what or ("suite", "foreign", "write"):
        with tempfile.TemporaryDirectory(prefix="oriel-bench-") as folder:
            if name == "write":
                write(oriel, options.runs, folder)
            else:
                suite(name, oriel, options.runs, folder)


if __name__ == "__main__":
    main()
