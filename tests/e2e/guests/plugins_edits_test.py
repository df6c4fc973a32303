#!/usr/bin/env python3
"""What becomes of clauses and branches whose instructions plug-ins take away, and what of what plug-ins say stands in the
log. tests/plugins/small has the plug-ins."""
import re
import unittest

import harness
from plugins_live_test import Live, method
from plugins_test import PLUGGED

GUARDED = ("Guarded", "Filtered", "Replaced", "Thrown", "Inner")


class Edits(Live):
    def edited(self, number, **more):
        return self.call(["dotnet", PLUGGED], env=self.environment(method("editing", number), **more))

    def test_clauses_follow_what_is_replaced_or_removed(self):
        plain = self.call(["dotnet", PLUGGED]).out
        # By Replace, by insertion before and behind and Remove; with the clauses in place, out for the while, and anew.
        for number in (0x01, 0x02, 0x03, 0x11, 0x13, 0x21, 0x23):
            with self.subTest(f"{number:02x}"):
                result = self.edited(number)
                self.assertEqual((result.code, result.out), (0, plain), result.err)
                self.assertEqual(self.log(), [])
                self.assertEqual(result.own_lines(), [])
                for name in GUARDED:
                    self.assertRegex(result.err, rf"changed \S*Subjects\.{name}\n")

    def dumped(self, number):
        """{method: (instructions, clauses)} as the dump has them."""
        result = self.edited(number, MicrosoftInstrumentationEngine_LogLevel="Dumps",
                             MicrosoftInstrumentationEngine_FileLogPath=self.path(f"dump{number}"))
        self.assertEqual(result.code, 0, result.err)
        with open(self.path(f"dump{number}"), encoding="utf-8") as file:
            methods = file.read().split("<InstrumentedMethod>")[1:]
        return {re.search("<FullName>(.*)</FullName>", one)[1]:
                (re.search(r"\n    <Instructions><!\[CDATA\[(.*?)\]\]>", one, re.S)[1],
                 re.search("<ExceptionClauses>(.*?)</ExceptionClauses>", one, re.S)[1]) for one in methods}

    def test_the_dump_shows_where_branches_and_clauses_go(self):
        plain = self.dumped(0)
        self.assertGreater(sum("br" in code for code, _ in plain.values()), 3)
        self.assertEqual(self.dumped(0x40), plain)
        self.assertEqual(self.dumped(0x21), plain)


class Said(Live):
    def test_what_is_refused_is_said_once_at_any_level(self):
        for level in ("Errors", "Messages", "Dumps", "All"):
            with self.subTest(level):
                log = self.path(level)
                result = self.tell(self.environment(method("faulty", 5), MicrosoftInstrumentationEngine_LogLevel=level,
                                                    MicrosoftInstrumentationEngine_FileLogPath=log), "values", "unload", "values")
                self.assertEqual(result.out, "111 5\nunloaded\n111 5\n")
                line, = result.own_lines()
                self.assertRegex(line, "Subjects.Other is unchanged: .*add")
                with open(log, encoding="utf-8") as file:
                    self.assertEqual(file.read().count("Subjects.Other is unchanged"), 1)

    def lines(self, level, **more):
        """What of the plug-ins 1 and 2 stands in the log, and what the second hears as the host. `one`: the level of the first."""
        log = self.path("levels.log")
        with open(log, "w", encoding="utf-8"):
            pass
        # In lower case: the published engine knows no other.
        names = {"one": "LogLevel_5b0c1e5e-0001-4000-8000-000000000001", "file": "FileLog"}
        env = self.environment(method("logging", 1), method("logging", 2), ORIEL_SMALL="2",
                               MicrosoftInstrumentationEngine_LogLevel=level, MicrosoftInstrumentationEngine_FileLogPath=log,
                               **{f"MicrosoftInstrumentationEngine_{names[name]}": value for name, value in more.items()})
        result = self.tell(env, "values")
        with open(log, encoding="utf-8") as file:
            written = re.findall(r"\](\w+) of (\d)\n", file.read())
        heard = re.findall(r"heard .*\](\w+) of (\d)\n", result.err)
        return " ".join(kind + number for kind, number in written), " ".join(kind + number for kind, number in heard)

    def both(self, lines):
        return lines, lines

    def test_the_level_of_a_plug_in_is_for_its_lines_and_the_global_one_for_the_rest(self):
        self.assertEqual(self.lines("Errors", one="All"), self.both("message1 error1 dump1 error2"))
        self.assertEqual(self.lines("", one="All"), self.both("message1 error1 dump1"))
        self.assertEqual(self.lines("Errors|Messages", one="Dumps"), self.both("dump1 message2 error2"))
        self.assertEqual(self.lines("Messages"), self.both("message1 message2"))

    def test_a_plug_in_whose_level_is_none_writes_nothing(self):
        self.assertEqual(self.lines("All", one="None"), self.both("message2 error2 dump2"))
        self.assertEqual(self.lines("", one="None"), self.both(""))

    def test_the_level_of_the_file_counts_for_all(self):
        self.assertEqual(self.lines("", one="All", file="Errors"), ("error1 error2", "message1 error1 dump1 error2"))
        self.assertEqual(self.lines("Messages", one="Errors", file="None"), self.both("error1 message2"))

    def test_a_plug_in_that_wants_dumps_gets_none_of_the_engine(self):
        log = self.path("engine.log")
        env = self.environment(method("changing", 1), MicrosoftInstrumentationEngine_LogLevel="Errors", **{
            "MicrosoftInstrumentationEngine_LogLevel_5b0c1e5e-0001-4000-8000-000000000001": "All"})
        self.assertEqual(self.tell(env, "values").out, "111 6\n")
        with open(log, encoding="utf-8") as file:
            self.assertEqual(file.read(), "")


if __name__ == "__main__":
    unittest.main()
