#!/usr/bin/env python3
"""Every example in the help texts, the manual page, the README and the guide runs, and does what it is there for."""
import functools
import http.server
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import urllib.request

import harness
from harness import BUILD, CLEAN, ROOT, program

# What the examples are about, and what stands for it here.
MODULE = os.path.join(BUILD, "tests", "modules", "liboriel-values.so")
STANDS_FOR = (
    (r"dotnet Shop\.dll( --port 8080)?|\./Shop\b|dotnet (?:build|test|run)\b", " ".join(program("exit"))),
    (r"\S*/liboriel-\w+\.so(:\w+)?", MODULE),
    (r"app\.nettrace", "run.oriel"),
    (r"/tmp/build", "build"),
    (r"([Ss]hop-\d+|build-\*|before-\*|after-\*)\.oriel", "run.oriel"),
    (r"Cart\.(Add|Total)", "Busy.Leaf"),
    (r"--thread worker", "--thread busy"),
    (r"--from 2s --to 3s", "--from 1ms --to 30s"),
    (r"--fail-under (branches=)?\d+", "--fail-under 0.5"),  # of programs of which little runs
    (r"--tests-of Cart\.cs:\d+", "--source Cart.cs"),  # the programs here are no tests; per_test_test.py has some
    (r"\bCart\.cs", "Program.cs"),
    (r"--include 'Shop\.", "--include 'Program."),
    (r"git diff main", "echo"),
    (r"--type Order", "--type string"),
    (r"--since 2", "--since 1"),
    (r"\b(monday|wednesday)\.gcdump", "shop.gcdump"),  # which an example before exports
    (r"\btuesday\.gcdump", "$(cp shop.gcdump again.gcdump; echo again.gcdump)"),  # another file
    (r"\b(unit|browser)\.oriel|(?<=cover diff )before\.oriel", "coverage.oriel"),
)


# What prints the same of the same log each time: the documents have many of them in common.
ONLY_READS = re.compile(r"oriel (report|query) [^>|&;]*\b(run|before|coverage|jit)\.oriel\b[^>|&;]*")


