#!/usr/bin/env python3
"""One of each thing that people add, added to a copy of the tree: it goes where CONTRIBUTING.md says, touches as few files
as it says, and with ORIEL_LONG builds and works.

After a change that moves what a patch touches: add the thing by hand in a copy, and put its `git diff -U2` here.
"""
import os
import re
import shutil
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))
import harness  # noqa: E402

# How many places each touches: files, of which those in a new folder count as one.
PLACES = {"event": 3, "source_event": 2, "table": 4, "report": 2, "export": 2, "block": 3, "module": 1, "runtime": 3}
NEW_FOLDERS = ("modules/hello", "src/runtimes/idle")
COPY = os.path.join(harness.BUILD, "additions")
SOURCE, BUILT = os.path.join(COPY, "source"), os.path.join(COPY, "build")


def places(patch):
    with open(patch, encoding="utf-8") as file:
        files = re.findall(r"^\+\+\+ b/(.*)$", file.read(), re.MULTILINE)
    return {next((folder for folder in NEW_FOLDERS if name.startswith(folder + "/")), name) for name in files}


def run(*command, folder=SOURCE, env=None):
    done = subprocess.run(command, cwd=folder, env={**harness.CLEAN, **(env or {})}, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}\n{done.stdout[-10000:]}")
    return done.stdout


class Additions(harness.OrielTest):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(SOURCE, ignore_errors=True)
        # Only the top folder's build is a product: src/profile/build is source.
        shutil.copytree(ROOT, SOURCE, ignore=lambda folder, _: ("build", ".git") if folder == ROOT else (), symlinks=True)
        # Within another tree's folder, git would take the paths for that tree's, and leave them all out.
        outside = {"GIT_CEILING_DIRECTORIES": COPY}
        for name in PLACES:
            run("git", "apply", "-C1", os.path.join(HERE, name + ".patch"), env=outside)
            run("git", "apply", "-C1", "-R", "--check", os.path.join(HERE, name + ".patch"), env=outside)
            for place in places(os.path.join(HERE, name + ".patch")):
                assert os.path.exists(os.path.join(SOURCE, place)), place

    def test_places(self):
        for name, most in PLACES.items():
            found = places(os.path.join(HERE, name + ".patch"))
            self.assertLessEqual(len(found), most, (name, found))

    def test_the_tree_is_in_order(self):
        run(sys.executable, "-B", "tests/tools/check_includes.py")

    @unittest.skipUnless(os.environ.get("ORIEL_LONG"), "long")
    def test_all_work(self):
        run("cmake", "-S", SOURCE, "-B", BUILT, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DORIEL_BENCH=OFF")
        run("cmake", "--build", BUILT, "--target", "oriel", "oriel-cli", "oriel-log", "oriel-hello", "test_log",
            "test_engine", "test_report")
        self.check_documents()
        self.check_a_run()
        self.check_the_runtime()

    def check_documents(self):
        tests = {"log": "FormatDoc.*", "engine": "ApiDoc.*", "report": "TablesDoc.*"}
        for env in ({"ORIEL_REGENERATE": "1"}, {}):
            for room, cases in tests.items():
                run(os.path.join(BUILT, "tests", room, "test_" + room), "--gtest_filter=" + cases, env=env)
        for document, word in (("API.md", "thread_assigned"), ("FORMAT.md", "thread_assigned"), ("FORMAT.md", "21 note"),
                               ("API.md", "gc_stopping"), ("FORMAT.md", "gc_stopping"), ("TABLES.md", "## gc_regions")):
            with open(os.path.join(SOURCE, "docs", document), encoding="utf-8") as file:
                self.assertTrue(word in file.read(), f"{word} in {document}")

    def check_a_run(self):
        oriel = os.path.join(BUILT, "bin", "oriel")
        log = self.path("run.oriel")
        told = run(oriel, "run", "-o", log, "--module", "hello", "--", *harness.program("threads", 4))
        self.assertRegex(told, r"hello: [1-9]\d* threads")
        self.assertRegex(run(oriel, "report", "loads", log), r"Loads(.|\n)*images were loaded\.")
        self.assertIn('"images": ', run(oriel, "report", "loads", "--json", log))
        self.assertIn("--loaded-from FOLDER", run(oriel, "report", "--help"))
        self.assertIn("loaded-from", run(oriel, "completion", "bash"))
        self.assertIn(".dll\n", run(oriel, "report", "loads", "--loaded-from", "/", log))
        refused = subprocess.run([oriel, "report", "gc", "--loaded-from", "/", log], capture_output=True, text=True)
        self.assertIn("report gc takes no --loaded-from; it goes with loads", refused.stderr)
        self.assertRegex(run(oriel, "export", "--format", "leaves", "-o", "-", log), r"(?m)^\d+ \S")
        self.assertIn("thread_assigned", run(oriel, "report", "dump", log))
        run(oriel, "run", "-o", log, "--gc-phases", "--", *harness.program("gc", 2))
        self.assertRegex(run(oriel, "report", "dump", log), r"gc_stopping .*collections")
        rows = run(oriel, "report", "rows", "gc_regions", log).splitlines()
        self.assertEqual(rows[0], "at,size,kind,thread,thread_os_id")
        self.assertRegex(rows[1], r"^\d+,\d{6,},\d+,")
        both = run(oriel, "report", "rows", "gc_regions", log, log).splitlines()
        self.assertEqual(len(both) - 1, 2 * (len(rows) - 1), "merged")
        first = int(rows[1].split(",")[0])
        none = run(oriel, "report", "rows", "gc_regions", "--to", f"{max(first // 1_000_000 - 1, 0)}ms", log)
        self.assertEqual(len(none.splitlines()), 1, "filtered")

    def check_the_runtime(self):
        library = os.path.join(BUILT, "lib", "liboriel.so")
        start = f"import ctypes; ctypes.CDLL({library!r}).oriel_idle_start()"
        self.assertIn("hello: 0 threads", run(sys.executable, "-c", start, env={"ORIEL_PROFILERS": "hello"}))


if __name__ == "__main__":
    harness.main()
