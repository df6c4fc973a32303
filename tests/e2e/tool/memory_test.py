#!/usr/bin/env python3
"""What a log claims costs no more than a log of its size may: ten times the file, and a fixed part. Logs that no writer
makes are cut, and say so; those of real programs are not."""
import os
import re
import shutil
import struct
import subprocess
import sys

import crafted_assembly
import crafted_pdb
import harness
from harness import BUILD, ORIEL, program

SIZE = 1_800_000
RATIO, FIXED = 10, 40_000_000  # bytes for each of the file, and for the tool itself and what it needs for any log
# Of calls nothing is left out, however deep they are: a path that is new with each event takes what it takes. Real logs are
# compressed to a fifth, and so may forged ones be.
RATIOS = {"calls that never end": 150, "call graphs": 150, "calls of threads": 15, "samples that are packed": 50,
          "stacks that are packed": 50}
CUT = "more than a log of its size can hold"


def number(value):
    return NUMBERS[value] if value < len(NUMBERS) else encoded(value)


def encoded(value):
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f)
        value >>= 7
    out.append(value | 0x80)
    return bytes(out)


NUMBERS = [encoded(value) for value in range(1 << 17)]  # logs are made of millions of them


def text(value):
    return value.encode() + b"\0"


def block(code, *parts):
    contents = b"".join(parts)
    return struct.pack("<HI", code, len(contents)) + contents


CLOCK = number(1000) + number(1_700_000_000_000_000)
END = number(0)  # of most lists
LATER = number(1_000_000_000_000) + number(1_700_000_100_000_000)
SAMPLED = [text("sampling.mode"), text("process"), text("sampling.hz"), text("250")]  # as log/properties.def names them
INTRO = block(1, number(2), text("CoreCLR"), number(0), CLOCK, *SAMPLED, b"\0")


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


def told(event, values):
    """An event of events.def by its number, as `oriel report dump` would count them."""
    fields = b"".join(values)
    return bytes([0x08]) + number(event) + number(1) + number(len(fields)) + fields


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


