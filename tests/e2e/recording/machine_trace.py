"""Records the whole machine as `dotnet-trace collect-linux` does, with the library that it has for that, and without the events of
.NET, for which the kernel needs user_events; and counts what a file of version 6 has, by the format's description."""
import collections
import ctypes
import glob
import os
import struct
import subprocess
import sys

LIBRARY = os.path.join(".store", "dotnet-trace", "*", "dotnet-trace", "*", "tools", "*", "any", "runtimes", "linux-{}", "native",
                       "librecordtrace.so")
PROCESSOR = {"x86_64": "x64", "aarch64": "arm64"}


def library(tools):
    """In the folder where dotnet-trace is; None if it has none for this processor."""
    found = glob.glob(os.path.join(tools, LIBRARY.format(PROCESSOR.get(os.uname().machine, "none"))))
    return found[0] if found else None


def record(path, seconds, tools):
    """Starts recording, in a process of its own."""
    return subprocess.Popen([sys.executable, __file__, library(tools), path, str(seconds)], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def cpu_samples(path):
    """How many each process has, by the file's own words."""
    with open(path, "rb") as file: data = file.read()
    threads, cpu, samples, at = {}, set(), collections.Counter(), 20
    while at < len(data):
        head, = struct.unpack_from("<I", data, at)
        row = Row(data[at + 4:at + 4 + (head & 0xffffff)])
        at += 4 + (head & 0xffffff)
        kind = head >> 24
        if kind == 3:  # kinds of events
            row.skip(row.number("<H"))
            while row.left():
                each = Row(row.take(row.number("<H")))
                number, provider, _, name = each.varint(), each.text(), each.varint(), each.text()
                if (provider, name) == (b"Universal.Events", b"cpu"): cpu.add(number)
        elif kind == 6:  # threads
            while row.left():
                each = Row(row.take(row.number("<H")))
                index, facts = each.varint(), {}
                while each.left():
                    fact = each.number("<B")
                    facts[fact] = each.text() if fact == 1 else each.varint()
                threads[index] = facts.get(2)
        elif kind == 2:  # events
            row.skip(row.number("<H") - 2)
            event = thread = payload = 0
            while row.left():
                flags = row.number("<B")
                if flags & 1: event = row.varint()
                if flags & 2: row.varint(), row.varint(), row.varint()
                if flags & 4: thread = row.varint()
                if flags & 8: row.varint()
                row.varint()
                if flags & 16: row.varint()
                if flags & 128: payload = row.varint()
                row.skip(payload)
                if event in cpu: samples[threads[thread]] += 1
    return samples


class Row:
    def __init__(self, data): self.data, self.at = data, 0

    def left(self): return self.at < len(self.data)

    def skip(self, size): self.at += size

    def take(self, size):
        self.at += size
        return self.data[self.at - size:self.at]

    def number(self, form): return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def varint(self):
        value, shift = 0, 0
        while True:
            byte = self.number("<B")
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80: return value

    def text(self): return self.take(self.varint())


def main():
    name, path, seconds = sys.argv[1:]
    words = f"--on-cpu --duration {seconds} --out {path}".encode()
    said = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)(lambda kind, text, size: 0)
    return ctypes.CDLL(name).RecordTrace(ctypes.c_char_p(words), ctypes.c_size_t(len(words)), said)


if __name__ == "__main__":
    sys.exit(main())
