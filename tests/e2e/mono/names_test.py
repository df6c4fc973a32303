#!/usr/bin/env python3
"""A module for Mono gets the same names of the same program's methods and classes in Mono and, by the same file, on CoreCLR; and a
module of Oriel's the metadata's names on both."""
import os
import shutil
import unittest

import harness
from mono_modules import HAS_MONO, HERE, INCLUDE, SOURCES, Modules

CALLS = os.path.join(harness.BUILD, "targets", "calls", "calls.dll")
FOO, GIVEN, PROGRAM = ("My.Ns", "Foo"), ("My.Ns", "Given"), ("My.Ns", "Program")
BOX, INNER, PAIR = ("My.Ns", "Box`1"), ("", "Inner"), ("", "Pair`2")
ITERATOR, CLOSURE = ("", "<It>c__Iterator0"), ("", "<CallAll>c__AnonStorey1")
ENUMERABLE, ENUMERATOR = "System.Collections.Generic.IEnumerable<int>.GetEnumerator", "System.Collections.Generic.IEnumerator<int>.get_Current"
LIST, MAP = "System.Collections.Generic.List`1", "System.Collections.Generic.Dictionary`2"
# Of the program: the class, the full name up to the method's own, that, its generic arguments, and its parameters.
METHODS = [
    (PROGRAM, "My.Ns.Program", "Main", "", ""),
    (PROGRAM, "My.Ns.Program", "It", "", "int"),
    (PROGRAM, "My.Ns.Program", "Run", "", "System.Func`2<int, int>"),
    (PROGRAM, "My.Ns.Program", "<CallAll>m__0", "", "int"),
    (CLOSURE, "My.Ns.Program/<CallAll>c__AnonStorey1", "<>m__0", "", "int"),
    (ITERATOR, "My.Ns.Program/<It>c__Iterator0", ENUMERABLE, "", ""),
    (ITERATOR, "My.Ns.Program/<It>c__Iterator0", ENUMERATOR, "", ""),
    (ITERATOR, "My.Ns.Program/<It>c__Iterator0", "MoveNext", "", ""),
    (ITERATOR, "My.Ns.Program/<It>c__Iterator0", "Dispose", "", ""),
    (FOO, "My.Ns.Foo", "System.IDisposable.Dispose", "", ""),
    (FOO, "My.Ns.Foo", "My.Ns.IFoo<int>.Get", "", ""),
    (FOO, "My.Ns.Foo", "op_Addition", "", "My.Ns.Foo,int"),
    (FOO, "My.Ns.Foo", "get_Value", "", ""),
    (INNER, "My.Ns.Outer/Inner", "Of", "", "My.Ns.Outer/Inner[],My.Ns.Outer/Inner"),
    (PAIR, "My.Ns.Outer/Pair`2<int, long>", "Both", "", f"int,{MAP}/KeyCollection<int, long>"),
    (BOX, "My.Ns.Box`1<int>", "Put", "", "int,int[],int[,]"),
    (BOX, "My.Ns.Box`1<int>", "Turn", "<long>", f"long,{LIST}<int>"),
    (GIVEN, "My.Ns.Given", "Refs", "", f"int&,string&,{LIST}<int>[]&"),
    (GIVEN, "My.Ns.Given", "Whole", "", "sbyte,byte,int16,uint16,int,uint,long,ulong,intptr,uintptr"),
    (GIVEN, "My.Ns.Given", "Plain", "", "bool,char,single,double,System.Decimal,string,object"),
    (GIVEN, "My.Ns.Given", "Types", "", f"System.Nullable`1<int>,System.DayOfWeek,int[][],int[,],{MAP}<string, int[]>,"
                                        "My.Ns.Outer/Pair`2<int, long>"),
    (GIVEN, "My.Ns.Given", "Pointers", "", "int*,void*,My.Ns.Outer/Inner"),
]
DYNAMIC = ("(wrapper dynamic-method) object:dyn0", f"int&,{LIST}<int>")
# Of objects: the image, the namespace, the name. CORE: the library of the basic classes.
CLASSES = {
    ("CORE", "System", "String"), ("CORE", "System", "Int32"), ("CORE", "System", "Object"), ("CORE", "System", "DayOfWeek"),
    ("CORE", "System", "Char[]"), ("CORE", "System", "String[]"), ("CORE", "System", "Int32[][]"), ("CORE", "System", "Int32[,]"),
    ("CORE", "System.Collections.Generic", "List`1"), ("CORE", "System.Collections.Generic", "List`1[]"),
    ("CORE", "System.Collections.Generic", "Dictionary`2[]"), ("named", *FOO), ("named", *BOX), ("named", *INNER), ("named", *PAIR),
    ("named", "", "Inner[]"), ("named", *ITERATOR), ("named", *CLOSURE),
}
# A method's declaring class and its own name, in Oriel's writing of the metadata's.
RAW_METHODS = {
    ("My.Ns.Program", "My.Ns.Program.<CallAll>m__0(System.Int32)"),
    ("My.Ns.Program+<CallAll>c__AnonStorey1", "My.Ns.Program+<CallAll>c__AnonStorey1.<>m__0(System.Int32)"),
    ("My.Ns.Program+<It>c__Iterator0", "My.Ns.Program+<It>c__Iterator0.MoveNext()"),
    ("My.Ns.Foo", "My.Ns.Foo.My.Ns.IFoo<int>.Get()"),
    ("My.Ns.Box`1[System.Int32]", f"My.Ns.Box`1[System.Int32].Turn[System.Int64](System.Int64,{LIST}[System.Int32])"),
}
# A class and that of its elements.
RAW_CLASSES = {
    ("System.Int32[,]", "System.Int32"), ("System.Int32[][]", "System.Int32[]"), ("My.Ns.Outer+Inner[]", "My.Ns.Outer+Inner"),
    (f"{LIST}[System.Int32][]", f"{LIST}[System.Int32]"), (f"{LIST}[System.Int32]", "none"), ("My.Ns.Outer+Inner", "none"),
    ("My.Ns.Outer+Pair`2[System.Int32,System.Int64]", "none"),
}


