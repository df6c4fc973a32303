#!/usr/bin/env python3
"""Writes a C# source tree of thousands of classes, the same every time, and a response file that compiles it.

usage: generate_source.py [--classes N] FOLDER      then: dotnet SDK/Roslyn/bincore/csc.dll @FOLDER/compile.rsp
"""
import argparse
import os
import random

import dotnet_sdk

CLASSES_A_FILE = 20
WORDS = ("order cart price item customer stock invoice tax route parcel depot driver payment refund ledger account "
         "quote rate basket label shelf audit policy claim token session").split()


def name(random_source, index):
    return "".join(word.capitalize() for word in random_source.sample(WORDS, 2)) + str(index)


def expression(r, depth, variables):
    if depth == 0:
        return r.choice(variables + [str(r.randint(1, 99))])
    left, right = expression(r, depth - 1, variables), expression(r, depth - 1, variables)
    return f"({left} {r.choice(['+', '-', '*', '^', '&', '|'])} {right})"


def method(r, index, earlier):
    lines = [f"    public long Compute{index}(long a, long b)", "    {", "        long x = a, y = b;"]
    for i in range(r.randint(2, 4)):
        kind = r.randrange(5)
        value = expression(r, 2, ["a", "b", "x", "y"])
        if kind == 0:
            lines.append(f"        for (int i{i} = 0; i{i} < {r.randint(2, 9)}; i{i}++) {{ x += {value}; }}")
        elif kind == 1:
            lines.append(f"        if (x > {value}) {{ y -= {r.randint(1, 9)}; }} else {{ y += x; }}")
        elif kind == 2:
            lines.append(f"        x = Enumerable.Range(1, {r.randint(2, 30)}).Where(n => n % {r.randint(2, 5)} == 0)"
                         f".Select(n => (long)n * y).Sum();")
        elif kind == 3:
            lines.append(f"        y ^= x switch {{ < 0 => {value}, > {r.randint(100, 999)} => a, _ => b }};")
        else:
            lines.append(f"        x += new {r.choice(earlier)}().Describe().Length;" if earlier else "        x++;")
    return lines + ["        return x + y;", "    }"]


def one_class(r, index, earlier):
    own = name(r, index)
    field = r.choice(WORDS)
    lines = [f"public sealed class {own} : IDescribed", "{",
             f"    private readonly Dictionary<string, long> {field}s = new() {{ [\"{field}\"] = {r.randint(1, 999)} }};",
             f"    public string Describe() => $\"{own} with {{{field}s.Count}} {field}s\";"]
    for i in range(r.randint(3, 5)):
        lines += method(r, i, earlier)
    lines += [f"    public async Task<long> {field.capitalize()}Async(int n)", "    {", "        long sum = 0;",
              f"        foreach (var pair in {field}s) {{ await Task.Yield(); sum += pair.Value * n; }}",
              "        return sum;", "    }", "}"]
    return own, lines


def write_sources(folder, classes):
    """Writes the files; returns their names."""
    r = random.Random(20)  # the same tree on each machine
    earlier, files = [], []
    for first in range(0, classes, CLASSES_A_FILE):
        text = ["using System.Collections.Generic;", "using System.Linq;", "using System.Threading.Tasks;",
                "namespace Generated;"]
        for index in range(first, min(first + CLASSES_A_FILE, classes)):
            own, lines = one_class(r, index, earlier[-200:])
            text += lines
            earlier.append(own)
        files.append(f"Part{first // CLASSES_A_FILE}.cs")
        with open(os.path.join(folder, files[-1]), "w", encoding="utf-8") as out:
            out.write("\n".join(text) + "\n")
    with open(os.path.join(folder, "Described.cs"), "w", encoding="utf-8") as out:
        out.write("namespace Generated;\npublic interface IDescribed { string Describe(); }\n")
    return files + ["Described.cs"]


def generate(folder, classes):
    """Writes sources and response file; returns the response file's path."""
    os.makedirs(folder, exist_ok=True)
    files = write_sources(folder, classes)
    response = os.path.join(folder, "compile.rsp")
    lines = ["-nologo", "-target:library", "-deterministic", "-optimize+", "-nullable:enable",
             f"-out:\"{os.path.join(folder, 'Generated.dll')}\""]
    lines += [f"-reference:\"{path}\"" for path in dotnet_sdk.reference_assemblies()]
    lines += [f"\"{os.path.join(folder, file)}\"" for file in files]
    with open(response, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
    return response


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--classes", type=int, default=3000)
    parser.add_argument("folder")
    options = parser.parse_args()
    print(generate(os.path.abspath(options.folder), options.classes))


if __name__ == "__main__":
    main()