class Receiver(http.server.BaseHTTPRequestHandler):
    """A server that takes what is pushed."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def of_text(text, start):
    """The commands of the lines that begin so; what follows several blanks explains."""
    lines = [line[len(start) - len("oriel "):] for line in text.splitlines() if line.startswith(start)]
    return [re.split(r" {2,}", line)[0] for line in lines]


class Examples(harness.OrielTest):
    pid = None

    recorded = None  # a folder with what all tests read
    read = {}  # what commands printed that only read that

    def record_all(self):
        options = ["--sample=1000", "--calls=[programs]", "--alloc-in=[programs]", "--callgraph"]
        self.record(*program("busy", 1, 10), options=options, log="before.oriel")
        self.record(*program("busy", 1, 200), options=[*options, "--heap=every=1s+on-exit"])  # two snapshots at least
        self.record(*program("busy", 1, 1), options=["--module", "log:events=jit"], log="jit.oriel")
        self.assertEqual(self.oriel("cover", "--", *program("exit")).code, 0)
        folder = tempfile.mkdtemp(prefix="oriel-examples-")
        self.addClassCleanup(shutil.rmtree, folder)
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        Examples.recorded = folder

    def setUp(self):
        super().setUp()
        if Examples.recorded is None:
            self.record_all()
        else:
            shutil.copytree(Examples.recorded, self.folder, dirs_exist_ok=True)
        receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        self.addCleanup(receiver.server_close)
        self.addCleanup(receiver.shutdown)
        self.receiver = f"http://127.0.0.1:{receiver.server_port}"

    @functools.cached_property
    def running(self):
        """The process id of a program that runs without Oriel, one for all examples of a test."""
        server = self.start_command(["dotnet", harness.SERVER])
        self.assertNotEqual(server.stdout.readline(), b"")
        return str(server.pid)

    def running_program(self):
        """The process id of a program that runs under Oriel, one for all examples of a test."""
        if not self.pid:
            run = subprocess.Popen([harness.ORIEL, "run", "-o", "live.oriel", "--", "dotnet", harness.SERVER], cwd=self.folder,
                                   env=CLEAN, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
            self.addCleanup(self.finish, run)
            self.assertNotEqual(run.stdout.readline(), b"")
            self.pid = subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True, check=True).stdout.split()[0]
        return self.pid

    def run_example(self, example):
        command = example
        if example.startswith("oriel ctl "): command = re.sub(r"\b4711\b", self.running_program(), command)
        if example.startswith("oriel push 4711"):
            command = command.replace("4711", self.running_program(), 1) + " --every 500ms --for 1s"
        command = re.sub(r"\btop 4711( --interval \w+)?", lambda _: f"top {self.running} --interval 500ms --for 1s", command)
        command = re.sub(r"http://(pyroscope|collector|localhost):\d+", self.receiver, command)
        if "perf-map" in example: command = re.sub(r"-o /tmp/\S+ \S+", "-o perf-4711.map jit.oriel", command)
        for what, stand_in in STANDS_FOR:
            command = re.sub(what, lambda _, text=stand_in: text, command)
        # The running program, and no longer than needed.
        command = re.sub(r"\battach 4711((?: (?!--for)\S+)*)(?: --for \w+)?",
                         lambda found: f"attach {self.running}{found[1]} --for 500ms", command)
        if not ONLY_READS.fullmatch(command): return self.done(example, command)
        if command not in Examples.read: Examples.read[command] = self.done(example, command)
        return Examples.read[command]

    def done(self, example, command):
        """What the command prints. `oriel view` serves until Ctrl-C, which comes once it answers."""
        with subprocess.Popen(["bash", "-o", "pipefail", "-c", command], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                              env={**CLEAN, "PATH": os.path.dirname(harness.ORIEL) + ":" + CLEAN["PATH"]}) as run:
            first = b""
            if re.match(r"oriel view\b", command):
                first = run.stdout.readline()
                urllib.request.urlopen(first.decode().strip(), timeout=60).close()
                os.killpg(run.pid, signal.SIGINT)
            out, err = run.communicate(timeout=120)
        self.assertEqual(run.returncode, 0, f"{example}\n{command}\n{err.decode()}")
        return (first + out).decode()

    def run_all(self, examples, least):
        self.assertGreaterEqual(len(examples), least, examples)
        return [(example, self.run_example(example)) for example in examples]

    def help_examples(self, command):
        return of_text(self.oriel(command, "--help").out, "  oriel ")

    def test_help_of_run(self):
        self.run_all(self.help_examples("run"), 9)

    def test_help_of_report(self):
        for example, out in self.run_all(self.help_examples("report"), 8):
            self.assertNotEqual(out, "", example)

    def test_help_of_ctl(self):
        self.run_all(self.help_examples("ctl"), 6)

    def test_help_of_push(self):
        self.run_all(self.help_examples("push"), 2)

    def test_help_of_attach(self):
        self.run_all(self.help_examples("attach"), 3)

    def test_help_of_top(self):
        for example, out in self.run_all(self.help_examples("top"), 3):
            self.assertTrue(out or ">>" in example, example)

    def test_help_of_cover(self):
        examples = self.help_examples("cover")
        for part in ("merge", "diff"):
            examples += of_text(self.oriel("cover", part, "--help").out, "  oriel ")
        self.run_all(examples, 6)

    def test_help_of_export(self):
        outs = self.run_all(self.help_examples("export"), 5)
        (heaviest,) = [out for example, out in outs if "sort" in example]
        weights = [int(line.split(" ", 1)[0]) for line in heaviest.splitlines()]
        stacks = self.oriel("export", "--format", "collapsed", "run.oriel").out.splitlines()
        self.assertEqual(weights, sorted(int(line.rsplit(" ", 1)[1]) for line in stacks)[-10:])

    def test_help_of_query(self):
        for example, out in self.run_all(self.help_examples("query"), 5):
            self.assertNotEqual(out, "", example)

    def test_help_of_view(self):
        for example, out in self.run_all(self.help_examples("view"), 2): self.assertIn("http://127.0.0.1:", out, example)

    def test_manual_page(self):
        with open(os.path.join(ROOT, "docs", "oriel.1.in"), encoding="utf-8") as file:
            self.run_all(of_text(file.read().split(".SH EXAMPLES")[1].replace("\\-", "-"), "oriel "), 4)

    def run_document(self, path, least):
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            self.run_all(of_text(file.read(), "$ oriel "), least)

    def test_readme(self):
        self.run_document("README.md", 8)

    def test_guide(self):
        self.run_document("docs/GUIDE.md", 15)


if __name__ == "__main__":
    harness.main()
