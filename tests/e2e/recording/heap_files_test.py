#!/usr/bin/env python3
"""Snapshots of the heap in other tools' files: what those tools read in an export is what reports say, and what reports say
of a dump that dotnet-gcdump made is what that says. The readers are dotnet-gcdump, Chromium's DevTools and a package of
npm; a small one here sums up the bytes of a dump, which dotnet-gcdump does not."""
import http.server
import json
import os
import re
import shutil
import struct
import subprocess
import threading
import unittest
import urllib.request

import harness
from harness import BUILD, CLEAN, ORIEL

HEAP = os.path.join(BUILD, "targets", "heap", "heap.dll")
# Where tests/tools/setup.sh puts it.
FOLDER = os.environ.get("ORIEL_DOTNET_TOOLS", os.path.join(harness.ROOT, "build", "dotnet-tools"))
GCDUMP = shutil.which("dotnet-gcdump", path=os.pathsep.join([FOLDER, os.environ.get("PATH", ""), os.path.expanduser("~/.dotnet/tools")]))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ENTRIES = 10_000

READ_BY_PACKAGE = """
require("v8-heapsnapshot").parseSnapshotFromFile(process.argv[1]).then((snapshot) => {
  const types = {};
  for (const node of snapshot.nodes) {
    const type = types[node.name] ??= [0, 0];
    type[0] += 1;
    type[1] += node.self_size;
  }
  console.log(JSON.stringify({nodes: snapshot.nodes.length, edges: snapshot.edges.length, types}));
});"""

# DevTools' own reader, in the browser that it belongs to.
READ_BY_DEVTOOLS = """<script type="module">
const tell = (what) => fetch("/told", {method: "POST", body: JSON.stringify(what)});
try {
  const {HeapSnapshotProxy, HeapSnapshotModel} = await import("/devtools/models/heap_snapshot/heap_snapshot.js");
  const worker = new HeapSnapshotProxy.HeapSnapshotWorkerProxy(() => {});
  const loader = worker.createLoader(1, async (snapshot) => {
    try {
      const types = {};
      const all = await snapshot.aggregatesWithFilter(new HeapSnapshotModel.NodeFilter());
      for (const type of Object.values(all))
        types[type.name] = {objects: type.count, bytes: type.self, retained: type.maxRet, distance: type.distance};
      tell({nodes: snapshot.staticData.nodeCount, bytes: snapshot.totalSize, types});
    } catch (error) { tell({error: String(error.stack)}); }
  });
  await loader.write(await (await fetch("/snapshot")).text());
  await loader.close();
} catch (error) { tell({error: String(error.stack ?? error)}); }
</script>"""


class Dump:
    """The graph of a .gcdump file: names and sizes of its types, objects and bytes by name, nodes with what is below."""

    def __init__(self, data):
        self.data, self.at = data, 0
        assert self.text() == "!FastSerialization.1"
        self.begin("GCHeapDump")
        self.begin("Graphs.MemoryGraph")
        self.total, self.root, count = self.take("<qii")
        types = [(self.text(), self.take("<i")[0], self.text()) for _ in range(count)]
        count = self.take("<i")[0]
        places = self.take(f"<{count}i")
        size = self.take("<i")[0]
        blob, self.at = self.at, self.at + size
        count = self.take("<i")[0]
        self.addresses = self.take(f"<{count}q")
        self.nodes, self.types = [], {}
        for number, place in enumerate(places):
            self.at = blob + place
            type_and_size = self.number()
            name, size, _ = types[type_and_size >> 1]
            if type_and_size & 1: size = self.number()
            self.nodes.append((name, size, [number + self.number() for _ in range(self.number())]))
            of_type = self.types.setdefault(name, [0, 0])
            of_type[0] += 1
            of_type[1] += size

    def take(self, form):
        values = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return values

    def text(self):
        size = self.take("<i")[0]
        if size < 0: return None
        self.at += size  # all names here are ASCII
        return self.data[self.at - size:self.at].decode("ascii")

    def begin(self, name):
        assert self.take("<BBB") == (4, 4, 1)
        self.take("<ii")
        assert (self.text(), self.take("<B")) == (name, (6,))

    def number(self):
        byte = self.take("<B")[0]
        value = (byte & 0x7f) - (0x80 if byte & 0x40 else 0)
        while byte & 0x80:
            byte = self.take("<B")[0]
            value = value << 7 | byte & 0x7f
        return value

    def below(self, *names):
        """The nodes that a way from the root through nodes of these names leads to."""
        nodes = [self.nodes[self.root]]
        for name in names:
            nodes = [self.nodes[at] for node in nodes for at in node[2] if self.nodes[at][0] == name]
        return nodes


