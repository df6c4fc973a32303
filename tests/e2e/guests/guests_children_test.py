#!/usr/bin/env python3
"""Other profilers beside Oriel in programs that profiled ones start, where these are profiled too."""
import os

from guests_test import PROGRAM
from harness import OrielTest, main
from other_profilers import alone, clsid, guest

ORIEL = "{9A8FE63E-FC98-40FE-9A46-932E43F8A19D}"
VALUE = ("dotnet", PROGRAM, "value")
SHOW = ("sh", "-c", 'echo "$CORECLR_ENABLE_PROFILING $CORECLR_PROFILER $ORIEL_GUESTS"')


def start(*changes, child=VALUE):
    """The program that starts this child, with these changes in its environment."""
    return ["dotnet", PROGRAM, "start", *changes, "--", *child]


def naming(number, name="rewriting"):
    return [f"{variable}={value}" for variable, value in alone(name, number).items()]


def guests_line(number, name="rewriting"):
    return f"libguest-{name}.so {clsid(number)}"


class Children(OrielTest):
    def followed(self, command, *options, env=None):
        """What the command said; the logs of the parent and of its children are in self.of_parent and self.of_children."""
        for log in self.logs():
            os.remove(self.path(log))
        result = self.oriel("run", "--children", *options, "-o", "%p.oriel", "--", *command, env=env)
        self.assertEqual(result.code, 0, result.out + result.err)
        properties = {log: self.report("summary", log=log)["properties"] for log in self.logs()}
        self.of_parent, = [log for log in properties if "parents" not in properties[log]]
        self.of_children = [log for log in properties if "parents" in properties[log]]
        self.guests = {log: properties[log].get("guests") for log in properties}
        return result.out

    def test_parent_and_child_find_their_guests_own_values(self):
        command = ["dotnet", PROGRAM, "environment"]
        there = self.call(command, env=alone("rewriting", 5)).out
        self.assertEqual(there.count(clsid(5)), 2)
        for options, env in (([], alone("rewriting", 5)), (guest("rewriting", 5), {})):
            self.assertEqual(self.followed(command, *options, env=env), there)
            self.assertEqual(list(self.guests.values()), [guests_line(5)] * 2)

    def test_a_child_that_is_given_a_profiler_has_it_and_oriel(self):
        for env, of_parent in (({}, None), (alone("rewriting", 5), guests_line(5))):
            self.assertEqual(self.call(start(*naming(3)), env=env).out, "3\n")
            self.assertEqual(self.followed(start(*naming(3)), "--calls=Marked", "--calls-trivial", env=env), "3\n")
            child, = self.of_children
            self.assertEqual((self.guests[self.of_parent], self.guests[child]), (of_parent, guests_line(3)))
            calls = {row["name"]: row["calls"] for row in self.report("calls", log=child)["methods"]}
            self.assertEqual(calls["Marked.Added()"], 120_000)

    def test_guests_that_were_given_are_in_children_too_and_none_is_twice(self):
        given = [*guest("rewriting", 1), *guest("rewriting", 2)]
        self.assertEqual(self.followed(start(), *given), "3\n")
        self.assertEqual(self.guests[self.of_children[0]], f"{guests_line(1)}, {guests_line(2)}")
        self.assertEqual(self.followed(start(*naming(4)), *given), "7\n")
        self.assertEqual(self.guests[self.of_children[0]], f"{guests_line(4)}, {guests_line(1)}, {guests_line(2)}")
        self.assertEqual(self.followed(start(*naming(2)), *given), "3\n")

    def test_where_none_is_wanted_children_have_none(self):
        self.assertEqual(self.followed(start(*naming(3)), "--no-guests", env=alone("rewriting", 5)), "0\n")
        self.assertEqual(set(self.guests.values()), {None})
        self.assertEqual(len(self.of_children), 1)

    def test_a_child_for_which_profiling_is_turned_off_has_oriel_alone(self):
        env = alone("rewriting", 5)
        for change in ("CORECLR_ENABLE_PROFILING=0", "-CORECLR_PROFILER"):
            self.assertEqual(self.followed(start(change), env=env), self.call(start(change), env=env).out)
            self.assertEqual([self.guests[log] for log in self.of_children], [None])

    def test_an_environment_that_is_made_from_nothing_stays_so(self):
        for changes in (["clear"], ["clear", *naming(3)]):
            command = start(*changes, child=VALUE)
            self.assertEqual(self.followed(command, env=alone("rewriting", 5)), self.call(command).out)
            self.assertEqual(self.of_children, [])
            self.assertEqual(self.followed(start(*changes, child=["/usr/bin/env"])),
                             self.call(start(*changes, child=["/usr/bin/env"])).out)

    def test_what_cannot_be_started_is_told_as_ever(self):
        missing = ["dotnet", PROGRAM, "start", "--", self.path("nowhere")]
        env = alone("rewriting", 5)
        alone_there = self.call(missing, env=env)
        self.assertEqual((alone_there.code, alone_there.out.count("nowhere")), (99, 1), alone_there.out)
        beside = self.oriel("run", "--children", "--", *missing, env=env)
        self.assertEqual((beside.code, beside.out), (99, alone_there.out))

    def test_many_are_started_at_once(self):
        said = self.followed(start("*500", child=SHOW), env=alone("rewriting", 5))
        self.assertEqual(set(said.split("\n\n")), {f"1 {ORIEL} {alone('rewriting', 5)['CORECLR_PROFILER']}="
                                                  f"{alone('rewriting', 5)['CORECLR_PROFILER_PATH']}", ""})
        self.assertEqual(said.count(ORIEL), 500)


if __name__ == "__main__":
    main()
