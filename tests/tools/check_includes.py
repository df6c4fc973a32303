#!/usr/bin/env python3
"""No #include goes against the table of docs/ARCHITECTURE.md: a room includes itself and what its row allows.

usage: check_includes.py [--list]        --list prints each room with what it may include
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ARCHITECTURES = sorted(f"src/arch/{folder}" for folder in os.listdir(os.path.join(ROOT, "src", "arch")))
SOURCES = (".c", ".cc", ".h", ".hpp", ".def", ".S")


def rooms_of_table(text):
    """{folder pattern: [what it may include]}: from the rows "| `src/log/` | … | base, `include/oriel` |"."""
    rooms = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 3 or not cells[0].startswith("`"):
            continue
        allowed = [entry.strip("` ") for entry in cells[2].split(",")]
        allowed = [entry for entry in allowed if entry not in ("–", "nothing of ours")]
        for folder in re.findall(r"`([^`]+)`", cells[0]):
            rooms[folder.strip("/")] = allowed
    return rooms


def without_processor(path):
    """src/arch/x64/base/tsc.h belongs to the room src/base."""
    return re.sub(r"^src/arch/[^/]+/", "src/", path)


def room_of(path, rooms):
    """The room (its pattern) and the folder of it that a file belongs to; None if to none."""
    path = without_processor(path)
    for pattern in sorted(rooms, key=len, reverse=True):
        found = re.match(pattern.replace("NAME", "[^/]+") + "(?=/|$)", path)
        if found:
            return pattern, found.group()
    return None


def target_of(include, source):
    """The file, seen from the root, that an #include of a source file names; None if it is none of ours."""
    for base in (os.path.dirname(source), "src", *ARCHITECTURES, "include", "cli"):
        path = os.path.normpath(os.path.join(base, include))
        if os.path.exists(os.path.join(ROOT, path)):
            return without_processor(path)
    return None


def is_allowed(target, allowed):
    for entry in allowed:
        if entry.endswith("/*"):  # what lies in the folder itself
            if os.path.dirname(target) in (entry[:-2], f"src/{entry[:-2]}"):
                return True
            continue
        names = (entry, f"src/{entry}", f"include/{entry}")
        if target in names or any(target.startswith(name + "/") for name in names):
            return True
    return False


def offences(rooms):
    for folder, _, files in os.walk(ROOT):
        relative = os.path.relpath(folder, ROOT)
        parts = relative.split(os.sep)
        if parts[0] in ("build", ".git", "bench", "examples") or "tests" in parts:
            continue
        for file in files:
            path = os.path.normpath(os.path.join(relative, file))
            room = room_of(path, rooms)
            if not file.endswith(SOURCES):
                continue
            if room is None:
                yield f"{path}: belongs to no room of the table in docs/ARCHITECTURE.md"
                continue
            with open(os.path.join(folder, file), encoding="utf-8") as text:
                for number, line in enumerate(text, 1):
                    found = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
                    target = found and target_of(found.group(1), path)
                    if target and not target.startswith(room[1] + "/") and not is_allowed(target, rooms[room[0]]):
                        yield f"{path}:{number}: {room[0]} may not include {found.group(1)}"


def main():
    with open(os.path.join(ROOT, "docs", "ARCHITECTURE.md"), encoding="utf-8") as table:
        rooms = rooms_of_table(table.read())
    if len(rooms) < 10:
        sys.exit("docs/ARCHITECTURE.md: the table of rooms cannot be read")
    if "--list" in sys.argv:
        for room, allowed in rooms.items():
            print(f"{room}: {', '.join(allowed) or '–'}")
    found = list(offences(rooms))
    print("\n".join(found) or f"No #include goes against the table ({len(rooms)} rooms).")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
