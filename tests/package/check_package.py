#!/usr/bin/env python3
"""What ./package built for a target is what it should be: check_package.py TARGET FOLDER TARBALL EMULATOR….

Each binary needs libc's libraries alone, of the oldest version that the target promises, shows the names that it should
and no others, looks for libraries beside itself only, and finds there all names that it needs. The command reads a log. Where
this system can run the target, a program is profiled by a copy in another folder that nobody may write to."""
import fnmatch
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MOST_MEGABYTES = 15

GLIBC = ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1")
# By target: the libraries of libc, and the newest version of its symbols that may be needed.
TARGETS = {
    "linux-x64": ((*GLIBC, "ld-linux-x86-64.so.2"), (2, 27)),
    "linux-musl-x64": (("libc.so",), None),
    "linux-arm64": ((*GLIBC, "ld-linux-aarch64.so.1"), (2, 27)),
    "linux-musl-arm64": (("libc.so",), None),
}
# By target, libc's loader, in the folder that the emulator takes libraries from.
LOADERS = {
    "linux-x64": "lib64/ld-linux-x86-64.so.2",
    "linux-musl-x64": "lib/ld-musl-x86_64.so.1",
    "linux-arm64": "lib/ld-linux-aarch64.so.1",
    "linux-musl-arm64": "lib/ld-musl-aarch64.so.1",
}
KEPT_LOG = os.path.join(ROOT, "tests", "fuzz", "corpus", "log", "calls")
# Modules need the engine too, which lies beside them.
ENGINE = "liboriel.so.1"
# By file, the names it may show. Of all others nothing.
EXPORTS = {
    "bin/oriel": (),
    "lib/liboriel-reader.so*": ("oriel_log_*",),
    "lib/libInstrumentationEngine.so": ("DllGetClassObject", "DllCanUnloadNow", "InstrumentationEngineFreeString"),
    "lib/liboriel.so*": ("oriel_*", "DllGetClassObject", "DllCanUnloadNow", "mono_profiler_init_oriel"),
    "lib/liboriel-mono.so": ("oriel_*", "mono_*"),
    "lib/liboriel-*.so": ("oriel_*",),
    "lib/oriel-mono/*.so": (),
}


