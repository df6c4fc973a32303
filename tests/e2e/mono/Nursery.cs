// Collects the nursery so many times: nursery.exe TIMES.
using System;

static class Nursery {
  static void Main(string[] args) {
    for (int i = 0; i < int.Parse(args[0]); i++) GC.Collect(0);
    Console.WriteLine("done");
  }
}
