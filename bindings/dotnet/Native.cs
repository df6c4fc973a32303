using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Oriel.Log;

// The C interface, include/oriel/log.h.
internal static unsafe partial class Native
{
    private const string Library = "oriel-reader";

    internal struct Field
    {
        public byte* Name, Kind, Doc;
        public Description* Items;
    }

    internal struct Description
    {
        public byte* Name;
        public uint Number, Count;
        public Field* Fields;
    }

    internal struct Event
    {
        public uint Number, Count;
        public ulong Thread, Counter;
        public ulong* Values;
        public ulong Stack;
        public byte* Text;
    }

    internal struct Value
    {
        public ulong Number;
        public byte* Text;
        public Record* Items;
    }

    internal struct Record
    {
        public Description* Description;
        public Value* Values;
    }

    internal struct Sink
    {
        public nuint Size;
        public nint Context;
        public delegate* unmanaged<nint, Record*, void> Record;
        public delegate* unmanaged<nint, Event*, void> Event;
        public nint Calls, StackNode, NodeIl, Sample, Compiling, Clock, Problem;
    }

    internal enum CellType
    {
        Null,
        Integer,
        Text,
    }

    internal struct Column
    {
        public byte* Name, Is, Doc;
        public CellType Type;
    }

    internal struct Cell
    {
        public CellType Type;
        public long Integer;
        public byte* Text;
        public nuint Length;
    }

    [LibraryImport(Library)] internal static partial byte* oriel_log_version();
    [LibraryImport(Library)] internal static partial Description* oriel_log_describe_event(uint number);

    [LibraryImport(Library, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial nint oriel_log_blocks_open(string path, byte* message, nuint size);
    [LibraryImport(Library)] internal static partial void oriel_log_blocks_close(nint blocks);
    [LibraryImport(Library)] internal static partial nint oriel_log_blocks_next(nint blocks, Sink* sink);
    [LibraryImport(Library)] internal static partial long oriel_log_blocks_ns(nint blocks, ulong counter);
    [LibraryImport(Library)] internal static partial nint oriel_log_decoder_create(Sink* sink, byte* message, nuint size);
    [LibraryImport(Library)] internal static partial void oriel_log_decoder_destroy(nint decoder);
    [LibraryImport(Library)] internal static partial int oriel_log_decoder_decode(nint decoder, nint block, byte* message, nuint size);

    [LibraryImport(Library, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial nint oriel_log_tables_load(string path, byte* message, nuint size);
    [LibraryImport(Library)] internal static partial void oriel_log_tables_destroy(nint tables);
    [LibraryImport(Library)] internal static partial byte* oriel_log_tables_problem(nint tables, nuint index);
    [LibraryImport(Library)] internal static partial nint oriel_log_table_at(nint tables, nuint index);
    [LibraryImport(Library)] internal static partial byte* oriel_log_table_name(nint table);
    [LibraryImport(Library)] internal static partial byte* oriel_log_table_doc(nint table);
    [LibraryImport(Library)] internal static partial nuint oriel_log_table_rows(nint table);
    [LibraryImport(Library)] internal static partial Column* oriel_log_table_column(nint table, nuint index);
    [LibraryImport(Library)] internal static partial void oriel_log_table_cell(nint table, nuint row, nuint column, Cell* cell);

    internal delegate nint Opens(byte* message, nuint size);

    // What a function that may fail answers, or its message as an exception.
    internal static nint Checked(Opens open)
    {
        const int Room = 1024;
        byte* message = stackalloc byte[Room];
        nint opened = open(message, Room);
        return opened != 0 ? opened : throw new LogException(Text(message));
    }

    internal static string Text(byte* text) => Marshal.PtrToStringUTF8((nint)text) ?? "";

    internal static string Text(byte* text, nuint length) => Encoding.UTF8.GetString(text, checked((int)length));
}

/// <summary>A log cannot be read; the message says why, and what to do.</summary>
public sealed class LogException(string message) : Exception(message);
