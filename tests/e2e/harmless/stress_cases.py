"""The stress corpus: which programs of tests/targets/stress there are, and in which modes they are run.

A new program is a row here. It must do the same at every run: stress_test.py --plain 20 NAME shows whether it does.
"""
import collections
import os
import re
import signal

import harness
import other_profilers

FOLDER = os.path.join(harness.BUILD, "targets", "stress")
STRESS = os.path.join(FOLDER, "stress.dll")

MODES = {
    "off": ["--no-sample"],
    "sample": ["--sample"],
    "sample-1000": ["--sample=1000"],
    "sample-real": ["--sample-real"],
    "calls": ["--calls"],
    "alloc": ["--alloc"],
    "alloc-sampled": ["--alloc=sampled"],
    "alloc-stacks": ["--alloc", "--alloc-stacks"],
    "callgraph": ["--callgraph"],
    "all": ["--sample=1000", "--calls=*", "--alloc", "--alloc-stacks", "--callgraph=*"],
    "told": ["--counters", "--activities", "--gc-phases", "--locks"],
    "named": ["--no-sample", "--calls=*", "--alloc", "--async", "--callgraph=*", "--locks"],
    "guests": ["--no-sample", *other_profilers.THREE],
    "guests-yielding": ["--no-sample", *other_profilers.YIELDING],
    "guests-all": ["--sample=1000", "--calls=*", "--alloc", "--callgraph=*", *other_profilers.ALL],
    # Bodies with probes of code that is replaced while it runs; with versions that are asked for before the first call.
    "cover": ["--no-sample", "--module", "coverage:include=*"],
    "cover-count": ["--no-sample", "--module", "coverage:include=*,mode=count"],
    "cover-calls": ["--no-sample", "--calls=*", "--module", "coverage:include=*"],
    "cover-early": ["--no-sample", "--module", "coverage:include=*", *other_profilers.guest("early", 32)],
    "calls-early": ["--no-sample", "--calls=*", *other_profilers.guest("early", 32)],
    "all-real": ["--sample-real=1000", "--calls=*", "--alloc=sampled", "--callgraph=*"],
}

# command: what is run. code: what the plain program exits with, or minus the signal it dies of. oriel_code: what `oriel run`
# exits with, where that is not the program's. env: added to the
# environment. limits: of the shell's ulimit, set for the program alone. margin: MB of address space that it is given
# beyond what it cannot do without. says: lines of Oriel's that are right here, beside those that a log was written. normal:
# (pattern, replacement) for what the runtime prints differently at each run. slice: the modes of the plain check; without
# them it has one of all in turn.
Program = collections.namedtuple("Program", "name command code oriel_code env limits margin says normal slice")


def stress(name, *args, code=0, oriel_code=None, env=None, limits=(), margin=None, says=(), normal=(), slice=None,
           command=None):
    full_name = "-".join([name, *map(str, args)])
    return Program(full_name, command or ["dotnet", STRESS, name, *map(str, args)], code, oriel_code, env or {}, limits,
                   margin, says, normal, slice)


def variant(kind, env, name, *args, **rest):
    """A program with another environment."""
    program = stress(name, *args, env=env, **rest)
    return program._replace(name=f"{program.name}-{kind}")


THREADS = [
    stress("threads-short"),
    stress("threads-live", 300),
    stress("threads-live", 1000, slice=["sample-real"]),
    stress("threads-pool"),
    stress("threads-foreign"),
]

BLOCKING = [
    stress("blocking", command=[os.path.join(FOLDER, "stress-blocking")], oriel_code=125, says=["no log was written"],
           slice=["sample"]),
    stress("blocking-native", slice=["sample-real", "sample"]),
    stress("blocking-native", "busy", slice=["sample-1000", "all-real"]),
    stress("blocking-foreign", slice=["sample-real"]),
    stress("blocking-after-work", slice=["sample-1000"]),
    stress("blocking-managed", slice=["sample-real", "all"]),
]

