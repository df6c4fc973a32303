#!/usr/bin/env python3
"""A web API with EF Core and SQLite, as people write them: it answers as without Oriel, and of all the code that runs its
own stands forward."""
import http.client
import json
import os

import harness

PROJECT = os.path.join(harness.ROOT, "tests", "e2e", "harmless", "webapi")
APP = "bin/Release/net10.0/webapi.dll"
ROUNDS = 60
# Methods that every round calls, how often in all.
CALLS = {
    "Shop.Pricing.Total(Order)": ROUNDS,
    "Shop.Pricing.With(Order, int)": ROUNDS * 2000,
    "Shop.OrderService.LineText(OrderLine)": ROUNDS * 6,
    "Shop.ProductEndpoints.Distance(string, string)": ROUNDS * 200,
}


class Shop(harness.SharedFolder):
    """The program, and who asks it."""

    def prepare(self):
        self.build_project(PROJECT, "-c", "Release")

    def ask(self, connection, method, path, body=None):
        connection.request(method, path, body and json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def answers(self, port):
        """What it answers in ROUNDS of orders, look-ups and reports; it stops then."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        result = []
        for i in range(ROUNDS):
            lines = [{"Product": 1 + i * count % 200, "Count": count} for count in (1, 2, 3)]
            result.append(self.ask(connection, "POST", "/orders", {"Customer": f"customer {i % 7}", "Lines": lines}))
            for path in (f"/orders/{i + 1}", "/products/tea", f"/search?text=cocoa+no.+1{i}", "/orders/9999"):
                result.append(self.ask(connection, "GET", path))
            if i % 10 == 0: result.append(self.ask(connection, "GET", "/report"))
        result.append(self.ask(connection, "GET", "/stop"))
        connection.close()
        return result

    def run_it(self, *front):
        """Its answers, run with these words before the command."""
        name = f"shop-{len(os.listdir(self.folder))}.db"
        command = ["dotnet", APP, name]
        server = self.start(*front, "--", *command) if front else self.start_command(command)
        result = self.answers(int(server.stdout.readline()))
        self.assertEqual(server.wait(60), 0)
        self.assertEqual(server.stdout.read(), b"")
        return result


class WebApi(Shop):
    def test_it_answers_the_same_and_its_own_code_stands_forward(self):
        plain = self.run_it()
        self.assertEqual({status for status, _ in plain}, {200, 404})
        self.assertEqual(self.run_it("run", "-o", "run.oriel", "--sample=1000"), plain)
        self.assert_own_code_stands_forward()
        self.assertEqual(self.run_it("run", "-o", "calls.oriel", "--calls"), plain)
        self.assert_only_own_calls()
        if harness.LONG:  # objects are counted in xunit_test too
            self.assertEqual(self.run_it("run", "-o", "alloc.oriel", "--alloc"), plain)
            types = {row["type"]: row["objects"] for row in self.report("alloc", log="alloc.oriel")["types"]}
            self.assertEqual(types["Shop.Bill"], 2 * ROUNDS)

    def test_a_requests_own_story_is_what_the_program_measures(self):
        name = "watched.db"
        server = self.start("run", "-o", "run.oriel", "--activities", "--", "dotnet", APP, name)
        connection = http.client.HTTPConnection("127.0.0.1", int(server.stdout.readline()), timeout=60)
        order = {"Customer": "someone", "Lines": [{"Product": 7, "Count": 2}]}
        for _ in range(20): self.ask(connection, "POST", "/orders", order)
        # The first ones also compile what stands before the program's own code.
        for _ in range(20): self.ask(connection, "GET", "/report")
        before = float(self.ask(connection, "GET", "/watched-ms")[1])
        for _ in range(40): self.ask(connection, "GET", "/report")
        measured_ms = float(self.ask(connection, "GET", "/watched-ms")[1]) - before
        self.ask(connection, "GET", "/stop")
        connection.close()
        self.assertEqual(server.wait(60), 0)
        report = self.report("requests", "--limit", "1000")
        ended = sorted(report["slowest"], key=lambda request: request["start_ns"])
        first = next(i for i, request in enumerate(ended) if request["name"] == "GET /watched-ms")
        told = ended[first + 1:first + 41]
        self.assertEqual({request["name"] for request in told}, {"GET /report"})
        self.assertAlmostEqual(sum(request["ns"] for request in told) / 1e6, measured_ms, delta=0.05 * measured_ms + 2)
        self.assertEqual([sum(part["times"] for part in request["parts"]) for request in told], [21] * 40)
        hint = next(hint["text"] for hint in self.report("summary")["hints"] if hint["hint"] == "repeated")
        self.assertRegex(hint, r"^GET /report \(.*\) repeats one operation 20 times: SELECT … FROM")

    def test_who_asks_the_database_again_and_again_is_named_by_default(self):
        server = self.start("run", "-o", "run.oriel", "--", "dotnet", APP, "asked.db")
        connection = http.client.HTTPConnection("127.0.0.1", int(server.stdout.readline()), timeout=60)
        for _ in range(20): self.ask(connection, "POST", "/orders", {"Customer": "one", "Lines": [{"Product": 7, "Count": 2}]})
        for _ in range(600): self.ask(connection, "GET", "/report")
        self.ask(connection, "GET", "/stop")
        connection.close()
        self.assertEqual(server.wait(60), 0)
        hints = {hint["hint"]: hint["text"] for hint in self.report("summary")["hints"]}
        self.assertRegex(hints["database"], r"is database queries, most of it for Shop\.OrderService\.Report\(\) \(Orders\.cs:\d+\)\. .*--activities")

    def assert_own_code_stands_forward(self):
        own = [row["name"] for row in self.report()["top_own"]]
        self.assertIn("Shop.Seed.Fill(ShopContext)", own)
        self.assertIn("Shop.OrderService.Place(NewOrder)", own)
        self.assertFalse([name for name in own if not name.startswith(("Shop.", "Program."))])
        handlers = [node["name"] for node in self.report("tree")["nodes"] if node["depth"] == 1]
        self.assertTrue(any(name.startswith("Shop.OrderEndpoints.MapOrders.lambda#0(") for name in handlers), handlers)
        self.assertFalse([name for name in handlers if "ProcessRequests" in name or "Middleware.Invoke" in name])
        self.assertIn("package", [share["category"] for share in self.report()["shares"]])

    def assert_only_own_calls(self):
        calls = {row["name"]: row["calls"] for row in self.report("calls", log="calls.oriel")["methods"]}
        self.assertEqual({name: calls.get(name) for name in CALLS}, CALLS)
        self.assertFalse([name for name in calls if not name.startswith(("Shop.", "Program."))])
        # One body of each method, and more of what the runtime compiles again to put the probes in.
        self.assertLess(self.instrumented("calls.oriel"), 80)

    def instrumented(self, log):
        counters = self.report(log=log)["counters"]
        return next(count for name, count in counters.items() if name.endswith("instrumented"))


if __name__ == "__main__":
    harness.main()
