using System.Runtime.CompilerServices;

delegate void MadeDelegate(int i);
class MadeYielded { }
class MadeAwaited { }

static class Closures
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Delegates(int i)
    {
        MadeDelegate plain = Target, lambda = n => Kinds.Sink = null;
        MadeDelegate? both = plain + lambda;
        both += lambda;
        both -= plain;
        Kinds.Sink = new MadeDelegate(Target);
        both?.Invoke(i);
        Kinds.Sink = plain.GetInvocationList();
        Kinds.Sink = Delegate.CreateDelegate(typeof(MadeDelegate), typeof(Closures), "Target");
    }

    static void Target(int i) { }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Captures(int i)
    {
        int captured = i;
        Action add = () => captured++;
        add();
        Local();
        Kinds.Sink = add;
        void Local() => captured++;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Iterators(int i)
    {
        foreach (MadeYielded one in Three()) Kinds.Sink = one;
        foreach (MadeYielded one in Three()) { Kinds.Sink = one; break; }
    }

    static IEnumerable<MadeYielded> Three()
    {
        for (int i = 0; i < 3; i++) yield return new MadeYielded();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Asynchronous(int i)
    {
        Kinds.Sink = Later().GetAwaiter().GetResult();
        Kinds.Sink = AtOnce().GetAwaiter().GetResult();
    }

    static async Task<MadeAwaited> Later()
    {
        var source = new TaskCompletionSource();
        var pending = Wait(source);
        source.SetResult();
        return await pending;
    }

    static async Task<MadeAwaited> Wait(TaskCompletionSource source)
    {
        await source.Task;
        return new MadeAwaited();
    }

    static async ValueTask<MadeAwaited> AtOnce()
    {
        await Task.CompletedTask;
        return new MadeAwaited();
    }
}
