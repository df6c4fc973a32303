#!/usr/bin/env python3
"""What ./package built runs in other systems' root folders, under what containers forbid: roots_test.py WORK PACKAGES TARGET=FOLDER…

WORK keeps the root folders, which debootstrap makes. A program is run there by the folder's own `oriel` and this machine's
.NET, in namespaces of its own: another user, a root that nobody may write to, 64 KB of /dev/shm."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

WORK, PACKAGES, FOLDER = "", "", ""
NOBODY = 65534
PROGRAM = """
using System.Diagnostics;
using System.Threading;
static class Shop {
  static double Price(int milliseconds) {
    double sum = 0;
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < milliseconds;)
      for (int i = 0; i < 1000; i++) sum += System.Math.Sqrt(sum + i);
    return sum;
  }
  static void Main(string[] args) {
    Price(int.Parse(args[0]));
    for (int i = 0; i < 100; i++) System.GC.KeepAlive(new byte[100_000]);
    System.Console.WriteLine("done");
  }
}
"""
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework></PropertyGroup>
</Project>
"""
# $ROOT is the system, $PLACES what lies at /usr/share/dotnet, /opt/oriel and /shop in it; the words are run there.
INSIDE = """
[ -z "$LAYER" ] && mount --bind "$ROOT" "$ROOT" || mount -t overlay -o "lowerdir=$ROOT,upperdir=$LAYER/up,workdir=$LAYER/work" overlay "$ROOT"
mount --bind -o ro "$DOTNET" "$ROOT/opt/dotnet"
mount --bind -o ro "$ORIEL" "$ROOT/opt/oriel"
mount --bind -o ro "$SHOP" "$ROOT/opt/shop"
mount -t proc $PROC proc "$ROOT/proc"
mount --bind /dev "$ROOT/dev"
mount --rbind /sys "$ROOT/sys"
mount -t tmpfs -o size=64k,mode=1777 tmpfs "$ROOT/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$ROOT/data"
[ -n "$LAYER" ] || mount -o bind,remount,ro "$ROOT"
[ -z "$NO_PROC" ] || umount "$ROOT/proc"
cd "$ROOT/data"
exec chroot --userspec=$USERID:$USERID "$ROOT" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin:/opt/dotnet:/opt/oriel/bin DOTNET_NOLOGO=1 \\
  DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 HOME=/data TMPDIR=/data "$@"
"""
# Numbers of system calls on x64: perf_event_open, ptrace, bpf; and process_vm_readv.
PRIVILEGED, READS_MEMORY = "298,101,321", "310"
PLACES = ("opt/dotnet", "opt/oriel", "opt/shop", "data")


def mirror():
    """Where this system's own packages come from."""
    told = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE)"], capture_output=True, text=True, check=True).stdout
    return next(site for site in told.splitlines() if "security" not in site)


def root_of(suite):
    """The root folder of a Debian, made once."""
    root = os.path.join(WORK, suite)
    if not os.path.exists(root + ".done"):
        shutil.rmtree(root, ignore_errors=True)
        made = subprocess.run(["debootstrap", "--variant=minbase", suite, root, mirror()], capture_output=True, text=True, check=False)
        if made.returncode != 0: raise unittest.SkipTest(f"there is no {suite} to be had: {made.stdout.splitlines()[-1:]}")
        for place in PLACES: os.makedirs(os.path.join(root, place), exist_ok=True)
        open(root + ".done", "w", encoding="ascii").close()
    return root


