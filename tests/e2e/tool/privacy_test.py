#!/usr/bin/env python3
"""What is secret stays out of logs and all that is made of them: tests/targets/privacy says secrets in many ways, each "planted"."""
import glob
import os
import re

from harness import BUILD, OrielTest, main

PROGRAM = os.path.join(BUILD, "targets", "privacy", "privacy.dll")
WORDS = ["--password=planted_a", "--db-password", "planted_b", "/token:planted_c", "api_key=planted d",
         "https://u:planted_e@host/?id=planted_f", "Server=x;Password=planted_g h;Encrypt=1",
         "--AppConfig=Endpoint=https://x.azconfig.io;Id=abc;Secret=planted_h", "--token", "-planted_i", "-u", "bob:planted_j",
         '<add key="Password" value="planted_k"/>', "bob:planted_l@host", "--port", "8080"]
OPTIONS = ["--activities=Shop.Private", "--counters=Shop.Private", "--calls=Program", "--callgraph=Program"]
# What a report or an export may show.
VIEWS = [("report",), ("report", "summary", "--json"), ("report", "requests", "--json"), ("report", "counters", "--json"),
         ("report", "exceptions", "--json"), ("report", "threads", "--json"), ("report", "dump"), ("report", "processes", "--json"),
         ("export", "--format", "html"), ("export", "--format", "speedscope"), ("export", "--format", "collapsed", "--per-thread"),
         ("export", "--format", "perfetto"), ("export", "--format", "firefox"), ("export", "--format", "chrome-trace")]


class Privacy(OrielTest):
    def planted(self, *options):
        """The planted words that the log of a run has, and those that any view of it shows."""
        result = self.record("dotnet", PROGRAM, "tell", *WORDS, options=[*OPTIONS, "--compress", "none", *options], env={"DB_PASSWORD": "planted_env"})
        self.assertEqual((result.code, result.out), (0, "told\n"), result.err)
        # Not compressed, so that the bytes of the file can be searched.
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


if __name__ == "__main__":
    main()
