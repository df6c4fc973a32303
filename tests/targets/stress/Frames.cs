// Native functions whose rbp holds no frame, alone and with managed code called by them.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Stress;

static unsafe class Frames {
  [DllImport("stress")] static extern void stress_frames_count(nuint rbp, nint rounds);
  [DllImport("stress")] static extern void stress_frames_count_untold(nuint rbp, nint rounds);
  [DllImport("stress")] static extern void stress_frames_call(nuint rbp, delegate* unmanaged<void> function);
  [DllImport("stress")] static extern void stress_frames_call_untold(nuint rbp, delegate* unmanaged<void> function);
  [DllImport("stress")] static extern delegate* unmanaged<nuint, nint, void> stress_frames_anonymous();
  [DllImport("stress")] static extern void stress_frames_returning_to(nuint address, nint rounds);
  [DllImport("stress")]
  static extern void stress_frames_call_returning_to(nuint address, delegate* unmanaged<void> function);
  [DllImport("stress")] static extern nuint stress_frames_forged(int number);

  static long sum;

  [UnmanagedCallersOnly]
  static void Work() {
    sum += Tools.Work(50);
    try {
      Fail();
    } catch (InvalidOperationException) {
      sum++;
    }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Fail() => throw new InvalidOperationException();

  public static int Run(string[] args) {
    const int rounds = 20_000_000;
    var anonymous = stress_frames_anonymous();
    for (int number = 0;; number++) {
      nuint rbp = stress_frames_forged(number);
      if (rbp == 0) {
        break;
      }
      stress_frames_count(rbp, rounds);
      stress_frames_count_untold(rbp, rounds);
      anonymous(rbp, rounds);
      for (int i = 0; i < 20; i++) {
        stress_frames_call(rbp, &Work);
        stress_frames_call_untold(rbp, &Work);
      }
      Console.WriteLine($"forged {number}: {sum}");
    }
    return 0;
  }

  // Addresses spread over the code of a library: all but a few are no return addresses.
  static List<nuint> AddressesOf(string library, int count) {
    var addresses = new List<nuint>();
    foreach (string line in File.ReadLines("/proc/self/maps")) {
      string[] parts = line.Split([' ', '-'], StringSplitOptions.RemoveEmptyEntries);
      if (line.EndsWith(library, StringComparison.Ordinal)) {
        nuint start = nuint.Parse(parts[0], System.Globalization.NumberStyles.HexNumber);
        nuint end = nuint.Parse(parts[1], System.Globalization.NumberStyles.HexNumber);
        nuint step = (end - start) / (nuint)count | 1;
        for (nuint address = start; address < end; address += step) {
          addresses.Add(address);
        }
      }
    }
    return addresses;
  }

  public static int Returns(string[] args) {
    var addresses = new List<nuint> { 1, 1000, unchecked((nuint)0x7f5f000003e8), nuint.MaxValue };
    foreach (string library in new[] { "/System.Private.CoreLib.dll", "/System.Runtime.dll", "/System.Console.dll" }) {
      addresses.AddRange(AddressesOf(library, 60));
    }
    var work = typeof(Tools).GetMethod(nameof(Tools.Work))!.MethodHandle.GetFunctionPointer();
    for (int i = 0; i < 50; i++) {
      addresses.Add((nuint)(work + i));
    }
    foreach (nuint address in addresses) {
      stress_frames_returning_to(address, 8_000_000);
      stress_frames_call_returning_to(address, &Work);
    }
    Console.WriteLine($"{addresses.Count > 100}, {sum / addresses.Count}");
    return 0;
  }
}
