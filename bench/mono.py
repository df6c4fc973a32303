#!/usr/bin/env python3
"""What Oriel costs on Mono: nanoseconds a call and an object, and times of the C# compiler mcs, with Oriel or Mono's own log
profiler and without, the two run in turn. Prints tables of minima and medians.

usage: bench/mono.py [--runs N] [--millions N] [--classes N] [--only TEXT] [--build FOLDER]
       after: cmake --preset bench && cmake --build --preset bench
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

import instrumentation
import machine
import suite

SOURCE = os.path.join(suite.ROOT, "bench", "mono", "Steady.cs")


def has_log_profiler():
    return any(os.path.exists(os.path.join(folder, "libmono-profiler-log.so"))
               for folder in ("/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/mono/lib"))


def module(folder, arguments):
    return suite.oriel(folder, "--no-sample", "--module", f"{instrumentation.library('probes')}:{arguments}")


def of_mono(folder, options):
    """Mono's own profiler, set in the environment as Oriel's is."""
    return ["env", f"MONO_ENV_OPTIONS=--profile=log:{options},output={folder}/mono.mlpd"]


def steady_cases(folder):
    """(case, what runs, command prefix)"""
    def logged(*options):
        return suite.oriel(folder, "--no-sample", *options)
    yield "calls latent", "call", module(folder, "calls=Steady.Callee+latent")
    yield "calls counted", "call", module(folder, "calls=Steady.Callee")
    yield "calls logged with both times", "call", logged("--calls=Steady.Callee")
    yield "objects latent", "allocate", module(folder, "alloc+latent")
    yield "objects counted", "allocate", module(folder, "alloc")
    yield "objects sampled", "allocate", logged("--alloc=sampled")
    yield "objects logged", "allocate", logged("--alloc")
    if has_log_profiler():
        yield "Mono's log: calls", "call", of_mono(folder, "calls")
        yield "Mono's log: objects", "allocate", of_mono(folder, "alloc")


def compiler_cases(folder):
    yield "sampling at 1000 Hz", suite.oriel(folder, "--sample=1000")
    yield "allocations sampled", suite.oriel(folder, "--no-sample", "--alloc=sampled")
    yield "calls counted (--callgraph)", suite.oriel(folder, "--no-sample", "--callgraph")
    everything = suite.oriel(folder, "--sample=1000", "--calls", "--alloc", "--locks")
    yield "everything on", everything
    yield "the same, precompiled code kept", ["env", "MONO_ENV_OPTIONS=--optimize=aot", *everything]
    if has_log_profiler():
        yield "Mono's log: samples", of_mono(folder, "sample=1000")


def program_to_compile(folder, classes):
    """Sources that take the compiler some seconds."""
    path = os.path.join(folder, "big.cs")
    with open(path, "w", encoding="utf-8") as file:
        file.write("using System;using System.Linq;using System.Collections.Generic;\n")
        for i in range(classes):
            methods = "".join(f"  public int M{m}(int x) {{ var list = new List<int> {{ x, {m} }}; int sum = list.Where(y => y > {m})"
                              f".Select(y => y * {i + 1}).Sum(); for (int k = 0; k < x; k++) sum += k % {m + 2}; return sum; }}\n"
                              for m in range(10))
            file.write(f"public class C{i} {{\n{methods}}}\n")
        file.write("static class P { static void Main() { Console.WriteLine(new C0().M1(3)); } }\n")
    return ["mcs", "-r:System.Core.dll", "-out:" + os.path.join(folder, "big.exe"), path]


def line(name, what, plain, other, unit, more):
    a, b = statistics.median(plain), statistics.median(other)
    print(f"{name:30} {what:9} {min(plain):8.2f} {unit} {a:8.2f} {min(other):9.2f} {b:8.2f} {min(other) / min(plain):10.3f}"
          f" {b / a:8.3f} {b - a:+8.2f}{more}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="counted runs of each (default 5)")
    parser.add_argument("--millions", type=int, default=100, help="calls and objects a run, in millions (default 100)")
    parser.add_argument("--classes", type=int, default=400, help="classes that mcs compiles (default 400)")
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--build", default=os.path.join(suite.ROOT, "build", "bench"), help="another build folder")
    options = parser.parse_args()
    machine.say()
    suite.ORIEL = os.path.join(os.path.abspath(options.build), "bin", "oriel")
    if not os.path.exists(suite.ORIEL) or not os.path.exists(instrumentation.library("probes")):
        sys.exit("bench: the build lacks something: cmake --preset bench && cmake --build --preset bench")
    if not shutil.which("mono") or not shutil.which("mcs"):
        sys.exit("bench: Mono is not installed here (mono-runtime and mono-mcs)")
    with tempfile.TemporaryDirectory() as folder:
        exe = os.path.join(folder, "steady.exe")
        subprocess.run(["mcs", "-optimize", "-out:" + exe, SOURCE], check=True)
        print(f"{'case':30} {'program':9} {'plain min':>11} {'median':>8} {'with min':>9} {'median':>8} {'ratio min':>10} {'median':>8} {'more':>8}")
        for name, what, prefix in steady_cases(folder):
            if options.only in name:
                times = instrumentation.compare(["mono", exe, what, str(options.millions)], prefix, {}, options.runs)
                line(name, what, *times, "ns", " ns")
        compiler = program_to_compile(folder, options.classes)
        for name, prefix in compiler_cases(folder):
            if options.only in name:
                line(name, "mcs", *suite.compare(compiler, prefix, {}, options.runs), "s ", " s")


if __name__ == "__main__":
    main()
