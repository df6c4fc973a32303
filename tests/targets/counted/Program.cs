// Code of which a part runs, and the rows of its methods, so that what coverage says of each can be looked at.
using System.Diagnostics;
using System.Reflection;

foreach (Type type in new[] { typeof(Parts), typeof(Early), typeof(Pair<>), typeof(Hot), typeof(Steps) })
  foreach (MethodBase method in type.GetMembers(BindingFlags.DeclaredOnly | BindingFlags.Static | BindingFlags.Instance |
                                                BindingFlags.Public | BindingFlags.NonPublic).OfType<MethodBase>())
    Console.WriteLine($"{type.Name}.{method.Name} {method.MetadataToken & 0xffffff}");

switch (args[0]) {
  case "parts": Parts.Run(); break;
  case "killed": Parts.Run(); Process.GetCurrentProcess().Kill(); break;
  case "failed": Parts.Run(); Environment.FailFast("on purpose"); break;
  case "loaded": Loaded.Run(args[1]); break;
  case "large": Large.Run(int.Parse(args[1])); break;
  case "hot": Console.WriteLine(Hot.Run(int.Parse(args[1]))); break;
  case "until": Hot.Until(args[1]); break;
  case "steps": Steps.Run(int.Parse(args[1]), int.Parse(args[2])); break;
  case "waits": Parts.Run(); Console.ReadLine(); break;
}

static class Early {
  public static readonly int Value = Make();
  static int Make() => 17;
}

class Pair<T>(T first) {
  public string Text(bool twice) {
    if (twice) return $"{first} {first}";
    return $"{first}";
  }
}

static class Parts {
  static int quotient;

  public static void Run() {
    Console.WriteLine(Early.Value);
    Console.WriteLine(new Pair<int>(1).Text(false) + new Pair<string>("a").Text(true));
    Console.WriteLine(Pick(1) + Pick(3));
    try {
      Console.WriteLine(Broken(0));
    } catch (DivideByZeroException) {
      Console.WriteLine("divided by zero");
    }
  }

  static int Pick(int n) {
    switch (n) {
      case 0: return 10;
      case 1: return 11;
      case 2: return 12;
      case 3: return 13;
      default: return 14;
    }
  }

  // The division throws: what stands behind it does not run.
  static int Broken(int n) {
    Console.WriteLine("before");
    quotient = 1 / n;
    Console.WriteLine("after");
    return quotient;
  }

  static int NeverCalled(int n) => n + 1;
}
