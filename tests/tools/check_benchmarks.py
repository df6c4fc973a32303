#!/usr/bin/env python3
"""Every benchmark starts: one that others import from, or a module that it imports, may have changed since it last ran."""
import concurrent.futures
import glob
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def wrong_with(script):
    """What it says as it is imported; nothing of it runs then."""
    code = "import importlib, sys; sys.path.insert(0, sys.argv[1]); importlib.import_module(sys.argv[2])"
    name = os.path.splitext(os.path.basename(script))[0]
    done = subprocess.run([sys.executable, "-B", "-c", code, os.path.dirname(script), name], capture_output=True, text=True,
                          check=False)
    return f"{os.path.relpath(script, ROOT)}: {done.stderr.splitlines()[-1]}" if done.returncode != 0 else None


def main():
    scripts = sorted(glob.glob(os.path.join(ROOT, "bench", "**", "*.py"), recursive=True))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = [line for line in pool.map(wrong_with, scripts) if line]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong or not scripts else 0


if __name__ == "__main__":
    sys.exit(main())
