#!/usr/bin/env python3
"""Files are opened for reading in one way, src/base/files/input_file.h: it refuses what is no regular file and what is too large,
and never waits. Other ways are refused here, but for what is no input: /proc, files that Oriel itself makes, libraries that
are there already. Those are listed below, each with how often it stands in its file and why it may.

usage: check_inputs.py [FILE…]        without files: all sources of the program and of the tools
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ("src", "cli", "modules")
WAYS = re.compile(r"\b(?:ifstream|fstream>|std::fstream|filebuf|fopen|freopen|fdopen|O_RDONLY|O_RDWR|dlopen)\b|\bopen\([^()]*, 0\)")
NO_INPUT = re.compile(r"^\s*(?://|\*|/\*)|RTLD_NOLOAD")

EXCEPTIONS = {
    "src/base/files/input_file.cc": (1, "the one way"),
    "src/base/process/foreign_library.cc": (1, "asks check_input before it loads"),
    "src/mono_modules/load.cc": (1, "asks check_input before it loads, where the loader does not search for it"),
    "src/engine/modules.cc": (1, "find_module_file gives regular files only"),
    "src/engine/wanted_modules.cc": (1, "a library of Oriel beside the engine"),
    "cli/run/try_module.cc": (2, "the engine beside the tool; find_module_file gives regular files only; in a child"),
    "src/runtimes/coreclr/guests/child_starts.cc": (1, "the runtime's own library, which is loaded already"),
    "src/profile/build/load.cc": (2, "/proc"),
    "src/modules/process_info.cc": (1, "/proc"),
    "src/base/files/own_files.cc": (1, "/dev/null"),
    "src/base/files/descriptor.cc": (1, "/proc and the control groups"),
    "src/base/process/code_memory.cc": (1, "/proc"),
    "src/engine/threads.cc": (1, "/proc"),
    "src/engine/things/exec_maps.cc": (2, "/proc"),
    "src/engine/resolve.cc": (1, "/proc"),
    "modules/jitdump/dump.cc": (1, "the file that it makes"),
    "modules/log/heap_snapshots.cc": (1, "a file without a name that it makes"),
    "src/engine/heap/memory_maps.cc": (2, "/proc"),
    "src/control/place.cc": (1, "the folder of sockets; a directory, or nothing"),
    "src/sampling/signal/proc.cc": (3, "/proc"),
    "src/sampling/cfi/frame_loader.cc": (1, "a library that is loaded, found to be it; does not wait, and is asked what it is"),
    "src/base/process/task_limit.cc": (1, "/proc"),
    "src/engine/messages.cc": (1, "the messages of oriel run's processes, which it made"),
    "src/engine/hits/counter_file.cc": (3, "the side file that is written; does not wait, and is asked what it is"),
    "src/log/place.cc": (2, "the log that is written, which a recorder copies; does not wait, and is asked what it is"),
    "src/log/tail_file.cc": (1, "the file that is replaced; does not wait, and is asked what it is"),
    "cli/live/presence.cc": (1, "no file; the flags of open files"),
    "cli/live/watch.cc": (1, "the log of a program of another user; does not wait, and is asked what it is"),
    "cli/run/run_in_child.cc": (1, "this program itself"),
    "cli/show/view.cc": (1, "/dev/null"),
    "cli/run/followed_log.cc": (1, "the log that is written; does not wait, and nothing is read of it"),
    "src/push/spool.cc": (1, "the spool's own files, to lock them; nothing is read of it"),
    "src/push/http.cc": (1, "the system's libcurl"),
    "cli/live/shared_folder.cc": (1, "a directory, or nothing"),
    "cli/fleet/running_log.cc": (1, "a directory, or nothing"),
    "src/plugins/log.cc": (1, "the log that is written"),
}


def ways_in(path):
    with open(path, encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            if not line.lstrip().startswith("#include") and WAYS.search(line) and not NO_INPUT.search(line):
                yield number, line.strip()


def sources():
    for top in FOLDERS:
        for folder, _, files in os.walk(os.path.join(ROOT, top)):
            if "tests" not in os.path.relpath(folder, ROOT).split(os.sep):
                yield from (os.path.join(folder, file) for file in files if file.endswith((".cc", ".h", ".c")))


def offences(paths):
    for path in paths:
        relative = os.path.relpath(path, ROOT)
        allowed, why = EXCEPTIONS.get(relative, (0, ""))
        found = list(ways_in(path))
        if len(found) < allowed:
            yield f"{relative}: {len(found)} of the {allowed} exceptions for it ({why}) are there: mend the list"
        for number, line in found if len(found) > allowed else ():
            yield f"{relative}:{number}: {line}\n    opens a file for reading; use base/files/input_file.h" + (
                f" ({allowed} may: {why})" if allowed else "")


def main():
    problems = list(offences(sys.argv[1:] or sorted(sources())))
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
