#!/usr/bin/env python3
"""Who asks a running program to attach Oriel is refused, and the program runs on."""
import glob
import os
import socket
import struct
import subprocess
import time
import unittest
import uuid

import harness
from harness import BUILD, CLEAN

NOT_ATTACHABLE = 0x80131368  # CORPROF_E_PROFILER_NOT_ATTACHABLE


def attach_message(clsid, library):
    """The diagnostics port's command to attach a profiler (IPC v1: profiler commands, 1)."""
    path = (library + "\0").encode("utf-16-le")
    payload = struct.pack("<I", 10_000) + uuid.UUID(clsid).bytes_le + struct.pack("<I", len(path) // 2) + path
    payload += struct.pack("<I", 0)
    return struct.pack("<14sHBBH", b"DOTNET_IPC_V1\0", 20 + len(payload), 3, 1, 0) + payload


class AttachTest(harness.OrielTest):
    def wait_for(self, found):
        end = time.monotonic() + 60
        while not found():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        return found()

    def test_is_refused_and_changes_nothing(self):
        program = subprocess.Popen(["dotnet", os.path.join(BUILD, "targets", "server", "server.dll")], cwd=self.folder,
                                   env={**CLEAN, "TMPDIR": self.folder}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        self.addCleanup(self.finish, program)
        port = int(program.stdout.readline().split()[-1])
        place = self.wait_for(lambda: glob.glob(os.path.join(self.folder, f"dotnet-diagnostic-{program.pid}-*-socket")))
        clsid = self.oriel("version", "--clsid").out.strip()
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(place[0])
            connection.sendall(attach_message(clsid, os.path.join(BUILD, "lib", "liboriel.so")))
            answer = connection.recv(100)
        self.assertEqual(answer[16], 0xFF)
        self.assertEqual(struct.unpack_from("<I", answer, 20)[0], NOT_ATTACHABLE)
        self.ask_server(port, 30)
        self.assertEqual(program.wait(60), 0)
        said = program.stderr.read().decode()
        self.assertEqual(said, "oriel: cannot attach to a running program; start it with oriel run\n")


if __name__ == "__main__":
    harness.main()
