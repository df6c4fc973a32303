// A program that knows what is on its heap, and what holds it. It does what it reads, a word a line.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

class Entry { public string Name; public byte[] Payload; }
class Node { public Node Left, Right; }
class Held { }
class Weak { }
class Key { }
class Dependent { }
class OnStack { }
class OnThread { }
class Blocks { ~Blocks() { Program.Ends.WaitOne(); } }
class Late { ~Late() { } }
class Leaked { public long[] Numbers = new long[10]; }
struct Pair { public object First; public int Number; public Entry Second; }

static class Cache
{
    public static readonly Dictionary<int, Entry> Entries = new Dictionary<int, Entry>();
    public static Pair Both;
    public static readonly Pair[] Pairs = new Pair[7];
    public static readonly object[,] Grid = new object[3, 4];
}

class Program
{
    static readonly GCHandle[] handles = new GCHandle[30];
    static readonly ConditionalWeakTable<Key, Dependent> table = new ConditionalWeakTable<Key, Dependent>();
    static readonly Key key = new Key();
    static readonly List<string> texts = new List<string>();
    static readonly List<Leaked> leak = new List<Leaked>();
    static readonly object[] weak = new object[10];
    public static readonly ManualResetEvent Ends = new ManualResetEvent(false);
    static Node tree;
    [ThreadStatic] static OnThread own;

    static Node Make(int depth) { return depth == 0 ? null : new Node { Left = Make(depth - 1), Right = Make(depth - 1) }; }

    static void Fill()
    {
        for (int i = 0; i < 10000; i++) Cache.Entries[i] = new Entry { Name = "entry " + i, Payload = new byte[100] };
        Cache.Both.Second = Cache.Pairs[3].Second = new Entry();
        Cache.Grid[1, 1] = new Held();
        tree = Make(12);
        for (int i = 0; i < 10; i++) handles[i] = GCHandle.Alloc(new Held());
        for (int i = 10; i < 20; i++) handles[i] = GCHandle.Alloc(new byte[50], GCHandleType.Pinned);
        for (int i = 20; i < 30; i++) handles[i] = GCHandle.Alloc(weak[i - 20] = new Weak(), GCHandleType.Weak);
        for (int i = 0; i < 1000; i++) texts.Add(new string('x', 30));
        table.Add(key, new Dependent());
    }

    // The first finalizer waits, and all others for it. On a thread of its own, whose stack goes.
    static void LeaveToFinalizers()
    {
        var thread = new Thread(() => new Blocks());
        thread.Start();
        thread.Join();
        GC.Collect();
        thread = new Thread(() => { for (int i = 0; i < 50; i++) new Late(); });
        thread.Start();
        thread.Join();
        GC.Collect();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Obey(OnStack kept)
    {
        Console.WriteLine("ready");
        for (string line; (line = Console.ReadLine()) != null; Console.WriteLine(line))
        {
            if (line == "leak") for (int i = 0; i < 20000; i++) leak.Add(new Leaked());
            if (line == "collect") GC.Collect();
            if (line == "finalize") LeaveToFinalizers();
            if (line == "throw") throw new InvalidOperationException("as asked");
        }
        Ends.Set();
        GC.KeepAlive(kept);
    }

    static int Main()
    {
        Fill();
        own = new OnThread();
        var holder = new Thread(() => { own = new OnThread(); Obey(new OnStack()); });
        holder.Name = "holder";
        holder.Start();
        holder.Join();
        Console.WriteLine("end");
        return 7;
    }
}
