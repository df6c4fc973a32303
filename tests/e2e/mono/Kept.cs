// Objects that stay, and as many that do not; with an argument, in a domain that is unloaded in the end.
using System;
using System.Collections.Generic;

class Kept {
  public byte[] data = new byte[1000];
}
class Dropped {
  public byte[] data = new byte[1000];
}

static class Program {
  static readonly List<Kept> all = new List<Kept>();

  static void Make() {
    for (int i = 0; i < 100000; i++) {
      all.Add(new Kept());
      new Dropped().data[0] = 1;
    }
  }

  static void Main(string[] args) {
    if (args.Length > 0) {
      AppDomain domain = AppDomain.CreateDomain("other");
      domain.DoCallBack(Make);
      AppDomain.Unload(domain);
    } else {
      Make();
    }
    GC.Collect();
    GC.Collect();
    Console.WriteLine(all.Count);
  }
}