ENDS = {
    "return": 42, "environment": 43, "environment-on-thread": 44, "environment-with-handlers": 55,
    "environment-amid-threads": 45, "return-amid-threads": 46, "fail-fast": -signal.SIGABRT,
    "fail-fast-on-thread": -signal.SIGABRT, "unhandled": -signal.SIGABRT, "unhandled-on-thread": -signal.SIGABRT,
    "unhandled-in-finalizer": -signal.SIGABRT, "unhandled-in-task": -signal.SIGABRT, "exit": 47, "exit-on-thread": 48,
    "exit-amid-threads": 49, "quick-exit": 50, "exit-at-once": 51, "exit-at-once-amid-threads": 52,
    "abort": -signal.SIGABRT, "null-in-native": -signal.SIGSEGV, "null-in-managed": -signal.SIGABRT,
    "kill-itself": -signal.SIGKILL, "signalled-handled": 56, "execute": 53, "execute-amid-threads": 54,
}
REPEATED = (r"Repeated? \d+ times", "Repeat N times")

EXITS = [
    *(stress("exit", how, code=code) for how, code in ENDS.items()),
    *(stress("exit", "raise", number, code=-number) for number in (9, 15, 10)),
    # The runtime takes a fault that has no address for nothing.
    stress("exit", "raise", int(signal.SIGSEGV), code=99),
    *(stress("exit", "signalled", name, code=code)
      for name, code in (("TERM", -15), ("INT", -2), ("QUIT", -3), ("HUP", -1), ("USR1", -10))),
    # As meters are first collected.
    *(stress("exit", "late", milliseconds, how, code=ENDS[how], slice=["told"])
      for how in ("return", "environment", "environment-on-thread") for milliseconds in (980, 1000, 1020)),
    stress("exit-overflow", code=-signal.SIGABRT, normal=[REPEATED]),
    stress("exit-overflow", "thread", code=-signal.SIGABRT, normal=[REPEATED]),
]

SIGNALS = [
    stress("signals-registered"),
    stress("signals-queued"),
    stress("signals-queued", "all"),
    stress("signals-waited-for"),
    stress("signals-timers"),
    stress("signals-alternate-stack", slice=["sample"]),
]

CHILDREN = [
    stress("children-forked", slice=["sample-1000"]),
    stress("children-started"),
    stress("children-see", "resources"),
    stress("children-left-behind", code=17),
    # The runtime writes code through a file that the program closes with the rest.
    stress("descriptors", env={"DOTNET_EnableWriteXorExecute": "0"}, slice=["sample"]),
    stress("descriptors", "all", env={"DOTNET_EnableWriteXorExecute": "0"}, says=["no log was written"], slice=["sample"]),
    stress("descriptors-lowest", slice=["all-real"]),
]

STACKS = [
    stress("stacks", "minimum", slice=["sample-1000"]),
    # A signal alone takes over 3 KB. The runtime gives its threads another stack for them; others need the room.
    *(stress("stacks", "almost-full", left) for left in (5120, 16384)),
    *(stress("stacks", "almost-full-foreign", left) for left in (5120, 16384)),
    *(stress("stacks", how, size) for how in ("coroutine", "by-hand") for size in (8192, 16384, 65536)),
    stress("stacks", "managed", 192 * 1024),
    stress("stacks", "managed", 1024 * 1024),
    stress("frames", slice=["sample-1000", "all"]),
    stress("frames-returns", slice=["calls"]),
]

COMPILATION = {
    "replaced": {"DOTNET_TC_OnStackReplacement_InitialCounter": "1", "DOTNET_OSR_HitLimit": "1"},
    "tiered-at-once": {"DOTNET_TC_CallCountThreshold": "2", "DOTNET_TC_CallCountingDelayMs": "0",
                       "DOTNET_TC_BackgroundWorkerTimeoutMs": "0"},
    "no-tiers": {"DOTNET_TieredCompilation": "0"},
    "no-profile": {"DOTNET_TieredPGO": "0"},
    "nothing-precompiled": {"DOTNET_ReadyToRun": "0"},
    "replaced-nothing-precompiled": {"DOTNET_TC_OnStackReplacement_InitialCounter": "1", "DOTNET_OSR_HitLimit": "1",
                                     "DOTNET_ReadyToRun": "0"},
}