class HeapFiles(harness.OrielTest):
    def begin(self, *front, entries=ENTRIES):
        run = subprocess.Popen([*front, "dotnet", HEAP, str(entries)], cwd=self.folder, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**CLEAN, **harness.QUIET}, start_new_session=True)
        self.addCleanup(self.finish, run)
        self.addCleanup(run.stdin.close)
        for _ in range(3): run.stdout.readline()
        return run

    def record(self, options=("--heap",), entries=ENTRIES):
        """A log with one snapshot, and what the report says of its types: {name: (objects, bytes)}."""
        run = self.begin(ORIEL, "run", "-o", "run.oriel", "--no-sample", *options, "--", entries=entries)
        run.stdin.close()
        self.assertEqual(run.wait(60), 0)
        return self.types_of("run.oriel")

    def types_of(self, *files):
        told = json.loads(self.oriel("report", "heap", "--json", *files).out)
        types = told.get("heap_snapshots", {"types": []})["types"]
        return {row["type"]: (row["objects"], row["bytes"]) for row in types if row["objects"] != 0}

    def export(self, form):
        result = self.oriel("export", "--format", form, "-o", f"run.{form}", "run.oriel")
        self.assertEqual(result.code, 0, result.err)
        return self.path(f"run.{form}")

    def test_a_dump_has_the_same_types(self):
        types = self.record()
        with open(self.export("gcdump"), "rb") as file:
            dump = Dump(file.read())
        self.assertEqual({name: tuple(counts) for name, counts in dump.types.items() if counts[1] != 0}, types)
        self.assertEqual(dump.total, sum(size for _, size in types.values()))
        self.assertEqual(sorted(set(dump.addresses))[0], 0)
        objects = [address for address in dump.addresses if address != 0]
        self.assertEqual(len(set(objects)), sum(count for count, _ in types.values()))
        # What holds what, as PerfView finds it.
        entries, = dump.below("[static vars]", "[static var Cache.Entries]", "System.Collections.Generic.Dictionary<int, Entry>",
                              "System.Collections.Generic.Dictionary<int, Entry>.Entry[]")
        self.assertEqual(sum(dump.nodes[at][0] == "Entry" for at in entries[2]), ENTRIES)
        for kind in ("strong", "pinning"): self.assertEqual(len(dump.below("[other roots]", f"[{kind} Handles]")), 1, kind)
        self.assertEqual(len(dump.below("[local vars]")), 1)

    @unittest.skipUnless(GCDUMP, "dotnet-gcdump is not there: see tests/tools/setup.sh")
    def test_dotnet_gcdump_reads_it(self):
        types = self.record()
        told = self.told_by_gcdump(self.export("gcdump"))
        self.assertEqual({name: count for name, (count, _) in told.items()}, {name: count for name, (count, _) in types.items()})
        for name in ("Entry", "Node", "Held"): self.assertEqual(told[name][1] * types[name][0], types[name][1], name)

    def told_by_gcdump(self, file):
        """{type: (objects, bytes of one of them)}"""
        result = self.call([GCDUMP, "report", file], env={**CLEAN, **harness.QUIET})
        self.assertEqual(result.code, 0, result.err)
        types = {}
        for size, count, name in re.findall(r"(?m)^ *([\d,]+) +([\d,]+)  (.*?)(?:  \[[^\]]*\])?\r?$", result.out):
            known = types.get(name, (0, 0))[0]
            types[name] = (known + int(count.replace(",", "")), int(size.replace(",", "")))
        return types

    def collect(self, program, file):
        result = self.call([GCDUMP, "collect", "-p", str(program.pid), "-o", file], env={**CLEAN, **harness.QUIET})
        self.assertEqual(result.code, 0, result.out + result.err)

    @unittest.skipUnless(GCDUMP, "dotnet-gcdump is not there: see tests/tools/setup.sh")
    def test_reports_of_a_dump_that_dotnet_gcdump_made(self):
        program = self.begin()
        self.collect(program, "a.gcdump")
        told = {}  # by dotnet-gcdump, for which large objects are of types of their own
        for name, (objects, size) in self.told_by_gcdump("a.gcdump").items():
            name = re.sub(r" \(Bytes > [^)]*\)$", "", name)
            told[name] = told.get(name, 0) + objects
        counted = {}
        for row in json.loads(self.oriel("report", "rows", "heap_types", "--json", "a.gcdump").out)["rows"]:
            counted[row["type"]] = counted.get(row["type"], 0) + row["objects"]
        self.assertEqual(counted, told)
        types = self.types_of("a.gcdump")
        self.assertEqual(types["Entry"], (ENTRIES, ENTRIES * 32))
        text = self.oriel("report", "heap", "a.gcdump").out
        self.assertIn("The heap in a.gcdump:", text)
        self.assertRegex(text, r"static \S*Entries")
        self.assertRegex(self.oriel("report", "heap", "--type", "Entry", "a.gcdump").out, r"100\.0 % +static \S*Entries")
        self.assertRegex(self.oriel("report", "heap", "--dominators", "a.gcdump").out, r"static \S*Entries")
        # It grows from one dump to the next.
        for file in ("b.gcdump", "c.gcdump"):
            for _ in range(5):
                program.stdin.write(b"grow\n")
                program.stdin.flush()
                program.stdout.readline()
            self.collect(program, file)
        diff = self.oriel("report", "heap", "--diff", "a.gcdump", "b.gcdump").out
        self.assertIn("From a.gcdump to b.gcdump", diff)
        self.assertRegex(diff, rf"\+160 kB +480 kB +\+5,000 +{ENTRIES + 5000:,} +Entry\b")
        text = " ".join(self.oriel("report", "heap", "a.gcdump", "b.gcdump", "c.gcdump").out.split())
        self.assertIn("and kept growing over 3 snapshots", text)
        self.assertIn(f"from {ENTRIES:,} to {ENTRIES + 10_000:,} objects", text)

    def test_the_page_has_what_reports_say(self):
        self.record()
        with open(self.export("html"), encoding="utf-8") as file:
            data = json.loads(file.read().split('id="data">')[1].split("</script>")[0])
        snapshot, = data["heap"]["snapshots"]
        screen = " ".join(self.oriel("report", "heap", "run.oriel").out.split())
        self.assertIn(" ".join(snapshot["says"].split()), screen)
        tree = data["trees"][snapshot["tree"]]
        retained = [0] + tree["threads"][0]["self"]
        for node in range(len(retained) - 1, 0, -1): retained[node - tree["up"][node - 1]] += retained[node]
        told = json.loads(self.oriel("report", "heap", "--json", "run.oriel").out)["heap_snapshots"]
        self.assertEqual(retained[0], sum(row["bytes"] for row in told["types"]))
        names = {frame[0]: frame[1] for frame in data["frames"]["all"]}
        below = {names[tree["frame"][node - 1]]: size for node, size in enumerate(retained)
                 if node and tree["up"][node - 1] == node}
        largest = [row for row in told["roots"] if row["retained"] * 1000 > retained[0]]
        self.assertGreater(len(largest), 1)
        for row in largest: self.assertEqual(below[row["root"]], row["retained"], row)

    def test_a_damaged_dump_is_refused(self):
        self.record(entries=10)
        with open(self.export("gcdump"), "rb") as file: whole = file.read()
        for name, data, why in (("cut", whole[:3000], "it ends too early, or is damaged"),
                                ("other", whole[:24] + b"x" * 3000, "it has no heap dump")):
            with open(self.path(name), "wb") as file: file.write(data)
            result = self.oriel("report", "heap", name)
            self.assertEqual((result.code, result.out, result.err), (1, "", f"oriel: '{name}' cannot be read: {why}\n"))

    def test_a_heapsnapshot_follows_the_rules(self):
        types = self.record()
        with open(self.export("heapsnapshot"), encoding="utf-8") as file:
            told = json.load(file)
        meta, strings = told["snapshot"]["meta"], told["strings"]
        fields, edge_fields = len(meta["node_fields"]), len(meta["edge_fields"])
        nodes = [told["nodes"][at:at + fields] for at in range(0, len(told["nodes"]), fields)]
        edges = [told["edges"][at:at + edge_fields] for at in range(0, len(told["edges"]), edge_fields)]
        self.assertEqual((len(nodes), len(edges)), (told["snapshot"]["node_count"], told["snapshot"]["edge_count"]))
        self.assertEqual(sum(node[4] for node in nodes), len(edges))
        ids = {node[2] for node in nodes}
        self.assertEqual((len(ids), {number % 2 for number in ids}), (len(nodes), {1}))
        counted, below, at = {}, [], 0
        for kind, name, _, size, count, *_ in nodes:
            below.append([edge[2] // fields for edge in edges[at:at + count]])
            at += count
            if meta["node_types"][0][kind] == "synthetic": continue
            known = counted.get(strings[name], (0, 0))
            counted[strings[name]] = (known[0] + 1, known[1] + size)
        self.assertEqual(counted, types)
        reached, rest = {0}, [0]
        while rest:
            more = set(below[rest.pop()]) - reached
            reached |= more
            rest += more
        self.assertEqual(len(reached), len(nodes))
        for kind, name, to in edges:
            self.assertEqual(to % fields, 0)
            if meta["edge_types"][0][kind] != "element": self.assertLess(name, len(strings))

    def test_a_package_of_npm_reads_it(self):
        if not shutil.which("npm") or self.call(["npm", "install", "--silent", "--no-audit", "v8-heapsnapshot@1.3.1"]).code != 0:
            self.skipTest("npm is not here, or its registry does not answer")
        types = self.record()
        result = self.call(["node", "-e", READ_BY_PACKAGE, self.export("heapsnapshot")])
        self.assertEqual(result.code, 0, result.err)
        told = json.loads(result.out)["types"]
        self.assertEqual({name: tuple(counts) for name, counts in told.items() if counts[1] != 0}, types)

    @unittest.skipUnless(CHROMIUM, "there is no Chromium here")
    def test_devtools_read_it(self):
        types = self.record()
        told = self.told_by_devtools(self.export("heapsnapshot"))
        self.assertNotIn("error", told)
        by_name = {name: (row["objects"], row["bytes"]) for name, row in told["types"].items() if row["bytes"] != 0}
        self.assertEqual(by_name, types)
        self.assertEqual(told["bytes"], sum(size for _, size in types.values()))
        # What objects of a type retain, and how far from a root they are.
        self.assertGreater(told["types"]["System.Collections.Generic.Dictionary<int, Entry>"]["retained"], ENTRIES * 160)
        self.assertLess(told["types"]["Entry"]["distance"], 10)

    def told_by_devtools(self, file):
        browser_folder, told = self.path("browser"), []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path.startswith("/devtools/"):
                    return self.pass_on()
                with open(file, "rb") as snapshot:
                    self.answer(*(("text/plain", snapshot.read()) if self.path == "/snapshot" else ("text/html", READ_BY_DEVTOOLS.encode())))

            def do_POST(self):
                told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.answer("text/plain", b"")

            # The browser gives its own files to whoever debugs it.
            def pass_on(self):
                with open(os.path.join(browser_folder, "DevToolsActivePort"), encoding="ascii") as port:
                    url = f"http://127.0.0.1:{port.readline().strip()}{self.path}"
                with urllib.request.urlopen(url, timeout=30) as there:
                    self.answer("text/javascript", there.read())

            def answer(self, kind, body):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            browser = subprocess.Popen([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
                                        f"--user-data-dir={browser_folder}", f"http://127.0.0.1:{server.server_address[1]}/"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            self.addCleanup(browser.wait)
            self.addCleanup(os.killpg, browser.pid, 9)
            self.wait_for(lambda: told)
            server.shutdown()
        return told[0]

    def test_what_cannot_be_exported_is_said(self):
        self.record(options=[], entries=10)
        result = self.oriel("export", "--format", "gcdump", "-o", "x.gcdump", "run.oriel")
        self.assertEqual((result.code, result.err), (1, "oriel: this log has no snapshot of the heap; oriel run --heap takes one\n"))
        self.assertFalse(os.path.exists(self.path("x.gcdump")))
        os.remove(self.path("run.oriel"))
        self.record(entries=10)
        result = self.oriel("export", "--format", "heapsnapshot", "--snapshot", "7", "run.oriel")
        self.assertEqual((result.code, result.err), (1, "oriel: there is no snapshot 7 of the heap; there is only 1\n"))
        result = self.oriel("export", "--format", "gcdump", "--weight", "samples", "run.oriel")
        self.assertEqual(result.code, 2)


if __name__ == "__main__":
    harness.main()
