// The runtime's own account of a stack beside Oriel's.
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

/// <summary>Where each way through the program ends.</summary>
static unsafe class Truth {
  static readonly delegate* unmanaged<byte*, nint, nint> walk = FindWalk();
  static readonly Dictionary<string, (int Right, int Wrong, string Example)> results = [];
  public static string Way = "";
  public static long Turns;

  // The module that the test loads beside Oriel: writes the methods of this thread's stack, one a line, innermost first.
  static delegate* unmanaged<byte*, nint, nint> FindWalk() {
    string? module = Environment.GetEnvironmentVariable("FRAMES_MODULE");
    if (string.IsNullOrEmpty(module)) return null;
    return (delegate* unmanaged<byte*, nint, nint>)NativeLibrary.GetExport(NativeLibrary.Load(module), "oriel_test_walk");
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  public static void Here() {
    if (walk == null) {
      Spin(2000);
      return;
    }
    // Not at each turn, as it is slow: often while methods are still being compiled anew, seldom later.
    long turn = Turns;
    if (turn > 300 && turn % 97 != 0) return;
    string[] seen = Seen();
    string[] expected = Expected();
    bool same = seen.SequenceEqual(expected);
    lock (results) {
      results.TryGetValue(Way, out var result);
      if (same) {
        result.Right++;
      } else {
        result.Wrong++;
        result.Example ??= Difference(expected, seen);
      }
      results[Way] = result;
    }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  public static int Spin(int times) {
    int sum = 0;
    for (int i = 0; i < times; i++) sum = sum * 31 + i;
    return sum;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static string[] Seen() {
    byte[] buffer = new byte[1 << 16];
    nint length;
    fixed (byte* at = buffer) length = walk(at, buffer.Length);
    return Encoding.UTF8.GetString(buffer, 0, (int)length).Split('\n', StringSplitOptions.RemoveEmptyEntries)
        .Where(name => !name.Contains(".IL_STUB_")).Select(Plain).SkipWhile(name => name != "Truth.Here").ToArray();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static string[] Expected() => WithoutThrown(Actual());

  // A filter runs on top of what threw: the runtime shows its method once for the filter and once where it called.
  static string[] WithoutThrown(string[] names) {
    int filter = Array.FindIndex(names, name => name.StartsWith("System.Runtime.E")) - 1;
    if (filter < 0) return names;
    int method = Array.IndexOf(names, names[filter], filter + 1);
    return method < 0 ? names : [.. names.Take(filter), .. names.Skip(method)];
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static string[] Actual() =>
      new StackTrace(false).GetFrames().Select(frame => frame.GetMethod())
          .Where(method => method != null && (method.Attributes & MethodAttributes.PinvokeImpl) == 0)
          .Select(method => Name(method!)).SkipWhile(name => name != "Truth.Here").ToArray();

  static string Name(MethodBase method) {
    Type? type = method.DeclaringType;
    if (type == null) return "[dynamic]";
    if (type.IsGenericType) type = type.GetGenericTypeDefinition();
    return type.FullName + "." + method.Name;
  }

  // Box`1.Of of "Box`1[System.Int32].Of[System.__Canon]".
  static string Plain(string name) {
    var plain = new StringBuilder();
    int depth = 0;
    foreach (char c in name) {
      depth += c == '[' ? 1 : 0;
      if (depth == 0) plain.Append(c);
      depth -= c == ']' ? 1 : 0;
    }
    return name.StartsWith("DynamicClass.") ? "[dynamic]" : depth == 0 && plain.Length > 0 ? plain.ToString() : name;
  }

  static string Difference(string[] expected, string[] seen) {
    int at = 0;
    while (at < expected.Length && at < seen.Length && expected[at] == seen[at]) at++;
    int from = Math.Max(0, at - 1);
    return $"expected {string.Join(" < ", expected.Skip(from).Take(5))}, seen {string.Join(" < ", seen.Skip(from).Take(5))}";
  }

  public static int Report() {
    int wrong = 0;
    foreach (var (way, result) in results.OrderBy(pair => pair.Key, StringComparer.Ordinal)) {
      Console.WriteLine($"{way}: {result.Right} right, {result.Wrong} wrong{(result.Wrong > 0 ? ": " + result.Example : "")}");
      wrong += result.Wrong;
    }
    return wrong;
  }
}
