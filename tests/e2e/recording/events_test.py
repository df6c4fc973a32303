#!/usr/bin/env python3
"""What a program did is what its reports say, to the number where the number is known."""
import os

import harness
from harness import program

MODULES = os.path.join(harness.BUILD, "tests", "modules", "")


class Events(harness.OrielTest):
    def test_exceptions_by_type_and_catcher(self):
        self.record(*program("exceptions", 100))
        types = {entry["type"]: entry for entry in self.report("exceptions")["types"]}
        self.assertEqual((types["System.FormatException"]["thrown"], types["System.FormatException"]["caught"]), (100, 100))
        (catcher,) = types["System.FormatException"]["caught_in"]
        self.assertEqual((catcher["method"], catcher["count"]), ("Exceptions.Catcher()", 100))
        refusal = types["Exceptions.Refusal"]
        self.assertEqual((refusal["thrown"], refusal["caught"]), (50, 50))
        self.assertEqual(refusal["caught_in"][0]["method"], "Exceptions.OtherCatcher()")

    def test_the_first_messages_of_each_type(self):
        self.record(*program("throw", 50))
        types = {entry["type"]: entry for entry in self.report("exceptions")["types"]}
        self.assertEqual(types["System.ArgumentException"]["messages"], ["number 0", "number 1", "number 2"])
        self.assertEqual(types["Exceptions.Refusal"]["messages"], [])  # makes its up when it is asked
        (long,) = types["Exceptions.Named"]["messages"]
        self.assertTrue(long.startswith("Zoë saw\n🐟€€€"), long)
        self.assertIn(len(long.encode()), range(237, 241))
        self.assertIn("“number 0”", self.oriel("report", "exceptions", "run.oriel").out)
        self.record(*program("throw", 50), options=["--no-messages"])
        self.assertFalse(any(entry["messages"] for entry in self.report("exceptions")["types"]))
        self.assertNotIn("number 0", self.oriel("report", "dump", "run.oriel").out)

    def test_an_exception_of_a_fault_is_thrown_by_the_code_that_faulted(self):
        self.record(*program("faults", 1))
        types = {entry["type"]: entry for entry in self.report("exceptions")["types"]}
        fault = types["System.NullReferenceException"]
        self.assertEqual((fault["thrown"], fault["caught"]), (2000, 2000))
        self.assertEqual({site["method"] for site in fault["thrown_by"]}, {"Faults.Read(Faults.Box)"})

    def test_what_throwing_takes(self):
        self.record(*program("exceptions", 400_000), options=["--sample=1000"])
        report = self.report("exceptions")
        types = {entry["type"]: entry for entry in report["types"]}
        known = sum(entry["periods"] for entry in report["types"])
        self.assertGreater(report["periods"], 30)
        self.assertGreater(known, report["periods"] * 0.8)
        self.assertGreater(types["System.FormatException"]["periods"], types["Exceptions.Refusal"]["periods"])
        self.assertRegex(self.oriel("report", "exceptions", "run.oriel").out, r"Throwing took .* [µn]s an\s+exception")

    def test_the_heap_is_as_large_as_the_program_says(self):
        out = self.record(*program("heap")).out
        told = [[int(word) for word in line.split()] for line in out.splitlines()[:-1]]
        collections = [entry for entry in self.report("gc")["all"] if entry["induced"]]
        parts = ("gen0", "gen1", "gen2", "large", "pinned")
        self.assertEqual([[entry["heap"][part] for part in parts] for entry in collections], told)
        self.assertGreater(collections[-1]["heap"]["frozen"], 0)
        self.assertIn("heap after collections", self.oriel("report", "gc", "run.oriel").out)
        self.assertIn("\nHeap        ", self.oriel("report", "run.oriel").out)

    def test_what_collections_find_and_move(self):
        groups = "moves+roots+handles+queued+finalizers"
        self.record(*program("found", 100), options=["--module", f"log:events=gc+{groups}"])
        events = {}
        for record in self.dump():
            events.setdefault(record["kind"], []).append(record)
        of_class = lambda name, kind: [event for event in events[name] if event.get("klass") == kind]
        made = of_class("gc_handle_created", "Found.Held")
        self.assertEqual(len(made), 100)
        handles = {event["handle"] for event in made}
        self.assertLessEqual(handles, {event["handle"] for event in events["gc_handle_deleted"]})
        self.assertLessEqual(handles, {event.get("handle") for event in events["gc_root"] if event["roots"] == "handles"})
        # The last one may still stand in a register as the collection begins.
        self.assertGreaterEqual(len(of_class("gc_finalize_queued", "Found.Kept")), 99)
        self.assertGreater(sum(event["size"] for event in events["gc_moves"]), 100_000)
        self.assertIn("stacks", {event["roots"] for event in events["gc_root"]})
        self.assertGreaterEqual(sum(event["count"] for event in events["gc_finalized"]), 99)
        self.assertGreaterEqual(len(events["gc_finalizing"]), len(events["gc_finalized"]))

    def test_each_finalizer_is_told_on_its_thread_before_it_runs(self):
        count = 50
        self.record(*program("finalized", count), options=["--no-sample", "--module", "log:events=finalizers+exceptions"])
        of_class = {"Finalized.First": "Finalized.OfFirst", "Finalized.Second": "Finalized.OfFirst",
                    "Finalized.Third<int>": "Finalized.OfThird"}
        told = [event for event in self.dump() if event["kind"] == "gc_finalizing_object"
                or event["kind"] == "exception_throw"]
        threads = {event["thread"] for event in told if event["kind"] == "gc_finalizing_object"}
        self.assertEqual(len(threads), 1)
        told = [event for event in told if event["thread"] in threads]
        seen = {}
        for event, following in zip(told, told[1:] + [{}]):
            expected = of_class.get(event.get("klass"))
            if event["kind"] == "gc_finalizing_object" and expected:
                seen[event["klass"]] = seen.get(event["klass"], 0) + 1
                self.assertEqual((following.get("kind"), following.get("exception")), ("exception_throw", expected))
        self.assertEqual(set(seen), set(of_class))
        # The last ones may still stand in registers as the collection begins.
        for name, number in seen.items():
            self.assertIn(number, (count - 1, count), name)
        thrown = sum(event["kind"] == "exception_throw" for event in told)
        self.assertEqual(thrown, sum(seen.values()), "each finalizer was told")
        self.assertFalse([event for event in told if event.get("klass") == "Finalized.Let"])

    def test_what_is_wanted_at_two_levels_comes_once(self):
        self.record(*program("gc", 5), options=["--no-sample", "--module", "log:events=gc+phases+finalizers"])
        events = self.dump()
        numbers = [event["number"] for event in events if event["kind"] == "gc_triggered"]
        self.assertGreaterEqual(len(numbers), 15)
        self.assertEqual(len(numbers), len(set(numbers)))
        kinds = [event["kind"] for event in events]
        self.assertEqual(kinds.count("gc_survived"), kinds.count("gc_end"))

    def test_who_asks_too_late_is_told_so(self):
        asked = ["gc_root", "gc_handle_created", "gc_handle_deleted", "gc_finalize_queued"]
        others = ["gc_begin", "gc_finalizing_object", "gc_moves", "monitor_acquired"]
        too_late = "roots, handles and finalizable objects are reported only if requested before the program's code runs: set " \
                   "the callback in oriel_init_NAME"

        def lines(argument):
            result = self.oriel("run", "-o", "run.oriel", "--no-sample", "--module", MODULES + "liboriel-late.so:told"
                                + argument, "--", *program("finalized", 50, 1000))
            with open(self.path("told"), encoding="utf-8") as file:
                return result, [line.rstrip("\n") for line in file]

        result, told = lines("")
        for name in asked:
            self.assertIn(f"start {name} -", told)
            self.assertIn(f"set {name} {too_late}", told)
            self.assertIn(f"heard {name} 0", told)
        for name in others:
            self.assertIn(f"set {name} -", told)
        self.assertNotIn("heard gc_finalizing_object 0", told)
        self.assertIn("set domain_unloaded CoreCLR's one application domain is never unloaded: listen to "
                      "runtime_shutdown_begin", told)
        self.assertEqual([line for line in result.own_lines() if too_late in line], ["oriel: " + too_late])
        # Where one of them was asked for as the program started, all may come and go.
        result, told = lines("+early")
        for name in asked:
            self.assertIn(f"set {name} -", told)
            self.assertNotIn(f"heard {name} 0", told)
        self.assertNotIn(too_late, result.err)

    def test_collections_by_generation(self):
        self.record(*program("gc", 7))
        report = self.report("gc")
        induced = [entry for entry in report["all"] if entry["induced"]]
        for generation in (0, 1, 2):
            self.assertEqual(sum(entry["generation"] == generation for entry in induced), 7, generation)
        for entry in induced:
            self.assertGreater(entry["pause_ns"], 0)
            self.assertGreaterEqual(entry["end_ns"], entry["start_ns"])
        self.assertEqual(sorted(entry["number"] for entry in report["all"]), list(range(1, len(report["all"]) + 1)))

    def test_64_threads_by_name(self):
        result = self.record(*program("threads", 64, 3), options=["--sample=1000"])
        self.assertEqual(result.out, "192 threads\nthreads done\n")
        threads = self.report("threads")["threads"]
        names = [thread["name"] for thread in threads]
        for i in range(64):
            self.assertEqual(names.count(f"worker {i}"), 3)
        self.assertEqual(len({thread["id"] for thread in threads}), len(threads))
        self.assertTrue(all(thread["managed"] for thread in threads if thread["name"].startswith("worker")))
        # How many depends on how soon a busy machine lets the sampler find threads that live for a few milliseconds.
        self.assertGreater(sum(thread["samples"] for thread in threads), 0)

    def test_async_methods_have_the_names_they_were_written_with(self):
        self.record(*program("async", 400), options=["--sample=1000"])
        names = [entry["name"] for entry in self.report("top", "--limit", "1000")["by_self"]]
        self.assertTrue(any(name.startswith("Async.ComputeAsync(") for name in names), names)
        self.assertIn("Async+<ComputeAsync>d__", self.oriel("report", "dump", "run.oriel").out)

    def test_dump_has_every_exception(self):
        self.record(*program("exceptions", 20))
        records = self.dump()
        self.assertGreater(len(records), 100)
        thrown = [record for record in records if "exception_throw" in record.values()]
        self.assertEqual(len(thrown), 30)

    def test_all_events_are_all_but_those_with_options_of_their_own(self):
        self.record(*program("gc", 2), options=["--no-sample", "--module", "log:events=all"])
        kinds = self.kinds()
        self.assertLessEqual({"runtime_shutdown_end", "gc_event", "jit_done", "class_loaded", "suspend_end"}, kinds)
        self.assertFalse([kind for kind in kinds if kind.startswith(("method_enter", "gc_allocation"))])

    def test_each_that_coreclr_can_raise_is_raised_and_logged(self):
        kinds = set()
        groups = "all+moves+roots+handles+queued+finalizers+phases+contentions+locks+unwind+messages"
        for target, run in (("events", "exceptions"), ("events", "unload"), ("events", "threads"), ("waits", "lock")):
            result = self.record("dotnet", os.path.join(harness.BUILD, "targets", target, target + ".dll"), run,
                                 options=["--no-sample", "--gc-phases", "--module", f"log:events={groups}"])
            self.assertEqual(result.code, 0, result.err)
            kinds |= self.kinds()
        # Loads of images, assemblies and domains are of one kind.
        wanted = """runtime_initialized runtime_shutdown_begin runtime_shutdown_end class_loading class_loaded
            class_unloading class_unloaded jit_begin jit_done method_free thread_started thread_stopped thread_name
            gc_event gc_begin gc_end gc_marked gc_phases gc_heap gc_moves gc_root gc_handle_created gc_handle_deleted
            gc_triggered gc_survived gc_free suspend_begin suspend_end resume_begin resume_end gc_finalize_queued
            gc_finalizing gc_finalizing_object gc_finalized exception_throw exception_clause exception_unwind exception_message
            monitor_contention monitor_acquired loaded unloaded""".split()
        self.assertEqual(set(wanted) - kinds, set())

    def test_time_range_and_thread_narrow_the_samples(self):
        self.record(*program("busy", 2, 150), options=["--sample=250"])
        whole = self.report("top")["samples"]
        threads = {thread["name"]: thread["samples"] for thread in self.report("threads")["threads"]}
        for name in ("busy 0", "busy 1"):
            self.assertGreater(threads[name], 0)
            self.assertEqual(self.report("top", "--thread", name)["samples"], threads[name])
        # Cut where both parts have some, wherever that is on this machine.
        times = sorted(record["ns"] for record in self.dump(kind="sample"))
        middle = times[len(times) // 2]
        early = self.report("top", "--to", f"{middle / 1e9:.9f}")["samples"]
        late = self.report("top", "--from", f"{(middle + 1) / 1e9:.9f}")["samples"]
        self.assertTrue(0 < early < whole, (early, whole))
        self.assertEqual(early + late, whole)


if __name__ == "__main__":
    harness.main()
