#!/usr/bin/env python3
"""`oriel view`: a log's page and its tables, for the person at this machine alone."""
import json
import os
import signal
import socket
import struct
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import harness
from harness import program


class View(harness.OrielTest):
    def begin(self, *words):
        view = self.start("view", "--no-browser", *words)
        self.address = view.stdout.readline().decode().strip()
        self.assertRegex(self.address, r"^http://127\.0\.0\.1:\d+/[0-9a-f]{32}/$")
        self.assertEqual(view.stderr.readline(), b"oriel: this address shows the log until Ctrl-C\n")
        return view

    def get(self, path="", **headers):
        with urllib.request.urlopen(urllib.request.Request(self.address + path, headers=headers), timeout=60) as answer:
            return answer.read().decode()

    def ask(self, sql):
        return json.loads(self.get("query.json?" + urllib.parse.urlencode({"sql": sql})))

    def refused(self, address, **rest):
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(address, **rest), timeout=60)
        return refused.exception.code

    def test_a_log(self):
        self.record(*program("exceptions", 100))
        view = self.begin("run.oriel")
        page = self.get()
        self.assertIn('<a id="to-tables" href="tables">', page)
        self.assertIn("programs.dll", page)
        self.assertIn("<title>Tables</title>", self.get("tables"))
        schema = {table["name"]: table for table in json.loads(self.get("schema.json"))}
        self.assertTrue(schema["methods"]["view"])
        self.assertFalse(schema["exceptions"]["view"])
        self.assertGreater(schema["exceptions"]["rows"], 0)
        self.assertIn("type", [column["name"] for column in schema["exceptions"]["columns"]])
        answer = self.ask("select type, thrown from exceptions order by thrown desc limit 1")
        self.assertEqual(answer["columns"], ["type", "thrown"])
        self.assertEqual(len(answer["rows"]), 1)
        view.send_signal(signal.SIGINT)
        self.assertEqual(view.wait(60), 0)

    def test_nobody_else_reads_it(self):
        self.record(*program("exit"))
        self.begin("run.oriel")
        host, token = self.address.split("/")[2:4]
        self.assertEqual(self.refused(f"http://{host}/"), 404)
        self.assertEqual(self.refused(f"http://{host}/{token[:-1]}0{token[-1]}/"), 404)
        self.assertEqual(self.refused(f"http://{host}/{token}"), 404)
        self.assertEqual(self.refused(self.address, headers={"Host": "evil.example"}), 404)
        self.assertNotEqual(self.refused(self.address, data=b"x", method="POST"), 200)
        self.assertEqual(self.refused(self.address + "../"), 404)

    def test_statements_that_fail(self):
        self.record(*program("exit"))
        self.begin("run.oriel")
        self.assertIn("no such table", self.ask("select * from missing")["problem"])
        self.assertIn("problem", self.ask("create table t (x)"))
        self.assertIn("problem", self.ask("attach 'x' as y"))
        self.assertIn("took longer", self.ask("with recursive n(i) as (select 1 union all select i + 1 from n) "
                                              "select count(*) from n")["problem"])
        self.assertEqual(self.ask("select 9007199254740993 as large")["rows"], [["9007199254740993"]])
        self.assertEqual(self.ask("select 1 as x")["rows"], [[1]], "it goes on")

    def test_a_log_that_grows(self):
        run = self.start("run", "-o", "run.oriel", "--", *program("ticking"))
        self.assertRegex(run.stdout.readline().decode(), r"^1 \d+$")
        self.wait_for(lambda: os.path.exists(self.path("run.oriel")))
        self.begin("run.oriel")
        thrown = lambda: self.ask("select coalesce(sum(thrown), 0) from exceptions")["rows"][0][0]
        before = thrown()
        for _ in range(3000): run.stdout.readline()
        self.get()
        self.assertGreater(thrown(), before)

    def test_browsers_that_go_away(self):
        self.record(*program("exceptions", 100))
        view = self.begin("run.oriel")
        host, port = self.address.split("/")[2].split(":")
        for _ in range(20):
            with socket.create_connection((host, int(port))) as away:
                away.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closes with a reset
                path = self.address.split(port)[1]
                away.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode() * 3)
        self.assertIn("programs.dll", self.get())
        self.assertIsNone(view.poll())

    def test_there_is_no_such_log_or_port(self):
        self.assert_refused(self.oriel("view", "--no-browser", "none.oriel"), 1, "none.oriel")
        self.record(*program("exit"))
        self.begin("run.oriel")
        port = self.address.split(":")[2].split("/")[0]
        self.assert_refused(self.oriel("view", "--no-browser", "--port", port, "run.oriel"), 1, f"view: port {port} cannot be had")

    def test_the_page_of_tables_in_a_browser(self):
        browser = next((name for name in ("chromium", "chromium-browser") if harness.shutil.which(name)), None)
        if not browser: self.skipTest("there is no Chromium")
        self.record(*program("exceptions", 100))
        self.begin("run.oriel")
        dom = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom",
                              self.address + "tables#table=exceptions&order=thrown&down=1"], capture_output=True, text=True,
                             timeout=120, check=False).stdout
        self.assertIn('aria-sort="descending"', dom)
        self.assertIn("rows 1 to", dom)


if __name__ == "__main__":
    harness.main()