def told(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def binaries(folder):
    for place in ("bin", "lib", "lib/oriel-mono"):
        for path in sorted(glob.glob(os.path.join(folder, place, "*"))):
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    if file.read(4) == b"\x7fELF":
                        yield os.path.relpath(path, folder), path


def needs(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", told("readelf", "-dW", path))


def newest_symbol(path):
    """The newest version of glibc's symbols that the file needs."""
    found = re.findall(r"GLIBC_(\d+)\.(\d+)(?:\.\d+)?", told("readelf", "-VW", path))
    return max(((int(major), int(minor)) for major, minor in found), default=(0, 0))


def exports(path):
    lines = told("nm", "-D", "--defined-only", path).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


def faults_of(name, path, target):
    libraries, oldest = TARGETS[target]
    allowed = libraries + ((ENGINE,) if name.startswith(("lib/liboriel-", "lib/oriel-mono/")) else ())
    for library in needs(path):
        if library not in allowed:
            yield f"{name} needs {library}"
    if oldest and newest_symbol(path) > oldest:
        yield f"{name} needs symbols of glibc {'.'.join(map(str, newest_symbol(path)))}"
    if "GLIBCXX_" in told("readelf", "-VW", path):
        yield f"{name} needs a C++ library"
    patterns = next((names for file, names in EXPORTS.items() if fnmatch.fnmatch(name, file)), ())
    for symbol in sorted(exports(path)):
        if not any(fnmatch.fnmatch(symbol, pattern) for pattern in patterns):
            yield f"{name} shows {symbol}"
    for where in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", told("readelf", "-dW", path)):
        if where != ("$ORIGIN/.." if "/oriel-mono/" in name else "$ORIGIN"):
            yield f"{name} looks for libraries in {where}"


def missing_names(path, target, emulator):
    """Those that libc's loader does not find in the libraries that the file needs."""
    if ".so" not in path:
        return []
    system = emulator[emulator.index("-L") + 1] if "-L" in emulator else "/"
    loader = os.path.join(system, LOADERS[target])
    if "musl" in target:
        command = [*emulator, loader, "--list", path]
    else:  # as ldd -r does
        option = ["-E"] if "qemu" in emulator[0] else []
        variables = ("LD_TRACE_LOADED_OBJECTS=1", "LD_WARN=yes", "LD_BIND_NOW=1")
        command = [*emulator, *(word for variable in variables for word in (*option, variable)), loader, path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).splitlines()
    found = [line.strip() for line in lines if "undefined symbol" in line or "not found" in line]
    return found or ([f"{loader}: {lines}"] if done.returncode != 0 else [])


def reads(oriel, emulator):
    """Faults of the command's reports, also in SQL, on a log that a scripted runtime wrote."""
    report = told(*emulator, oriel, "report", "calls", KEPT_LOG)
    if not re.search(r" 1 .*Shop\.Cart\.AddAsync\(System\.String, int\)", report):
        yield "the report on a kept log is\n" + report
    rows = told(*emulator, oriel, "query", KEPT_LOG, "select count(*) from methods")
    if not re.search(r"^\s*[1-9]\d*\s*$", rows, re.MULTILINE):
        yield "the rows of a kept log are\n" + rows


def outlives_exceptions(oriel, place, program):
    """A fault if the program does not run on where a module throws that this system's compiler made, whose exceptions
    another unwinder handles."""
    module = os.path.join(place, "liboriel-throws.so")
    source = os.path.join(ROOT, "tests", "engine", "modules", "throws.cc")
    subprocess.run(["g++", "-std=c++20", "-shared", "-fPIC", "-I" + os.path.join(ROOT, "include"), "-o", module, source], check=True)
    done = subprocess.run([oriel, "run", "--no-sample", "--module", module, "-o", os.path.join(place, "throws.oriel"), "--", *program],
                          cwd=place, capture_output=True, text=True)
    told_of = "threw an exception; this is a bug in the module" in done.stderr
    plain = subprocess.run(program, cwd=place, capture_output=True, text=True)
    same = (done.returncode, done.stdout) == (plain.returncode, plain.stdout)
    return None if told_of and same else f"beside a module that throws: {done.returncode}, {done.stdout}{done.stderr}"


def works(folder, target, emulator):
    """A fault if a program cannot be profiled by a copy in another folder."""
    with tempfile.TemporaryDirectory() as place:
        copy = os.path.join(place, "some where")
        shutil.copytree(folder, copy, symlinks=True)
        for path, folders, files in os.walk(copy):
            for name in folders + files:
                if not os.path.islink(os.path.join(path, name)):
                    os.chmod(os.path.join(path, name), 0o555)
        oriel = os.path.join(copy, "bin", "oriel")
        print(told(*emulator, oriel, "version"), end="")
        if target != "linux-x64" or not shutil.which("dotnet"):
            return None  # what has no runtime on this system; of musl, see musl_test.py
        sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
        import dotnet_sdk
        log = os.path.join(place, "csc.oriel")
        source = os.path.join(place, "a.cs")
        with open(source, "w", encoding="utf-8") as file:
            file.write("class A { static void Main() {} }")
        program = ["dotnet", dotnet_sdk.compiler(), "-nologo", "-nostdlib", "-noconfig", source]
        subprocess.run([oriel, "run", "--calls=Microsoft.CodeAnalysis.CSharp.CSharpCompilation.*", "-o", log, "--", *program],
                       cwd=place, capture_output=True)
        report = told(oriel, "report", "top", log)
        print("".join(report.splitlines(keepends=True)[:4]), end="")
        if "Microsoft.CodeAnalysis" not in report: return "a program cannot be profiled: the report is\n" + report
        return outlives_exceptions(oriel, place, program)


def main():
    target, folder, tarball, *emulator = sys.argv[1:]
    faults = [fault for name, path in binaries(folder) for fault in faults_of(name, path, target)]
    for name, path in binaries(folder):
        version = "glibc %d.%d" % newest_symbol(path) if TARGETS[target][1] else "musl"
        print(f"{name}: {os.path.getsize(path) / 1e6:.1f} MB, {version}, {len(exports(path))} exports, {' '.join(needs(path))}")
    megabytes = os.path.getsize(tarball) / 1e6
    print(f"{os.path.basename(tarball)}: {megabytes:.1f} MB")
    if megabytes > MOST_MEGABYTES:
        faults.append(f"the tarball has more than {MOST_MEGABYTES} MB")
    faults += [f"{name}: {fault}" for name, path in binaries(folder) for fault in missing_names(path, target, emulator)]
    faults += reads(os.path.join(folder, "bin", "oriel"), emulator)
    faults += filter(None, [works(folder, target, emulator)])
    for fault in faults:
        print("fault:", fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
