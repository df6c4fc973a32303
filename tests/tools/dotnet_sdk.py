"""Where the installed .NET SDK has its C# compiler and the assemblies that programs are compiled against."""
import glob
import os
import subprocess


def _newest(lines):
    """The last "VERSION [FOLDER]" line of .NET 10 or later, as (version, folder)."""
    found = [line.rstrip("]").split(" [") for line in lines]
    found = [(entry[0].split()[-1], entry[1]) for entry in found]
    return max(found, key=lambda entry: [int(part) if part.isdigit() else 0 for part in entry[0].split(".")])


def sdk_folder():
    lines = subprocess.run(["dotnet", "--list-sdks"], capture_output=True, text=True, check=True).stdout.splitlines()
    version, folder = _newest(lines)
    return os.path.join(folder, version)


def compiler():
    return os.path.join(sdk_folder(), "Roslyn", "bincore", "csc.dll")


def has_launchers():
    """Whether programs can be published with a launcher without downloading one."""
    root = os.path.dirname(os.path.dirname(sdk_folder()))
    return bool(glob.glob(os.path.join(root, "packs", "Microsoft.NETCore.App.Host.*")))


def reference_assemblies():
    """The paths of the reference assemblies (or, where there is no reference pack, of the framework itself)."""
    root = os.path.dirname(os.path.dirname(sdk_folder()))
    packs = sorted(glob.glob(os.path.join(root, "packs", "Microsoft.NETCore.App.Ref", "*", "ref", "net*")))
    if packs:
        return sorted(glob.glob(os.path.join(packs[-1], "*.dll")))
    lines = subprocess.run(["dotnet", "--list-runtimes"], capture_output=True, text=True, check=True).stdout.splitlines()
    version, folder = _newest(line for line in lines if line.startswith("Microsoft.NETCore.App "))
    return sorted(glob.glob(os.path.join(folder, version, "System*.dll")))
