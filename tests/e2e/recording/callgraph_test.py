#!/usr/bin/env python3
"""Call graphs of a program whose calls, exceptions and objects are known to the last one."""
import os
import signal
import time
import unittest

import harness

PROGRAM = os.path.join(harness.BUILD, "targets", "callgraph", "callgraph.dll")
DEPTH = 1_000_000 if harness.LONG else 250_000


def graph(*args):
    return ["dotnet", PROGRAM, *map(str, args)]


class GraphTest(harness.OrielTest):
    def methods(self, log="run.oriel"):
        """Methods by their name without class and parameters, with callers and callees by the same name."""
        def short(entry):
            return entry.get("name", "[outside]").split("(")[0].removeprefix("Graph.").removeprefix("Program.")

        report = self.report("callgraph", log=log)
        result = {}
        for method in report["methods"]:
            method["callers"] = {short(edge): edge["calls"] for edge in method["callers"]}
            method["callees"] = {short(edge): edge["calls"] for edge in method["callees"]}
            result[short(method)] = method
        return report, result


class CallgraphTest(GraphTest):
    def test_every_call_by_every_caller(self):
        run = self.record(*graph("calls"), options=["--callgraph", "--callgraph-alloc"])
        self.assertEqual((run.code, run.out), (0, "done\n"), run.err)
        self.assertIn("oriel report callgraph run.oriel", run.err)
        self.assertEqual(self.logs(), ["run.oriel"])
        report, methods = self.methods()
        self.assertEqual(methods["Outer"]["callers"], {"Calls": 3})
        self.assertEqual(methods["Inner"]["callers"], {"Outer": 12})
        self.assertEqual(methods["Leaf"]["callers"], {"Inner": 24, "Outer": 3, "Catcher": 10})
        self.assertEqual(methods["Outer"]["callees"], {"Inner": 12, "Leaf": 3})
        self.assertEqual(methods["Fib"]["callers"], {"Calls": 1, "Fib": 176})
        self.assertNotIn("longest_ns", methods["Fib"])
        self.assertRegex(self.oriel("report", "callgraph", "run.oriel").out, r"(?m)^ +(to +)?10 {2,}Graph\.Program\.Thrower")
        self.assertEqual(methods["Thrower"]["callers"], {"Catcher": 5, "Thrower": 10})
        self.assertEqual(methods["Thrower"]["by_exception"], 15)
        self.assertEqual(methods["Catcher"]["by_exception"], 0)
        self.assertEqual(methods["Make"]["callers"], {"MakeMany": 1000})
        self.assertEqual(report["running"], 0)
        self.assertEqual((report["without_enter"], report["without_leave"], report["not_counted"]), (0, 0, 0))
        objects = {entry["type"]: entry["objects"] for entry in report["allocations"]}
        self.assertEqual((objects["Graph.Box"], objects["Graph.Oops"], objects["Graph.Box[]"]), (1000, 5, 1))

    def test_nothing_is_said_of_what_it_does_not_record(self):
        self.record(*graph("threads"), options=["--callgraph"])
        summary = self.oriel("report", "run.oriel").out
        self.assertNotRegex(summary, "(?m)^(GC|Exceptions)")
        for kind in ("gc", "exceptions", "threads"):
            text = self.oriel("report", kind, "run.oriel").out
            self.assertIn("Not recorded: this is a call graph", text)
            self.assertNotIn("native", text)
        self.assertIn("worker3", text)
        self.record(*graph("threads"), options=["--no-sample"])
        summary = self.oriel("report", "run.oriel").out
        self.assertRegex(summary, "(?m)^GC          no collections$")
        self.assertRegex(summary, "(?m)^Exceptions  none thrown$")

    def test_threads(self):
        self.record(*graph("threads"), options=["--callgraph"])
        report, methods = self.methods()
        self.assertEqual(methods["Worker"]["calls"], 4)
        self.assertEqual(methods["Inner"]["callers"], {"Worker": 40_000})
        self.assertEqual(methods["Leaf"]["callers"], {"Inner": 80_000})
        one = self.report("callgraph", "--thread", "worker2")
        self.assertEqual(one["calls"], 1 + 10_000 + 20_000)

    def test_methods_that_run_as_the_program_ends(self):
        self.record(*graph("running"), options=["--callgraph"])
        report, methods = self.methods()
        self.assertEqual((methods["Forever"]["calls"], methods["Forever"]["running"]), (2, 2))
        self.assertEqual(report["running"], 2)
        self.assertGreater(methods["Forever"]["total_ns"], 0)

    def test_patterns_choose(self):
        self.record(*graph("calls"), options=["--callgraph=Graph.Program,!*.Leaf,!*.Fib"])
        _, methods = self.methods()
        self.assertEqual(methods["Inner"]["calls"], 12)
        self.assertNotIn("Leaf", methods)
        self.assertNotIn("Fib", methods)
        self.record(*graph("calls"), options=["--callgraph=Graph.Program.Inner", "--callgraph=Graph.Program.Outer"])
        _, methods = self.methods()
        self.assertEqual({"Inner", "Outer"}, set(methods) & {"Inner", "Outer", "Leaf", "Fib"})
        run = self.record(*graph(), options=["--callgraph=Nobody.*"], log="none.oriel")
        self.assertIn("matched no method", run.err)
        text = self.oriel("report", "callgraph", "none.oriel").out
        self.assertIn("no method that --callgraph='Nobody.*' chooses was called", text)

    def test_beside_a_log(self):
        run = self.record(*graph("calls"), options=["--sample", "--callgraph"])
        self.assertEqual(self.logs(), ["run.callgraph.oriel", "run.oriel"])
        self.assertIn("run.callgraph.oriel", run.err)
        _, methods = self.methods(log="run.oriel")
        self.assertEqual(methods["Outer"]["calls"], 3)

    def test_killed(self):
        process = self.start("run", "--callgraph", "-o", "killed.oriel", "--", *graph("calls", "sleep"))
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            time.sleep(0.2)
            if not os.path.exists(self.path("killed.oriel")):
                continue
            _, methods = self.methods(log="killed.oriel")
            if "MakeMany" in methods:
                break
        self.finish(process)
        _, methods = self.methods(log="killed.oriel")
        self.assertEqual(methods["Outer"]["callers"], {"Calls": 3})
        self.assertEqual(methods["Main"]["running"], 1)
        self.assertIn("the log ends", self.oriel("report", "callgraph", "killed.oriel").out)

    def test_interrupted(self):
        process = self.start("run", "--callgraph", "-o", "run.oriel", "--", *graph("calls", "sleep"))
        times = []  # of what was written: it is written again and again
        deadline = time.monotonic() + 60
        while len(times) < 3 and time.monotonic() < deadline:
            time.sleep(0.02)
            if not os.path.exists(self.path("run.oriel")):
                continue
            _, methods = self.methods()
            if "MakeMany" in methods and methods["Main"]["total_ns"] not in times:
                times.append(methods["Main"]["total_ns"])
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn(b"oriel report callgraph run.oriel", err)
        _, methods = self.methods()
        self.assertEqual(methods["Outer"]["callers"], {"Calls": 3})
        self.assertGreaterEqual(methods["Main"]["total_ns"], times[-1])
        self.assertEqual(len(times), 3)

    def test_over_before_anything_was_written(self):
        process = self.start("run", "--callgraph=Graph.Program.Nobody", "-o", "run.oriel", "--", *graph("sleep"))
        deadline = time.monotonic() + 60
        while not os.path.exists(self.path("run.oriel")) and time.monotonic() < deadline:
            time.sleep(0.02)
        self.finish(process)
        text = self.oriel("report", "callgraph", "run.oriel").out
        self.assertIn("no calls in this log: ", text)
        self.assertNotIn("run the program with", text)


