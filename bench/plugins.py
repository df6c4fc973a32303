#!/usr/bin/env python3
"""The library for plug-ins of the CLR Instrumentation Engine against the published engine, and against no profiler, run in
turn. Prints minima and medians: wall time, processor time, and the most memory that was there.

  start      a program that does nothing, with a configuration that names no plug-in
  every      a plug-in changes each method that is compiled (tests/plugins/small/every.cc), 20,000 of them
  coverage   the test host of a project from its start to its first test, under the coverage method of the test platform

usage: bench/plugins.py [--runs N] [--build FOLDER] [start] [every] [coverage]
       after: cmake --preset release && cmake --build --preset release; the published engine is that of the newest
       Microsoft.CodeCoverage package that NuGet has on this machine
"""
import argparse
import glob
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time

import machine
from ways import built

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CLASS = "{324F817A-7420-4E6D-B3C1-143FBED6D855}"
NO_PLUGIN = "<InstrumentationEngineConfiguration></InstrumentationEngineConfiguration>"
EVERY = """<InstrumentationEngineConfiguration><InstrumentationMethod>
  <Name>Every</Name><Description>Changes each method</Description><Module>every.so</Module>
  <ClassGuid>{5B0C1E5E-0001-4000-8000-000000000001}</ClassGuid><Priority>1</Priority>
</InstrumentationMethod></InstrumentationEngineConfiguration>"""
# Writes the process's run time and CPU time before its first test.
MARK = """using System.Runtime.CompilerServices;
static class Mark
{
    [ModuleInitializer]
    internal static void Note()
    {
        var process = System.Diagnostics.Process.GetCurrentProcess();
        var wall = (System.DateTime.Now - process.StartTime).TotalMilliseconds;
        var file = System.Environment.GetEnvironmentVariable("ORIEL_MARK");
        if (file != null) System.IO.File.WriteAllText(file, $"{wall:F1} {process.TotalProcessorTime.TotalMilliseconds:F1}");
    }
}
"""


def packages():
    return os.environ.get("NUGET_PACKAGES", os.path.expanduser("~/.nuget/packages"))


def published():
    found = sorted(glob.glob(f"{packages()}/microsoft.codecoverage/*/build/netstandard2.0/ubuntu/x64/libInstr*.so"))
    return found[-1:]


def environment(library, configuration):
    if library is None:
        return dict(os.environ)
    return {**os.environ, "CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": CLASS, "CORECLR_PROFILER_PATH": library,
            "MicrosoftInstrumentationEngine_ConfigPath64_Bench": configuration}


def measure(command, env, said):
    """Wall and CPU time in ms, and peak memory in MB; stderr goes to a file."""
    with open(said, "wb") as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return wall * 1000, (usage.ru_utime + usage.ru_stime) * 1000, usage.ru_maxrss / 1024


def in_turn(libraries, runs, command, configuration, check=lambda said: None):
    """`check` checks the stderr of each run under an engine."""
    taken = {name: [] for name in libraries}
    with tempfile.NamedTemporaryFile("r", encoding="utf-8", errors="replace") as said:
        for _ in range(runs):
            for name, library in libraries.items():
                taken[name].append(measure(command, environment(library, configuration), said.name))
                said.seek(0)
                if library is not None:
                    check(said.read())
    return taken


def check_changed(said):
    """Fails if the engine did not load the plug-in, which would make the figures meaningless."""
    changed = re.search(r"^changed=(\d+)$", said, re.MULTILINE)
    if changed is None or int(changed[1]) < 20_000:
        raise SystemExit(f"the plug-in did not change the methods: {said[-500:]}")


def show(title, taken, units=("ms wall", "ms cpu", "MB")):
    print(f"{title}\n\n| engine | " + " | ".join(f"{unit}, min; median" for unit in units) + " |\n|" + "---|" * (len(units) + 1))
    for name, rows in taken.items():
        cells = [f"{min(column):.1f}; {statistics.median(column):.1f}" for column in zip(*rows)]
        print(f"| {name} | " + " | ".join(cells) + " |")
    print()


