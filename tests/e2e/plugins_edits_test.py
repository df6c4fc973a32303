#!/usr/bin/env python3
"""What becomes of clauses and branches whose instructions plug-ins take away. tests/plugins/small has the plug-in."""
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


if __name__ == "__main__":
    unittest.main()
