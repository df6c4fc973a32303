#!/usr/bin/env python3
"""oriel/mono.h declares what Mono's own headers declare, and what liboriel-mono.so has for CoreCLR."""
import os
import re
import shutil
import unittest

import harness
from mono_modules import HAS_MONOS_HEADERS, INCLUDE, MONOS, STRICT

BOTH = ["-I" + INCLUDE, "-I" + MONOS]
OURS = "#include <oriel/mono.h>\n"
THEIRS = "#include <mono/metadata/profiler.h>\n#include <mono/metadata/debug-helpers.h>\n"
# A declaration of each kind, as it stands and as it would be wrong.
WRONG = [
    ("mono.h", "MONO_API mono_bool mono_profiler_enable_sampling(", "MONO_API void mono_profiler_enable_sampling("),
    ("mono.h", "MONO_API uint32_t mono_method_get_token(MonoMethod* method)", "MONO_API uint32_t mono_method_get_token(MonoClass* method)"),
    ("mono.h", "typedef mono_bool (*MonoProfilerCoverageFilterCallback)", "typedef void (*MonoProfilerCoverageFilterCallback)"),
    ("mono.h", "void* code, int offset, void* data)", "void* code, long offset, void* data)"),
    ("mono_events.def", "uint32_t generation, mono_bool is_serial", "uint32_t generation, mono_byte is_serial"),
    ("mono_events.def", "(thread_name, ThreadName, (MonoProfiler * self, uintptr_t thread, const char* name)",
     "(thread_name, ThreadName, (MonoProfiler * self, uintptr_t thread)"),
]


def declared(text):
    """What preprocessed text declares: functions and types that have a name of Mono's."""
    functions = set(re.findall(r"\b(mono_\w+)\s*\((?!\s*\*)", text))
    types = set(re.findall(r"\(\s*\*\s*(Mono\w+)\s*\)", text)) | set(re.findall(r"\b(Mono\w+)\s*;", text)) | {"mono_bool", "mono_byte"}
    return functions, types


def enums(text):
    """{type: [names]} of preprocessed text."""
    return {name: re.findall(r"\b(MONO_\w+)\s*(?:=[^,]*)?(?:,|$)", body.strip())
            for body, name in re.findall(r"typedef enum\s*\{([^}]*)\}\s*(\w+)\s*;", text)}


def fields(text):
    """The names of the fields of MonoProfilerCoverageData."""
    body, = re.findall(r"typedef struct\s*\{([^}]*)\}\s*MonoProfilerCoverageData\s*;", text)
    return re.findall(r"(\w+)\s*;", body)


