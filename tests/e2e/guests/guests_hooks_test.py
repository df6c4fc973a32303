"""Enter, leave and tail-call hooks of other profilers beside Oriel, one and several at once: tests/guests/hooks.cc has them,
tests/targets/hooked the program."""
import os

from other_profilers import alone, guest
from harness import BUILD, OrielTest, main, some

PROGRAM = os.path.join(BUILD, "targets", "hooked", "hooked.dll")
# Kinds of tests/guests/hooks.cc.
BY_FUNCTION, BY_CLIENT, FAST, LEAST, SECOND, SECOND_FAST, FIRST, REFUSED = (16 * kind + 1 for kind in range(8))
# What is compiled once, and always in the same way, has the same calls in each run.
ONE_TIER = {"DOTNET_TieredCompilation": "0"}


class Hooks(OrielTest):
    @classmethod
    def setUpClass(cls):
        cls.tokens = None
        cls.counted_alone = {}

    def known(self):
        if Hooks.tokens is None:
            lines = self.call(["dotnet", PROGRAM, "tokens"]).out.splitlines()
            Hooks.tokens = {name: token for name, token in (line.split() for line in lines)}
        return Hooks.tokens

    def env(self, tiers):
        known = " ".join(self.known().values())
        return {"HOOKS_FILE": self.path("%n"), "HOOKS_KNOWN": known, **({} if tiers else ONE_TIER)}

    def counts(self, kind):
        """Of each method: entered, left, tail-called, unwound, sums of arguments and results."""
        with open(self.path(str(kind)), encoding="utf-8") as file:
            lines = [line.split() for line in file if not line.startswith("#")]
        return {token: (*map(int, numbers[:4]), *numbers[4:]) for token, *numbers in lines}

    def answers(self, kind):
        with open(self.path(str(kind)), encoding="utf-8") as file:
            return [line for line in file if line.startswith("#")]

    def expected(self):
        if "plain" not in Hooks.counted_alone:
            plain = self.call(["dotnet", PROGRAM])
            self.assertEqual(plain.code, 0, plain.err)
            Hooks.counted_alone["plain"] = plain.out
        return Hooks.counted_alone["plain"]

    def by_itself(self, kind):
        """What the profiler counts as the runtime's only one."""
        if kind not in Hooks.counted_alone:
            result = self.call(["dotnet", PROGRAM], env={**self.env(False), **alone("hooks", kind)})
            self.assertEqual((result.code, result.out), (0, self.expected()), result.err)
            Hooks.counted_alone[kind] = self.counts(kind)
        return Hooks.counted_alone[kind]

    def beside(self, *kinds, options=(), tiers=False):
        guests = [part for kind in kinds for part in guest("hooks", kind)]
        result = self.record("dotnet", PROGRAM, options=[*guests, *options], env=self.env(tiers))
        self.assertEqual((result.code, result.out), (0, self.expected()), result.err)
        return result

    def test_one_hears_of_each_call_what_it_hears_alone(self):
        for kind in some((FAST, FIRST, BY_FUNCTION, SECOND), 2):
            self.beside(kind)
            self.assertEqual(self.counts(kind), self.by_itself(kind), f"{kind:X}")

    def test_several_at_once_each_hear_what_they_hear_alone(self):
        several = ((FAST, FAST + 1), (BY_FUNCTION, BY_CLIENT), (BY_CLIENT, LEAST, FAST, SECOND, FIRST), (FAST, BY_CLIENT),
                   (LEAST, FAST, FAST + 1), (SECOND, SECOND_FAST, FIRST))
        for kinds in some(several, 3):
            self.beside(*kinds)
            for kind in set(kinds) - {LEAST}:
                alike = FAST if kind == FAST + 1 else kind
                self.assertEqual(self.counts(kind), self.by_itself(alike), f"{kind:X} of {kinds}")

    def test_methods_that_end_otherwise_are_counted_as_the_runtime_tells_it(self):
        self.beside(BY_CLIENT, FAST)
        for kind in (BY_CLIENT, FAST):
            counts = self.counts(kind)
            thrown = [numbers for numbers in counts.values() if numbers[3] > 0]
            self.assertEqual(len(thrown), 3, "the thrower, its caller, and the caller that catches")
            for entered, left, tail_called, unwound, *_ in counts.values():
                self.assertIn(entered - left - tail_called, (0, unwound))

    def test_values_are_the_programs_own_in_all_tiers_with_all_of_oriel_at_once(self):
        options = ("--calls=Known.*", "--sample", "--alloc=sampled", "--callgraph=Flow.*")
        for kinds in ((FAST, LEAST), (BY_CLIENT, SECOND, FAST)):
            self.beside(*kinds, options=options, tiers=True)
            known = {name: self.counts(kinds[0])[token] for name, token in self.known().items()}
            self.assertEqual({numbers[:4] for numbers in known.values()}, {(20_000, 20_000, 0, 0)}, known)
            calls = {row["name"]: row["calls"] for row in self.report("calls")["methods"]}
            for name in known:
                self.assertEqual([count for method, count in calls.items() if f".{name}(" in method], [20_000], calls)

    def test_what_the_runtime_refuses_is_refused(self):
        self.by_itself(REFUSED)
        there = self.answers(REFUSED)
        self.assertEqual(len(there), 3)
        for kinds in ((REFUSED,), (FAST, REFUSED)):
            self.beside(*kinds)
            self.assertEqual(self.answers(REFUSED), there)


if __name__ == "__main__":
    main()
