// Threads that allocate, each a list of its own that grows and is let go of, until the input ends. A collection a line.
using System;
using System.Collections.Generic;
using System.Threading;

class Link { public Link Next; public byte[] Data; }

class Busy
{
    static volatile bool ends;
    static int wrong;

    static void Work(object number)
    {
        var sizes = new Random((int)number);
        while (!ends)
        {
            Link first = null;
            int length = 1 + sizes.Next(2000);
            for (int i = 0; i < length; i++) first = new Link { Next = first, Data = new byte[sizes.Next(200)] };
            var large = new int[30000];
            for (Link link = first; link != null; link = link.Next) length--;
            if (length != 0 || large[sizes.Next(30000)] != 0) Interlocked.Increment(ref wrong);
        }
    }

    static void Main()
    {
        var threads = new List<Thread>();
        for (int i = 0; i < 4; i++)
        {
            threads.Add(new Thread(Work));
            threads[i].Start(i);
        }
        Console.WriteLine("ready");
        while (Console.ReadLine() != null) GC.Collect();
        ends = true;
        foreach (Thread thread in threads) thread.Join();
        Console.WriteLine("end, " + wrong + " wrong");
    }
}
