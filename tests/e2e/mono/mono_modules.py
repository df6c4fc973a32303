"""What tests of profiler modules for Mono share: building them against Mono's headers or Oriel's, and the programs."""
import os
import re
import shutil

import harness

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, "modules")
INCLUDE = os.path.join(harness.ROOT, "include")
MONOS = "/usr/include/mono-2.0"
HAS_MONOS_HEADERS = os.path.exists(MONOS)
HAS_MONO = shutil.which("mono") and shutil.which("mcs")
STRICT = ["-Wall", "-Wextra", "-Werror"]


def with_oriels_header(source):
    """The same text with <oriel/mono.h> in place of the includes of Mono's headers, and no other change."""
    lines = re.sub(r"(?m)^#include <mono/.*>$", "#include <oriel/mono.h>", source).split("\n")
    first = lines.index("#include <oriel/mono.h>")
    return "\n".join(line for at, line in enumerate(lines) if at <= first or line != "#include <oriel/mono.h>")


class Modules(harness.SharedFolder):
    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file: return file.read()

    def library(self, name): return self.path(f"libmono-profiler-{name}.so")

    def compile(self, name, how, *options):
        """Compiles a module: "mono" against Mono's headers, "c" and "c++" against Oriel's."""
        with open(os.path.join(SOURCES, name + ".c"), encoding="utf-8") as file: text = file.read()
        with open(self.path(name + ".c"), "w", encoding="utf-8") as out:
            out.write(text if how == "mono" else with_oriels_header(text))
        command = ["c++", "-x", "c++"] if how == "c++" else ["cc"]
        return self.call([*command, *STRICT, *options, "-shared", "-fPIC", "-O1", "-I" + (MONOS if how == "mono" else INCLUDE), "-o",
                          self.library(name), self.path(name + ".c")])

    def build(self, *names, how, options=()):
        for name in names:
            built = self.compile(name, how, *options)
            self.assertEqual(built.code, 0, built.err)
