#!/usr/bin/env python3
"""Exports with a time line: what they have of real runs is what `oriel report rows` has, at the same times. Each file is read
by what the format's readers require, not by Oriel's code."""
import collections
import json
import os
import re
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

    def load(self, form, *logs):
        with open(self.export(form, *logs), encoding="utf-8") as file:
            return json.load(file)

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

    def test_firefox(self):
        for log in LOGS:
            with self.subTest(log):
                self.check_firefox(self.load("firefox", log), log)

    def check_firefox(self, profile, log):
        shared, meta = profile["shared"], profile["meta"]
        self.assertEqual(meta["preprocessedProfileVersion"], 60)
        tables = [shared[name] for name in ("stackTable", "frameTable", "funcTable", "resourceTable", "sources")]
        tables += [thread[name] for thread in profile["threads"] for name in ("samples", "markers")]
        for table in tables:
            columns = {name: len(column) for name, column in table.items() if isinstance(column, list)}
            self.assertEqual(set(columns.values()), {table["length"]}, columns)
        stacks, frames = shared["stackTable"], shared["frameTable"]
        self.assertTrue(all(prefix is None or prefix < i for i, prefix in enumerate(stacks["prefix"])))
        self.assertTrue(all(frame < frames["length"] for frame in stacks["frame"]))
        self.assertTrue(all(name < len(shared["stringArray"]) for name in shared["funcTable"]["name"]))
        self.assertEqual(len({thread["tid"] for thread in profile["threads"]}), len(profile["threads"]))
        main, = [thread for thread in profile["threads"] if thread["isMainThread"]]
        self.assertEqual(main["pid"], str(main["tid"]))
        kinds, times, by_category = collections.Counter(), [], collections.Counter()
        for thread in profile["threads"]:
            samples = thread["samples"]
            self.assertEqual(samples["time"], sorted(samples["time"]))
            times += samples["time"]
            for stack, weight in zip(samples["stack"], samples["weight"]):
                category = meta["categories"][frames["category"][stacks["frame"][stack]]]
                by_category[category["name"]] += weight
            kinds.update(data["type"] for data in thread["markers"]["data"])
        self.assertEqual(dict(kinds), self.expected(log))
        self.assert_times(sorted(times), log, 1e6)
        shares = collections.Counter()
        for share in self.report("summary", log=log)["shares"]:
            shares[share["category"]] += share["samples"]
        for name, key in {"Own code": "own", "GC": "gc", "Exceptions": "exceptions"}.items():
            self.assertEqual(by_category[name], shares[key], name)

    def test_chrome_trace(self):
        for log in LOGS:
            with self.subTest(log):
                self.check_chrome_trace(self.load("chrome-trace", log), log)

    def check_chrome_trace(self, trace, log):
        names = [(event["pid"], event["tid"]) for event in trace["traceEvents"] if event["name"] == "thread_name"]
        self.assertEqual(len(names), len(set(names)))
        kinds, stretches = collections.Counter(), collections.defaultdict(list)
        for event in trace["traceEvents"]:
            if event["ph"] not in ("X", "i"):
                self.assertIn(event["ph"], ("M", "C"))
                continue
            kinds[event["cat"]] += 1
            self.assertIn((event["pid"], event["tid"]), names)
            if event["ph"] == "X":
                stretches[event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
        for track in stretches.values():
            open_ends = []
            for begin, end in sorted(track, key=lambda stretch: (stretch[0], -stretch[1])):
                while open_ends and open_ends[-1] <= begin + 0.001: open_ends.pop()
                self.assertTrue(not open_ends or end <= open_ends[-1] + 0.001, "stretches that overlap")
                open_ends.append(end)
        self.assertEqual(dict(kinds), self.expected(log))
        self.assert_times([sample["ts"] for sample in trace["samples"]], log, 1e3)
        for sample in trace["samples"]:
            frame, depth = sample["sf"], 0
            while frame is not None:
                frame, depth = trace["stackFrames"][frame].get("parent"), depth + 1
                self.assertLess(depth, 10_000)
        self.assertTrue(any(event["ph"] == "C" for event in trace["traceEvents"]))

    def test_perf_script(self):
        """Collapsed as flame graph tools do, it is what the export of collapsed stacks is."""
        with open(self.export("perf-script", "events.oriel"), encoding="utf-8") as file:
            blocks = [block.splitlines() for block in file.read().split("\n\n") if block]
        ours, times = collections.Counter(), []
        for head, *frames in blocks:
            _, at, period, event = re.fullmatch(r"(\S+ +\d+/\d+ +\[000\]) +(\d+\.\d+): +(\d+) (\S+):", head).groups()
            self.assertEqual(event, "cpu-clock")
            times.append(float(at) * 1e9)
            names = [re.fullmatch(r"\s*[0-9a-f]+ (.+) \((\S+)\)", frame)[1].replace(";", ":") for frame in frames]
            ours[";".join(reversed(names))] += int(period) // 1_000_000
        collapsed = self.oriel("export", "--format", "collapsed", "events.oriel").out.splitlines()
        self.assertEqual(ours, {stack: int(count) for stack, count in (line.rsplit(" ", 1) for line in collapsed)})
        wanted = sorted(row["at"] for row in self.rows["events.oriel"]["samples"])
        for our, theirs in zip(times, wanted): self.assertAlmostEqual(our, theirs, delta=1)

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
