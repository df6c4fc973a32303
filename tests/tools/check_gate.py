#!/usr/bin/env python3
"""Nobody asks the runtime about what can be unloaded past the gate (runtimes/coreclr/unload_gate.h).

The compiler sees to it that such a question of Oriel's own comes with a Held: ProfilerInfo takes it no other way. Here it
is checked that no slot is left out of that, and that what leads around it stays with what guests ask by us.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORECLR = "src/runtimes/coreclr"
SLOTS = f"{CORECLR}/com/info.def"
# What is named by these goes with its module; so does code, by address.
IDS = ("ModuleID", "ClassID", "FunctionID", "AssemblyID", "ModuleID*", "uintptr_t")
# Which take such an id, but are asked only where it cannot go: a method's own call of a hook, an object's or a handle's
# owner, a domain, an event's source.
SAFE = {"GetFunctionEnter3Info", "GetFunctionLeave3Info", "GetFunctionTailcall3Info", "DestroyHandle", "GetObjectIDFromHandle",
        "EventPipeGetProviderInfo", "EventPipeDefineEvent", "EventPipeWriteEvent"}
# Where the way around may stand: it is made, or a guest's question goes that way.
AROUND = re.compile(r"\bat_own_risk\b|\bUngatedProfilerInfo\b")
MAY_GO_AROUND = {f"{CORECLR}/com/profiling.h", f"{CORECLR}/com/body_memory.h", f"{CORECLR}/guests/slots.h",
                 f"{CORECLR}/guests/guest_info.h", f"{CORECLR}/guests/guest_info.cc", f"{CORECLR}/guests/bodies/rejit_layers.cc"}
# A cast makes one of any pointer.
CASTS = re.compile(r"_cast<(?:const )?\w*ProfilerInfo ?[*&]>")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def slots_left_out():
    for kind, name, arguments in re.findall(r"^ORIEL_SLOT(\w*)\((\w+), \(([^)]*)\)\)", read(SLOTS), re.M):
        given = [argument.strip() for argument in arguments.split(",")]
        # What comes back is no question.
        if not kind and name not in SAFE and any(argument in IDS for argument in given[:1]):
            yield f"{SLOTS}: {name} asks about what can be unloaded, and is not marked as such"
        if kind == "_OF_MODULE" and given[0] != "ModuleID":
            yield f"{SLOTS}: {name} does not begin with a module"


def ways_around():
    for folder, _, names in os.walk(os.path.join(ROOT, CORECLR)):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            if not name.endswith((".cc", ".h")) or path in MAY_GO_AROUND:
                continue
            for number, line in enumerate(read(path).splitlines(), 1):
                if AROUND.search(line) or CASTS.search(line):
                    yield f"{path}:{number}: goes around the unload gate: {line.strip()}"


def main():
    found = [*slots_left_out(), *ways_around()]
    print(*found, sep="\n")
    if len(re.findall(r"^ORIEL_SLOT_OF_", read(SLOTS), re.M)) < 40:
        sys.exit(f"{SLOTS}: the marked slots cannot be read")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
