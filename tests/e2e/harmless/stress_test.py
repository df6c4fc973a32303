#!/usr/bin/env python3
"""Programs under stress behave under Oriel as they do without it: what they print, how they end, how long what waits waits.

Each program of stress_cases.py is run plainly and in each mode. By default most programs in a mode or two of their own; all
in all modes with ORIEL_LONG=1 (./check --long). By hand:

  stress_test.py [--modes MODE,…] [PROGRAM…]    these programs (regular expressions) in these modes, or in all
  stress_test.py --plain 20 [PROGRAM…]          whether they do the same each time without Oriel
"""
import argparse
import collections
import concurrent.futures
import difflib
import functools
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import harness
from stress_cases import MODES, ONLY_LONG, PROGRAMS, STRESS

# What Oriel may say of any run; the second where the machine is too busy to write what threads log until the very end.
ALWAYS_RIGHT = (r"wrote \S+ \([\d.]+ (bytes|KB|MB|GB)\)\. See it: oriel report (callgraph )?\S+|"
                r"log: the file could not be written in time at the program's end; the log lacks its end")
EARLY, LATE = 5, 3000  # milliseconds that a wait may be shorter, and longer, than it has to be
# Which methods of the frameworks the JIT inlines, the runtime's own stack traces show; that is free to differ.
FRAMEWORK_FRAME = r"^   at System\..*\n"
TIMEOUT = 60  # seconds for a plain run; one under Oriel has so many, and 20 times what the plain one took
SHOWN = 40  # lines of a difference

# code: what it exited with, or minus the signal it died of. out, err: without what is Oriel's. times: what must be and what
# was, in milliseconds, by name. own: Oriel's lines.
Outcome = collections.namedtuple("Outcome", "code out err times own seconds")


class TimedOut(Exception):
    pass


def run(command, folder, env, timeout):
    """A command in a session of its own, no part of which is left behind; its code, stdout, stderr, seconds."""
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, env={**harness.CLEAN, **env}, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        raise TimedOut(f"did not end within {timeout:.0f} s; until then it said\n{(out + err).decode(errors='replace')[-2000:]}")
    return process.returncode, out.decode(errors="replace"), err.decode(errors="replace"), time.monotonic() - start


def split_times(out):
    times = {name: (float(must), float(took)) for name, must, took in re.findall(r"^~ (.*) ([\d.]+) ([\d.]+)$", out, re.M)}
    return re.sub(r"^~ .*\n", "", out, flags=re.M), times


def outcome(program, folder, result):
    code, out, err, seconds = result
    out, times = split_times(out.replace(folder, "FOLDER"))
    err = err.replace(folder, "FOLDER")
    own = [re.sub(r"-\d+\.oriel", "-PID.oriel", line) for line in re.findall(r"^oriel: (.*)$", err, re.M)]
    err = re.sub(rf"^oriel: .*\n|{FRAMEWORK_FRAME}", "", err, flags=re.M)
    for pattern, replacement in program.normal:
        err = re.sub(pattern, replacement, err)
    return Outcome(code, out, err, times, own, seconds)


@functools.cache
def address_space(name):
    """How many MB of address space the program cannot do without, to 16."""
    program = next(program for program in PROGRAMS if program.name == name)
    too_few, enough = 256, 8192
    while enough - too_few > 16:
        tried = (too_few + enough) // 2
        code, *_ = in_folder(lambda folder: run(under_limits([f"-v {tried * 1024}"], program), folder, program.env, TIMEOUT))
        too_few, enough = (tried, enough) if code != program.code else (too_few, tried)
    return enough


def under_limits(limits, program):
    # Debian's sh has not all of them, and goes on without.
    script = " && ".join([*(f"ulimit {limit}" for limit in limits), 'exec "$@"'])
    return ["bash", "-c", script, "bash", *program.command] if limits else program.command


def limited(program):
    """The program's command under its limits."""
    if program.margin is None:
        return under_limits(program.limits, program)
    return under_limits([*program.limits, f"-v {(address_space(program.name) + program.margin) * 1024}"], program)


