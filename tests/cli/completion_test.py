#!/usr/bin/env python3
"""Shells complete Oriel's commands, options, reports, formats and logs: bash as a person would meet it, by the words that are
on the line; zsh and fish, where they are installed, take the script."""
import os
import shutil
import subprocess
import tempfile
import unittest

BUILD = os.environ["ORIEL_BUILD"]
ORIEL = os.path.join(BUILD, "bin", "oriel")
# Splits words like readline: "--alloc=ex" is three words.
COMPLETE = r"""
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_oriel
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
"""


def script(shell):
    return subprocess.run([ORIEL, "completion", shell], check=True, capture_output=True, text=True).stdout


class Completion(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="oriel-completion-")
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        for name in ("Shop-1.oriel", "notes.txt", "liboriel-mine.so"):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8"):
                pass
        os.mkdir(os.path.join(self.folder, "logs"))

    def save(self, shell):
        path = os.path.join(self.folder, "script." + shell)
        with open(path, "w", encoding="utf-8") as out:
            out.write(script(shell))
        return path

    def complete(self, *words):
        done = subprocess.run(["bash", "--norc", "--noprofile", "-u", "-c", COMPLETE, "bash", self.save("bash"), "oriel", *words],
                              cwd=self.folder, capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        return sorted(done.stdout.split())

    def test_commands_and_their_options(self):
        self.assertEqual(self.complete("rep"), ["report"])
        self.assertEqual(self.complete(""), ["attach", "convert", "cover", "ctl", "export", "ps", "push", "query", "report", "run", "top",
                                            "version", "view"])
        self.assertEqual(self.complete("run", "--sam"), ["--sample", "--sample-real"])
        self.assertEqual(self.complete("cover", "m"), ["merge"])
        self.assertEqual(self.complete("cover", "merge", "--fo"), ["--format"])
        self.assertEqual(self.complete("--vers"), ["--version"])
        self.assertEqual(self.complete("convert", "--to", ""), ["v1"])

    def test_all_options_of_help(self):
        for command in (["run"], ["cover"], ["cover", "merge"], ["cover", "diff"], ["cover", "recover"], ["report"], ["query"], ["export"]):
            text = subprocess.run([ORIEL, *command, "--help"], check=True, capture_output=True, text=True).stdout
            options = {word.strip(",").split("=")[0].split("[")[0] for line in text.splitlines() if line.startswith("  -")
                       for word in line.split()[0].split(",")}
            self.assertGreater(len(options), 4)
            self.assertLessEqual(options, set(self.complete(*command, "-")), command)

    def test_reports_and_logs(self):
        self.assertEqual(self.complete("report", "wa"), ["waits"])
        self.assertEqual(self.complete("report", "Sh"), ["Shop-1.oriel"])
        self.assertEqual(self.complete("report", "--json", "wa"), ["waits"])
        self.assertEqual(self.complete("report", "top", ""), ["Shop-1.oriel", "logs"])
        self.assertEqual(self.complete("export", "--format", "html", ""), ["Shop-1.oriel", "logs"])
        self.assertEqual(self.complete("cover", "recover", ""), ["logs"])

    def test_values(self):
        self.assertEqual(self.complete("export", "--format", "sp"), ["speedscope"])
        self.assertEqual(self.complete("export", "-f", "sp"), ["speedscope"])
        self.assertEqual(self.complete("export", "-f", "perfe"), ["perfetto"])
        self.assertEqual(self.complete("export", "--format", "=", "sp"), ["speedscope"])
        self.assertEqual(self.complete("export", "--weight", "="), sorted(["samples", "calls-time", "bytes", "objects", "alive", "alive-2", "alive-10"]))
        self.assertEqual(self.complete("run", "--alloc", "=", "ex"), ["exact"])
        self.assertEqual(self.complete("cover", "--format", "lcov,cob"), ["lcov,cobertura"])
        self.assertEqual(self.complete("report", "coverage", "--by", "ty"), ["type"])
        self.assertEqual(self.complete("run", "--module", "lib"), ["liboriel-mine.so"])
        self.assertEqual(self.complete("run", "--module", "call"), ["callgraph"])
        self.assertEqual(self.complete("run", "-o", "no"), ["notes.txt"])

    def test_the_program_completes_what_is_its_own(self):
        self.assertIn("bash", self.complete("run", "--", "bas"))
        self.assertEqual(self.complete("run", "--sample", "bash", "no"), ["notes.txt"])
        self.assertEqual(self.complete("run", "--", "bash", "no"), ["notes.txt"])
        self.assertEqual(self.complete("run", "-o", "x.oriel", "bash", "--sam"), [])

    def test_another_shell_is_refused(self):
        done = subprocess.run([ORIEL, "completion", "tcsh"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("bash, zsh or fish", done.stderr)

    def test_built_scripts_are_those_of_the_command(self):
        for shell in ("bash", "zsh", "fish"):
            with open(os.path.join(BUILD, "completions", "oriel." + shell), encoding="utf-8") as built:
                self.assertEqual(built.read(), script(shell))

    @unittest.skipUnless(shutil.which("zsh"), "no zsh here")
    def test_zsh_reads_the_script(self):
        done = subprocess.run(["zsh", "-f", "-n", self.save("zsh")], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    @unittest.skipUnless(shutil.which("fish"), "no fish here")
    def test_fish_completes(self):
        for line, word in (("oriel rep", "report"), ("oriel report wa", "waits"), ("oriel run --sam", "--sample")):
            done = subprocess.run(["fish", "--no-config", "-c", f"source {self.save('fish')}; complete -C '{line}'"],
                                  cwd=self.folder, capture_output=True, text=True, check=True)
            self.assertIn(word, [said.split("\t")[0] for said in done.stdout.splitlines()], done.stderr)


if __name__ == "__main__":
    unittest.main()
