// Threads that call and allocate a known number of times, with objects that a collection moves all the while.
using System.Runtime.CompilerServices;

namespace Audited;

public sealed class Shelf
{
    public int Kept;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public string Put(string piece, object number, int weight)
    {
        Kept += weight;
        return piece;
    }
}

public struct Place
{
    public int Row;

    // `this` is within an array, and what is referred to too.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public readonly int Look(in int column) => Row + column;
}

public static class Generic<T>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static T Same(T value, T[] values)
    {
        values[0] = value;
        return value;
    }
}

public static class Fails
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Now(string why) => throw new InvalidOperationException(why);
}

public static class Program
{
    static volatile bool s_done;

    public static void Main(string[] args)
    {
        int rounds = args.Length > 0 ? int.Parse(args[0]) : 1000;
        var collector = new Thread(Collect);
        collector.Start();
        var workers = new Thread[4];
        for (int i = 0; i < workers.Length; i++)
        {
            workers[i] = new Thread(() => Work(rounds));
            workers[i].Start();
        }
        foreach (Thread worker in workers) worker.Join();
        s_done = true;
        collector.Join();
        Console.WriteLine("done");
    }

    // What it drops lies between what lives, so that this is moved.
    static void Collect()
    {
        for (int i = 0; !s_done; i++) GC.Collect(i % 3, GCCollectionMode.Forced, blocking: true, compacting: true);
    }

    static void Work(int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            var dropped = new byte[40 + i % 100];
            string piece = string.Concat("piece-", (i % 10).ToString());
            var shelf = new Shelf();
            if (shelf.Put(piece, i, 3) != piece) throw new Exception("another piece");
            var places = new Place[3];
            var columns = new int[5];
            places[1].Row = 7;
            columns[3] = 42;
            if (places[1].Look(in columns[3]) != 49) throw new Exception("another place");
            if (Generic<string>.Same(piece, new string[1]) != piece) throw new Exception("another value");
            if (Generic<int>.Same(i, new int[1]) != i) throw new Exception("another number");
            if (i % 100 == 0) Now(dropped);
            GC.KeepAlive(dropped);
        }
    }

    static void Now(object _)
    {
        try
        {
            Fails.Now("as it should");
        }
        catch (InvalidOperationException)
        {
        }
    }
}
