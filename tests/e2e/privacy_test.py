#!/usr/bin/env python3
"""What is secret stays out of logs, reports and pages: tests/targets/privacy says secrets in many ways, each with "planted"."""
import glob
import os
import re
import subprocess

import harness
from harness import BUILD, OrielTest, main

PROGRAM = os.path.join(BUILD, "targets", "privacy", "privacy.dll")
WORDS = ["--password=planted_a", "--db-password", "planted_b", "/token:planted_c", "api_key=planted d",
         "https://u:planted_e@host/?id=planted_f", "Server=x;Password=planted_g h;Encrypt=1", "--port", "8080"]
OPTIONS = ["--activities=Shop.Private", "--counters=Shop.Private", "--calls=Program", "--callgraph=Program"]
# What a report or an export may show.
VIEWS = [("report",), ("report", "summary", "--json"), ("report", "requests", "--json"), ("report", "counters", "--json"),
         ("report", "exceptions", "--json"), ("report", "threads", "--json"), ("report", "dump"), ("report", "processes", "--json"),
         ("export", "--format", "html"), ("export", "--format", "speedscope"), ("export", "--format", "collapsed", "--per-thread")]


class Privacy(OrielTest):
    def planted(self, *options):
        """The planted words that the log of a run has, and those that any view of it shows."""
        result = self.record("dotnet", PROGRAM, "tell", *WORDS, options=[*OPTIONS, *options], env={"DB_PASSWORD": "planted_env"})
        self.assertEqual((result.code, result.out), (0, "told\n"), result.err)
        # A dump has all that the log has, its blocks decompressed.
        in_log, shown = set(), set()
        for file in glob.glob(self.path("*.oriel")):
            with open(file, "rb") as log:
                in_log |= set(re.findall(rb"planted\w*", log.read()))
        for view in VIEWS:
            said = self.oriel(*view, "run.oriel")
            self.assertEqual(said.code, 0, said.err)
            shown |= set(re.findall(r"planted\w*", said.out))
        return in_log, shown

    def test_nothing_planted_is_in_the_log_or_shown(self):
        self.assertEqual(self.planted(), (set(), set()))
        properties = self.report("summary")["properties"]
        self.assertIn("--password=… --db-password … /token:… ", properties["command"])
        self.assertIn("--port 8080", properties["command"])
        dump = self.oriel("report", "dump", "run.oriel").out
        for kept in ("id=…", "SELECT * FROM Users", "x = ? AND y = ?", "AUTH …", "user.token=…", "Password=…;", "api_key=…",
                     "Encrypt=true"):
            self.assertIn(kept, dump)
        self.assertNotIn("4711815", dump)

    def test_all_of_it_is_there_for_who_asks(self):
        in_log, shown = self.planted("--no-redact")
        self.assertGreater(len(in_log | {word.encode() for word in shown}), 12, (in_log, shown))
        for word in ("planted_a", "planted_b", "planted_f", "planted_message", "planted_user", "planted_title", "planted_tag",
                     "planted_meter"):
            self.assertIn(word, shown)
        self.assertNotIn("planted_env", shown)

    def test_a_program_and_its_children_find_nothing_of_oriels_in_their_environment(self):
        for options in ([], ["--no-children"]):
            result = self.record("dotnet", PROGRAM, "environment", options=options)
            self.assertEqual((result.code, result.out), (0, ""), result.err)
        result = self.oriel("run", "--children", "-o", "%p.oriel", "--", "dotnet", PROGRAM, "environment")
        self.assertIn("ORIEL_PROFILERS", result.out, result.err)

    def test_another_process_than_the_one_that_is_meant_hands_nothing_on(self):
        result = self.oriel("run", "-o", "run.oriel", "--", "sh", "-c", f"dotnet {PROGRAM} environment; :")
        self.assertEqual(result.out, "", result.err)


class Sources(OrielTest):
    """A PDB may name any file: an assembly that maps its lines to one outside is compiled by the SDK's compiler."""

    def covered(self, mapped):
        os.makedirs(self.path("shop"), exist_ok=True)
        with open(self.path("shop/shop.csproj"), "w", encoding="utf-8") as out:
            out.write('<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><UseAppHost>false</UseAppHost>'
                      "<TargetFramework>net10.0</TargetFramework><UseSharedCompilation>false</UseSharedCompilation>"
                      "</PropertyGroup></Project>")
        with open(self.path("shop/Program.cs"), "w", encoding="utf-8") as out:
            out.write(f'#line 1 "{mapped}"\nSystem.Console.WriteLine("ran");\n')
        built = self.call(["dotnet", "build", "shop", "-v:q", "-nodeReuse:false", "-o", "out"], env=harness.QUIET)
        self.assertEqual(built.code, 0, built.out)
        log = self.oriel("cover", "-o", "coverage.oriel", "--", "dotnet", "out/shop.dll")
        self.assertEqual(log.code, 0, log.err)

    def shown(self, *options, cwd="shop"):
        """What pages and reports show, all together, made in that folder."""
        text = ""
        for command in (["cover", "merge", "--format", "html", "-o", "-"], ["report", "coverage", "--source", "secret"]):
            said = subprocess.run([harness.ORIEL, *command, *options, self.path("coverage.oriel")], cwd=self.path(cwd),
                                  capture_output=True, text=True, check=False)
            text += said.stdout + said.stderr
        return text

    def test_a_file_outside_of_the_project_is_not_shown_unless_it_is_named(self):
        os.mkdir(self.path("elsewhere"))
        secret = self.path("elsewhere/secret.txt")
        with open(secret, "w", encoding="utf-8") as out:
            out.write("planted_secret\n" * 3)
        self.covered(secret)
        self.assertNotIn("planted_secret", self.shown())
        self.assertIn("outside of the project", self.shown())
        os.symlink(secret, self.path("shop/secret.txt"))
        self.covered("secret.txt")
        self.assertNotIn("planted_secret", self.shown())
        self.covered(secret)
        self.assertIn("planted_secret", self.shown("--sources", self.path("elsewhere")))

    def test_a_file_of_the_systems_is_never_shown(self):
        self.covered("/etc/passwd")
        with open("/etc/passwd", encoding="utf-8") as file:
            line = file.readline().strip()
        for folder in ("shop", "/", "/etc"):
            self.assertNotIn(line, self.shown(cwd=folder))

    def test_a_hidden_folder_of_the_project_is_not_shown(self):
        os.makedirs(self.path("shop/.ssh"))
        with open(self.path("shop/.ssh/secret"), "w", encoding="utf-8") as out:
            out.write("planted_secret\n")
        self.covered(self.path("shop/.ssh/secret"))
        self.assertNotIn("planted_secret", self.shown())


if __name__ == "__main__":
    main()
