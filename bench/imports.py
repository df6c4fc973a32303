#!/usr/bin/env python3
"""How long the import of a large .nettrace file takes, beside dotnet-trace's own `convert` of the same file. The file is of a
program that runs many different stacks on several threads; it is recorded here, or given.

usage: bench/imports.py [--megabytes N] [--runs N] [--build FOLDER] [--file FILE.nettrace]
       after: cmake --preset bench && cmake --build --preset bench
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
FOLDER = os.environ.get("ORIEL_DOTNET_TOOLS", os.path.join(ROOT, "build", "dotnet-tools"))
TRACE = shutil.which("dotnet-trace", path=os.pathsep.join([FOLDER, os.environ.get("PATH", ""), os.path.expanduser("~/.dotnet/tools")]))
QUIET = {**os.environ, "DOTNET_NOLOGO": "1", "DOTNET_CLI_TELEMETRY_OPTOUT": "1"}

PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework>
</PropertyGroup></Project>"""
# Each walk takes other ways through the methods, so that most stacks are new; it allocates and throws on its way.
PROGRAM = """using System;
using System.Threading;

static class Walk
{
    static int A(uint way, int depth) => depth == 0 ? End(way) : Next(way, depth - 1) + 1;
    static int B(uint way, int depth) => depth == 0 ? End(way) : Next(way, depth - 1) + 2;
    static int C(uint way, int depth) => depth == 0 ? End(way) : Next(way, depth - 1) + 3;
    static int D(uint way, int depth) => depth == 0 ? End(way) : Next(way, depth - 1) + 4;
    static int Next(uint way, int depth) => ((way * 2654435761u) >> 30) switch
    {
        0 => A(way * 1664525u + 1013904223u, depth),
        1 => B(way * 1664525u + 1013904223u, depth),
        2 => C(way * 1664525u + 1013904223u, depth),
        _ => D(way * 1664525u + 1013904223u, depth),
    };
    static int End(uint way)
    {
        var bytes = new byte[2000];
        for (int i = 0; i < bytes.Length; i++) bytes[i] = (byte)(way >> (i & 7));
        return bytes[way % 2000];
    }
    static void Main(string[] words)
    {
        var end = DateTime.UtcNow.AddSeconds(double.Parse(words[0]));
        var threads = new Thread[8];
        for (int t = 0; t < threads.Length; t++)
        {
            uint way = (uint)t * 7919u;
            threads[t] = new Thread(() => { while (DateTime.UtcNow < end) Next(way++, 40); });
            threads[t].Start();
        }
        foreach (var thread in threads) thread.Join();
    }
}
"""
PROVIDERS = "Microsoft-DotNETCore-SampleProfiler,Microsoft-Windows-DotNETRuntime:0x14C14FCCBD:5"


def record(folder, megabytes):
    """A file of at least so many megabytes: the program runs longer until it is one."""
    with open(os.path.join(folder, "walk.csproj"), "w", encoding="utf-8") as project:
        project.write(PROJECT)
    with open(os.path.join(folder, "Walk.cs"), "w", encoding="utf-8") as program:
        program.write(PROGRAM)
    subprocess.run(["dotnet", "build", "-c", "Release", "-v:q", "-o", "out"], cwd=folder, check=True, env=QUIET, capture_output=True)
    trace, seconds = os.path.join(folder, "walk.nettrace"), 10
    while True:
        subprocess.run([TRACE, "collect", "-o", trace, "--providers", PROVIDERS, "--", "dotnet", "out/walk.dll", str(seconds)],
                       cwd=folder, check=True, env=QUIET, capture_output=True)
        size = os.path.getsize(trace) / 1e6
        if size >= megabytes:
            return trace
        seconds = int(seconds * max(1.5, 1.1 * megabytes / size))


def run(command, folder):
    """Seconds, seconds of CPU, and most memory in MB."""
    began = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, env=QUIET, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=100, help="of the file")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "bench"))
    parser.add_argument("--file", help="one that there is already")
    options = parser.parse_args()
    if TRACE is None:
        raise SystemExit("dotnet-trace is missing: dotnet tool install --global dotnet-trace")
    machine.say()
    oriel = os.path.join(options.build, "bin", "oriel")
    with tempfile.TemporaryDirectory(prefix="oriel-imports-") as folder:
        trace = os.path.abspath(options.file) if options.file else record(folder, options.megabytes)
        log = os.path.join(folder, "walk.oriel")
        commands = {
            "`oriel convert`": [oriel, "convert", trace, log],
            "`oriel report`": [oriel, "report", trace],
            "`dotnet-trace convert --format Speedscope`": [TRACE, "convert", trace, "--format", "Speedscope", "-o", os.path.join(folder, "out")],
        }
        print(f"{os.path.getsize(trace) / 1e6:.0f} MB\n\n| | wall | CPU | most memory |\n|---|---|---|---|", flush=True)
        for name, command in commands.items():
            wall, cpu, memory = map(statistics.median, zip(*(run(command, folder) for _ in range(options.runs))))
            print(f"| {name} | {wall:.2f} s | {cpu:.2f} s | {memory:.0f} MB |", flush=True)


if __name__ == "__main__":
    main()
