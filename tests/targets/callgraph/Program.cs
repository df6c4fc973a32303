// Programs whose calls, exceptions and objects are known to the last one: callgraph.dll WHAT…
using System;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Graph;

class Box
{
    public long Value;
}

class Oops : Exception
{
}

static class Program
{
    const MethodImplOptions Kept = MethodImplOptions.NoInlining;
    static long sink;

    [MethodImpl(Kept)]
    static void Leaf() => sink++;

    [MethodImpl(Kept)]
    static void Inner()
    {
        Leaf();
        Leaf();
    }

    [MethodImpl(Kept)]
    static void Outer()
    {
        for (int i = 0; i < 4; i++) Inner();
        Leaf();
    }

    [MethodImpl(Kept)]
    static int Fib(int n) => n < 2 ? n : Fib(n - 1) + Fib(n - 2);

    [MethodImpl(Kept)]
    static void Thrower(int left)
    {
        if (left == 0) throw new Oops();
        Thrower(left - 1);
    }

    [MethodImpl(Kept)]
    static void Catcher()
    {
        try
        {
            Thrower(2);
        }
        catch (Oops)
        {
            Leaf();
        }
        finally
        {
            Leaf();
        }
    }

    [MethodImpl(Kept)]
    static Box Make()
    {
        var box = new Box();
        Volatile.Write(ref box.Value, 1);
        return box;
    }

    [MethodImpl(Kept)]
    static void MakeMany()
    {
        for (int i = 0; i < 1000; i++) GC.KeepAlive(Make());
        GC.KeepAlive(new Box[10]);
    }

    static void Calls()
    {
        for (int i = 0; i < 3; i++) Outer();
        Fib(10);
        for (int i = 0; i < 5; i++) Catcher();
        MakeMany();
    }

    [MethodImpl(Kept)]
    static void Worker()
    {
        for (int i = 0; i < 10_000; i++) Inner();
    }

    static void Threads()
    {
        var threads = new Thread[4];
        for (int i = 0; i < threads.Length; i++) (threads[i] = new Thread(Worker) { Name = "worker" + i }).Start();
        foreach (var thread in threads) thread.Join();
    }

    [MethodImpl(Kept)]
    static void Forever(object? ready)
    {
        Leaf();
        ((CountdownEvent)ready!).Signal();
        Thread.Sleep(Timeout.Infinite);
    }

    // Two threads are in a method as the program ends.
    static void Running()
    {
        using var ready = new CountdownEvent(2);
        for (int i = 0; i < 2; i++)
            new Thread(Forever) { IsBackground = true, Name = "forever" }.Start(ready);
        ready.Wait();
    }

    [MethodImpl(Kept)]
    static int Down(int n) => n == 0 ? 0 : 1 + Down(n - 1);

    // Three methods that call each other, and how it ends at the bottom.
    static Action? bottom;  // no initializer: the thread that comes first would call it

    [MethodImpl(Kept)]
    static int Ping(int n) => n == 0 ? End() : 1 + Pong(n - 1);

    [MethodImpl(Kept)]
    static int Pong(int n) => n == 0 ? End() : 1 + Peng(n - 1);

    [MethodImpl(Kept)]
    static int Peng(int n) => n == 0 ? End() : 1 + Ping(n - 1);

    static int End()
    {
        bottom?.Invoke();
        return 0;
    }

    static void Deep(Func<int, int> down, int depth)
    {
        var thread = new Thread(() =>
        {
            try
            {
                Console.WriteLine(down(depth));
            }
            catch (Oops)
            {
                Console.WriteLine("thrown");
            }
        }, 2000 << 20);
        thread.Start();
        thread.Join();
    }

    static void Main(string[] args)
    {
        for (int i = 0; i < args.Length; i++)
        {
            switch (args[i])
            {
                case "calls": Calls(); break;
                case "threads": Threads(); break;
                case "running": Running(); break;
                case "deep": Deep(Down, int.Parse(args[++i])); break;
                case "mutual": Deep(Ping, int.Parse(args[++i])); break;
                case "stays": bottom = () => Thread.Sleep(Timeout.Infinite); break;
                case "throws": bottom = () => throw new Oops(); break;
                case "sleep": Thread.Sleep(Timeout.Infinite); break;
            }
        }
        Console.WriteLine("done");
    }
}
