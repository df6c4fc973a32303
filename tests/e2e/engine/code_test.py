#!/usr/bin/env python3
"""Modules that change methods by instructions, and the examples that do."""
import os
import re

import harness
from harness import BUILD

EDITED = "False old3 0.5 0 12 -1\n10 20 4 4 6\n1 97 2 3\ncaught\nedited done\n"


class Code(harness.OrielTest):
    def run_with(self, module, arguments, *command, target="programs"):
        path = os.path.join(BUILD, "tests", "modules", f"liboriel-{module}.so")
        env = {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER_PATH": os.path.join(BUILD, "lib", "liboriel.so"),
               "CORECLR_PROFILER": self.oriel("version", "--clsid").out.strip(), "ORIEL_PROFILERS": f"{path}:{arguments}"}
        result = self.call(["dotnet", os.path.join(BUILD, "targets", target, f"{target}.dll"), *map(str, command)], env=env)
        self.assertEqual(result.code, 0, result.err)
        return result

    def test_a_call_before_each_return(self):
        result = self.run_with("coder", "returns", "edited")
        self.assertEqual(result.own_lines(), [])
        self.assertEqual(result.out.splitlines()[:4],
                         ["IsNew() returns", "Name(int) returns", "Share(string, long) returns", "Share(string, long) returns"])
        rest = "".join(line + "\n" for line in result.out.splitlines() if not line.endswith("returns"))
        self.assertEqual(rest, EDITED)

    def test_what_makes_no_sense_is_told_and_changes_nothing(self):
        result = self.run_with("coder", "wrong", "edited")
        self.assertEqual(result.out, EDITED)
        told = "\n".join(result.own_lines())
        self.assertIn("Edited.Name(int) keeps its code, as a profiler's change to it is not valid: insert_after: nothing comes "
                      "behind the end", told)
        self.assertIn("the image has no type No.Where; of another assembly it is [Assembly]No.Where", told)
        self.assertIn("inserted before IL_0000: pop takes more values than the stack holds", told)

    def test_names_and_tokens(self):
        err = self.run_with("coder", "names", "edited").err
        self.assertIn("coder: Count(string): long.Parse(string)", err)
        self.assertIn("coder: members=14 named=1 same=1 method=Edited.Small(int)", err)
        self.assertIn("coder: none=0 the type has no method Small of that signature", err)
        self.assertIn("coder: generic=2b again=1 list=1b signature=11 string=70 assembly=23", err)

    def test_inliners(self):
        err = self.run_with("coder", "inliners", "edited").err
        for name in ("CallsSmall", "Between", "CallsBetween"):
            self.assertIn(f"coder: inliner Edited.{name}(int)\n", err)

    def test_code_of_new_types_and_methods_runs(self):
        result = self.run_with("definer", "programs.dll", "edited")
        self.assertEqual(result.out.splitlines()[:2], ["True boxed 0.5 0 12 -1", "1 102 403 4 6"], result.err)
        self.assertIn("definer: types=2 Edited.IsAdded()\n", result.err)
        self.assertIn("definer: a rewriter is asked about Oriel.Added.Next(int)\n", result.err)

    def test_code_of_a_new_type_in_a_precompiled_image_runs(self):
        result = self.run_with("definer", "System.Console.dll", "edited")
        self.assertEqual(result.out, "".join(f"{701 + at}\n{line}\n" for at, line in enumerate(EDITED.splitlines())))

    def test_what_cannot_be_defined_is_told(self):
        err = self.run_with("definer", "programs.dll", "edited").err
        for what, why in (
                ("again", "the image has a type Oriel.Added already"), ("text", "expected a name behind the namespace"),
                ("no text", "expected a name behind the namespace"),
                ("base", "at 9: the image has no type No.Where; of another assembly it is [Assembly]No.Where"),
                ("field of an old type", "only a type that is new itself gets new fields, as code knows how others are laid out"),
                ("of another image", "only types of the image itself get new members"),
                ("there already", "the type has a member Small of that signature already"),
                ("virtual", "only a type that is new itself gets new virtual methods, as code knows how others are laid out"),
                ("abstract", "a new method has managed code, it is not abstract or native"),
                ("unmanaged", "a new method has managed code, it is not abstract or native"),
                ("generic", "a new method cannot be generic"), ("empty", "the method has no instruction"),
                ("unsound", "inserted at the end: ret takes more values than the stack holds"),
                ("nobody", "a new method needs somebody who writes its code"),
                ("late", "an image gets new types and members only while it is loaded: in image_loaded callbacks about it")):
            self.assertIn(f"definer: {what}: 00 {why}\n", err)

    def test_one_method_is_made_anew_and_reverted_while_threads_run(self):
        result = self.run_with("coder", "rejit", "answers", 41, 42, 43, 41, 43)
        self.assertEqual(result.out, "41: True\n42: True\n43: True\n41: True\n43: True\nanswers done\n", result.err)

    def test_what_was_made_anew_stays_while_probes_come_and_go(self):
        result = self.run_with("coder", "stays", "answers", 42, 43, 44)
        self.assertEqual(result.out, "42: True\n43: True\n44: True\nanswers done\n", result.err)

    def test_data_goes_with_what_is_unloaded(self):
        result = self.run_with("coder", "data", "unload", target="events")
        self.assertIn("unloaded\n", result.out)
        kept, told = re.search(r"coder: kept=(\d+) told=(\d+)\n", result.err).groups()
        self.assertEqual(told, kept)
        for of in ("assembly", "image", "method"):
            self.assertIn(f"coder: gone while it ran: {of}\n", result.err)

    def test_no_lock_is_held_while_a_module_is_called(self):
        result = self.run_with("waiter", "", "edited")
        self.assertEqual(result.out, EDITED)
        self.assertIn("waiter: body, data, filter, image filter, image_loaded, rewriter,\n", result.err)

    def test_example_constant(self):
        result = self.run_with("constant", "Edited.IsNew=true,Edited.Name=new,Edited.Share=0.5,Edited.Count=77", "edited")
        self.assertEqual(result.out, "True new 0.5 0.5 77 77\n" + EDITED.split("\n", 1)[1])

    def test_example_constant_takes_what_the_type_holds(self):
        fits = self.run_with("constant", "Edited.Few=255,Edited.Letter=0xffff,Edited.Many=4294967295,"
                             "Edited.More=18446744073709551615", "edited")
        self.assertIn("\n255 65535 4294967295 18446744073709551615\n", fits.out)
        result = self.run_with("constant", "Edited.Few=256,Edited.Letter=-1,Edited.Many=-1,Edited.More=-1,"
                               "Edited.Picks=2147483648,Edited.Count=9223372036854775808", "edited")
        self.assertEqual(result.out, EDITED)
        for which in ("Few returns byte, and 256", "Letter returns char, and -1", "Many returns uint, and -1",
                      "More returns ulong, and -1", "Picks returns int, and 2147483648",
                      "Count returns long, and 9223372036854775808"):
            self.assertIn(f"Edited.{which} is not one; it is left unchanged", result.err)

    def test_example_timed(self):
        result = self.run_with("timed", "Edited.Picks,Edited.Count", "edited")
        self.assertEqual(result.out, EDITED)
        self.assertRegex(result.err, r"timed: Edited\.Count: 2 calls, .*\ntimed: Edited\.Picks: 4 calls, ")

    def test_example_call_log(self):
        result = self.run_with("calllog", "Edited.*", "edited")
        self.assertEqual(result.out, EDITED)
        self.assertIn('call: Edited.Share(string "four", long 8)\ncall: Edited.Share(string null, long 8)\n', result.err)


if __name__ == "__main__":
    harness.main()
