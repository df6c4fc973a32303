#!/usr/bin/env python3
"""What instrumentation costs the start of programs that do little of their own: `dotnet build` of a small project, with its
child processes, plain and with every call, allocation and call path of user code, the two run in turn.

usage: bench/build.py [--runs N] [--build FOLDER]    after: cmake --preset bench && cmake --build --preset bench
"""
import argparse
import os
import statistics
import sys
import tempfile

import machine
import suite

PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework>
<UseAppHost>false</UseAppHost><NuGetAudit>false</NuGetAudit></PropertyGroup></Project>"""
# No build server may do the work: one of an earlier build has no profiler.
BUILD = ["dotnet", "build", "--no-restore", "--no-incremental", "-nodeReuse:false", "-v:q", "-p:UseSharedCompilation=false"]


def cases(folder):
    calls = ["--calls", "--alloc", "--alloc-in"]
    yield "engine loaded, nothing on", [], {**suite.engine_only(), "ORIEL_CHILDREN": "1"}
    yield "calls and allocations of user code", *everything(folder, calls)
    yield "the same and a call graph", *everything(folder, [*calls, "--callgraph"])
    yield "calls of one namespace", *everything(folder, ["--calls=App.*"])


def everything(folder, options):
    return [suite.ORIEL, "run", "-o", os.path.join(folder, "%p.oriel"), "--no-sample", "--children", *options, "--"], {}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=7, help="counted runs of each (default 7)")
    parser.add_argument("--build", default=os.path.join(suite.ROOT, "build", "bench"), help="another build folder")
    options = parser.parse_args()
    machine.say()
    suite.ORIEL = os.path.join(os.path.abspath(options.build), "bin", "oriel")
    if not os.path.exists(suite.ORIEL):
        sys.exit("bench: build first: cmake --preset bench && cmake --build --preset bench")
    with tempfile.TemporaryDirectory() as folder:
        app = os.path.join(folder, "app")
        os.mkdir(app)
        with open(os.path.join(app, "app.csproj"), "w", encoding="utf-8") as out:
            out.write(PROJECT)
        with open(os.path.join(app, "Program.cs"), "w", encoding="utf-8") as out:
            out.write('namespace App; static class Program { static void Main() => System.Console.WriteLine("built"); }')
        suite.seconds(["dotnet", "restore", app], {})
        print(f"{'dotnet build':36} {'plain min':>10} {'median':>9} {'with min':>10} {'median':>9} {'ratio min':>10} {'median':>8}")
        for name, prefix, environment in cases(folder):
            a, b = suite.compare([*BUILD, app], prefix, environment, options.runs)
            am, bm = statistics.median(a), statistics.median(b)
            print(f"{name:36} {min(a):9.3f}s {am:8.3f}s {min(b):9.3f}s {bm:8.3f}s {min(b) / min(a):10.3f} {bm / am:8.3f}", flush=True)


if __name__ == "__main__":
    main()