# Replaced at the first turn of a loop, while the tiers come as fast as they can.
AT_ONCE = {**COMPILATION["replaced"], "DOTNET_TC_QuickJitForLoops": "1", "DOTNET_TC_BackgroundWorkerTimeoutMs": "0",
           "DOTNET_TC_CallCountThreshold": "1", "DOTNET_TC_CallCountingDelayMs": "0"}
COVERING = ["cover", "cover-count", "cover-calls", "cover-early", "calls-early"]

CODE = [
    stress("code-loops"),
    *(variant(kind, env, "code-loops", slice=["all"] if kind == "replaced" else None)
      for kind, env in COMPILATION.items()),
    *(variant(kind, COMPILATION[kind], "exceptions", slice=["sample-real"]) for kind in ("replaced", "no-tiers")),
    stress("code-dynamic"),
    stress("code-contexts"),
    stress("code-unloaded-while-named", slice=["named", "all"]),
    variant("at-once", AT_ONCE, "code-replaced", slice=COVERING),
    variant("at-once", AT_ONCE, "exceptions", slice=["cover"]),
    variant("at-once", AT_ONCE, "code-loops", slice=["cover", "guests-all"]),
]

HEAP = [
    stress("heap-storm"),
    variant("server", {"DOTNET_gcServer": "1"}, "heap-storm"),
    variant("small-generation", {"DOTNET_GCgen0size": "10000"}, "heap-storm"),
    variant("not-concurrent", {"DOTNET_gcConcurrent": "0"}, "heap-storm"),
    variant("replaced", COMPILATION["replaced"], "heap-storm"),
    stress("heap-finalizers"),
    stress("heap-limit", env={"DOTNET_GCHeapHardLimit": "4000000"}),
    # The second fixes what the collector reserves, which is half of all there is otherwise.
    stress("heap-address-space", env={"DOTNET_GCHeapHardLimit": "8000000", "DOTNET_GCRegionRange": "10000000"},
           margin=100, says=["coverage: no memory for a thread's counters; "]),
]

EXCEPTIONS = [
    stress("exceptions"),
    stress("exceptions-native"),
    stress("filters", slice=["sample", "calls", "alloc", "guests-yielding"]),
    stress("exceptions-native", "uncaught", code=-signal.SIGABRT),
]


def limited(kind, *limits, **rest):
    return stress("files", limits=limits, **rest)._replace(name=f"files-{kind}")


def on_disk(kind, **rest):
    env = {"LD_PRELOAD": os.path.join(FOLDER, "libstress-disk.so"), "STRESS_DISK": kind}
    return variant(f"{kind}-disk", env, "files", **rest)


LIMITS = [
    limited("plain"),
    limited("few-descriptors", "-n 40", slice=["told", "sample"],
            says=["the limit on open files (ulimit -n) is too low for the runtime to report "]),
    limited("few-processes", "-u 200"),
    limited("no-signals-pending", "-i 0"),
    # The runtime writes code through a file that would be too long.
    limited("short-files", "-f 64", env={"DOTNET_EnableWriteXorExecute": "0"},
            says=["cannot write the log ", "FOLDER/stress-PID.oriel.counters cannot grow: the limit on files' sizes"]),
    limited("small-stack", "-s 512"),
    limited("no-locked-memory", "-l 0"),
    on_disk("slow"),
    on_disk("full", says=["cannot write the log "]),
]

PROGRAMS = [*THREADS, *BLOCKING, *EXITS, *SIGNALS, *CHILDREN, *STACKS, *CODE, *HEAP, *EXCEPTIONS, *LIMITS]

# Those that differ from another by a number, a signal or a setting only: the plain check has the other.
ONLY_LONG = re.compile(r"threads-live-300|exit-late-(980|1020)-.*|exit-raise-10|exit-signalled-(INT|HUP|USR1)|"
                       r"stacks-(almost-full|almost-full-foreign|coroutine|by-hand)-(16384|65536)|exceptions-no-tiers|"
                       r"code-loops-(tiered-at-once|no-profile|nothing-precompiled|replaced-nothing-precompiled)|"
                       r"heap-storm-(small-generation|not-concurrent|replaced)|"
                       r"code-unloaded-while-named")  # which unloading_test runs too
