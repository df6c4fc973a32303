#!/usr/bin/env python3
"""What Oriel can say on stderr has its place in docs/TROUBLESHOOTING.md, with what it means and what to do. A message is found by
its longest fixed part: the longest piece of text in the call that makes it, without what is put in.

usage: check_messages.py          checks all sources of the program and of the tools
       check_messages.py --list   prints the fixed parts, by file
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCUMENT = os.path.join(ROOT, "docs", "TROUBLESHOOTING.md")
FOLDERS = ("src", "cli", "modules")

# What is not looked through: a folder or a file, and why.
LEFT_OUT = {
    "src/il": "why a method's body is not valid: follows 'is not valid', 'would reject' or 'is not instrumented'",
    "src/metadata": "likewise, of texts in IL and of signatures",
    "src/engine/code": "answers to a module's calls of oriel/code.h",
    "src/runtimes/coreclr/instrument": "likewise, but for bodies.cc and refilter.cc",
    "src/runtimes/scripted": "a runtime of the tests",
    "src/assembly": "why an assembly cannot be read: follows its name",
    "src/pdb": "why a PDB cannot be read: likewise",
}
LOOKED_THROUGH = ("src/runtimes/coreclr/instrument/bodies.cc", "src/runtimes/coreclr/instrument/refilter.cc",
                  "src/engine/code/rewriting.cc")

# Functions that make messages for others to say: all their longer texts.
MAKE_MESSAGES = ("cli/run/missing_log.cc", "cli/run/launch.cc", "cli/run/program.cc", "src/base/process/module_check.cc",
                 "src/runtimes/coreclr/callbacks/event_pipe.cc", "src/runtimes/coreclr/callbacks/runtime_source.cc",
                 "src/runtimes/coreclr/unavailable_events.h", "src/runtimes/coreclr/unavailable_events.cc")
LONGER = 20

CALL = re.compile(r"\b(?:say|warn|oriel_warn|leave_out|error)\(|Status::error\(")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
# What is put in, and what C++ writes otherwise than a person reads it.
HOLE = re.compile(r"\{[^{}\s]*\}")
LEAST = 12  # characters; what is shorter only joins other parts


def sources():
    for top in FOLDERS:
        for folder, _, files in os.walk(os.path.join(ROOT, top)):
            for file in sorted(files):
                path = os.path.relpath(os.path.join(folder, file), ROOT)
                left_out = any(path.startswith(name + "/") or path == name for name in LEFT_OUT)
                if file.endswith((".cc", ".h")) and "/tests/" not in path and (path in LOOKED_THROUGH or not left_out):
                    yield path


def call_at(text, begin):
    """The text of the arguments of the call whose '(' ends at `begin`."""
    depth, at = 1, begin
    while at < len(text) and depth > 0:
        if text[at] == '"':
            at = LITERAL.match(text, at).end()
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return text[begin:at - 1]


def fixed_parts(arguments):
    # Literals with nothing but space between them are one.
    joined = re.sub(r'(?<!\\)"\s*"', "", arguments)
    for literal in LITERAL.findall(joined):
        text = re.sub(r"\\x[0-9a-f]{2}|\\[0-7]", " ", literal).replace('\\"', '"').replace("\\n", " ").replace("{{", "\x01").replace("}}", "\x02")
        for part in HOLE.split(text):
            part = part.replace("\x01", "{").replace("\x02", "}").strip(" \"';:,.()")
            if len(part) >= LEAST:
                yield part


def messages(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as source:
        text = re.sub(r"(?m)^\s*//.*$", "", source.read())
    for call in CALL.finditer(text):
        parts = list(fixed_parts(call_at(text, call.end())))
        if parts:
            yield max(parts, key=len)
    if path in MAKE_MESSAGES:
        code = re.sub(r"(?m)^\s*(?:#include|pthread_setname).*$", "", text)
        yield from (part for part in fixed_parts(code) if len(part) >= LONGER and " " in part)


def main(arguments):
    with_list = arguments == ["--list"]
    document = ""
    if not with_list:
        with open(DOCUMENT, encoding="utf-8") as text:
            document = " ".join(text.read().replace("\\|", "|").split())
    missing = 0
    for path in sources():
        for part in dict.fromkeys(messages(path)):
            if with_list:
                print(f"{path}: {part}")
            elif " ".join(part.split()) not in document:
                print(f"{path}: docs/TROUBLESHOOTING.md does not have '{part}'")
                missing += 1
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
