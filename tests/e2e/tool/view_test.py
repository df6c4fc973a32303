#!/usr/bin/env python3
"""`oriel view`: a log's page and its tables, for the person at this machine alone."""
import json
import os
import re
import signal
import socket
import struct
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import harness
import served_page
from harness import program


class View(harness.CopiedFolder):
    def prepare(self):
        self.record(*program("exceptions", 300))

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
        self.begin("run.oriel")
        host, token = self.address.split("/")[2:4]
        self.assertEqual(self.refused(f"http://{host}/"), 404)
        self.assertEqual(self.refused(f"http://{host}/{token[:-1]}0{token[-1]}/"), 404)
        self.assertEqual(self.refused(f"http://{host}/{token}"), 404)
        self.assertEqual(self.refused(self.address, headers={"Host": "evil.example"}), 404)
        self.assertNotEqual(self.refused(self.address, data=b"x", method="POST"), 200)
        self.assertEqual(self.refused(self.address + "../"), 404)

    def test_statements_that_fail(self):
        self.begin("run.oriel")
        self.assertIn("no such table", self.ask("select * from missing")["problem"])
        self.assertIn("problem", self.ask("create table t (x)"))
        self.assertIn("problem", self.ask("attach 'x' as y"))
        self.assertIn("took longer", self.ask("with recursive n(i) as (select 1 union all select i + 1 from n) "
                                              "select count(*) from n")["problem"])
        self.assertEqual(self.ask("select 9007199254740993 as large")["rows"], [["9007199254740993"]])
        self.assertEqual(self.ask("select 1 as x")["rows"], [[1]], "it goes on")

    def test_a_log_that_grows(self):
        run = self.start("run", "-o", "grows.oriel", "--", *program("ticking"))
        self.assertRegex(run.stdout.readline().decode(), r"^1 \d+$")
        self.wait_for(lambda: os.path.exists(self.path("grows.oriel")))
        self.begin("grows.oriel")
        thrown = lambda: self.ask("select coalesce(sum(thrown), 0) from exceptions")["rows"][0][0]
        before = thrown()
        reading = lambda: re.search(r'<body data-reading="(\d+)">', self.get())[1]
        first = reading()
        self.assertNotIn("problem", self.answer("graph.json", tree=0, reading=first))
        for _ in range(3000): run.stdout.readline()
        second = reading()
        self.assertGreater(thrown(), before)
        self.assertNotEqual(first, second)
        self.assertIn("reload", self.answer("graph.json", tree=0, reading=first)["problem"])
        self.assertNotIn("problem", self.answer("graph.json", tree=0, reading=second))

    def test_browsers_that_go_away(self):
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
        self.begin("run.oriel")
        port = self.address.split(":")[2].split("/")[0]
        self.assert_refused(self.oriel("view", "--no-browser", "--port", port, "run.oriel"), 1, f"view: port {port} cannot be had")

    def answer(self, name, **words):
        return json.loads(self.get(name + "?" + urllib.parse.urlencode(words)))

    def test_the_page_has_no_trees_but_asks_for_them(self):
        self.begin("run.oriel")
        page = self.get()
        self.assertIn("connect-src 'self'", page)
        self.assertIn('"trees":[{"served":true,"timed":true}', page)
        self.assertNotIn("/*oriel:", page)
        graph = self.answer("graph.json", tree=0)
        whole = sum(sum(thread["self"]) for thread in graph["tree"]["threads"])
        self.assertGreater(whole, 0)
        self.assertEqual(sum(weight for _, weight in graph["threads"]), whole)
        thread, weight = graph["threads"][0]
        of_thread = self.answer("graph.json", tree=0, thread=thread)
        self.assertEqual(sum(sum(one["self"]) for one in of_thread["tree"]["threads"]), weight)
        self.assertIn("programs.dll", self.answer("names.json")["modules"])
        self.assertIn("samples", self.answer("methods.json")["columns"])
        self.assertEqual(self.answer("collections.json", **{"from": 0, "to": 1})["rows"], [])
        for words in ({"tree": 99}, {"tree": "x"}, {"zoom": "s"}, {"thread": -1}):
            self.assertIn("reload", self.answer("graph.json", **words)["problem"])
        self.assertIn("problem", self.answer("method.json"))

    def in_page(self, script, place="", **rest):
        if not served_page.browser(): self.skipTest("there is no Chromium")
        reported = served_page.run_in_page(self.address, script, place, **rest)
        self.assertIsNotNone(reported, "the page's script did not come to its end")
        self.assertNotIn("error", reported)
        return reported

    def test_the_page_in_a_browser(self):
        self.begin("run.oriel")
        told = self.in_page("""
          await until(() => rows("list-rows").length > 5);
          const told = {root: rootLabel(), whole: model.total[0], lists: rows("list-rows").length, threads: $("thread").options.length};
          const heaviest = model.children[0];
          zoomTo(heaviest);
          await ready();
          told.zoomed = crumbs();
          $("thread").value = $("thread").options[1].value;
          $("thread").dispatchEvent(new Event("change"));
          await ready();
          told.thread = [rootLabel(), model.total[0], $("list-note").textContent];
          await choose({thread: -1});
          setRange(60, 180);
          await ready();
          told.range = [rootLabel(), model.total[0]];
          await choose({range: null});
          $("search").value = "programs";
          $("search").dispatchEvent(new Event("input"));
          await ready();
          await wait(600);
          told.matches = $("matches").textContent;
          toggleFunctions();
          told.methods = rows("function-rows").length;
          openMethod(model.frame[heaviest]);
          await until(() => $("method").innerText.includes("Called by"));
          told.method = $("method").innerText;
          told.problem = $("problem").hidden;
          told.link = location.hash;
          return told;""")
        self.assertRegex(told["root"], "^all threads · ")
        self.assertGreater(told["lists"], 5)
        self.assertEqual(len(told["zoomed"]), 2)
        self.assertLessEqual(told["thread"][1], told["whole"])  # the program may have run on one alone
        self.assertNotEqual(told["thread"][2], "")
        self.assertLess(told["range"][1], told["whole"])
        self.assertRegex(told["matches"], r"^\d.* %.*method")
        self.assertGreater(told["methods"], 1)
        self.assertIn("Calls", told["method"])
        self.assertTrue(told["problem"])
        self.assertRegex(told["link"], "find=programs.*zoom=")

    def test_a_link_keeps_what_is_shown(self):
        self.begin("run.oriel")
        link = self.in_page("""
          const group = groupWeights(model, 0).indexOf(Math.max(...groupWeights(model, 0)));
          await choose({groups: new Set([group]), thread: Number($("thread").options[1].value)});
          await ready();
          setRange(30, 210);
          await ready();
          zoomTo(model.children[0]);
          await ready();
          return {link: location.hash, root: rootLabel(), crumbs: crumbs(), tables: $("to-tables").getAttribute("href")};""")
        again = self.in_page("return {root: rootLabel(), crumbs: crumbs(), link: location.hash};", link["link"])
        self.assertEqual(again, {key: link[key] for key in again})
        self.assertEqual(len(again["crumbs"]), 2)
        self.assertRegex(link["tables"], r"^tables#from=\d+&to=\d+&thread=\d+$")
        selected = self.in_page("""
          await until(() => $("which").textContent !== "");
          return {words: $("selected").textContent, sql: $("sql").value};""", link["tables"] + "&table=samples")
        self.assertRegex(selected["words"], "^at from .* s, thread ")
        self.assertRegex(selected["sql"], r'"at" between \d+ and \d+ and thread_os_id = \d+')

    def test_collections_say_whose_they_are(self):
        for name in ("one", "two"):
            self.oriel("run", "-o", name + ".oriel", "--", *program("gc", 3))
        self.begin("one.oriel", "two.oriel")
        told = self.in_page("""
          [...$("list-names").children].find((button) => button.textContent === "Collections").click();
          return {columns: [...$("list-columns").children].map((column) => column.innerText),
                  processes: [...new Set([...$("list-rows").children].map((row) => row.children[0].innerText))].length};""")
        self.assertEqual(told["columns"][0], "Process")
        self.assertEqual(told["processes"], 2)

    def test_nothing_is_cut_off_where_there_is_little_room(self):
        self.begin("run.oriel")
        for width in harness.some((700, 2000)):
            for place in ("", "tables"):
                told = self.in_page("return {wide: document.documentElement.scrollWidth, inner: innerWidth};", place, size=(width, 900))
                self.assertLessEqual(told["wide"], told["inner"], f"{place} at {width} pixels")

    def test_the_page_of_tables_in_a_browser(self):
        browser = served_page.browser()
        if not browser: self.skipTest("there is no Chromium")
        self.begin("run.oriel")
        dom = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom",
                              self.address + "tables#table=exceptions&order=thrown&down=1"], capture_output=True, text=True,
                             timeout=120, check=False).stdout
        self.assertIn('aria-sort="descending"', dom)
        self.assertIn("rows 1 to", dom)


if __name__ == "__main__":
    harness.main()