class Deep(GraphTest):
    """A million frames: nothing of Oriel's recurses with them, nor writes each stack whole. A quarter is more than a usual
    stack has room for too."""
    NAMES = ("Ping", "Pong", "Peng")  # call each other in turn
    CALLS = tuple((DEPTH + 3 - place) // 3 for place in range(3))

    def test_one_method(self):
        run = self.record(*graph("deep", DEPTH), options=["--callgraph=Graph.Program.Down"])
        self.assertEqual((run.code, run.out), (0, f"{DEPTH}\ndone\n"), run.err)
        report, methods = self.methods()
        self.assertEqual((report["calls"], methods["Down"]["calls"]), (DEPTH + 1, DEPTH + 1))
        self.assertEqual(methods["Down"]["callers"], {"[outside]": 1, "Down": DEPTH})
        self.assertEqual((report["not_counted"], report["running"], report["without_leave"]), (0, 0, 0))
        tree = self.report("callgraph", "--tree")
        (node,) = tree["nodes"]
        self.assertEqual((node["calls"], node["total"]), (DEPTH + 1, report["self_ns"]))
        for options in ([], ["--tree"]):
            text = self.oriel("report", "callgraph", *options, "run.oriel")
            self.assertEqual((text.code, text.err), (0, ""))
            self.assertRegex(text.out, rf"{DEPTH + 1:,} .*Graph\.Program\.Down\(int\)")

    def test_three_methods(self):
        run = self.record(*graph("mutual", DEPTH), options=["--callgraph=Graph.Program.P*ng"])
        self.assertEqual((run.code, run.out), (0, f"{DEPTH}\ndone\n"), run.err)
        self.assert_calls()
        self.check_exports()
        nodes = self.report("callgraph", "--tree")["nodes"]
        self.assertEqual([(node["depth"], node["name"], node["calls"]) for node in nodes],
                         [(depth, f"Graph.Program.{name}(int)", calls)
                          for depth, (name, calls) in enumerate(zip(self.NAMES, self.CALLS), 1)])

    def test_an_exception_through_all_of_them(self):
        run = self.record(*graph("throws", "mutual", DEPTH), options=["--callgraph=Graph.Program.P*ng"])
        self.assertEqual((run.code, run.out), (0, "thrown\ndone\n"), run.err)
        methods = self.assert_calls()
        self.assertEqual(tuple(methods[name]["by_exception"] for name in self.NAMES), self.CALLS)

    def test_all_of_them_run_when_the_program_is_killed(self):
        process = self.start("run", "--callgraph=Graph.Program.P*ng", "-o", "run.oriel", "--",
                             *graph("stays", "mutual", DEPTH))
        deadline = time.monotonic() + 60
        calls = 0
        while calls <= DEPTH and time.monotonic() < deadline:
            time.sleep(0.2)
            if os.path.exists(self.path("run.oriel")):
                calls = self.report("callgraph")["calls"]
        self.finish(process)
        self.assert_calls(running=DEPTH + 1)

    def assert_calls(self, running=0):
        report, methods = self.methods()
        self.assertEqual(tuple(methods[name]["calls"] for name in self.NAMES), self.CALLS)
        self.assertEqual((report["not_counted"], report["running"]), (0, running))
        return methods

    def check_exports(self):
        """They have the recursion folded up."""
        total = self.report("callgraph")["self_ns"]
        for form in ("collapsed", "speedscope", "pprof", "html"):
            result = self.oriel("export", "--format", form, "-o", "out", "run.oriel")
            self.assertEqual(result.code, 0, result.err)
            self.assertIn(f"calls are up to {DEPTH + 1} deep: recursion is folded", result.err)
            self.assertLess(os.path.getsize(self.path("out")), 1 << 20)
            if form == "collapsed":
                with open(self.path("out"), encoding="utf-8") as lines:
                    weights = [int(line.rsplit(" ", 1)[1]) for line in lines]
                self.assertEqual((len(weights), sum(weights)), (3, total))


if __name__ == "__main__":
    if not os.path.exists(PROGRAM):
        raise SystemExit(f"{PROGRAM} is missing: build first (./check does), or set ORIEL_BUILD")
    unittest.main()
