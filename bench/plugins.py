#!/usr/bin/env python3
"""The library for plug-ins of the CLR Instrumentation Engine against the published engine, and against no profiler, run in
turn: wall time of a program that does nothing, with a configuration that names no plug-in. Prints minima and medians.

usage: bench/plugins.py [--runs N] [--build FOLDER]
       after: cmake --preset release && cmake --build --preset release; the published engine is that of the newest
       Microsoft.CodeCoverage package that NuGet has on this machine
"""
import argparse
import glob
import os
import statistics
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CLASS = "{324F817A-7420-4E6D-B3C1-143FBED6D855}"
NO_PLUGIN = "<InstrumentationEngineConfiguration></InstrumentationEngineConfiguration>"


def published():
    packages = os.environ.get("NUGET_PACKAGES", os.path.expanduser("~/.nuget/packages"))
    found = sorted(glob.glob(f"{packages}/microsoft.codecoverage/*/build/netstandard2.0/ubuntu/x64/libInstr*.so"))
    return found[-1:]


def environment(library, configuration):
    if library is None:
        return dict(os.environ)
    return {**os.environ, "CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": CLASS, "CORECLR_PROFILER_PATH": library,
            "MicrosoftInstrumentationEngine_ConfigPath64_Bench": configuration}


def milliseconds(command, env):
    begin = time.perf_counter()
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - begin) * 1000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=25)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    options = parser.parse_args()
    hello = ["dotnet", os.path.join(options.build, "targets", "hello", "hello.dll")]
    libraries = {"no profiler": None, "Oriel": os.path.join(options.build, "lib", "libInstrumentationEngine.so")}
    libraries.update({"published": library for library in published()})
    with tempfile.TemporaryDirectory() as folder:
        configuration = os.path.join(folder, "none.config")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write(NO_PLUGIN)
        times = {name: [] for name in libraries}
        for _ in range(options.runs):
            for name, library in libraries.items():
                times[name].append(milliseconds(hello, environment(library, configuration)))
    print("| engine | min | median |\n|---|---|---|")
    for name, taken in times.items():
        print(f"| {name} | {min(taken):.1f} ms | {statistics.median(taken):.1f} ms |")


if __name__ == "__main__":
    main()
