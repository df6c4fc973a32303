#!/usr/bin/env python3
"""oriel push to a receiver of the test's: every field of its requests, and what becomes of them when it fails.

The profiles are read by `go tool pprof`, and their totals are those of `oriel report` on the same log.
"""
import collections
import contextlib
import gzip
import hashlib
import http.server
import json
import os
import re
import shutil
import signal
import ssl
import stat
import subprocess
import threading
import time
import unittest
import urllib.parse
import urllib.request

import harness
import memory_test as crafted
from harness import CLEAN, ORIEL, ROOT, SERVER, program

Request = collections.namedtuple("Request", "path query headers body")
GO = shutil.which("go")
PROTOC = shutil.which("protoc")


class Receiver:
    """Takes requests, and answers each with the next of `answers` (status, headers, body), then 200."""

    def __init__(self, port=0, tls=None):
        self.requests, self.answers, self.delay = [], [], 0
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                time.sleep(receiver.delay)
                url = urllib.parse.urlsplit(self.path)
                query = dict(urllib.parse.parse_qsl(url.query, strict_parsing=bool(url.query)))
                receiver.requests.append(Request(url.path, query, self.headers, body))
                status, headers, text = receiver.answers.pop(0) if receiver.answers else (200, {}, b"")
                with contextlib.suppress(OSError):
                    self.send_response(status)
                    for name, value in {"Content-Length": str(len(text)), **headers}.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(text)

            def log_message(self, *_):
                pass

        class Quiet(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                pass

        self.server = Quiet(("127.0.0.1", port), Handler)
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        self.url = f"http{'s' if tls else ''}://localhost:{self.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Push(harness.OrielTest):
    def receiver(self, **how):
        made = Receiver(**how)
        self.addCleanup(made.close)
        return made

    def push(self, to, *options, log="run.oriel", **rest):
        return self.oriel("push", *([log] if log else []), "--to", getattr(to, "url", to), *options, **rest)

    def say(self, result, code=0):
        """What is said: its lines without Oriel's name, each short enough for a screen of three lines."""
        self.assertEqual(result.code, code, result.err)
        self.assertEqual(result.out, "")
        lines = result.err.splitlines()
        for line in lines: self.assertTrue(line.startswith("oriel: ") and len(line) < 300, line)
        return [line.removeprefix("oriel: ") for line in lines]

    def totals(self, *packed):
        """The sum of each kind of value of all of them, as go's pprof reads them: {"samples/count": 123}."""
        self.assertTrue(GO, "go is missing: ./check installs golang-go")
        names = ["sent.pb.gz", *(f"sent-{number}.pb.gz" for number in range(1, len(packed)))]
        for name, profile in zip(names, packed):
            with open(self.path(name), "wb") as file: file.write(profile)
        raw = self.go_pprof("-raw", names=names)
        kinds = re.search(r"Samples:\n(.*)\n", raw).group(1).split()
        kinds = [kind.removesuffix("[dflt]") for kind in kinds]
        sums = dict.fromkeys(kinds, 0)
        for row in re.findall(r"(?m)^ +([-\d ]+): [\d ]+$", raw):
            for kind, value in zip(kinds, row.split()): sums[kind] += int(value)
        return sums

    def go_pprof(self, *options, names=("sent.pb.gz",)):
        env = {"HOME": self.folder, "PPROF_TMPDIR": self.folder}
        done = self.call([GO, "tool", "pprof", *options, *names], env=env)
        self.assertEqual(done.code, 0, done.err)
        return done.out

    def otlp(self, request):
        """The message of OTLP as text, by protoc."""
        with open(os.path.join(ROOT, "tests", "protobuf", "otlp.proto"), "rb") as file: source = file.read()
        with open(self.path("otlp.proto"), "wb") as file: file.write(source)
        message = "oriel.testing.otlp.ExportProfilesServiceRequest"
        done = self.call([PROTOC, f"--decode={message}", "otlp.proto"], stdin=gzip.decompress(request.body))
        self.assertEqual(done.code, 0, done.err)
        return done.out


class Files(Push, harness.CopiedFolder):
    """Logs that are there."""

    def prepare(self):
        self.record(*program("busy", 2, 60), options=["--sample=250"])
        Files.samples = self.report("top")["samples"]

    def test_pyroscope_gets_every_field(self):
        to = self.receiver()
        said = self.say(self.push(to, "--service", "shop", "--label", "service.version=1.4", "--label", "pod=shop-7",
                                  "--header", "X-Scope-OrgID: 7"))
        self.assertEqual(len(said), 1)
        self.assertRegex(said[0], rf"^pushed run.oriel to {to.url}/ingest as shop: samples \([\d.]+ KB\)$")
        request, = to.requests
        self.assertEqual(request.path, "/ingest")
        summary = self.report("summary")
        begin, end = int(request.query.pop("from")), int(request.query.pop("until"))
        self.assertLess(abs(begin - os.stat(self.path("run.oriel")).st_mtime), 60)
        self.assertLessEqual(abs((end - begin) - summary["wall_ns"] / 1e9), 2)
        self.assertEqual(request.query, {
            "name": "shop{service_version=1.4,pod=shop-7}", "format": "pprof", "spyName": "oriel", "units": "samples",
            "aggregationType": "sum", "sampleRate": "250"})
        self.assertEqual(request.headers["Content-Type"], "application/octet-stream")
        self.assertEqual(request.headers["X-Scope-OrgID"], "7")
        self.assertRegex(request.headers["User-Agent"], r"^oriel/\d")
        self.assertIsNone(request.headers["Expect"])
        self.assertEqual(self.totals(request.body),
                         {"samples/count": self.samples, "cpu/nanoseconds": self.samples * 4_000_000})
        top = self.go_pprof("-top", "-sample_index=samples")
        for method in self.report("top")["own"][:2]:
            self.assertRegex(top, rf"(?m)^ +{method['own']} .* {re.escape(method['name'].split('(')[0])}")
        self.assertEqual(sorted(os.listdir(self.folder)), ["run.oriel", "sent.pb.gz"])

    def test_otlp_gets_every_field(self):
        to = self.receiver()
        self.say(self.push(to, "--protocol", "otlp", env={
            "OTEL_SERVICE_NAME": "shop", "OTEL_RESOURCE_ATTRIBUTES": "service.version=1.4,k8s.pod.name=shop%2D7",
            "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20abc"}))
        request, = to.requests
        self.assertEqual((request.path, request.query), ("/v1development/profiles", {}))
        self.assertEqual(request.headers["Content-Type"], "application/x-protobuf")
        self.assertEqual(request.headers["Content-Encoding"], "gzip")
        self.assertEqual(request.headers["Authorization"], "Bearer abc")
        text = self.otlp(request)
        attributes = dict(re.findall(r'attributes \{\s+key: "([^"]+)"\s+value \{\s+string_value: "([^"]+)"', text))
        self.assertEqual(attributes, {"service.name": "shop", "service.version": "1.4", "k8s.pod.name": "shop-7"})
        self.assertEqual(sum(map(int, re.findall(r"(?m)^ +values: (\d+)", text))), self.samples)
        self.assertIn("period: 4000000\n", text)
        for word in ("samples", "count", "cpu", "nanoseconds", "thread.name", "Busy.LoopOne(int)"):
            self.assertIn(f'string_table: "{word}"', text)
        self.assertNotRegex(text, r"(?m)^ +\d+: ", "a field that is not declared")

    def test_a_part_and_several_logs(self):
        to = self.receiver()
        shutil.copy(self.path("run.oriel"), self.path("again.oriel"))
        said = self.say(self.oriel("push", "run.oriel", "again.oriel", "--to", to.url, "--from", "0.2"))
        self.assertEqual(len(said), 2)
        first, second = to.requests
        self.assertEqual(self.totals(first.body), self.totals(second.body))
        part = self.report("top", "--from", "0.2")["samples"]
        self.assertLess(part, self.samples)
        self.assertEqual(self.totals(first.body)["samples/count"], part)
        self.assertEqual(first.query["name"], "programs{}")  # the program's

    def test_allocations_too(self):
        to = self.receiver()
        self.record(*program("busy", 1, 20), options=["--alloc"], log="alloc.oriel")
        self.assertIn("samples, bytes", self.say(self.push(to, log="alloc.oriel"))[0])
        samples, heap = to.requests
        self.assertEqual((samples.query["units"], heap.query["units"]), ("samples", "bytes"))
        alloc = self.report("alloc", log="alloc.oriel")
        self.assertEqual(self.totals(heap.body),
                         {"alloc_objects/count": alloc["objects"], "alloc_space/bytes": alloc["bytes"]})

    def test_a_server_that_comes_back_gets_what_the_spool_has(self):
        to = self.receiver()
        to.close()
        self.assertEqual(self.say(self.push(to, "--retry", "0", "--spool", "spool", "--service", "first"), 1), [
            f"push: nobody listens at {to.url}/ingest; is the server up, and the port right?",
            "push: requests kept in the spool, for the next push: 1"])
        kept, = os.listdir(self.path("spool"))
        self.assertEqual(stat.S_IMODE(os.stat(self.path(f"spool/{kept}")).st_mode), 0o600)
        again = self.receiver(port=to.port)
        self.say(self.push(again, "--spool", "spool", "--service", "second"))
        self.assertEqual([request.query["name"] for request in again.requests], ["first{}", "second{}"])
        self.assertEqual(again.requests[0].body, again.requests[1].body)
        self.assertEqual(os.listdir(self.path("spool")), [])

    def test_the_spool_is_bounded_and_has_no_secrets(self):
        to = self.receiver()
        to.close()
        size = 0
        for number in range(3):
            self.push(to, "--retry", "0", "--spool", "spool", "--service", f"number{number}",
                      "--header", "Authorization: hunter2")
            names = sorted(os.listdir(self.path("spool")))
            size = size or os.stat(self.path(f"spool/{names[0]}")).st_size
        self.assertEqual(len(names), 3)
        said = self.say(self.push(to, "--retry", "0", "--spool", "spool", "--spool-limit", str(3 * size + 100),
                                  "--service", "number3"), 1)
        self.assertRegex("\n".join(said), r"spool is full: its oldest requests were dropped \(1, \d+ KB\); --")
        self.assertEqual(sorted(os.listdir(self.path("spool")))[:2], names[1:])
        for name in os.listdir(self.path("spool")):
            with open(self.path(f"spool/{name}"), "rb") as file: self.assertNotIn(b"hunter2", file.read())
        again = self.receiver(port=to.port)
        self.say(self.push(again, "--spool", "spool"), 0)
        self.assertEqual([request.query["name"] for request in again.requests],
                         ["number1{}", "number2{}", "number3{}", "programs{}"])

    def test_a_busy_server_is_tried_again(self):
        to = self.receiver()
        to.answers = [(429, {"Retry-After": "2"}, b"slow down"), (503, {}, b"")]
        begun = time.monotonic()
        self.say(self.push(to))
        self.assertGreater(time.monotonic() - begun, 2.5)
        self.assertEqual(len(to.requests), 3)
        self.assertEqual(len({request.body for request in to.requests}), 1)
        to.answers = [(429, {"Retry-After": "600"}, b"slow down")]
        begun = time.monotonic()
        said = self.say(self.push(to), 1)
        self.assertLess(time.monotonic() - begun, 20)
        self.assertEqual(said, [f"push: {to.url}/ingest is busy or has failed (429): slow down",
                                "push: requests not delivered, and lost: 1"])

    def test_what_the_server_refuses(self):
        to = self.receiver()
        cases = [((400, {}, b"bad name"), "refused the profile (400): bad name", 0),
                 ((401, {}, b""), "refuses the credentials (401); give them by ORIEL_PUSH_HEADERS", 1),
                 ((404, {}, b""), "(404); is it one of --protocol pyroscope?", 1),
                 ((413, {}, b""), "takes no profile of this size (413); push less", 0),
                 ((302, {"Location": to.url + "/other?token=hunter2"}, b""), "is not followed; name that address", 1)]
        for number, (answer, message, kept) in enumerate(cases):
            to.answers, to.requests = [answer], []
            said = self.say(self.push(to, "--spool", f"spool{number}",
                                      env={"ORIEL_PUSH_HEADERS": "Authorization=hunter2"}), 1)
            self.assertIn(message, said[0])
            self.assertNotIn("hunter2", "".join(said))
            self.assertEqual(len(to.requests), 1, "it is not tried again")
            self.assertEqual(to.requests[0].headers["Authorization"], "hunter2")
            self.assertEqual(len(os.listdir(self.path(f"spool{number}"))), kept)

    def test_a_huge_profile(self):
        """Each of its samples is of a method of its own, with a name that cannot be packed."""
        count = 150_000 if harness.LONG else 50_000
        names = (hashlib.sha256(str(i).encode()).hexdigest() for i in range(count))
        methods = b"".join(crafted.number(i + 1) + crafted.number(0) + crafted.text(name) + b"\0"
                           for i, name in enumerate(names))
        nodes = b"".join(crafted.number(i + 1) + crafted.number((i + 1) << 2) for i in range(count))
        samples = b"".join(crafted.number((i + 2) * 2) + crafted.number(1) for i in range(count))
        with open(self.path("huge.oriel"), "wb") as log:
            log.write(crafted.INTRO + crafted.mapping(methods=methods)
                      + crafted.block(8, crafted.number(1), nodes, crafted.END)
                      + crafted.block(9, crafted.number(1), crafted.number(1000), samples, crafted.END))
        to = self.receiver()
        for protocol in ("pyroscope", "otlp"):
            self.say(self.push(to, "--protocol", protocol, log="huge.oriel"))
        taken = self.report("top", log="huge.oriel")["samples"]
        self.assertGreater(taken, count // 2)
        self.assertGreater(len(to.requests[0].body), 32 * count // 2)
        values = re.findall(r"(?m)^ +values: (\d+)", self.otlp(to.requests[1]))
        self.assertEqual(sum(map(int, values)), taken)
        self.assertGreater(len(values), count // 2)
        to.answers = [(413, {}, b"")]
        said = self.say(self.push(to, "--spool", "spool", "--spool-limit", "1MB", log="huge.oriel"), 1)
        self.assertIn("takes no profile of this size (413)", said[0])
        to.close()
        said = self.say(self.push(to, "--spool", "spool", "--spool-limit", "1MB", "--retry", "0", log="huge.oriel"), 1)
        self.assertIn("larger than --spool-limit", said[1])

    def test_headers_of_another_kind_of_server_are_not_sent(self):
        to = self.receiver()
        self.say(self.push(to, env={"OTEL_EXPORTER_OTLP_HEADERS": "authorization=hunter2"}))
        self.assertIsNone(to.requests[0].headers["Authorization"])

    def test_servers_that_are_not_there(self):
        self.assertIn("the host of http://nosuch.invalid/ingest is not known; check its name",
                      self.say(self.push("http://nosuch.invalid", "--retry", "0"), 1)[0])
        to = self.receiver()
        to.delay = 3
        begun = time.monotonic()
        self.assertIn("did not answer within 0.5 s; --timeout gives it more",
                      self.say(self.push(to, "--timeout", "500ms", "--retry", "0"), 1)[0])
        self.assertLess(time.monotonic() - begun, 3)
        self.assertIn("cannot be spoken to by TLS",
                      self.say(self.push(to.url.replace("http:", "https:"), "--retry", "0"), 1)[0])

    @unittest.skipUnless(shutil.which("openssl"), "no openssl here")
    def test_certificates_are_verified(self):
        made = self.call(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem",
                          "-days", "2", "-out", "cert.pem", "-subj", "/CN=localhost",
                          "-addext", "subjectAltName=DNS:localhost"])
        self.assertEqual(made.code, 0, made.err)
        to = self.receiver(tls=(self.path("cert.pem"), self.path("key.pem")))
        self.assertRegex(self.say(self.push(to), 1)[0], "certificate of https://localhost.* cannot be trusted .* --ca")
        self.assertEqual(to.requests, [])
        self.say(self.push(to, "--ca", "cert.pem"))
        self.assertEqual(len(to.requests), 1)
        wrong_name = to.url.replace("localhost", "127.0.0.1")
        self.assertIn("cannot be trusted", self.say(self.push(wrong_name, "--ca", "cert.pem"), 1)[0])

    def test_wrong_command_lines(self):
        for options, part in [
                (["--to", "pyroscope:4040"], "http:// or https://"), (["--to", "http://"], "there is no host"),
                (["--to", "http://a:hunter2@b"], "ORIEL_PUSH_HEADERS"), (["--protocol", "grpc"], "pyroscope or otlp"),
                (["--label", "pod"], "NAME=VALUE"), (["--header", "hunter2"], "'NAME: VALUE'"),
                (["--spool-limit", "64XB"], "64MB"), (["--timeout", "soon"], "--timeout soon"),
                (["--weight", "gold"], "gold"), (["--ca", "nosuch.pem"], "--ca nosuch.pem"),
                (["--every", "5s"], "--every and --for are for processes"), (["--spool", "/nosuch/x"], "--spool")]:
            to = [] if options[0] == "--to" else ["--to", "http://localhost:1"]
            result = self.oriel("push", "run.oriel", *to, *options)
            self.assert_refused(result, 2, part)
            self.assertNotIn("hunter2", result.err)
        self.assert_refused(self.push("http://localhost:1", log="nosuch.oriel"), 1, "nosuch.oriel")

    def test_ctrl_c_ends_the_trying_and_keeps(self):
        to = self.receiver()
        to.close()
        running = self.start("push", "run.oriel", "--to", to.url, "--retry", "600s", "--spool", "spool")
        time.sleep(1)
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(10), 1)
        self.assertEqual(len(os.listdir(self.path("spool"))), 1)


class Processes(Push):
    """Programs that run."""

    def setUp(self):
        super().setUp()
        self.temporary = self.path("tmp")
        os.mkdir(self.temporary)

    def begin(self, *options, env=None, front=(), log="run.oriel"):
        """Starts the web server under Oriel; returns its process and its port."""
        run = subprocess.Popen([*front, ORIEL, "run", "-o", log, *options, "--", "dotnet", SERVER], cwd=self.folder,
                               stdin=subprocess.DEVNULL, env={**CLEAN, "TMPDIR": self.temporary, **(env or {})},
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        self.addCleanup(self.finish, run)
        port = int(run.stdout.readline())
        children = subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True, check=True).stdout
        pid, = map(int, children.split())
        return run, pid, port

    def work(self, port, seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/work/3000000", timeout=60): pass

    def stop(self, run, port):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/stop", timeout=60): pass
        self.assertEqual(run.wait(60), 0)

    def sum_of(self, to):
        return self.totals(*(request.body for request in to.requests))["samples/count"] if to.requests else 0

    def test_a_log_that_is_written_is_left_and_each_sample_is_sent_once(self):
        to = self.receiver()
        env = {"OTEL_SERVICE_NAME": "shop", "OTEL_RESOURCE_ATTRIBUTES": "pod=shop-7"}
        run, pid, port = self.begin("--sample=500", env=env)
        push = self.start("push", str(pid), "--to", to.url, "--every", "700ms")
        self.work(port, 4)
        self.stop(run, port)
        code, said = push.wait(30), push.stderr.read().decode().splitlines()
        self.assertEqual(code, 0, said)
        self.assertEqual(said, [
            f"oriel: pushing the log of process {pid} every 0.7 s to {to.url}/ingest; Ctrl-C ends it",
            f"oriel: pushed process {pid}; requests delivered: {len(to.requests)}"])
        self.assertGreaterEqual(len(to.requests), 4)
        self.assertEqual({request.query["name"] for request in to.requests}, {"shop{pod=shop-7}"})
        self.assertGreater(self.report("top")["samples"], 500)
        self.assertEqual(self.sum_of(to), self.report("top")["samples"])
        times = [(int(request.query["from"]), int(request.query["until"])) for request in to.requests]
        self.assertEqual(times, sorted(times))
        self.assertEqual(os.listdir(self.temporary), [])

    def test_a_program_without_a_log_gets_one_for_the_push(self):
        to = self.receiver()
        run, pid, port = self.begin("--paused", "--sample=500")
        push = self.start("push", str(pid), "--to", to.url, "--every", "700ms")
        self.wait_for(lambda: any(name.startswith("oriel-push-") for name in os.listdir(self.temporary)))
        folder, = [name for name in os.listdir(self.temporary) if name.startswith("oriel-push-")]
        self.assertEqual(stat.S_IMODE(os.stat(os.path.join(self.temporary, folder)).st_mode), 0o700)
        self.work(port, 3)
        push.send_signal(signal.SIGINT)
        self.assertEqual(push.wait(30), 0)
        self.assertIn(f"recording and pushing process {pid} every 0.7 s", push.stderr.read().decode())
        self.assertGreaterEqual(len(to.requests), 3)
        self.assertGreater(self.sum_of(to), 500)
        state = json.loads(self.oriel("ctl", "--json", str(pid)).out)["modules"][0]["state"]
        self.assertEqual(state, "stopped")
        self.assertFalse(os.path.exists(os.path.join(self.temporary, folder)))
        self.assertEqual(self.logs(), [])
        self.stop(run, port)

    def test_a_push_that_was_killed_is_taken_up_by_the_next(self):
        to = self.receiver()
        run, pid, port = self.begin("--paused")
        killed = self.start("push", str(pid), "--to", to.url, "--every", "60s")
        self.wait_for(lambda: any(os.listdir(os.path.join(self.temporary, name)) for name in os.listdir(self.temporary)
                                  if name.startswith("oriel-push-")))
        self.assertIn("another oriel push or top does this already", self.oriel("push", str(pid), "--to", to.url).err)
        killed.kill()
        killed.wait()
        self.work(port, 1)
        result = self.oriel("push", str(pid), "--to", to.url, "--every", "500ms", "--for", "1s")
        self.assertEqual(result.code, 0, result.err)
        self.assertGreater(self.sum_of(to), 20)
        self.assertEqual([name for name in os.listdir(self.temporary) if name.startswith("oriel-push-")], [])
        self.stop(run, port)

    def test_a_log_that_is_rotated_is_followed(self):
        to = self.receiver()
        run, pid, port = self.begin("--sample=500")
        push = self.start("push", str(pid), "--to", to.url, "--every", "600ms")
        self.work(port, 1)
        self.assertEqual(self.oriel("ctl", str(pid), "rotate").code, 0)
        self.work(port, 1)
        self.stop(run, port)
        self.assertEqual(push.wait(30), 0)
        self.assertEqual(self.logs(), ["run-2.oriel", "run.oriel"])
        self.assertEqual(self.sum_of(to), sum(self.report("top", log=log)["samples"] for log in self.logs()))

    @unittest.skipUnless(os.geteuid() == 0, "only root mounts")
    def test_a_program_with_other_mounts_and_its_end(self):
        """Its logs are in a file system that goes with it."""
        front = ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs tmpfs {self.temporary} && exec "$@"', "sh"]
        for options in (["--sample=500"], ["--sample=500", "--paused"]):
            to = self.receiver()
            run, pid, port = self.begin(*options, front=front, log=os.path.join(self.temporary, "run.oriel"))
            push = self.start("push", str(pid), "--to", to.url, "--every", "600s")
            push.stderr.readline()
            self.work(port, 1)
            self.stop(run, port)
            self.assertEqual(push.wait(30), 0)
            self.assertEqual(push.stderr.read().decode(), f"oriel: pushed process {pid}; requests delivered: 1\n")
            self.assertGreater(self.sum_of(to), 100)

    def test_an_outage_loses_nothing(self):
        to = self.receiver()
        run, pid, port = self.begin("--sample=500")
        push = self.start("push", str(pid), "--to", to.url, "--every", "500ms", "--retry", "0", "--spool", "spool")
        self.work(port, 1)
        to.close()
        self.work(port, 2)
        back = self.receiver(port=to.port)
        self.work(port, 1)
        self.stop(run, port)
        push.wait(30)
        said = push.stderr.read().decode().splitlines()
        self.assertEqual(len([line for line in said if "nobody listens" in line]), 1, said)
        self.assertEqual(len([line for line in said if "takes profiles again" in line]), 1, said)
        to.requests += back.requests
        self.assertEqual(self.sum_of(to), self.report("top")["samples"])
        self.assertEqual(os.listdir(self.path("spool")), [])

    def test_processes_that_cannot_be_pushed(self):
        to = ("--to", "http://localhost:1")
        self.assert_refused(self.oriel("push", "999999999", *to), 1, "there is no process 999999999")
        self.assert_refused(self.oriel("push", str(os.getpid()), *to), 1, "Oriel is not in it")
        self.assert_refused(self.oriel("push", str(os.getpid()), *to, "--from", "1"), 2, "are for files")


if __name__ == "__main__":
    harness.main()
