"""Describes the machine that a benchmark ran on."""
import os
import platform
import re


def say():
    """One line for the top of the output: processor model, number of processors, kernel."""
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        name = re.search(r"^(?:model name|Processor|CPU part)\s*:\s*(.+)$", file.read(), re.M)
    print(f"On {name[1].strip() if name else platform.machine()}, {len(os.sched_getaffinity(0))} of {os.cpu_count()} processors, "
          f"Linux {platform.release()}", flush=True)
