// What hints of handles, finalizers and pinned objects advise.
using System.Runtime.InteropServices;

// Objects that are alive for a while, so that collections find something to do.
static class Heap
{
    static readonly byte[][] recent = new byte[1000][];

    public static long Work()
    {
        for (int i = 0; i < 20_000; i++) recent[i % recent.Length] = new byte[100];
        return recent[7].Length;
    }
}

// Handles that nobody frees, and those that are freed when their work is done.
static class Handles
{
    const int Most = 500_000;
    static readonly GCHandle[] made = new GCHandle[500];
    static int count;

    static long Work(bool free)
    {
        for (int i = 0; i < made.Length && count < Most; i++, count++) made[i] = GCHandle.Alloc(new object());
        long sum = Heap.Work();
        if (!free) return sum;
        for (int i = 0; i < made.Length; i++)
            if (made[i].IsAllocated) made[i].Free();
        count = 0;
        return sum;
    }

    public static long Kept() => Work(free: false);
    public static long Freed() => Work(free: true);
}

static class Files
{
    class Open : IDisposable
    {
        readonly byte[] buffer = new byte[200];
        public int Length => buffer.Length;
        public void Dispose() => GC.SuppressFinalize(this);
        ~Open() => Thread.SpinWait(20);
    }

    public static long LeftToFinalizers()
    {
        long sum = 0;
        for (int i = 0; i < 5000; i++) sum += new Open().Length;
        GC.WaitForPendingFinalizers();
        return sum;
    }

    public static long Disposed()
    {
        long sum = 0;
        for (int i = 0; i < 5000; i++)
        {
            using var file = new Open();
            sum += file.Length;
        }
        GC.WaitForPendingFinalizers();
        return sum;
    }
}

// Buffers that stay, as those of connections do, between objects that go.
static class Buffers
{
    const int Count = 20_000;
    static readonly List<byte[]> all = new();

    static long Work(Func<byte[]> make)
    {
        while (all.Count < Count)
        {
            for (int i = 0; i < 10; i++) Heap.Work();
            for (int i = 0; i < 500; i++) all.Add(make());
        }
        return Heap.Work();
    }

    public static long Pinned() => Work(() =>
    {
        var buffer = new byte[512];
        GCHandle.Alloc(buffer, GCHandleType.Pinned);
        return buffer;
    });

    public static long Placed() => Work(() => GC.AllocateArray<byte>(512, pinned: true));
}
