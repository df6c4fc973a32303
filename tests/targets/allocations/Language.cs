using System.Collections.Specialized;
using System.Numerics;
using System.Runtime.CompilerServices;

record MadeRecord(int A, string B);
record struct MadeRecordStruct(int A, string B);
class MadeInList { }
class MadeByParams { }

static class Language
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Forms(int i)
    {
        Kinds.Sink = Params(new MadeByParams(), new MadeByParams());
        Kinds.Sink = Params();
        List<MadeInList> list = [new MadeInList(), new MadeInList()];
        MadeInList[] array = [.. list, new MadeInList()];
        IReadOnlyList<MadeInList> read = [.. array];
        Kinds.Sink = read;
        Span<int> span = [1, 2, i];
        Kinds.Sink = span.ToArray();
        Kinds.Sink = new { Anonymous = i, list };
        Kinds.Sink = new Dictionary<int, MadeInList> { [i] = list[0] };
        Kinds.Sink = new Lazy<MadeInList>(() => new MadeInList()).Value;
        (int, string) tuple = (i, "no object");
        Kinds.Sink = Tuple.Create(tuple.Item1, tuple.Item2);
        lock (list) Kinds.Sink = new WeakReference(list);
    }

    static int Params(params MadeByParams[] all) => all.Length;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Records(int i)
    {
        var record = new MadeRecord(i, "b");
        Kinds.Sink = record with { A = 1 };
        Kinds.Sink = record.ToString();
        Kinds.Sink = new MadeRecordStruct(i, "b");
        Kinds.Sink = record == new MadeRecord(i, "b") ? "" : null;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Linq(int i)
    {
        int[] numbers = [3, 1, 2, i];
        Kinds.Sink = numbers.Where(n => n > 1).Select(n => new MadeRecord(n, "linq")).ToList();
        Kinds.Sink = numbers.OrderBy(n => n).GroupBy(n => n % 2).ToDictionary(g => g.Key, g => g.Sum());
        Kinds.Sink = Enumerable.Range(0, 5).Zip(numbers).ToArray();
    }

    // Structs and classes of assemblies that nothing has used before.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void NotLoadedYet(int i)
    {
        var big = new BigInteger(i);
        Kinds.Sink = new NameValueCollection();
        Kinds.Sink = new System.Net.IPAddress(i);
        Kinds.Sink = new System.Collections.BitArray(40);
        Kinds.Sink = new Complex(i, 1).Real + (double)big;
        Kinds.Sink = new Uri("http://example.invalid/");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void OnTheStack(int i)
    {
        Span<long> none = stackalloc long[100];
        none[i % 100] = i;
        Kinds.Sink = none[3] == 77 ? "" : null;
    }
}
