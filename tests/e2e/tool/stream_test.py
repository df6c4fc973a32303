#!/usr/bin/env python3
"""`oriel run -o PIPE`: the log goes to whatever reads the pipe, and a reader that fails is no harm to the program."""
import os
import socket
import threading

import harness
from harness import program


class Streams(harness.OrielTest):
    def setUp(self):
        super().setUp()
        os.mkfifo(self.path("log.pipe"))

    def read_into(self, name, most=None):
        """Copies what comes out of the pipe into a file, or only the first bytes of it."""
        def copy():
            with open(self.path("log.pipe"), "rb") as pipe, open(self.path(name), "wb") as file:
                file.write(pipe.read() if most is None else pipe.read(most))
        reader = threading.Thread(target=copy, daemon=True)
        reader.start()
        return reader

    def test_a_reader_gets_the_whole_log(self):
        reader = self.read_into("copy.oriel")
        run = self.oriel("run", "-o", "log.pipe", "--", *program("exit"))
        reader.join(60)
        plain = self.call(program("exit"))
        self.assertEqual((run.code, run.out), (plain.code, plain.out))
        self.assertEqual(run.err, "")
        report = self.oriel("report", "--json", "copy.oriel")
        self.assertEqual(report.code, 0, report.err)
        self.assertIn('"state": "complete"', report.out)
        self.assertFalse(os.path.exists(self.path("log.pipe.tail")))

    def test_so_does_a_socket(self):
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(self.path("log.socket"))
        listening.listen(1)
        def copy():
            connection, _ = listening.accept()
            with open(self.path("copy.oriel"), "wb") as file:
                while part := connection.recv(1 << 16): file.write(part)
        reader = threading.Thread(target=copy, daemon=True)
        reader.start()
        run = self.oriel("run", "-o", "log.socket", "--", *program("exit"))
        reader.join(60)
        self.assertEqual(run.err, "")
        self.assertEqual(self.oriel("report", "copy.oriel").code, 0)

    def test_a_reader_that_goes_away_ends_the_log_and_not_the_program(self):
        self.read_into("part.oriel", most=100)
        run = self.oriel("run", "-o", "log.pipe", "--", *program("exit"))
        plain = self.call(program("exit"))
        self.assertEqual((run.code, run.out), (plain.code, plain.out))
        self.assertEqual(run.err.count("cannot write the log"), 1, run.err)
        self.assertIn("Broken pipe; its reader has what came before", run.err)

    def test_without_a_reader_nothing_starts(self):
        self.assert_refused(self.oriel("run", "-o", "log.pipe", "--", *program("exit")), 125,
                            "nobody reads the pipe; start its reader first")
        with socket.socket(socket.AF_UNIX) as gone: gone.bind(self.path("gone.socket"))
        self.assert_refused(self.oriel("run", "-o", "gone.socket", "--", *program("exit")), 125, "nobody listens on the socket")

    def test_what_runs_no_dotnet_writes_nothing_and_the_reader_sees_the_end(self):
        reader = self.read_into("copy.oriel")
        run = self.oriel("run", "-o", "log.pipe", "--", "/bin/true")
        reader.join(60)
        self.assertFalse(reader.is_alive())
        self.assertEqual(run.code, 125, run.err)
        self.assertIn("no log was written", run.err)

    def test_attach_and_top_need_a_file(self):
        self.read_into("copy.oriel")
        run = self.oriel("run", "--top", "-o", "log.pipe", "--", *program("exit"))
        self.assertEqual(run.code, 125, run.err)

    def test_what_needs_several_files_is_refused(self):
        for option in (["--rotate", "1MB"], ["--recorder", "10s"]):
            run = self.oriel("run", "-o", "log.pipe", *option, "--", *program("exit"))
            self.assert_refused(run, 125, "is a pipe or a socket", "leave " + option[0] + " out")


if __name__ == "__main__":
    harness.main()
