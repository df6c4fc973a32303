#!/usr/bin/env python3
"""What a log claims costs no more than a log of its size may: ten times the file, and a fixed part. Logs that no writer
makes are cut, and say so; those of real programs are not."""
import os
import re
import struct
import subprocess
import sys

import harness
from harness import ORIEL, program

SIZE = 1_800_000
RATIO, FIXED = 10, 40_000_000  # bytes for each of the file, and for the tool itself and what it needs for any log
# Of calls nothing is left out, however deep they are: a path that is new with each event takes what it takes.
RATIOS = {"calls that never end": 150, "call graphs": 150, "calls of threads": 15}
CUT = "more than a log of its size can hold"


def number(value):
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f)
        value >>= 7
    out.append(value | 0x80)
    return bytes(out)


def text(value):
    return value.encode() + b"\0"


def block(code, *parts):
    contents = b"".join(parts)
    return struct.pack("<HI", code, len(contents)) + contents


CLOCK = number(1000) + number(1_700_000_000_000_000)
END = number(0)  # of most lists
INTRO = block(1, number(2), text("CoreCLR"), number(0), CLOCK, text("hz"), text("250"), b"\0")


def until(size, part):
    """part(0), part(1) … as long as they fit."""
    parts, length = [], 0
    while length < size:
        parts.append(part(len(parts)))
        length += len(parts[-1])
    return b"".join(parts)


def mapping(classes=b"", methods=b"", natives=b"", threads=b""):
    return block(4, CLOCK, number(1), classes, END, methods, END, END, END, natives, END, threads, END, CLOCK)


def nodes(size, frame, up=lambda i: i + 1):
    return block(8, number(1), until(size, lambda i: number(up(i)) + number(frame(i) << 2)), END)


