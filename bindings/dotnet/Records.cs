namespace Oriel.Log;

/// <summary>A thread.</summary>
public sealed record LogThread(string Name, long OsId, bool IsManaged, TimeSpan? First, TimeSpan? Last);

/// <summary>A method, or a native function.</summary>
public sealed record Method(string Name, string? Module, bool IsManaged, string? Origin);

/// <summary>A frame, and those that called it: a stack, of which many may share the outer part.</summary>
public sealed class Stack
{
    private readonly LogFile _log;
    private readonly long _parent;

    internal Stack(LogFile log, Row row)
    {
        _log = log;
        _parent = row.Count("parent");
        Number = row.Count("stack");
        Method = row.Name("method");
        Module = row.Text("module");
        IsManaged = row.Flag("managed");
        IsTruncated = row.Flag("truncated");
    }

    /// <summary>Its number in the table "stacks".</summary>
    public long Number { get; }

    /// <summary>The innermost frame's method, as Namespace.Type.Method(arguments), or native function.</summary>
    public string Method { get; }

    /// <summary>The assembly or library that has it.</summary>
    public string? Module { get; }

    /// <summary>It is .NET code.</summary>
    public bool IsManaged { get; }

    /// <summary>It has callers that are not known.</summary>
    public bool IsTruncated { get; }

    /// <summary>The stack of its caller; null at the outermost frame.</summary>
    public Stack? Caller => _log.StackOf(_parent);

    /// <summary>From the innermost frame outwards.</summary>
    public IEnumerable<Stack> Frames
    {
        get
        {
            for (Stack? at = this; at != null; at = at.Caller) yield return at;
        }
    }

    /// <inheritdoc/>
    public override string ToString() => string.Join(" < ", Frames.Select(frame => frame.Method));
}

/// <summary>A sample of a thread. It stands for so many sampling periods.</summary>
public sealed record Sample(TimeSpan? At, string Thread, long ThreadOsId, Stack? Stack, long Periods);

/// <summary>Objects of one type that one method's code allocated, on one way. If Samples is not 0, figures are estimates
/// from so many.</summary>
public sealed record Allocation(string Type, string Site, string Thread, Stack? Stack, long Objects, long Bytes, long Samples);

/// <summary>A garbage collection. Times are since the log began.</summary>
public sealed record Collection(long Number, long Generation, TimeSpan? Start, TimeSpan? End, TimeSpan Paused, bool IsInduced,
                                bool IsBackground, string? Trigger);

/// <summary>An exception that was thrown.</summary>
public sealed record ThrownException(TimeSpan? At, string Type, string Thread, Stack? Stack);

/// <summary>The logged calls of one method on one way from a thread's start. Self is the time without what it called.</summary>
public sealed record Calls(string Method, string Thread, Stack? Stack, long Count, long ByException, TimeSpan Self, TimeSpan Longest);