class OneFile:
    def prepare(self):
        self.build("names", how="c")
        built = self.call(["cc", "-shared", "-fPIC", "-I" + INCLUDE, "-o", self.path("liboriel-raws.so"),
                           os.path.join(SOURCES, "raws.c"), "-L" + os.path.join(harness.BUILD, "lib"), "-loriel"])
        self.assertEqual(built.code, 0, built.err)
        built = self.call(["mcs", "-unsafe", "-out:" + self.path("named.exe"), os.path.join(HERE, "Named.cs")])
        self.assertEqual(built.code, 0, built.out + built.err)
        shutil.copy(CALLS.replace(".dll", ".runtimeconfig.json"), self.path("named.runtimeconfig.json"))

    def lines_of(self, kind):
        """What the module wrote of methods or classes."""
        result = self.run_with_names(":" + self.path("names.txt"), self.path("named.exe"))
        self.assertEqual((result.code, result.out), (0, "sum 54\n"), result.err)
        lines = [line.split("\t") for line in self.read("names.txt").splitlines()]
        return [line[1:] for line in lines if line[0] == kind]

    def test_methods(self):
        lines = self.lines_of("method")
        told = {(full, brief, own, name_space, name) for image, full, brief, own, name_space, name in lines if image == "named"}
        for (name_space, name), klass, own, arguments, parameters in METHODS:
            brief = f"{klass}:{own}{arguments}"
            of_class = {line for line in told if line[0].startswith(klass.split("<")[0])}
            self.assertIn((f"{brief} ({parameters})", brief, own, name_space, name), of_class)
        brief, parameters = DYNAMIC
        self.assertIn([f"{brief} ({parameters})", brief, "dyn0"], [line[1:4] for line in lines if "dyn0" in line[1]])

    def test_classes(self):
        told = {("CORE" if image == self.core else image, name_space, name) for image, name_space, name in self.lines_of("class")}
        self.assertEqual(CLASSES - told, set())

    def test_of_the_metadata(self):
        result = self.oriel("run", "--no-sample", "--module", self.path("liboriel-raws.so:") + self.path("raws.txt"), "-o", "run.oriel",
                            "--", self.runtime, self.path("named.exe"))
        self.assertEqual((result.code, result.out), (0, "sum 54\n"), result.err)
        told = {tuple(line.split("\t")) for line in self.read("raws.txt").splitlines()}
        wanted = {("method", *names) for names in RAW_METHODS} | {("class", *names) for names in RAW_CLASSES}
        self.assertEqual(wanted - told, set())


@unittest.skipUnless(HAS_MONO, "Mono is not installed here (mono-runtime and mono-mcs)")
class OnMono(OneFile, Modules):
    core, runtime = "mscorlib", "mono"

    def run_with_names(self, arguments, program):
        return self.call(["mono", "--profile=names" + arguments, program], env={"LD_LIBRARY_PATH": self.folder})


@unittest.skipUnless(HAS_MONO, "Mono's compiler is not installed here (mono-mcs)")
class OnCoreClr(OneFile, Modules):
    core, runtime = "System.Private.CoreLib", "dotnet"

    def run_with_names(self, arguments, program):
        return self.oriel("run", "--no-sample", "-o", "run.oriel", "--module", self.library("names") + arguments, "--", "dotnet", program)


if __name__ == "__main__":
    harness.main()
