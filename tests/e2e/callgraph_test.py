#!/usr/bin/env python3
"""Call graphs of a program whose calls, exceptions and objects are known to the last one."""
import os
import time
import unittest

import harness

PROGRAM = os.path.join(harness.BUILD, "targets", "callgraph", "callgraph.dll")


def graph(*args):
    return ["dotnet", PROGRAM, *map(str, args)]


class CallgraphTest(harness.OrielTest):
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
        self.assertEqual(methods["Thrower"]["callers"], {"Catcher": 5, "Thrower": 10})
        self.assertEqual(methods["Thrower"]["by_exception"], 15)
        self.assertEqual(methods["Catcher"]["by_exception"], 0)
        self.assertEqual(methods["Make"]["callers"], {"MakeMany": 1000})
        self.assertEqual(report["running"], 0)
        self.assertEqual((report["without_enter"], report["without_leave"], report["not_counted"]), (0, 0, 0))
        objects = {entry["type"]: entry["objects"] for entry in report["allocations"]}
        self.assertEqual((objects["Graph.Box"], objects["Graph.Oops"], objects["Graph.Box[]"]), (1000, 5, 1))

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

    def test_a_hundred_thousand_frames_deep(self):
        depth = 100_000
        run = self.record(*graph("deep", depth), options=["--callgraph=Graph.Program.Down"])
        self.assertIn(str(depth), run.out)
        report, methods = self.methods()
        self.assertEqual(methods["Down"]["calls"], depth + 1)
        self.assertEqual(report["not_counted"], 0)
        tree = self.report("callgraph", "--tree")
        self.assertEqual([node["calls"] for node in tree["children"]], [depth + 1])

    def test_patterns_choose(self):
        self.record(*graph("calls"), options=["--callgraph=Graph.Program,!*.Leaf,!*.Fib"])
        _, methods = self.methods()
        self.assertEqual(methods["Inner"]["calls"], 12)
        self.assertNotIn("Leaf", methods)
        self.assertNotIn("Fib", methods)
        run = self.record(*graph(), options=["--callgraph=Nobody.*"], log="none.oriel")
        self.assertIn("matched no method", run.err)

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


if __name__ == "__main__":
    if not os.path.exists(PROGRAM):
        raise SystemExit(f"{PROGRAM} is missing: build first (./check does), or set ORIEL_BUILD")
    unittest.main()
