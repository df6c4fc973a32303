namespace Oriel.Log;

/// <summary>A log that `oriel run` wrote, read into memory. It may be of a program that still runs: what it has until
/// now.</summary>
public sealed unsafe class LogFile : IDisposable
{
    private readonly string _path;
    private readonly Dictionary<string, Table> _byName = [];
    private readonly Lazy<Stack?[]> _stacks;
    private nint _tables;

    private LogFile(string path)
    {
        _path = path;
        _tables = Native.Checked((message, size) => Native.oriel_log_tables_load(path, message, size));
        List<Table> tables = [];
        for (nint at; (at = Native.oriel_log_table_at(_tables, (nuint)tables.Count)) != 0;) tables.Add(new(this, at));
        Tables = tables;
        foreach (Table table in tables) _byName[table.Name] = table;
        List<string> problems = [];
        for (byte* at; (at = Native.oriel_log_tables_problem(_tables, (nuint)problems.Count)) != null;) problems.Add(Native.Text(at));
        Problems = problems;
        _stacks = new(() => new Stack?[Table("stacks").Rows.Count + 1]);
    }

    /// <summary>Frees the log, which nobody may then ask any more.</summary>
    ~LogFile() => Free();

    internal Lock Gate { get; } = new();

    /// <summary>Reads a log.</summary>
    /// <exception cref="LogException">It cannot be read.</exception>
    public static LogFile Open(string path) => new(path);

    /// <summary>The version of the library that reads.</summary>
    public static string Version => Native.Text(Native.oriel_log_version());

    /// <summary>All tables, as docs/TABLES.md describes them.</summary>
    public IReadOnlyList<Table> Tables { get; }

    /// <summary>What of the log could not be read, in sentences.</summary>
    public IReadOnlyList<string> Problems { get; }

    /// <summary>A table by its name.</summary>
    /// <exception cref="KeyNotFoundException">There is none of that name.</exception>
    public Table Table(string name) =>
        _byName.TryGetValue(name, out Table? table) ? table : throw new KeyNotFoundException($"there is no table {name}");

    /// <summary>The program's threads.</summary>
    public IEnumerable<LogThread> Threads => Table("threads").Rows.Select(row =>
        new LogThread(row.Name("thread"), row.Count("thread_os_id"), row.Flag("managed"), row.Time("first"), row.Time("last")));

    /// <summary>Methods and native functions that samples, calls and other rows refer to.</summary>
    public IEnumerable<Method> Methods => Table("functions").Rows.Where(row => !row.Flag("is_type")).Select(row =>
        new Method(row.Name("name"), row.Text("module"), row.Flag("managed"), row.Text("origin")));

    /// <summary>Samples of threads that ran; where real time was sampled, of all.</summary>
    public IEnumerable<Sample> Samples => Table("samples").Rows.Select(SampleOf);

    /// <summary>Samples of threads that waited.</summary>
    public IEnumerable<Sample> Waits => Table("waits").Rows.Select(SampleOf);

    /// <summary>Allocations, added up by type, site and way.</summary>
    public IEnumerable<Allocation> Allocations => Table("allocations").Rows.Select(row =>
        new Allocation(row.Name("type"), row.Name("site"), row.Name("thread"), StackOf(row.Count("call_stack")),
                       row.Count("objects"), row.Count("bytes"), row.Count("samples")));

    /// <summary>Garbage collections.</summary>
    public IEnumerable<Collection> Collections => Table("collections").Rows.Select(row =>
        new Collection(row.Count("number"), row.Count("generation"), row.Time("start"), row.Time("end"), row.Duration("paused"),
                       row.Flag("induced"), row.Flag("background"), row.Text("trigger")));

    /// <summary>Each exception that was thrown.</summary>
    public IEnumerable<ThrownException> Exceptions => Table("throws").Rows.Select(row =>
        new ThrownException(row.Time("at"), row.Name("type"), row.Name("thread"), StackOf(row.Count("stack"))));

    /// <summary>Logged calls, added up by the way on which they were reached.</summary>
    public IEnumerable<Calls> Calls => Table("call_figures").Rows.Where(row => row.Text("call") != null).Select(row =>
        new Calls(row.Name("call"), row.Name("thread"), StackOf(row.Count("call_stack")), row.Count("calls"),
                  row.Count("by_exception"), row.Duration("self"), row.Duration("longest")));

    /// <summary>Decodes the log's single events, thread by thread in pieces, each thread's in order. None is kept.</summary>
    public IEnumerable<LogEvent> Events() => EventReader.Read(_path);

    /// <summary>A stack by its number; null of 0.</summary>
    public Stack? StackOf(long number)
    {
        Stack?[] stacks = _stacks.Value;
        if (number <= 0 || number >= stacks.Length) return null;
        return stacks[number] ??= new Stack(this, Table("stacks").Rows[(int)number - 1]);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (Gate) Free();
        GC.SuppressFinalize(this);
    }

    internal void Check() => ObjectDisposedException.ThrowIf(_tables == 0, this);

    private Sample SampleOf(Row row) =>
        new(row.Time("at"), row.Name("thread"), row.Count("thread_os_id"), StackOf(row.Count("stack")), row.Count("periods"));

    private void Free()
    {
        Native.oriel_log_tables_destroy(Interlocked.Exchange(ref _tables, 0));
    }
}
