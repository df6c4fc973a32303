// Managed code called by native code: qsort and its comparer, as a delegate and as a function pointer.
using System.Runtime.InteropServices;

namespace Exits;

static unsafe class NativeFrames {
  [DllImport("libc", EntryPoint = "qsort")]
  static extern void Sort(int* values, nint count, nint size, delegate* unmanaged<int*, int*, int> compare);
  delegate int Comparer(int* a, int* b);
  [DllImport("libc", EntryPoint = "qsort")]
  static extern void SortBy(int* values, nint count, nint size, Comparer compare);
  [DllImport("libc", EntryPoint = "no_such_function")]
  static extern void Missing();

  static long compared, refused;

  static int Refuses(int a, int b) => a == b ? throw new Refusal("equal") : a.CompareTo(b);
  [UnmanagedCallersOnly]
  static int Compare(int* a, int* b) => CompareCarefully(a, b);
  static int CompareCarefully(int* a, int* b) {
    compared++;
    try {
      return Refuses(*a, *b);
    } catch (Refusal) {
      refused++;
      return 0;
    }
  }

  static int CallsMissing() {
    try {
      Missing();
      return 0;
    } catch (EntryPointNotFoundException) {
      return 1;
    }
  }

  static bool IsSorted(ReadOnlySpan<int> values) {
    for (int i = 1; i < values.Length; i++) {
      if (values[i - 1] > values[i]) return false;
    }
    return true;
  }

  public static void Run() {
    bool sorted = true;
    for (int round = 0; round < 20; round++) {
      int[] values = new int[500];
      for (int i = 0; i < values.Length; i++) values[i] = i * 7919 % 251;
      fixed (int* first = values) {
        if (round % 2 == 0) Sort(first, values.Length, sizeof(int), &Compare);
        else SortBy(first, values.Length, sizeof(int), CompareCarefully);
      }
      sorted &= IsSorted(values);
    }
    Known.Says($"{sorted} {CallsMissing()}");
    Known.Calls("Exits.NativeFrames.CompareCarefully", compared);
    Known.Calls("Exits.NativeFrames.Refuses", compared, exception: refused);
    Known.Calls("Exits.NativeFrames.CallsMissing", 1);
  }
}