def samples(size):
    return block(9, number(1), number(1000), bytes([0x82]) * (size // 2 * 2), END)


def events(contents, thread=1):
    return block(5, CLOCK, number(thread), number(1000), contents, b"\0", CLOCK)


def told(name, values):
    """An event of events.def by its number, as `oriel report dump` would count them."""
    fields = b"".join(values)
    return bytes([0x0f]) + number(name) + number(1) + number(len(fields)) + fields


def literal(raw, most=1 << 17):
    return [(0, len(raw[at:at + most]), raw[at:at + most]) for at in range(0, len(raw), most)]


def deflated(raw):
    """A compressed block that holds this, packed as far as the format allows: runs of one byte cost four."""
    frames, at = [], 0
    for run in re.finditer(rb"(.)\1{16,131071}", raw, re.DOTALL):
        frames += literal(raw[at:run.start()])
        frames.append((1, len(run[0]), run[1]))
        at = run.end()
    frames += literal(raw[at:])
    frame = struct.pack("<IBI", 0xfd2fb528, 0xa0, len(raw))
    for i, (kind, size, data) in enumerate(frames):
        frame += struct.pack("<I", (i + 1 == len(frames)) | kind << 1 | size << 3)[:3] + data
    least = len(raw) // 64 + 1
    if len(frame) + 8 < least:  # no byte may become more than 64: the rest is skipped
        frame += struct.pack("<II", 0x184d2a50, least - len(frame) - 8) + bytes(least - len(frame) - 8)
    return block(12, number(len(raw)), frame)


HIGH = 1 << 40
CRAFTED = {
    "samples": lambda: samples(SIZE),
    "samples that are packed": lambda: b"".join(deflated(samples(SIZE * 8)) for _ in range(8)),
    "stacks of ever new functions": lambda: nodes(SIZE, lambda i: i, up=lambda i: 1),
    "stacks of functions with high ids": lambda: nodes(SIZE, lambda i: HIGH + i * 999, up=lambda i: 1),
    "stacks that are packed": lambda: deflated(block(8, number(1), bytes([0x81]) * (SIZE * 8), END)),
    "a deep stack": lambda: nodes(SIZE, lambda i: 1, up=lambda i: 1) + samples(100),
    "names without letters": lambda: mapping(methods=until(SIZE, lambda i: number(i + 1) + number(1) + b"\0\0")),
    "methods with high ids": lambda: mapping(methods=until(SIZE, lambda i: number(HIGH + 77 * i) + number(1) + b"\0\0")),
    "ids with gaps": lambda: mapping(classes=until(SIZE, lambda i: number(4 * i + 1000) + b"\0" + number(0) + number(0))),
    "a long name that many methods have": lambda: mapping(
        classes=number(1) + text("L" * 300_000) + number(8) + number(0),
        methods=until(SIZE // 2, lambda i: number(i + 1) + number(1) + text(str(i)) + b"\0")) + nodes(
            SIZE // 3, lambda i: i + 1, up=lambda i: i + 1) + block(9, number(1), number(1000), until(
                100_000, lambda i: number((i + 2) * 2) + number(1)), END),
    "threads": lambda: until(SIZE, lambda i: events(b"", thread=i + 1)),
    "names of threads": lambda: mapping(threads=until(SIZE, lambda i: number(i + 1) + number(i) + b"\1\0")),
    "calls that never end": lambda: events(until(SIZE, lambda i: bytes([0x01 | (i % 32) << 3]) + number(i // 32) + number(1))),
    "calls of threads": lambda: until(SIZE, lambda i: events(bytes([0x09]) + number(0) + number(1), thread=i + 1)),
    "call graphs": lambda: block(14, *map(number, (1, 1, 1, 2000, 0, 0, 0)), until(
        SIZE, lambda i: number(1) + number(16 * (i + 1)) + number(1) + number(1)), END),
    "methods that are covered": lambda: block(15, b"\0", number(0), b"\1", number(1) + text("A.dll") + b"\0\0\0\0", END, until(
        SIZE, lambda i: number(1) + number(i + 1) + b"\0" + number(1) + number(1) + END), END),
    "places that are covered": lambda: block(15, b"\0", number(0), b"\1", number(1) + text("A.dll") + b"\0\0\0\0", END,
                                             number(1), number(1), b"\0", until(SIZE, lambda i: number(i << 2 | 1) + number(1)),
                                             END, END),
    "hits of version 1": lambda: block(6, number(1000), number(2000), until(SIZE, lambda i: number(i % 100 + 1)), END, END),
    "what was lost": lambda: block(11, struct.pack("<Q", 0x0a1a00cbe93c00ff), until(SIZE, lambda i: text(str(i)) + number(1)),
                                   b"\0", bytes(8)),
    "properties": lambda: b"",
}


def write(kind, path):
    """In a process of its own: what a process had when it started another counts as that one's."""
    writer = os.fork()
    if writer == 0:
        intro = INTRO if kind != "properties" else block(
            1, number(2), text("CoreCLR"), number(0), CLOCK, until(SIZE, lambda i: text(f"k{i}") + b"\0"), b"\0")
        with open(path, "wb") as log:
            log.write(intro + CRAFTED[kind]() + block(7, number(2), CLOCK))
        os._exit(0)
    os.waitpid(writer, 0)


# A small process between: what one had when it started another counts as that one's too.
LAUNCHER = """import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024)"""


def run(command, folder):
    """Exit code, what it said, and the most memory that it had."""
    with open(os.path.join(folder, "said"), "w+b") as said:
        subprocess.run([sys.executable, "-S", "-c", LAUNCHER, *command], cwd=folder, env=harness.CLEAN,
                       stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, check=True)
        said.seek(max(0, said.tell() - 10_000))
        text, _, figures = said.read().decode(errors="replace").rstrip("\n").rpartition("\n")
        code, most = map(int, figures.split())
        return code, text, most


class Memory(harness.OrielTest):
    def check(self, command, log):
        code, said, most = run([ORIEL, *command, log], self.folder)
        limit = RATIOS.get(self.kind, RATIO) * os.path.getsize(self.path(log)) + FIXED
        if os.environ.get("ORIEL_SHOW_MEMORY"):
            print(f"{most / 1e6:7.1f} MB of {limit / 1e6:7.1f}, {code} {CUT in said:d}  {' '.join(command)}  {self.kind}")
        self.assertIn(code, (0, 1), said[-300:])
        self.assertLessEqual(most, limit, f"{self.kind}: {said[-300:]}")
        return said

    def test_crafted_logs(self):
        for self.kind in CRAFTED:
            write(self.kind, self.path("crafted.oriel"))
            for command in (["report", "coverage" if "covered" in self.kind else "summary"],
                            ["export", "--format", "html", "-o", "x.html"]):
                with self.subTest(kind=self.kind, command=command):
                    self.check(command, "crafted.oriel")

    def test_logs_of_programs_are_whole(self):
        self.kind = "a program"
        for options in (["--calls", "--alloc", "--locks", "--gc-phases"], ["--async", "--activities"], ["--callgraph"]):
            self.record(*program("busy", 1), options=options)
            for command in (["report"], ["report", "top"], ["export", "--format", "html", "-o", "x.html"]):
                with self.subTest(options=options, command=command):
                    self.assertNotIn(CUT, self.check(command, "run.oriel"))


if __name__ == "__main__":
    harness.main()