def start(libraries, options, folder):
    configuration = os.path.join(folder, "none.config")
    with open(configuration, "w", encoding="utf-8") as file:
        file.write(NO_PLUGIN)
    command = ["dotnet", built(options.build, "targets", "hello", "hello.dll")]
    show("start, no plug-in", in_turn(libraries, options.runs, command, configuration))


def every(libraries, options, folder):
    configuration = os.path.join(folder, "every.config")
    shutil.copy(os.path.join(options.build, "plugins", "libsmall-every.so"), os.path.join(folder, "every.so"))
    with open(configuration, "w", encoding="utf-8") as file:
        file.write(EVERY)
    # One in nine of all bodies of the shared frameworks, some 180,000; ReadyToRun code is not used.
    os.environ["DOTNET_ReadyToRun"] = "0"
    command = ["dotnet", built(options.build, "targets", "prepare", "prepare.dll"), "1/9"]
    show("each method changed, 20,000", in_turn(libraries, max(options.runs // 5, 3), command, configuration, check_changed))
    del os.environ["DOTNET_ReadyToRun"]


def coverage(libraries, options, folder):
    if "published" not in libraries:
        raise SystemExit("coverage needs the package Microsoft.CodeCoverage: run tests/e2e/guests/plugins_test.py once, which restores it")
    project = os.path.join(folder, "coverage")
    shutil.copytree(os.path.join(ROOT, "tests", "e2e", "guests", "platform_coverage"), project)
    with open(os.path.join(project, "Mark.cs"), "w", encoding="utf-8") as file:
        file.write(MARK)
    # The same packages, with the engine's library replaced.
    swapped = os.path.join(folder, "packages")
    os.makedirs(swapped)
    for entry in os.scandir(packages()):
        if entry.name != "microsoft.codecoverage":
            os.symlink(entry.path, os.path.join(swapped, entry.name))
    shutil.copytree(os.path.join(packages(), "microsoft.codecoverage"), os.path.join(swapped, "microsoft.codecoverage"))
    library = os.path.join(swapped, os.path.relpath(libraries["published"], packages()))
    quiet = {**os.environ, "DOTNET_CLI_TELEMETRY_OPTOUT": "1", "DOTNET_NOLOGO": "1", "NUGET_PACKAGES": swapped}
    subprocess.run(["dotnet", "build", "-v:q", "-nodeReuse:false"], cwd=project, env=quiet, check=True,
                   stdout=subprocess.DEVNULL)
    mark = os.path.join(folder, "mark")
    taken = {"Oriel": [], "published": []}
    for _ in range(options.runs):
        for name in taken:
            shutil.copy(libraries[name], library)
            subprocess.run(["dotnet", "test", "--no-build", "--settings", "coverage.runsettings", "--results-directory",
                            os.path.join(folder, "results")], cwd=project, env={**quiet, "ORIEL_MARK": mark}, check=False,
                           stdout=subprocess.DEVNULL)  # one of its tests fails
            with open(mark, encoding="utf-8") as file:
                taken[name].append(tuple(float(word) for word in file.read().split()))
            os.remove(mark)
    show("test host to its first test, coverage method", taken, ("ms wall", "ms cpu"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=25)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("what", nargs="*", default=["start", "every", "coverage"], choices=["start", "every", "coverage"])
    options = parser.parse_args()
    machine.say()
    libraries = {"no profiler": None, "Oriel": os.path.join(options.build, "lib", "libInstrumentationEngine.so")}
    libraries.update({"published": library for library in published()})
    with tempfile.TemporaryDirectory() as folder:
        for what in options.what:
            {"start": start, "every": every, "coverage": coverage}[what](libraries, options, folder)


if __name__ == "__main__":
    main()