def collection(i):
    """What a program's log tells of one, in about 170 bytes."""
    some = [number(1_000_000 + i)] * 7
    return b"".join(told(event, values) for event, values in (
        (88, [number(i), number(0), number(0)]), (71, [number(i), number(0), number(0)]),
        *((73, [number(0), number(roots), some[0]]) for roots in range(6)), (94, [number(0), *some[:5]]),
        (75, [number(i), *some[:6]]), (72, [number(i), number(0)]), (89, [*some[:5], *[number(0)] * 3]),
        (74, [number(0), *some])))


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
    "threads with a sample each": lambda: until(
        SIZE, lambda i: block(9, number(i + 1), number(2000), bytes([0x82, 0x82]), END)),
    "threads": lambda: until(SIZE, lambda i: events(b"", thread=i + 1)),
    "names of threads": lambda: mapping(threads=until(SIZE, lambda i: number(i + 1) + number(i) + b"\1\0")),
    "calls that never end": lambda: events(until(SIZE, lambda i: bytes([0x01 | (i % 32) << 3]) + number(i // 32) + number(1))),
    "calls of threads": lambda: until(SIZE, lambda i: events(bytes([0x09]) + number(0) + number(1), thread=i + 1)),
    "call graphs": lambda: block(14, *map(number, (1, 1, 1, 2000, 0, 0, 0)), until(
        SIZE, lambda i: number(1) + number(16 * (i + 1)) + number(1) + number(1)), END),
    "images that are covered": lambda: block(15, b"\0", number(0), b"\1", until(
        SIZE, lambda i: number(i + 1) + bytes(5)), END, END),
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


# A check that does not hold: what stands before it may be anything, and is left out.
NO_PAGE = {"what was lost"}
# In each log, so that there is a page; first, as there may be no room for it later.
SAMPLE = block(8, number(1), number(1), number(1 << 2), END) + block(9, number(1), number(3000), bytes([0x82, 0x82]), END)


def method_of_file(i, points=b""):
    return b"\2" + number(1) + number(i + 1) + b"\0" + number(i * 100) + number(len(points) // 2) + points


# What a killed program leaves beside its log (base/files/coverage_file.h).
COUNTERS = {
    "points of a file beside it": lambda i: method_of_file(i, b"".join(
        number(point % 32 << 2) + number(point) for point in range(100))),
    "methods of a file beside it": method_of_file,
    "sums of a file beside it": lambda i: b"\3" + number(i) + number(0),
    "terms of a file beside it": lambda i: b"\3" + number(i) + number(100) + b"".join(
        number(100 * i + term) for term in range(100)),
    "images of a file beside it": lambda i: b"\1" + number(i + 1) + bytes(5),
}


def counters_file(record):
    unit = 1 << 16
    records = b"\1" + number(1) + text("A.dll") + bytes(4) + until(SIZE, record)
    size = -(-(64 + len(records)) // unit) * unit
    head = b"OrielCov" + struct.pack("<IIQQQ", 2, 0, unit + size, 1, (1 << 64) - 1)
    segment = struct.pack("<IIQQQ", 1, 1, size, 0, len(records)).ljust(64, b"\0") + records
    return head.ljust(unit, b"\0") + segment.ljust(size, b"\0")


def covering(dll):
    """A log in which the assembly's first method ran."""
    return block(15, b"\0", number(0), b"\0", number(1) + text("hello.dll") + text(dll) + bytes(3), END,
                 number(1), number(1), b"\0", number(1) + number(1), END, END)


def write(path, contents):
    """In a process of its own: what a process had when it started another counts as that one's."""
    writer = os.fork()
    if writer == 0:
        with open(path, "wb") as file:
            file.write(contents())
        os._exit(0)
    os.waitpid(writer, 0)


def log_of(kind, blocks):
    intro = INTRO if kind != "properties" else block(
        1, number(2), text("CoreCLR"), number(0), CLOCK, until(SIZE, lambda i: text(f"k{i}") + b"\0"), b"\0")
    return intro + SAMPLE + blocks + block(7, number(2), LATER)


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
    def check(self, command, log="crafted.oriel", code=0, beside=()):
        ended, said, most = run([ORIEL, *command, log], self.folder)
        size = sum(os.path.getsize(self.path(file)) for file in (log, *beside))
        limit = RATIOS.get(self.kind, RATIO) * size + FIXED
        if os.environ.get("ORIEL_SHOW_MEMORY"):
            print(f"{size / 1e6:6.2f} {most / 1e6:7.1f} MB of {limit / 1e6:7.1f}, {ended} {CUT in said:d}", *command,
                  f"({self.kind})")
        self.assertEqual(ended, code, said[-300:])
        self.assertLessEqual(most, limit, f"{self.kind}: {said[-300:]}")
        return said

    def test_crafted_logs(self):
        for self.kind in CRAFTED:
            write(self.path("crafted.oriel"), lambda: log_of(self.kind, CRAFTED[self.kind]()))
            for command in harness.some([["report", "coverage" if "covered" in self.kind else "summary"],
                                         ["export", "--format", "html", "-o", "x.html"]]):
                with self.subTest(kind=self.kind, command=command):
                    self.check(command, code=int(command[0] == "export" and self.kind in NO_PAGE))

    def test_limited_address_space(self):
        """Threads that sum in the background reserve none of their own."""
        write(self.path("crafted.oriel"), lambda: log_of("", CRAFTED["calls of threads"]()))
        for megabytes in range(200, 400, 50):
            with self.subTest(megabytes=megabytes):
                result = self.call(["sh", "-c", f'ulimit -v {megabytes}000; exec "$@"', "sh", ORIEL, "report", "summary", "crafted.oriel"])
                self.assertEqual(result.code, 0, result.err)
        result = self.call(["sh", "-c", 'ulimit -v 60000; exec "$@"', "sh", ORIEL, "report", "summary", "crafted.oriel"])
        self.assertRegex(result.err, r"\Aoriel: [^\n]*memory[^\n]*\n\Z")

    def test_crafted_counters_beside_a_log(self):
        write(self.path("crafted.oriel"), lambda: log_of("", b""))
        for self.kind, record in COUNTERS.items():
            write(self.path("crafted.oriel.counters"), lambda: counters_file(record))
            with self.subTest(kind=self.kind):
                self.check(["report", "coverage"], beside=["crafted.oriel.counters"])

    def test_crafted_assemblies(self):
        with open(os.path.join(BUILD, "targets", "hello", "hello.dll"), "rb") as file:
            real = file.read()
        write(self.path("crafted.oriel"), lambda: log_of("", covering(self.path("hello.dll"))))
        for self.kind, assembly in crafted_assembly.CRAFTED.items():
            write(self.path("hello.dll"), lambda: assembly(real))
            with self.subTest(kind=self.kind):
                self.check(["report", "coverage"], beside=["hello.dll"])

    def test_crafted_pdbs(self):
        hello = os.path.join(BUILD, "targets", "hello", "hello")
        shutil.copy(hello + ".dll", self.path("hello.dll"))
        with open(hello + ".pdb", "rb") as file:
            real = file.read()
        write(self.path("crafted.oriel"), lambda: log_of("", covering(self.path("hello.dll"))))
        for self.kind, pdb in crafted_pdb.CRAFTED.items():
            write(self.path("hello.pdb"), lambda: pdb(real))
            for command in harness.some([["report", "coverage"], ["cover", "merge", "--format", "html", "-o", "x.html"]]):
                with self.subTest(kind=self.kind, command=command):
                    self.check(command, beside=["hello.pdb", "hello.dll"])

    def test_logs_of_programs_are_whole(self):
        self.kind = "a program"
        for options in harness.some([["--calls", "--alloc", "--locks", "--gc-phases"], ["--async", "--activities"], ["--callgraph"]]):
            self.record(*program("busy", 1), options=options)
            for command in (["report"], ["report", "top"], ["export", "--format", "html", "-o", "x.html"]):
                with self.subTest(options=options, command=command):
                    self.assertNotIn(CUT, self.check(command, "run.oriel"))

    def test_a_log_of_many_collections_is_whole(self):
        self.kind = "collections"
        contents = until(2_600_000, lambda i: collection(i + 1))
        write(self.path("crafted.oriel"), lambda: log_of("", events(contents) + samples(100_000)))
        for command in (["report"], ["report", "gc"], ["export", "--format", "html", "-o", "x.html"]):
            with self.subTest(command=command):
                self.assertNotIn(CUT, self.check(command))


if __name__ == "__main__":
    harness.main()