class Header(harness.OrielTest):
    def compile(self, text, *options, language="c", out="out.o"):
        with open(self.path("file.c"), "w", encoding="utf-8") as file: file.write(text)
        compiler = "c++" if language == "c++" else "cc"
        return self.call([compiler, "-x", language, *STRICT, *options, "-o", self.path(out), self.path("file.c")])

    def preprocessed(self, text, *options):
        done = self.compile(text, "-E", "-P", *options, out="file.i")
        self.assertEqual(done.code, 0, done.err)
        with open(self.path("file.i"), encoding="utf-8") as file: return file.read()

    def values(self, text, names, members, *options):
        """What a program prints of the constants, and of the fields of MonoProfilerCoverageData."""
        lines = [f'printf("{name} %d\\n", (int){name});' for name in names]
        lines += [f'printf("{name} %zu %zu\\n", offsetof(MonoProfilerCoverageData, {name}), sizeof(((MonoProfilerCoverageData*)0)->{name}));'
                  for name in members]
        lines.append('printf("%zu\\n", sizeof(MonoProfilerCoverageData));')
        built = self.compile(f"{text}#include <stddef.h>\nint main(void) {{\n" + "\n".join(lines) + "\nreturn 0;\n}\n", *options, out="values")
        self.assertEqual(built.code, 0, built.err)
        return self.call([self.path("values")]).out

    def test_liboriel_mono_has_all_of_it_and_no_more(self):
        library = os.path.join(harness.BUILD, "lib", "liboriel-mono.so")
        symbols = self.call(["nm", "-D", "--defined-only", "--format=just-symbols", library]).out.split()
        functions, _ = declared(self.preprocessed(OURS, "-I" + INCLUDE))
        self.assertGreater(len(functions), 62 + 18)
        self.assertEqual(functions, {name for name in symbols if name.startswith("mono_")})

    @unittest.skipUnless(HAS_MONOS_HEADERS, "Mono's headers are not installed here (libmono-2.0-dev)")
    def test_functions_and_callbacks_are_monos(self):
        """Where Mono's headers come first, ours declares the same again, so that the compiler compares each declaration."""
        for language in ("c", "c++"):
            done = self.compile(THEIRS + OURS, "-c", *BOTH, language=language)
            self.assertEqual(done.code, 0, done.err)
        for name, right, wrong in WRONG:
            shutil.rmtree(self.path("oriel"), ignore_errors=True)
            shutil.copytree(os.path.join(INCLUDE, "oriel"), self.path("oriel"))
            with open(self.path("oriel/" + name), encoding="utf-8") as file: text = file.read()
            self.assertEqual(text.count(right), 1, right)
            with open(self.path("oriel/" + name), "w", encoding="utf-8") as file: file.write(text.replace(right, wrong))
            done = self.compile(THEIRS + OURS, "-c", "-I" + self.folder, *BOTH)
            self.assertNotEqual(done.code, 0, wrong)
            self.assertIn("conflicting types for", done.err)

    @unittest.skipUnless(HAS_MONOS_HEADERS, "Mono's headers are not installed here (libmono-2.0-dev)")
    def test_names_and_values_are_monos(self):
        ours, theirs = self.preprocessed(OURS, "-I" + INCLUDE), self.preprocessed(THEIRS, "-I" + MONOS)
        (functions, types), (their_functions, their_types) = declared(ours), declared(theirs)
        self.assertEqual(functions - their_functions, set())
        self.assertEqual(types - their_types, set())
        self.assertEqual({name for name in their_functions - functions if name.startswith("mono_profiler_")}, set())
        self.assertEqual({name for name in their_types - types if name.startswith("MonoProfiler")}, set())
        constants = enums(ours)
        self.assertEqual({name: set(names) for name, names in constants.items()},
                         {name: set(names) for name, names in enums(theirs).items() if name in constants})
        self.assertEqual(len(constants), 7)
        names = ["MONO_PROFILER_API_VERSION", *(name for group in constants.values() for name in group)]
        self.assertGreater(len(names), 50)
        members = fields(ours)
        self.assertEqual((len(members), members), (6, fields(theirs)))
        sizes = [f"sizeof({name})" for name in (*constants, "mono_bool", "mono_byte")]
        self.assertEqual(self.values(OURS, names + sizes, members, "-I" + INCLUDE),
                         self.values(THEIRS, names + sizes, members, "-I" + MONOS))

    @unittest.skipUnless(HAS_MONOS_HEADERS, "Mono's headers are not installed here (libmono-2.0-dev)")
    def test_with_monos_headers(self):
        """Before ours, any of them; after it that is refused with what to do."""
        for language in ("c", "c++"):
            for first in ("object", "threads", "mono-gc", "debug-helpers"):
                done = self.compile(f"#include <mono/metadata/{first}.h>\n" + OURS + "MonoProfilerGCEvent event = MONO_GC_EVENT_END;\n",
                                    "-c", *BOTH, language=language)
                self.assertEqual(done.code, 0, done.err)
            done = self.compile(OURS + "#include <mono/metadata/threads.h>\n", "-c", *BOTH, language=language)
            self.assertNotEqual(done.code, 0)
            self.assertIn("error: oriel/mono.h replaces Mono's headers: include these before it, or not at all", done.err)


if __name__ == "__main__":
    harness.main()