class Roots:
    """The tests of a system: a class of its own has its name, `suite`, and its libc, `libc`."""

    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0: raise unittest.SkipTest("only root makes a root folder")
        cls.root = root_of(cls.suite)
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        for name, text in (("Shop.cs", PROGRAM), ("Shop.csproj", PROJECT)):
            with open(os.path.join(holder.name, name), "w", encoding="utf-8") as file: file.write(text)
        subprocess.run(["dotnet", "publish", "-nodeReuse:false", "-v:quiet", "-o", "out"], cwd=holder.name, check=True,
                       stdout=subprocess.DEVNULL)
        forbid = os.path.join(os.path.dirname(os.path.abspath(__file__)), "forbid.c")
        subprocess.run(["cc", "-static", "-O1", "-o", os.path.join(holder.name, "out", "forbid"), forbid], check=True)
        os.chmod(holder.name, 0o755)
        cls.shop = os.path.join(holder.name, "out")

    def inside(self, script, user=NOBODY, proc="", no_proc="", layer="", groups=()):
        env = {**os.environ, "ROOT": self.root, "DOTNET": os.path.dirname(os.path.realpath(shutil.which("dotnet"))), "ORIEL": FOLDER,
               "SHOP": self.shop, "USERID": str(user), "PROC": proc, "NO_PROC": no_proc, "LAYER": layer}
        enter = ["sh", "-ec", 'while [ "$1" != -- ]; do echo $$ >"$1/cgroup.procs"; shift; done; shift; exec "$@"', "sh", *groups, "--"]
        # The script is the first process of its namespace.
        return subprocess.run([*enter, "unshare", "--mount", "--pid", "--fork", "sh", "-ec", INSIDE, "sh", "sh", "-c", "cd /data; " + script],
                              env=env, capture_output=True, text=True, timeout=120, check=False)

    def assert_profiled(self, run):
        """The program ran as without Oriel, Oriel said one line, and the report, which the script ended with, has the method."""
        lines = run.stdout.split("\n", 1)
        self.assertEqual((run.returncode, lines[0]), (0, "done"), run.stdout + run.stderr)
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        self.assertRegex(lines[1], r"Shop\.Price\(int\)")

    RUN = "oriel run -o shop.oriel -- dotnet /opt/shop/Shop.dll 500 && oriel report top shop.oriel"

    def test_the_system_is_what_it_should_be(self):
        self.assertIn(self.libc, self.inside("ldd --version").stdout.splitlines()[0])

    def test_a_program(self):
        self.assert_profiled(self.inside(self.RUN))

    def test_the_first_process(self):
        run = self.inside("exec oriel run -o shop.oriel -- dotnet /opt/shop/Shop.dll 100")
        self.assertEqual((run.returncode, run.stdout), (0, "done\n"), run.stderr)

    def test_other_users_processes_are_hidden(self):
        self.assert_profiled(self.inside(self.RUN, proc="-o hidepid=2"))

    def test_the_server_collector(self):
        self.assert_profiled(self.inside("export DOTNET_gcServer=1; " + self.RUN))

    def test_without_privileged_calls(self):
        self.assert_profiled(self.inside(f"/opt/shop/forbid {PRIVILEGED} sh -ec '{self.RUN}'"))

    def test_without_a_look_at_its_own_memory(self):
        run = self.inside(f"/opt/shop/forbid {PRIVILEGED},{READS_MEMORY} sh -ec '{self.RUN} && oriel report shop.oriel'")
        self.assert_profiled(run)
        self.assertRegex(run.stdout, "(?i)truncated")

    def limited(self, kind, limits):
        """The folder of a control group with the first of the limits, file=text, that it has."""
        for top in (f"/sys/fs/cgroup/{kind}", "/sys/fs/cgroup"):
            folder = os.path.join(top, f"oriel-roots-{os.getpid()}-{kind}")
            try: os.mkdir(folder)
            except OSError: continue
            self.addCleanup(os.rmdir, folder)
            for name, text in limits.items():
                if not os.path.exists(os.path.join(folder, name)): continue
                with open(os.path.join(folder, name), "w", encoding="ascii") as file: file.write(text)
                return folder
        raise unittest.SkipTest("no control group with a limit can be made here")

    def test_limits_of_memory_and_processors(self):
        groups = [self.limited("memory", {"memory.limit_in_bytes": str(256 << 20), "memory.max": str(256 << 20)}),
                  self.limited("cpu", {"cpu.cfs_quota_us": "50000", "cpu.max": "50000 100000"})]
        run = self.inside(self.RUN + " && oriel report shop.oriel", groups=groups)
        self.assert_profiled(run)
        self.assertIn("its limit", " ".join(run.stdout.split()))

    def test_without_tiers(self):
        self.assert_profiled(self.inside("export DOTNET_TieredCompilation=0; " + self.RUN))

    def test_calls_are_counted(self):
        run = self.inside("oriel run --calls='Shop.*' -o c.oriel -- dotnet /opt/shop/Shop.dll 100 && oriel report calls c.oriel")
        self.assertRegex(run.stdout, r" 1 .*Shop\.Main", run.stderr)

    def test_a_running_program(self):
        run = self.inside("dotnet /opt/shop/Shop.dll 4000 & sleep 1; oriel ps; oriel attach $! -o a.oriel --for 500ms; wait")
        self.assertRegex(run.stdout, r"\n\s*\d+ .* yes +dotnet /opt/shop/Shop\.dll", run.stderr)
        self.assertRegex(run.stdout, r"Shop\.Price\(int\)", run.stderr)
        self.assertTrue(run.stdout.endswith("done\n"))

    def test_without_proc(self):
        run = self.inside("oriel run -o shop.oriel -- dotnet /opt/shop/Shop.dll 100", no_proc="yes")
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        self.assertRegex(run.stderr, r"^oriel: .*/proc")

    def test_nowhere_to_write(self):
        run = self.inside("oriel run -o /opt/shop.oriel -- dotnet /opt/shop/Shop.dll 100")
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        self.assertRegex(run.stderr, r"^oriel: .*Read-only file system")

    def test_the_debian_package(self):
        deb, = glob.glob(os.path.join(PACKAGES, "oriel_*_amd64.deb"))
        layer = tempfile.mkdtemp(dir=WORK)  # a layer on an overlay's files is not possible everywhere
        self.addCleanup(shutil.rmtree, layer)
        for name in ("up", "up/root", "work"): os.mkdir(os.path.join(layer, name))
        shutil.copy(deb, os.path.join(layer, "up", "root", "oriel.deb"))
        run = self.inside("dpkg -i /root/oriel.deb >/data/said && cd /data && /usr/bin/" + self.RUN.replace(" oriel ", " /usr/bin/oriel ") +
                          " && dpkg -r oriel >/data/said && ! ls /usr/bin/oriel /usr/lib/liboriel* 2>/dev/null", user=0, layer=layer)
        self.assert_profiled(run)

    def test_no_such_file(self):
        run = self.inside("oriel report top nothing.oriel")
        self.assertEqual(run.stderr, "oriel: cannot read nothing.oriel: No such file or directory\n")


class Debian11(Roots, unittest.TestCase):
    suite, libc = "bullseye", "2.31"


class Debian12(Roots, unittest.TestCase):
    suite, libc = "bookworm", "2.36"


if __name__ == "__main__":
    WORK, PACKAGES = map(os.path.abspath, sys.argv[1:3])
    folders = dict(pair.split("=", 1) for pair in sys.argv[3:] if "=" in pair)
    FOLDER = os.path.abspath(folders["linux-x64"])
    os.makedirs(WORK, exist_ok=True)
    unittest.main(argv=sys.argv[:1] + [word for word in sys.argv[3:] if "=" not in word])
