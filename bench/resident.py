"""Resident memory of a process, by what is mapped."""
import collections
import os


def by_mapping(pid):
    """Kilobytes by the mapping's name."""
    found, name = collections.Counter(), ""
    with open(f"/proc/{pid}/smaps", encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if "-" in words[0] and ":" not in words[0]:
                name = os.path.basename(words[5]) if len(words) > 5 else f"anonymous {words[1]}"
            elif words[0] == "Rss:":
                found[name] += int(words[1])
    return found
