#!/usr/bin/env python3
"""What containers forbid or make small: the program runs as without Oriel, and the log is there or it is said why not."""
import ctypes
import os
import re
import shutil
import struct
import subprocess
import unittest

import harness
from harness import BUILD, CLEAN, ORIEL, SERVER, program

ENGINE = os.path.join(BUILD, "lib", "liboriel.so")
SOME_USER = 65534
# A container's namespaces, with a file system of processes of its own.
UNSHARED = ["unshare", "--map-root-user", "--mount", "--pid", "--fork", "--mount-proc"]
ALLOWED = subprocess.run([*UNSHARED, "true"], capture_output=True, check=False).returncode == 0
needs_namespaces = unittest.skipUnless(ALLOWED, "the machine allows no namespaces of one's own")

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
# perf_event_open, ptrace, process_vm_writev, bpf, userfaultfd, and process_vm_readv: on x86-64.
FORBIDDEN, READING = [298, 101, 311, 321, 323], 310


LOAD, EQUAL, GIVE = 0x20, 0x15, 0x06


def forbid_calls(numbers):
    """As the container runtimes' profiles do: these system calls fail with EPERM."""
    code = [(LOAD, 0, 0, 0)]  # the call's number
    for left, number in zip(range(len(numbers) - 1, -1, -1), numbers):
        code.append((EQUAL, left + 1, 0, number))
    filter_calls([*code, (GIVE, 0, 0, 0x7FFF0000), (GIVE, 0, 0, 0x00050001)])


def filter_calls(instructions):
    """From now on the kernel decides so on this process's system calls."""
    code = [struct.pack("HBBI", *instruction) for instruction in instructions]
    filters = ctypes.create_string_buffer(b"".join(code))
    filter_program = struct.pack("HxxxxxxP", len(code), ctypes.addressof(filters))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or \
            libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.create_string_buffer(filter_program), 0, 0) != 0:
        os._exit(77)


class Containers(harness.OrielTest):
    def assert_good(self, log="run.oriel"):
        summary = self.report("summary", log=log)
        self.assertEqual(summary["state"], "complete")
        self.assertGreater(summary["samples"]["periods"], 0)

    def contained(self, script, *words, env=None):
        """The script of a shell in namespaces of its own; $@ are the words."""
        return self.call([*UNSHARED, "sh", "-ec", script, "sh", *words], env=env)

    def own_variables(self, out):
        return {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": self.oriel("version", "--clsid").out.strip(),
                "CORECLR_PROFILER_PATH": ENGINE, "ORIEL_PROFILERS": f"log:out={out}"}

    @needs_namespaces
    def test_processes_hidden_shared_memory_small(self):
        script = "mount -o remount,hidepid=2 /proc; mount -t tmpfs -o size=64k tmpfs /dev/shm; exec \"$@\""
        run = self.contained(script, ORIEL, "run", "-o", self.path("run.oriel"), "--", *program("busy", 1, 60))
        self.assertEqual((run.code, len(run.own_lines())), (0, 1), run.err)
        self.assert_good()

    @needs_namespaces
    def test_a_root_that_is_read_only(self):
        # The test's folder is the one volume: the log goes there, or it is said that there is none.
        script = 'mount --bind "$V" "$V"; mount -o bind,remount,ro /; exec "$@"'
        os.mkdir(self.path("volume"))
        os.mkdir(self.path("elsewhere"))
        env = {"V": self.path("volume"), "TMPDIR": self.path("volume"), "DOTNET_EnableDiagnostics_IPC": "0"}
        for where, is_there in (("volume", True), ("elsewhere", False)):
            with self.subTest(where=where):
                log = self.path(f"{where}/run.oriel")
                run = self.contained(script, *program("busy", 1, 60), env={**env, **self.own_variables(log)})
                if "Read-only" in run.err and "mount" in run.err: self.skipTest("the root cannot be made read-only here")
                self.assertEqual(run.code, 0, run.err)
                self.assertEqual(os.path.exists(log), is_there, run.err)
                self.assertEqual(len(run.own_lines()), 0 if is_there else 2, run.err)
                if not is_there: self.assertIn("Read-only file system", run.own_lines()[0])
        self.assert_good("volume/run.oriel")

    def filtered(self, numbers, *options):
        """A run in which these system calls fail: the share of its samples whose stacks lack their callers."""
        done = subprocess.run([ORIEL, "run", "-o", "run.oriel", *options, "--", *program("busy", 1, 60)], cwd=self.folder,
                              env=CLEAN, capture_output=True, preexec_fn=lambda: forbid_calls(numbers), check=False)
        if done.returncode == 77: self.skipTest("the machine allows no filter of system calls")
        self.assertEqual((done.returncode, done.stderr.count(b"oriel: ")), (0, 1), done.stderr)
        self.assert_good()
        lost = re.search(r"(?m)^Lost .* stacks truncated, ([0-9.]+) % of all", self.oriel("report", "run.oriel").out)
        return float(lost.group(1)) if lost else 0

    def test_without_perf_and_ptrace(self):
        for options in ((), ("--sample-real",)):
            with self.subTest(options=options):
                self.assertLess(self.filtered(FORBIDDEN, *options), 10)

    def test_without_reading_its_own_memory_through_the_kernel(self):
        # Stacks cannot be walked then, and the log says so.
        self.assertGreater(self.filtered([*FORBIDDEN, READING]), 50)

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "only root may run programs as another user")
    def test_another_user_than_root(self):
        os.chown(self.folder, SOME_USER, SOME_USER)
        user = ["setpriv", f"--reuid={SOME_USER}", f"--regid={SOME_USER}", "--clear-groups", "--no-new-privs",
                "--bounding-set=-all"]
        run = self.call([*user, ORIEL, "run", "-o", "run.oriel", "--", *program("busy", 1, 60)],
                        env={"HOME": self.folder, "TMPDIR": self.folder})
        self.assertEqual((run.code, len(run.own_lines())), (0, 1), run.err)
        self.assertEqual(os.stat(self.path("run.oriel")).st_uid, SOME_USER)
        self.assert_good()

    @needs_namespaces
    def test_a_second_container_controls_the_first(self):
        # Like a pod with shareProcessNamespace and a volume that is TMPDIR in both: a second mount namespace beside.
        os.mkdir(self.path("tmp"))
        script = ('"$1" run -o "$V/run.oriel" -- dotnet "$2" > "$V/port" & '
                  'i=0; while [ ! -s "$V/port" ] && [ $i -lt 300 ]; do sleep 0.1; i=$((i + 1)); done; '
                  'export PID=$(pgrep -f "^dotnet $2"); '
                  'unshare --mount sh -ec \'"$1" ps; "$1" ctl $PID mark "from beside"; "$1" ctl $PID rotate\' sh "$1"; '
                  'kill -TERM $PID; wait')
        run = self.contained(script, ORIEL, SERVER, env={"V": self.folder, "TMPDIR": self.path("tmp")})
        self.assertRegex(run.out, r"(?m)^ *\d+ .*server\.dll", run.err)
        self.assertIn("run-2.oriel", run.out)
        self.assertIn("from beside", self.oriel("report", "rows", "marks", "run.oriel").out)

    def test_few_descriptors(self):
        run = self.call(["prlimit", "--nofile=128", ORIEL, "run", "-o", "run.oriel", "--", *program("busy", 1, 60)])
        self.assertEqual((run.code, len(run.own_lines())), (0, 1), run.err)
        self.assert_good()


if __name__ == "__main__":
    harness.main()
