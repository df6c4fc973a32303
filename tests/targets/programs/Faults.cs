// Null references by the thousand on two threads: each is a fault that the runtime's signal handler turns into an exception.
using System.Runtime.CompilerServices;

static class Faults
{
    class Box { public int Value; }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Read(Box? box) => box!.Value;

    public static void Run(int thousands)
    {
        long caught = 0;
        var threads = Enumerable.Range(0, 2).Select(_ => new Thread(() =>
        {
            for (int i = 0; i < thousands * 1000; i++)
            {
                try { Read(null); }
                catch (NullReferenceException) { Interlocked.Increment(ref caught); }
            }
        })).ToList();
        threads.ForEach(t => t.Start());
        threads.ForEach(t => t.Join());
        Console.WriteLine($"caught {caught}");
    }
}
