using System.Runtime.InteropServices;

namespace Oriel.Log;

/// <summary>An event of a thread, as the log has it (docs/API.md lists them).</summary>
public sealed class LogEvent
{
    private readonly EventReader.Kind _kind;
    private readonly object?[] _values;

    internal LogEvent(EventReader.Kind kind, string thread, TimeSpan at, object?[] values)
    {
        _kind = kind;
        _values = values;
        Thread = thread;
        At = at;
    }

    /// <summary>As "gc_begin".</summary>
    public string Name => _kind.Name;

    /// <summary>The thread's name; its number in the log, if it has none.</summary>
    public string Thread { get; }

    /// <summary>When it was, since the log began.</summary>
    public TimeSpan At { get; }

    /// <summary>The names of its fields.</summary>
    public IReadOnlyList<string> Fields => _kind.Fields;

    /// <summary>A field: of methods, classes and the like their name; else a text, a bool, a double or a long; null of a
    /// field that the event does not have.</summary>
    public object? this[string field]
    {
        get
        {
            int index = Array.IndexOf(_kind.Fields, field);
            return index < 0 || index >= _values.Length ? null : _values[index];
        }
    }

    /// <inheritdoc/>
    public override string ToString() =>
        $"{At} {Thread}: {Name} {string.Join(" ", _values.Select((value, i) => $"{_kind.Fields[i]}={value}"))}";
}

// A block's events at a time.
internal sealed unsafe class EventReader : IDisposable
{
    internal sealed record Kind(string Name, string[] Fields, string[] Kinds);

    private readonly Dictionary<uint, Kind> _kinds = [];
    private readonly Dictionary<(string Kind, ulong Id), string> _names = [];
    private readonly Dictionary<nint, (string Name, string[] Fields)> _records = [];
    private List<LogEvent> _events = [];
    private readonly GCHandle _self;
    private readonly nint _blocks, _decoder;
    private Exception? _thrown;

    private EventReader(string path)
    {
        _self = GCHandle.Alloc(this);
        Native.Sink sink = new()
        {
            Size = (nuint)sizeof(Native.Sink), Context = GCHandle.ToIntPtr(_self), Record = &OnRecord, Event = &OnEvent,
        };
        Native.Sink* to = &sink;
        try
        {
            _blocks = Native.Checked((message, size) => Native.oriel_log_blocks_open(path, message, size));
            _decoder = Native.Checked((message, size) => Native.oriel_log_decoder_create(to, message, size));
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    internal static IEnumerable<LogEvent> Read(string path)
    {
        using EventReader reader = new(path);
        while (reader.Next() is { } events)
            foreach (LogEvent one in events) yield return one;
    }

    public void Dispose()
    {
        Native.oriel_log_decoder_destroy(_decoder);
        Native.oriel_log_blocks_close(_blocks);
        _self.Free();
    }

    private List<LogEvent>? Next()
    {
        nint block = Native.oriel_log_blocks_next(_blocks, null);
        if (block == 0) return null;
        _events = [];
        Native.Checked((message, size) => Native.oriel_log_decoder_decode(_decoder, block, message, size) == 0 ? 1 : 0);
        return _thrown == null ? _events : throw _thrown;
    }

    [UnmanagedCallersOnly]
    private static void OnRecord(nint context, Native.Record* record) => Guarded(context, reader => reader.Learn(*record));

    [UnmanagedCallersOnly]
    private static void OnEvent(nint context, Native.Event* told) => Guarded(context, reader => reader.Add(*told));

    // No exception goes through native code.
    private static void Guarded(nint context, Action<EventReader> run)
    {
        var reader = (EventReader)GCHandle.FromIntPtr(context).Target!;
        try
        {
            run(reader);
        }
        catch (Exception thrown)
        {
            reader._thrown ??= thrown;
        }
    }

    private void Learn(Native.Record record)
    {
        if (!_records.TryGetValue((nint)record.Description, out var known))
            _records[(nint)record.Description] = known = (Native.Text(record.Description->Name), NamesOf(record.Description, field => (nint)field.Name));
        int id = Array.IndexOf(known.Fields, "id"), name = Array.IndexOf(known.Fields, "name");
        if (id < 0 || name < 0) return;
        string text = Native.Text(record.Values[name].Text);
        int klass = Array.IndexOf(known.Fields, "class");
        if (klass >= 0 && _names.TryGetValue(("class", record.Values[klass].Number), out string? owner)) text = owner + "." + text;
        if (text != "") _names[(known.Name, record.Values[id].Number)] = text;
    }

    private void Add(Native.Event told)
    {
        if (!_kinds.TryGetValue(told.Number, out Kind? kind))
        {
            Native.Description* description = Native.oriel_log_describe_event(told.Number);
            if (description == null) return;
            _kinds[told.Number] = kind = new(Native.Text(description->Name), NamesOf(description, field => (nint)field.Name),
                                             NamesOf(description, field => (nint)field.Kind));
        }
        object?[] values = new object?[Math.Min(told.Count, kind.Fields.Length)];
        for (int i = 0; i < values.Length; ++i) values[i] = ValueOf(kind.Kinds[i], told.Values[i], told.Text);
        _events.Add(new(kind, _names.GetValueOrDefault(("thread", told.Thread)) ?? $"{told.Thread}",
                        TimeSpan.FromTicks(Native.oriel_log_blocks_ns(_blocks, told.Counter) / 100), values));
    }

    private object? ValueOf(string kind, ulong value, byte* text) => kind switch
    {
        "text" => text == null ? null : Native.Text(text, (nuint)value),
        "flag" => value != 0,
        "double" => BitConverter.UInt64BitsToDouble(value),
        _ => _names.TryGetValue((kind, value), out string? name) ? name : unchecked((long)value),
    };

    private static string[] NamesOf(Native.Description* description, Func<Native.Field, nint> name)
    {
        var names = new string[description->Count];
        for (int i = 0; i < names.Length; ++i) names[i] = Native.Text((byte*)name(description->Fields[i]));
        return names;
    }
}
