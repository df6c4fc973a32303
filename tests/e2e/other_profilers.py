"""The profilers of tests/guests, which know nothing of Oriel, as options and environments name them."""
import os

from harness import BUILD


def clsid(number):
    return f"{{5B0C1E5E-0000-4000-8000-0000000000{number:02X}}}"


def library(name):
    return os.path.join(BUILD, "guests", f"libguest-{name}.so")


def guest(name, number):
    return ["--clr-profiler", f"{clsid(number)}={library(name)}"]


def alone(name, number):
    """The environment by which the runtime loads it as its only profiler."""
    return {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": clsid(number), "CORECLR_PROFILER_PATH": library(name)}


# One changes all methods as they are compiled, one by versions that come and go, one hears all that it can.
THREE = [*guest("padding", 1), *guest("padding", 2), *guest("counting", 3)]
# One sleeps as filters are told, so that collections run meanwhile; the other looks at the exceptions after it.
YIELDING = [*guest("yielding", 1), *guest("yielding", 2)]
# And one whose hooks all methods call.
ALL = [*THREE, *guest("hooks", 0x31)]
