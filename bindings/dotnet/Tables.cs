using System.Collections;

namespace Oriel.Log;

/// <summary>What a value of a column is.</summary>
public enum ColumnType
{
    /// <summary>A number, a time in nanoseconds, or a flag, which is 0 or 1.</summary>
    Integer = 1,
    /// <summary>A text; a list as JSON.</summary>
    Text = 2,
}

/// <summary>A column of a table: its name, what it is (as "count" or "duration, ns"), and what it says.</summary>
public sealed record Column(string Name, string Is, string Doc, ColumnType Type);

/// <summary>A table of a log, as docs/TABLES.md describes it. Usable from several threads.</summary>
public sealed unsafe class Table
{
    private readonly LogFile _log;
    private readonly nint _table;
    private readonly Dictionary<string, int> _indexes = [];

    internal Table(LogFile log, nint table)
    {
        _log = log;
        _table = table;
        Name = Native.Text(Native.oriel_log_table_name(table));
        Doc = Native.Text(Native.oriel_log_table_doc(table));
        List<Column> columns = [];
        for (Native.Column* at; (at = Native.oriel_log_table_column(table, (nuint)columns.Count)) != null;)
        {
            _indexes[Native.Text(at->Name)] = columns.Count;
            columns.Add(new(Native.Text(at->Name), Native.Text(at->Is), Native.Text(at->Doc), (ColumnType)at->Type));
        }
        Columns = columns;
        Rows = new RowList(this, checked((int)Native.oriel_log_table_rows(table)));
    }

    /// <summary>As in docs/TABLES.md.</summary>
    public string Name { get; }

    /// <summary>What a row is.</summary>
    public string Doc { get; }

    /// <summary>In their order.</summary>
    public IReadOnlyList<Column> Columns { get; }

    /// <summary>Read as they are asked for.</summary>
    public IReadOnlyList<Row> Rows { get; }

    internal int IndexOf(string column) =>
        _indexes.TryGetValue(column, out int index) ? index : throw new KeyNotFoundException($"{Name} has no column {column}");

    internal object? Value(int row, int column)
    {
        lock (_log.Gate)
        {
            _log.Check();
            Native.Cell cell;
            Native.oriel_log_table_cell(_table, (nuint)row, (nuint)column, &cell);
            return cell.Type switch
            {
                Native.CellType.Integer => cell.Integer,
                Native.CellType.Text => Native.Text(cell.Text, cell.Length),
                _ => null,
            };
        }
    }

    private sealed class RowList(Table table, int count) : IReadOnlyList<Row>
    {
        public int Count => count;
        public Row this[int index] =>
            (uint)index < (uint)count ? new Row(table, index) : throw new ArgumentOutOfRangeException(nameof(index));
        public IEnumerator<Row> GetEnumerator()
        {
            for (int i = 0; i < count; ++i) yield return new Row(table, i);
        }
        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}

/// <summary>A row of a table. What is not known is null.</summary>
public readonly struct Row
{
    private readonly Table _table;

    internal Row(Table table, int index)
    {
        _table = table;
        Index = index;
    }

    /// <summary>From 0: what columns that are rows of another table refer to.</summary>
    public int Index { get; }

    /// <summary>A long, a string, or null.</summary>
    public object? this[string column] => _table.Value(Index, _table.IndexOf(column));

    /// <summary>A number; null of texts too.</summary>
    public long? Integer(string column) => this[column] as long?;

    /// <summary>A text; null of numbers too.</summary>
    public string? Text(string column) => this[column] as string;

    /// <summary>Of nanoseconds, the time since the log began, or a duration.</summary>
    public TimeSpan? Time(string column) => Integer(column) is { } ns ? TimeSpan.FromTicks(ns / 100) : null;

    internal long Count(string column) => Integer(column) ?? 0;
    internal bool Flag(string column) => Integer(column) is > 0;
    internal string Name(string column) => Text(column) ?? "";
    internal TimeSpan Duration(string column) => Time(column) ?? TimeSpan.Zero;
}
