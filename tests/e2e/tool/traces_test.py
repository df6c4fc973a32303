#!/usr/bin/env python3
"""Exports with a time line: what they have of real runs is what `oriel report rows` has, at the same times. Each file is read
by what the format's readers require, not by Oriel's code."""
import collections
import os
import shutil
import struct
import unittest

import harness

LOGS = {
    "told.oriel": (["meters", "activities"], ["--sample=1000", "--activities", "--counters"]),
    "events.oriel": (["events", "threads", "gc", "exceptions"], ["--sample=1000"]),
    "locks.oriel": (["waits", "lock"], ["--sample=1000", "--locks"]),
}
# What viewers call events, by table.
KINDS = {"collections": "gc", "pauses": "pause", "lock_waits": "lock", "activities": "request", "throws": "exception", "marks": "mark"}


def fields(data):
    """Pairs of number and value of a protobuf message."""
    at = 0

    def number():
        nonlocal at
        value, shift = 0, 0
        while True:
            value |= (data[at] & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if data[at - 1] < 0x80:
                return value

    while at < len(data):
        key = number()
        if key & 7 == 0:
            yield key >> 3, number()
            continue
        size = {1: 8, 5: 4}[key & 7] if key & 7 != 2 else number()
        assert at + size <= len(data)
        at += size
        yield key >> 3, data[at - size:at]


class Message:
    def __init__(self, data):
        self.all = collections.defaultdict(list)
        for number, value in fields(data):
            self.all[number].append(value)

    def get(self, number, otherwise=None):
        return self.all[number][-1] if self.all[number] else otherwise

    def messages(self, number):
        return [Message(value) for value in self.all[number]]


class Traces(harness.SharedFolder):
    def prepare(self):
        for log, ((target, *words), options) in LOGS.items():
            dll = os.path.join(harness.BUILD, "targets", target, target + ".dll")
            self.assertEqual(self.record("dotnet", dll, *words, options=options, log=log).code, 0)
            tables = {name: self.report("rows", name, log=log)["rows"] for name in ("samples", *KINDS)}
            type(self).rows = {**getattr(type(self), "rows", {}), log: tables}
        self.assertGreater(len(self.rows["events.oriel"]["samples"]), 10)
        for kind in KINDS:
            if kind != "marks":
                self.assertTrue(any(self.rows[log][kind] for log in LOGS), kind)

    def export(self, form, *logs):
        out = self.path("out")
        self.assertEqual(self.oriel("export", "--format", form, "-o", out, *logs).code, 0)
        return out

    def expected(self, log):
        return {kind: len(self.rows[log][table]) for table, kind in KINDS.items() if self.rows[log][table]}

    def assert_times(self, found, log, unit=1):
        """Of samples, which are told in the order of their times."""
        wanted = sorted(row["at"] for row in self.rows[log]["samples"])
        self.assertEqual(len(found), len(wanted))
        for ours, theirs in zip(found, wanted):
            self.assertAlmostEqual(ours, theirs / unit, delta=0.002)

    def test_perfetto(self):
        for log in LOGS:
            with self.subTest(log):
                self.check_perfetto(self.export("perfetto", log), log)

    def check_perfetto(self, path, log):
        with open(path, "rb") as file:
            packets = Message(file.read()).messages(1)
        first = packets[0]
        self.assertEqual(first.get(13), 1, "nothing is interned before")
        self.assertEqual(first.messages(59)[0].get(58), 1, "times are of the clock of 1970")
        start = first.messages(6)[0].messages(1)[0].get(2)
        interned, tracks, open_slices = collections.defaultdict(dict), {}, collections.Counter()
        samples, kinds, points, threads = [], collections.Counter(), 0, set()
        for packet in packets[1:]:
            self.assertEqual((packet.get(10), packet.get(13)), (first.get(10), 2))
            for data in packet.messages(12):
                for field, values in data.all.items():
                    for value in map(Message, values):
                        self.assertNotIn(value.get(1), interned[field])
                        interned[field][value.get(1)] = value
            for track in packet.messages(60):
                tracks[track.get(1)] = track
                threads.update(thread.get(2) for thread in track.messages(4))
            for sample in packet.messages(66):
                samples.append(packet.get(8) - start)
                self.assertIn(sample.get(3), threads)
                frames = interned[7][sample.get(4)].all[2]
                for frame in frames:
                    self.assertIn(interned[6][frame].get(2), interned[5])
                    self.assertIn(interned[6][frame].get(3), interned[19])
                self.assertTrue(frames)
            for event in packet.messages(11):
                self.assertIn(event.get(11), tracks)
                self.assertGreaterEqual(packet.get(8), start)
                if event.get(9) == 4:
                    points += 1
                    self.assertTrue(tracks[event.get(11)].messages(8))
                    self.assertIsInstance(struct.unpack("<d", event.get(44))[0], float)
                    continue
                open_slices[event.get(11)] += {1: 1, 2: -1, 3: 0}[event.get(9)]
                self.assertGreaterEqual(open_slices[event.get(11)], 0)
                if event.get(9) != 2:
                    kinds[interned[1][event.get(3)].get(2).decode()] += 1
                    self.assertIn(event.get(10), interned[2])
                    if event.get(56) is not None:
                        self.assertIn(event.get(56), interned[7])
        self.assertFalse(any(open_slices.values()))
        self.assertEqual(dict(kinds), self.expected(log))
        self.assert_times(samples, log)
        self.assertGreater(points, 0)

    @unittest.skipUnless(shutil.which("protoc"), "protoc is not installed")
    def test_protoc_decodes_perfetto(self):
        with open(self.export("perfetto", "told.oriel"), "rb") as file:
            result = self.call(["protoc", "--decode_raw"], stdin=file.read())
        self.assertEqual(result.code, 0, result.err)
        self.assertIn('"GET /cart"', result.out)

    def test_several_logs_are_one_trace(self):
        with open(self.export("perfetto", *LOGS), "rb") as file:
            packets = Message(file.read()).messages(1)
        processes = [track for packet in packets for track in packet.messages(60) if track.all[3]]
        self.assertEqual(len(processes), len(LOGS))
        self.assertEqual(sum(len(packet.all[66]) for packet in packets), sum(len(tables["samples"]) for tables in self.rows.values()))

    def test_a_part_of_the_time(self):
        whole = self.rows["events.oriel"]["samples"]
        middle = sorted(row["at"] for row in whole)[len(whole) // 2]
        self.assertEqual(self.oriel("export", "--format", "perfetto", "--from", f"{middle // 1000}us", "-o", "out", "events.oriel").code, 0)
        with open(self.path("out"), "rb") as file:
            packets = Message(file.read()).messages(1)
        self.assertEqual(sum(len(packet.all[66]) for packet in packets), sum(row["at"] >= middle // 1000 * 1000 for row in whole))

    def test_weights_are_refused(self):
        result = self.oriel("export", "--format", "perfetto", "--weight", "bytes", "-o", "x", "told.oriel")
        self.assert_refused(result, 2, "takes no --weight", "of what was when")


if __name__ == "__main__":
    harness.main()
