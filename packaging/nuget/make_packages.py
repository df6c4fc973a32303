#!/usr/bin/env python3
"""Makes the NuGet packages of what ./package built: make_packages.py VERSION WORK OUT TARGET=FOLDER…

FOLDER is an installed Oriel for TARGET, which is .NET's name of a kind of system (a RID), such as linux-musl-x64. WORK is for
what is made on the way. OUT, a folder that can be a source of packages, has only these afterwards, beside what is no NuGet package:

  oriel            the .NET tool: names the package below for each target
  oriel.TARGET     the command, the engine and its modules
  oriel.any        for all other systems: says that there is no Oriel for them
  oriel.linux-musl-arm64 and the like, likewise, where there is only a build for glibc, which NuGet would take for them
  Oriel.Engine     for a project: its published folder and its container image contain the engine
  Oriel.Native     for authors of modules: headers and libraries of each target
  Oriel.Log        for .NET programs that read logs

Packages are zip archives with a description (.nuspec): see NuGet's documentation of nuspec and of package types. Tools have
a DotnetToolSettings.xml, as `dotnet pack` of the SDK 10 writes it."""
import glob
import os
import re
import shutil
import subprocess
import sys
import zipfile
from xml.sax.saxutils import escape

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
REPRODUCIBLE = (1980, 1, 1, 0, 0, 0)  # the first time that a zip archive can have
TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml" />
{}</Types>
"""
RELATIONS = """<?xml version="1.0" encoding="utf-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/{}.nuspec" Id="R1" />
</Relationships>
"""
NUSPEC = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata>
    <id>{id}</id>
    <version>{version}</version>
    <authors>The Oriel developers</authors>
    <license type="expression">MIT</license>
    <readme>README.md</readme>
    <description>{description}</description>
    <tags>profiler profiling performance diagnostics linux</tags>
{more}  </metadata>
</package>
"""


