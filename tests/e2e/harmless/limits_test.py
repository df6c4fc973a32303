#!/usr/bin/env python3
"""A program that may have little (address space, descriptors, disk) gets along with Oriel where it does without."""
import os
import re

import harness
from harness import ORIEL, PROGRAMS, program

EVERYTHING = ["--sample", "--alloc", "--calls", "--callgraph"]


class Limits(harness.OrielTest):
    def limited(self, limit, command, **rest):
        """The command under `ulimit` with these arguments."""
        return self.call(["bash", "-c", f'ulimit {limit} && exec "$@"', "bash", *command], **rest)

    def run_limited(self, limit, command, options=(), log="run.oriel", **rest):
        return self.limited(limit, [ORIEL, "run", "-o", log, *options, "--", *command], **rest)


class ThreadLocalStorage(Limits):
    def test_a_library_that_needs_much_at_a_fixed_place_is_loaded(self):
        with open(self.path("library.c"), "w", encoding="utf-8") as out:
            out.write('__attribute__((tls_model("initial-exec"))) __thread char own[1300];\nchar *get(void) { return own; }\n')
        library = self.path("library.so")
        built = self.call(["cc", "-shared", "-fPIC", "-o", library, self.path("library.c")])
        self.assertEqual(built.code, 0, built.err)
        command = program("library", library)
        self.assertEqual(self.call(command).out, "loaded\nlibrary done\n")
        self.assertEqual(self.record(*command, options=EVERYTHING).out, "loaded\nlibrary done\n")


class AddressSpace(Limits):
    # One arena of the C library's heap: else each thread may have 64 MB more, as chance will have it.
    FEW = {"MALLOC_ARENA_MAX": "1"}

    def lives(self, megabytes):
        """Not only once, as it happens to."""
        results = [self.limited(f"-v {megabytes * 1024}", program("memory"), env=self.FEW) for _ in range(3)]
        return all(result.code == 0 and result.out == "memory done\n" for result in results)

    def least(self):
        """About how many MB the program needs. The runtime reserves half of what there is for its heap."""
        low, high = 256, 16384
        while high - low > 8:
            middle = (low + high) // 2
            if self.lives(middle):
                high = middle
            else:
                low = middle
        return high

    def test_a_little_more_than_the_program_needs_is_enough(self):
        # Of each MB more that is allowed the runtime takes 0.7 at once, for its heap and its code.
        needed = self.least()
        for options, more in ([], 110), (EVERYTHING, 220):
            with self.subTest(options):
                result = self.run_limited(f"-v {(needed + more) * 1024}", program("memory"), options, env=self.FEW)
                self.assertEqual((result.code, result.out), (0, "memory done\n"), result.err)
                self.assertEqual(self.report()["state"], "complete")

    def size_of(self, command, pid_of):
        """VmSize in MB of a program that waits, once it does."""
        process = harness.subprocess.Popen(command, cwd=self.folder, env=harness.CLEAN, stdin=harness.subprocess.PIPE,
                                           stdout=harness.subprocess.PIPE, stderr=harness.subprocess.DEVNULL)
        self.assertEqual(process.stdout.readline(), b"ready\n")
        with open(f"/proc/{pid_of(process.pid)}/status") as status:
            size = int(re.search(r"VmSize:\s+(\d+)", status.read()).group(1)) / 1024
        process.send_signal(15)
        process.communicate(timeout=60)
        return size

    @staticmethod
    def child(pid):
        with open(f"/proc/{pid}/task/{pid}/children") as children:
            return int(children.read().split()[0])

    def test_takes_little_of_it(self):
        env = {**self.FEW, "DOTNET_GCHeapHardLimit": "0x8000000"}
        plain = self.size_of(["env", *[f"{name}={value}" for name, value in env.items()], *program("wait")],
                           lambda pid: pid)
        for options in ([], EVERYTHING):
            with self.subTest(options):
                command = [ORIEL, "run", "-o", "run.oriel", *options, "--", *program("wait")]
                size = self.size_of(["env", *[f"{name}={value}" for name, value in env.items()], *command], self.child)
                self.assertLess(size - plain, 50 if not options else 80)

    def test_makes_no_heaps_of_its_threads_where_it_is_limited(self):
        limit = f"-v {2000 * 1024}"
        sizes = [self.size_of(["bash", "-c", f'ulimit {limit} && exec "$@"', "bash", *command], pid_of)
                 for command, pid_of in ((program("wait"), lambda pid: pid),
                                         ([ORIEL, "run", "-o", "run.oriel", "--", *program("wait")], self.child))]
        self.assertLess(sizes[1] - sizes[0], 50)


class Descriptors(Limits):
    def test_the_programs_own_have_the_numbers_that_they_had(self):
        for limit, options in (40, []), (1000, []), (40, EVERYTHING), (1000, EVERYTHING):
            plain = self.limited(f"-n {limit}", program("descriptors"))
            with self.subTest(limit=limit, options=options):
                result = self.run_limited(f"-n {limit}", program("descriptors"), options)
                self.assertEqual(result.code, 0, result.err)
                # One below those that are taken may be free by chance: the runtime's threads open and close files too.
                first, count = map(int, re.fullmatch(r"first (\d+), (\d+) in all\ndescriptors done\n", result.out).groups())
                self.assertIn(f", {count} in all\n", plain.out)
                self.assertLessEqual(first, limit - count)
                self.assertEqual(self.report()["state"], "complete")

    def test_a_program_that_gets_along_with_few_does_with_oriel(self):
        for options in ([], EVERYTHING):
            with self.subTest(options):
                result = self.run_limited("-n 40", program("exceptions", 5), options)
                self.assertEqual((result.code, result.out), (0, "exceptions done\n"), result.err)
                self.assertEqual(self.report()["state"], "complete")


class Disk(Limits):
    def test_a_log_ends_where_files_may_not_grow(self):
        # Above what the runtime maps its code through.
        env = {"DOTNET_EnableWriteXorExecute": "0"}
        result = self.run_limited("-f 64", program("allocate", 200_000), ["--alloc"], env=env)
        self.assertEqual((result.code, result.out), (0, "the last is a Byte[]\nallocate done\n"), result.err)
        told = [line for line in result.own_lines() if "File too large" in line]
        self.assertEqual(len(told), 1, result.err)
        self.assertIn("can be read", told[0])
        self.assertEqual(self.report()["state"], "stopped")
        self.assertGreater(os.path.getsize(self.path("run.oriel")), 0)
        self.assertLessEqual(os.path.getsize(self.path("run.oriel")), 64 * 1024)


if __name__ == "__main__":
    harness.main()
