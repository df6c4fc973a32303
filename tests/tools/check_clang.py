#!/usr/bin/env python3
"""clang 14, which builds the fuzzers and is under clang-tidy, compiles all sources: with the library of GCC 12 it does not
compile views, nor what returns a std::ranges::subrange. The algorithms of namespace std do the same."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REFUSED = re.compile(r"std::(views|ranges::(views|subrange|unique|search|search_n|find_end|find_last|equal_range|remove|"
                     r"remove_if|rotate|partition|stable_partition))\b")


def sources():
    for folder in ("src", "modules", "cli"):
        for place, _, names in os.walk(os.path.join(ROOT, folder)):
            yield from (os.path.join(place, name) for name in names if name.endswith((".h", ".cc")))


def main():
    found = []
    for path in sources():
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                for match in REFUSED.finditer(line):
                    found.append(f"{os.path.relpath(path, ROOT)}:{number}: {match[0]} is not for clang 14")
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