def write_package(out, name, version, description, files, kind=None, development=False):
    """`files` are places in the package with the content: a path, or bytes."""
    more = f'    <packageTypes><packageType name="{kind}" /></packageTypes>\n' if kind else ""
    if development: more += "    <developmentDependency>true</developmentDependency>\n"
    parts = {f"{name}.nuspec": NUSPEC.format(id=name, version=version, description=escape(description), more=more).encode(),
             "_rels/.rels": RELATIONS.format(name).encode(), **files}
    endings = sorted({os.path.splitext(place)[1][1:] for place in parts} - {"rels", ""})
    types = [f'  <Default Extension="{ending}" ContentType="application/octet" />\n' for ending in endings]
    types += [f'  <Override PartName="/{escape(place)}" ContentType="application/octet" />\n'
              for place in sorted(parts) if not os.path.splitext(place)[1]]
    parts["[Content_Types].xml"] = TYPES.format("".join(types)).encode()
    path = os.path.join(out, f"{name}.{version}.nupkg")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as package:
        for place, content in sorted(parts.items()):
            if not isinstance(content, bytes):
                with open(content, "rb") as file: content = file.read()
            entry = zipfile.ZipInfo(place, REPRODUCIBLE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o755 << 16 if content[:4] == b"\x7fELF" else 0o644 << 16
            package.writestr(entry, content)
    print(f"Made {path} ({os.path.getsize(path) / 1e6:.1f} MB)")


def below(folder, to, wanted=lambda path: True):
    """The files below the folder, by their places below `to`. A package has no links: what links lead to stands there once,
    by the name that it is loaded by, which is that of the shortest link with a version."""
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(path, name)
            place = os.path.relpath(file, folder)
            if not os.path.islink(file) and wanted(place): found[os.path.join(to, loaded_by(place))] = file
    return found


def loaded_by(place):
    """"lib/liboriel.so.0.1.0" is loaded by its SONAME, "lib/liboriel.so.1": the folder has a link of that name."""
    return re.sub(r"(\.so)\.\d+\.\d+\.\d+$", r"\1.1", place)


def settings(*commands, packages=()):
    text = '<?xml version="1.0" encoding="utf-8"?>\n<DotNetCliTool Version="2">\n  <Commands>\n'
    text += "".join(f"    <Command {command} />\n" for command in commands) + "  </Commands>\n"
    if packages:
        text += "  <RuntimeIdentifierPackages>\n"
        text += "".join(f'    <RuntimeIdentifierPackage RuntimeIdentifier="{rid}" Id="oriel.{rid}" />\n' for rid in packages)
        text += "  </RuntimeIdentifierPackages>\n"
    return (text + "</DotNetCliTool>\n").encode()


def dotnet(verb, project, *options):
    subprocess.run(["dotnet", verb, project, "-nodeReuse:false", "-v:quiet", "-nologo", "-clp:NoSummary", *options], check=True,
                   env={**os.environ, "DOTNET_CLI_TELEMETRY_OPTOUT": "1", "DOTNET_NOLOGO": "1"})


def pack_log(work, out, version, folders):
    """Oriel.Log, whose C# is compiled here, with the reader's library for each target."""
    work = os.path.join(work, "log")
    shutil.rmtree(work, ignore_errors=True)
    for target, folder in folders.items():
        native = os.path.join(work, "runtimes", target, "native")
        os.makedirs(native)
        shutil.copy(os.path.join(folder, "lib", "liboriel-reader.so"), native)
    dotnet("pack", os.path.join(ROOT, "bindings", "dotnet", "Oriel.Log.csproj"), f"-p:OrielBuild={work}", f"-p:OrielVersion={version}",
           f"-p:OrielRuntimes={work}/runtimes")
    path = os.path.join(out, f"Oriel.Log.{version}.nupkg")
    shutil.copy(os.path.join(work, os.path.basename(path)), path)
    print(f"Made {path} ({os.path.getsize(path) / 1e6:.1f} MB)")


def build_fallback(work, version, targets):
    out = os.path.join(work, "fallback")
    dotnet("build", os.path.join(HERE, "fallback", "oriel.csproj"), f"-p:OrielBuild={out}", f"-p:Version={version}",
           "-p:OrielTargets=" + "%3B".join(targets), "-o", out)
    return {f"tools/net8.0/any/{name}": os.path.join(out, name)
            for name in ("oriel.dll", "oriel.runtimeconfig.json", "oriel.deps.json")}


def without_build(targets):
    """Systems with musl for which NuGet's graph of RIDs leads to a package for glibc."""
    return [musl for target in targets if (musl := target.replace("linux-", "linux-musl-")) not in targets and "musl" not in target]


def main():
    version, work, out, *pairs = sys.argv[1:]
    folders = dict(pair.split("=", 1) for pair in pairs)
    os.makedirs(out, exist_ok=True)
    for earlier in glob.glob(os.path.join(out, "*.nupkg")): os.remove(earlier)  # perhaps for targets that are not among these
    readme = {"README.md": os.path.join(HERE, "README.md")}
    runs = lambda place: place.startswith(("bin/", "lib/lib", "lib/oriel-mono/"))
    for target, folder in folders.items():
        to = f"tools/any/{target}"
        write_package(out, f"oriel.{target}", version, f"Oriel, a profiler for .NET, for {target}.",
                      {**readme, f"{to}/DotnetToolSettings.xml": settings('Name="oriel" EntryPoint="bin/oriel" Runner="executable"'),
                       **below(folder, to, runs)}, "DotnetToolRidPackage")
    fallback = {**readme, **build_fallback(work, version, folders),
                "tools/net8.0/any/DotnetToolSettings.xml": settings('Name="oriel" EntryPoint="oriel.dll" Runner="dotnet"')}
    others = [*without_build(folders), "any"]
    for other in others:
        write_package(out, f"oriel.{other}", version, "Says that Oriel has no build for this system.", fallback, "DotnetToolRidPackage")
    write_package(out, "oriel", version,
                  "Profiles .NET programs on Linux: where the time goes, what waits, what allocates, what stays in memory.",
                  {**readme, "tools/any/any/DotnetToolSettings.xml": settings('Name="oriel"', packages=[*folders, *others])},
                  "DotnetTool")
    engine = lambda place: place.startswith("lib/liboriel") and "-reader" not in place
    write_package(out, "Oriel.Engine", version,
                  "Puts Oriel's engine into what a project publishes, for profiling in production. It is off until asked for.",
                  {"README.md": os.path.join(HERE, "engine", "README.md"),
                   "buildTransitive/Oriel.Engine.targets": os.path.join(HERE, "engine", "Oriel.Engine.targets"),
                   "build/Oriel.Engine.targets": os.path.join(HERE, "engine", "Oriel.Engine.targets"),
                   "lib/netstandard2.0/_._": b"",
                   **{place.replace("/lib/", "/native/"): file for target, folder in folders.items()
                      for place, file in below(folder, f"runtimes/{target}", engine).items()}})
    kept = lambda place: place.startswith(("include/", "lib/")) and "/libInstr" not in place
    write_package(out, "Oriel.Native", version, "Headers and libraries of Oriel, for modules and for programs that read its logs.",
                  {"README.md": os.path.join(HERE, "native", "README.md"),
                   **{place: file for target, folder in folders.items() for place, file in below(folder, target, kept).items()},
                   **{f"{target}/lib/{name}.so": f"INPUT({name}.so.1)\n".encode()  # what -loriel finds, where there are no links
                      for target in folders for name in ("liboriel", "liboriel-reader")}}, development=True)
    pack_log(work, out, version, folders)


if __name__ == "__main__":
    main()
