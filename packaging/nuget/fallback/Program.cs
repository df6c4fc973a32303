// What `oriel` is on systems for which there is no build.
using System.Reflection;
using System;
using System.Linq;
using System.Runtime.InteropServices;

string targets = typeof(Program).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().First(it => it.Key == "Targets").Value!;
Console.Error.WriteLine($"oriel: there is no build for {RuntimeInformation.RuntimeIdentifier}; there is one for {targets.Replace(";", ", ")}");
return 1;