def in_folder(work):
    folder = tempfile.mkdtemp(prefix="oriel-stress-")
    try:
        return work(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_plain(program):
    return in_folder(lambda folder: outcome(program, folder, run(limited(program), folder, program.env, TIMEOUT)))


def command_under_oriel(program, mode):
    return [harness.ORIEL, "run", "-o", "run.oriel", *MODES[mode], "--", *limited(program)]


def run_under_oriel(program, mode, plain):
    def work(folder):
        result = run(command_under_oriel(program, mode), folder, program.env, TIMEOUT + 20 * plain.seconds)
        log = os.path.join(folder, "run.oriel")
        problem = unreadable(log) if os.path.exists(log) else None
        return outcome(program, folder, result), problem

    return in_folder(work)


def unreadable(log):
    """What `oriel report` says of a log that it cannot read; None of one that it can."""
    result = subprocess.run([harness.ORIEL, "report", "--json", log], capture_output=True, env=harness.CLEAN, timeout=TIMEOUT)
    return None if result.returncode == 0 else result.stderr.decode(errors="replace")


def difference(what, plain, other):
    lines = list(difflib.unified_diff(plain.splitlines(), other.splitlines(), "plain", "under Oriel", "", "", 1, ""))
    return [f"{what} differs:", *lines[:SHOWN]] if lines else []


def compare_times(plain, other):
    for name, (must, took) in other.times.items():
        most = max(must, 3 * plain.times[name][1] if name in plain.times else 0) + LATE
        if not must - EARLY <= took <= most:
            yield f"{name} took {took:.1f} ms; it has to last {must:.0f}, and {most:.0f} at most"


def code_under_oriel(program, plain):
    if program.oriel_code is not None:
        return program.oriel_code
    return 128 - plain.code if plain.code < 0 else plain.code


def compare(program, plain, other, report_problem):
    """What Oriel changed, line by line."""
    if other.code != code_under_oriel(program, plain):
        yield f"exit code {other.code} instead of {code_under_oriel(program, plain)}"
    yield from difference("stdout", plain.out, other.out)
    yield from difference("stderr", plain.err, other.err)
    yield from compare_times(plain, other)
    for line in other.own:
        if not re.fullmatch(ALWAYS_RIGHT, line) and not any(line.startswith(start) for start in program.says):
            yield f"Oriel said: {line}"
    if report_problem:
        yield f"the log cannot be read: {report_problem}"


def expected_of_plain(program, plain):
    """What is wrong with the plain run itself."""
    if plain.code != program.code:
        yield f"the plain program exits with {plain.code} instead of {program.code}; it said\n{plain.out}{plain.err}"
    yield from compare_times(plain, plain)


class Stress:
    """Runs cases and remembers which failed. Two at a time."""

    def __init__(self):
        self.failed = []
        self.done = 0
        self.lock = threading.Lock()

    def tell(self, program, mode, problems):
        """Counts the case; of one that failed, says why and how to repeat it. The plain run's mode is None."""
        with self.lock:
            self.done += 1
            if not problems:
                return
            name = f"{program.name} × {mode or 'plain'}"
            self.failed.append(name)
            again = ["--modes", mode] if mode else ["--plain", "1"]
            command = command_under_oriel(program, mode) if mode else limited(program)
            env = [f"{name}={value}" for name, value in program.env.items()]
            print(f"FAILED {name}", *(f"  {line}" for line in problems), sep="\n")
            print(f"  again: ORIEL_BUILD={harness.BUILD}", shlex.join([__file__, *again, f"^{program.name}$"]))
            print("  or:   ", shlex.join([*(["env", *env] if env else []), *command]), flush=True)

    def check(self, program, modes):
        try:
            plain = run_plain(program)
            problems = list(expected_of_plain(program, plain))
        except TimedOut as error:
            problems = [str(error)]
        if problems:
            return self.tell(program, None, problems)
        for mode in modes:
            try:
                problems = list(compare(program, plain, *run_under_oriel(program, mode, plain)))
            except TimedOut as error:
                problems = [str(error)]
            self.tell(program, mode, problems)

    def check_plain(self, program, times):
        """That the program does the same so many times."""
        outcomes = [run_plain(program) for _ in range(times)]
        problems = [problem for one in outcomes for problem in expected_of_plain(program, one)]
        for one in outcomes[1:]:
            problems += difference("stdout", outcomes[0].out, one.out) + difference("stderr", outcomes[0].err, one.err)
        self.tell(program, None, problems)

    def run_all(self, work):
        """Calls what is in `work`, two at a time; the exit code."""
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(2) as workers:
            for future in [workers.submit(*item) for item in work]:
                future.result()
        print(f"{self.done} cases in {time.monotonic() - start:.0f} s, {len(self.failed)} failed", *self.failed, sep="\n  ")
        return 1 if self.failed else 0


def slice_of(number, program):
    return program.slice or [list(MODES)[number % len(MODES)]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--modes", type=lambda text: text.split(","))
    parser.add_argument("--plain", type=int, metavar="TIMES")
    parser.add_argument("programs", nargs="*", default=None)
    options = parser.parse_args()
    chosen = [(number, program) for number, program in enumerate(PROGRAMS)
              if (any(re.search(pattern, program.name) for pattern in options.programs) if options.programs
                  else harness.LONG or not ONLY_LONG.fullmatch(program.name))]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)  # what runs in the background would ignore them, and its programs too
    stress = Stress()
    if options.plain:
        return stress.run_all((stress.check_plain, program, options.plain) for _, program in chosen)
    every = options.modes or (list(MODES) if harness.LONG or options.programs else None)
    return stress.run_all((stress.check, program, every or slice_of(number, program)) for number, program in chosen)


if __name__ == "__main__":
    for needed in (harness.ORIEL, STRESS):
        if not os.path.exists(needed):
            sys.exit(f"{needed} is missing: build first (./check does), or set ORIEL_BUILD")
    sys.exit(main())
