#!/usr/bin/env python3
"""Settings in a file do what the options do, for `oriel run` and for a program that is started without it."""
import json
import os
import shutil

import harness
from harness import BUILD, program

LIBRARIES = os.path.join(BUILD, "lib")


class Settings(harness.OrielTest):
    def write(self, settings, name="oriel.json"):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(settings if isinstance(settings, str) else json.dumps(settings))

    def alone(self, engine=LIBRARIES, command=None, **env):
        """The program without `oriel run`."""
        return self.call(command or program("busy", 1, 60), env={
            "CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": self.oriel("version", "--clsid").out.strip(),
            "CORECLR_PROFILER_PATH": os.path.join(engine, "liboriel.so"), **env})

    def assert_rate(self, hz, log="run.oriel"):
        summary = self.report("summary", log=log)
        self.assertEqual((summary["state"], summary["samples"]["hz"]), ("complete", hz))
        self.assertGreater(summary["samples"]["periods"], 0)

    def test_a_program_without_oriel_run(self):
        self.write({"sample": 500, "output": self.path("run.oriel")})
        run = self.alone(ORIEL_CONFIG=self.path("oriel.json"))
        self.assertEqual((run.code, run.err), (0, ""))
        self.assert_rate(500)

    def test_beside_the_engine(self):
        libraries = self.path("lib")
        os.mkdir(libraries)
        for name in ("liboriel.so", "liboriel.so.1", "liboriel-log.so", "liboriel-settings.so"):
            shutil.copy(os.path.join(LIBRARIES, name), libraries)
        run = self.alone(libraries)
        self.assertEqual((run.code, run.err, os.listdir(self.folder)), (0, "", ["lib"]))
        self.write({"sample": 100, "output": self.path("run.oriel")}, "lib/oriel.json")
        run = self.alone(libraries)
        self.assertEqual((run.code, run.err), (0, ""))
        self.assert_rate(100)

    def test_what_is_wrong_is_said_and_the_program_runs(self):
        for text, said in (('{\n"smaple": 1}', "oriel.json:2: there is no setting 'smaple'; did you mean 'sample'?"),
                           ('{"keep": "many"}', "oriel.json:1: 'keep' is a whole number"),
                           ('{"sample": 500', "oriel.json:1: this is no JSON: "),
                           ('{"keep": 3}', "--keep applies to a log of several files; give --rotate or --recorder too")):
            with self.subTest(text=text):
                self.write(text)
                run = self.alone(ORIEL_CONFIG=self.path("oriel.json"))
                self.assertEqual((run.code, len(run.err.splitlines())), (0, 1), run.err)
                self.assertIn(said, run.err)
                self.assertIn("; the program runs on without Oriel's modules", run.err)
        run = self.alone(ORIEL_CONFIG=self.path("none.json"))
        self.assertEqual(run.code, 0)
        self.assertIn("none.json cannot be read", run.err)

    def test_a_flight_recorder(self):
        self.write({"recorder": "60s/4MB", "on-exception": ["Timeout*", "Shop.*"], "keep": 3, "output": self.path("run.oriel")})
        run = self.alone(ORIEL_CONFIG=self.path("oriel.json"))
        self.assertEqual((run.code, run.err), (0, ""))
        self.assert_rate(250)
        self.assertIn("holds the last 60 s", self.oriel("report", "run.oriel").out)
        self.write({"recorder": "60s", "on-request": "soon"})
        run = self.alone(ORIEL_CONFIG=self.path("oriel.json"))
        self.assertEqual((run.code, len(run.err.splitlines())), (0, 1), run.err)
        self.assertIn("--on-request=soon: a time is ", run.err)

    def test_what_is_no_module_s_own(self):
        cover = self.path("cover.oriel")
        self.write({"module": ["log:events=gc+runtime", f"coverage:include=*,output={cover}"], "no-redact": True, "children": True,
                    "output": self.path("%n-%p.oriel")})
        command = [*program("busy", 1, 20), "--password=swordfish"]
        alone = self.alone(command=command, ORIEL_CONFIG=self.path("oriel.json"))
        run = self.oriel("run", "--config", "oriel.json", "--", *command)
        self.assertEqual((alone.code, alone.err, run.code), (0, "", 0), run.err)
        self.assertTrue(os.path.exists(cover))
        logs = sorted(name for name in os.listdir(self.folder) if name.endswith(".oriel") and name != "cover.oriel")
        self.assertEqual(len(logs), 2, logs)
        for log in logs:
            self.assertEqual(self.report("summary", log=log)["state"], "complete")
            self.assertIn("swordfish", self.oriel("report", log).out)
        self.write({"output": self.path("run.oriel")})
        self.assertEqual(self.alone(command=command, ORIEL_CONFIG=self.path("oriel.json")).code, 0)
        self.assertNotIn("swordfish", self.oriel("report", "run.oriel").out)

    def test_oriel_run_takes_them_and_what_is_typed_goes_before(self):
        self.write({"sample": 500, "output": "run.oriel"})
        for options, env, hz in ((["--config", "oriel.json"], {}, 500), (["--config=oriel.json", "--sample=100"], {}, 100),
                                 ([], {"ORIEL_CONFIG": "oriel.json"}, 500)):
            with self.subTest(options=options):
                run = self.oriel("run", *options, "--", *program("busy", 1, 60), env=env)
                self.assertEqual((run.code, len(run.own_lines())), (0, 1), run.err)
                self.assert_rate(hz)
        self.write('{"sample": "fast"}')
        run = self.oriel("run", "--config", "oriel.json", "--", *program("busy", 1, 1))
        self.assertEqual((run.code, run.out), (125, ""))
        self.assertEqual(run.own_lines(), ["oriel: oriel.json:1: 'sample' is a whole number"])


if __name__ == "__main__":
    harness.main()
