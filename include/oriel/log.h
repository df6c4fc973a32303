/* Reads Oriel's logs: the C interface of liboriel-reader. It is for programs that read logs, not for modules in the
 * profiled process, which use oriel.h. docs/READING.md shows how; docs/FORMAT.md and docs/TABLES.md say what a log has.
 *
 *   block reader  →  decoder  →  event sink  →  tables
 *   oriel_log_blocks  oriel_log_decoder  oriel_log_sink  oriel_log_tables
 *
 * Each may be replaced by the caller: a decoder takes blocks from anywhere, a sink is a struct of the caller's
 * functions, and tables are filled through a sink that anybody may call. oriel_log_decode_file and
 * oriel_log_tables_load are the whole chain at once. Every version of the format is read that a release of Oriel wrote,
 * and version 1.
 *
 * What holds everywhere:
 * - Errors are values. A function that can fail takes `message` and `size`: the message, if it is not NULL, has room
 * for `size` bytes, and gets one line that says what is wrong and what to do, always terminated, cut if it is longer.
 * - NULL instead of an object, a path, a name, bytes or a struct is no crash: a function that can fail fails and says
 * which is NULL; the others return what they return of something that is not there: NULL, 0, -1 or "". So a table that
 * oriel_log_table_named did not find has no rows.
 * - Texts are valid UTF-8, end with a NUL, and belong to the library. How long they are valid stands at each function.
 * - Nothing in a log is trusted. A damaged or truncated log never crashes the reader; what is lost is told to the sink.
 *   Ids in records may be undefined if the block that defines them was damaged.
 * - Objects are independent of each other. One object may be used by one thread at a time.
 * - Callbacks may not throw, longjmp, or destroy the object that calls them. NULL is allowed for each of them.
 * - Structs that the caller fills begin with `size`, which is sizeof the struct: later versions add members at the end.
 *   Structs that the library fills for the caller likewise; others are only read through pointers. */
#ifndef ORIEL_LOG_H
#define ORIEL_LOG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ORIEL_LOG_API __attribute__((visibility("default")))

/* The library's version, as "1.2.3". Valid as long as the process; any thread. */
ORIEL_LOG_API const char* oriel_log_version(void);

/* ---- Events and records, and what their fields are ----------------------------------------------------------------
 */

/* oriel_log_NAME: an event's number, as in events.def. Others, such as those of version 1, are told by
 * oriel_log_describe_event. */
typedef enum oriel_log_event_number {
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) oriel_log_##name = number,
#include "oriel/events.def"
#undef ORIEL_EVENT
  oriel_log_event_number_end = 256
} oriel_log_event_number;

typedef struct oriel_log_description oriel_log_description;

/* A field of an event, or of a record. */
typedef struct oriel_log_field {
  const char* name;
  const char* kind;                   /* what a number is: "method" (an id), "thread", "bytes", "counter" (when), …;
                                         "text"; "list" */
  const char* doc;                    /* "" if the name says it */
  const oriel_log_description* items; /* of a list: what its items are; else NULL */
} oriel_log_field;

/* What an event or a record has. Names are never changed; later versions add fields at the end. All are valid as long
 * as the process, and there is one of each: pointers may be compared. */
struct oriel_log_description {
  const char* name;
  uint32_t number; /* of an event; 0 for a record */
  uint32_t count;  /* of fields */
  const oriel_log_field* fields;
};

/* NULL if there is none of that number, or name. Version 1 has a gc_end of its own, which has a number only. Any
 * thread. */
ORIEL_LOG_API const oriel_log_description* oriel_log_describe_event(uint32_t number);
ORIEL_LOG_API const oriel_log_description* oriel_log_describe_event_named(const char* name);
ORIEL_LOG_API const oriel_log_description* oriel_log_describe_record(const char* name);
/* All records first, then all events; NULL behind the last one. Any thread. */
ORIEL_LOG_API const oriel_log_description* oriel_log_description_at(size_t index);
/* The index of a field, -1 if there is none of that name. Any thread. */
ORIEL_LOG_API int oriel_log_field_index(const oriel_log_description* description, const char* name);

/* An event of a thread. Valid during the call. */
typedef struct oriel_log_event {
  uint32_t number;
  uint32_t count; /* of values that are there: an older log may have fewer than the description has fields */
  uint64_t thread;
  uint64_t counter; /* when, in counts of the log's counter: oriel_log_blocks_ns */
  const uint64_t*
      values;     /* in the order of the fields: ids, numbers; of a "double" its bits; 0 of fields that are not there */
  uint64_t stack; /* the leaf node of its stack (oriel_log_stack_node), 0 if it has none */
  const char* text; /* the event's text, NULL if it has none; its value is the text's length */
} oriel_log_event;

/* The enter or the leave of a method: of these there are many. */
typedef struct oriel_log_call {
  uint64_t counter;
  uint32_t number; /* oriel_log_method_enter, _method_leave, _method_exception_leave or _method_tail_call */
  uint32_t method; /* of a leave, 0 if its enter is not in the log */
} oriel_log_call;

/* A node of the tree of stacks: a frame below its caller. Node 0 is the root, above the start of each thread. */
typedef struct oriel_log_stack_node {
  uint64_t id;        /* each once, before its first use */
  uint64_t parent;    /* the caller's node; less than id */
  uint64_t frame;     /* id of a method, or of a native function */
  uint32_t native;    /* 1 if it is a native function's */
  uint32_t truncated; /* 1 if callers are missing */
} oriel_log_stack_node;

/* A sample of a thread. */
typedef struct oriel_log_sample {
  uint64_t thread;
  uint64_t counter;
  uint64_t node;    /* the leaf of its stack; 0 if no frame could be read */
  uint64_t periods; /* how many sampling periods it stands for */
} oriel_log_sample;

/* A sample that met a thread while it compiled a method. */
typedef struct oriel_log_compiling {
  uint64_t thread;
  uint64_t counter;
  uint64_t method;
  uint64_t periods;
  uint32_t again; /* 1 if the method had code before */
} oriel_log_compiling;

typedef struct oriel_log_record oriel_log_record;

/* The value of a field. */
typedef struct oriel_log_value {
  uint64_t number;               /* a number; of a list, how many items; of a text, its bytes */
  const char* text;              /* of a text, or of bytes; else NULL */
  const oriel_log_record* items; /* of a list; else NULL */
} oriel_log_value;

/* Anything else that a log has: names of ids ("method", "class", "thread", "native", …), "intro", "loaded", "process",
 * "lost", …. `values` are as many as the description has fields, in their order. Valid during the call. */
struct oriel_log_record {
  const oriel_log_description* description;
  const oriel_log_value* values;
};

/* A field's value by its name: 0, or "", if the record has none of that name. */
ORIEL_LOG_API uint64_t oriel_log_number(const oriel_log_record* record, const char* field);
ORIEL_LOG_API const char* oriel_log_text(const oriel_log_record* record, const char* field);

/* ---- Event sink: what a decoder tells, in the log's order ----------------------------------------------------------
 */

typedef struct oriel_log_sink {
  size_t size;   /* sizeof(oriel_log_sink) */
  void* context; /* the first argument of each */
  void (*record)(void* context, const oriel_log_record* record);
  void (*event)(void* context, const oriel_log_event* event);
  /* Some calls of a thread, in their order. If this is NULL, each is told as an event. */
  void (*calls)(void* context, uint64_t thread, const oriel_log_call* calls, size_t count);
  void (*stack_node)(void* context, const oriel_log_stack_node* node);
  /* Where in its method a node is: the offset of the instruction in its IL. Stands behind the node. */
  void (*node_il)(void* context, uint64_t node, uint32_t il);
  void (*sample)(void* context, const oriel_log_sample* sample);
  void (*compiling)(void* context, const oriel_log_compiling* compiling);
  /* The counter at a time of day, from anywhere in the log: what turns counters into time. */
  void (*clock)(void* context, uint64_t counter, uint64_t unix_us);
  /* A part of the log cannot be read: where, and a sentence for a person. */
  void (*problem)(void* context, uint64_t offset, const char* message);
} oriel_log_sink;

/* ---- Block reader --------------------------------------------------------------------------------------------------
 */

typedef struct oriel_log_blocks oriel_log_blocks;

/* A block of a log: its code is the number in docs/FORMAT.md, 5 for events. */
typedef struct oriel_log_block {
  size_t size; /* sizeof(oriel_log_block) */
  uint32_t code;
  uint32_t damaged; /* 1 in a part of the log that is damaged: a decoder takes only names from it */
  const uint8_t* data;
  size_t length; /* of data: without the header */
  uint64_t offset;
  uint32_t version; /* of the log's format, from oriel_log_blocks_next; 0: only the log's intro tells it */
} oriel_log_block;

/* Opens a log, or one whose bytes are in memory and stay there until the reader is closed. A log that is still being
 * written is read up to where it is now. NULL: it cannot be read, is no log, or has a version that this library does
 * not know. */
ORIEL_LOG_API oriel_log_blocks* oriel_log_blocks_open(const char* path, char* message, size_t size);
ORIEL_LOG_API oriel_log_blocks* oriel_log_blocks_in(const void* bytes, size_t length, char* message, size_t size);
/* NULL is allowed. */
ORIEL_LOG_API void oriel_log_blocks_close(oriel_log_blocks* blocks);

/* The next block, NULL behind the last one. It and its data are valid until the next call: files are read in windows.
 * Damage is told to `sink`, if it is not NULL, as a problem; and that the file cannot be read on. */
ORIEL_LOG_API const oriel_log_block* oriel_log_blocks_next(oriel_log_blocks* blocks, const oriel_log_sink* sink);

/* The version of the format that the log has: 1 or 2; 0 of NULL. */
ORIEL_LOG_API uint32_t oriel_log_blocks_version(const oriel_log_blocks* blocks);

/* When a counter's count was: nanoseconds since the log began, 0 for what was before. And how long so many counts are.
 * The first call of either reads the log, apart from oriel_log_blocks_next. */
ORIEL_LOG_API int64_t oriel_log_blocks_ns(oriel_log_blocks* blocks, uint64_t counter);
ORIEL_LOG_API int64_t oriel_log_blocks_duration_ns(oriel_log_blocks* blocks, uint64_t counts);

/* ---- Decoder -------------------------------------------------------------------------------------------------------
 */

typedef struct oriel_log_decoder oriel_log_decoder;

/* What became of a log. */
typedef struct oriel_log_outcome {
  size_t size;         /* sizeof(oriel_log_outcome), set by the caller */
  uint64_t bytes;      /* of the log; 0 from a decoder, which does not know */
  uint64_t blocks;     /* whole blocks that were decoded */
  uint64_t damaged;    /* blocks whose contents are lost */
  uint64_t torn_bytes; /* at the end, behind the last whole block; 0 from a decoder */
  uint32_t ended;      /* 1 if the program ended and the log is complete */
} oriel_log_outcome;

/* Decodes blocks and tells them to the sink, which is copied. NULL: there is no memory, or no sink. */
ORIEL_LOG_API oriel_log_decoder* oriel_log_decoder_create(const oriel_log_sink* sink, char* message, size_t size);
/* NULL is allowed. */
ORIEL_LOG_API void oriel_log_decoder_destroy(oriel_log_decoder* decoder);

/* Decodes one block. They follow in the log's order; blocks that the caller knows not to need may be left out, if they
 * define no ids. The first one's version holds for all, or it is the intro. Returns 0. Otherwise nothing can be
 * decoded: the first block has no version and is no intro, or this library does not know the version; or there is no
 * memory. A damaged block is no error: its problem is told to the sink. */
ORIEL_LOG_API int oriel_log_decoder_decode(oriel_log_decoder* decoder, const oriel_log_block* block, char* message,
                                           size_t size);
ORIEL_LOG_API void oriel_log_decoder_outcome(const oriel_log_decoder* decoder, oriel_log_outcome* outcome);

/* Block reader and decoder at once. Return 0; otherwise nothing could be read. Only the outcome may be NULL, and bytes
 * of length 0. */
ORIEL_LOG_API int oriel_log_decode_file(const char* path, const oriel_log_sink* sink, oriel_log_outcome* outcome,
                                        char* message, size_t size);
ORIEL_LOG_API int oriel_log_decode_bytes(const void* bytes, size_t length, const oriel_log_sink* sink,
                                         oriel_log_outcome* outcome, char* message, size_t size);

/* ---- Tables --------------------------------------------------------------------------------------------------------
 */

/* What a log becomes when it is read, as docs/TABLES.md describes it: samples, calls and allocations added up by the
 * way on which they were reached, collections, exceptions, …; with stacks, threads, functions and processes, to which
 * rows refer. */
typedef struct oriel_log_tables oriel_log_tables;
typedef struct oriel_log_table oriel_log_table;

typedef enum oriel_log_type {
  oriel_log_type_null = 0, /* not known */
  oriel_log_type_integer = 1,
  oriel_log_type_text = 2 /* lists too, as JSON */
} oriel_log_type;

typedef struct oriel_log_column {
  const char* name;
  const char* is;  /* "time, ns since the start of the log", "count", "flag", "function", … */
  const char* doc; /* "" if the name says it */
  oriel_log_type type;
} oriel_log_column;

typedef struct oriel_log_cell {
  oriel_log_type type; /* the column's, or null */
  int64_t integer;
  const char* text; /* valid until the next cell of these tables, or until they are destroyed */
  size_t length;    /* of the text, in bytes */
} oriel_log_cell;

/* Reads a log into tables, with symbols of native functions where they can be found. NULL: it cannot be read. */
ORIEL_LOG_API oriel_log_tables* oriel_log_tables_load(const char* path, char* message, size_t size);

/* The same in parts: tables without rows; the sink through which a decoder, or anybody, tells them a log; and the end
 * of that, which makes the rows. `bytes` is the log's size: what its records may take in memory is limited in
 * proportion. The sink is valid until oriel_log_tables_finish, which returns 0, or tells that there is no memory. */
ORIEL_LOG_API oriel_log_tables* oriel_log_tables_create(uint64_t bytes, char* message, size_t size);
ORIEL_LOG_API const oriel_log_sink* oriel_log_tables_sink(oriel_log_tables* tables);
ORIEL_LOG_API int oriel_log_tables_finish(oriel_log_tables* tables, char* message, size_t size);
/* NULL is allowed. */
ORIEL_LOG_API void oriel_log_tables_destroy(oriel_log_tables* tables);

/* What could not be read, sentences for a person; NULL behind the last one. Valid as long as the tables. */
ORIEL_LOG_API const char* oriel_log_tables_problem(const oriel_log_tables* tables, size_t index);

/* A table by its place, NULL behind the last one; or by its name, NULL if there is none. Valid as long as the tables.
 */
ORIEL_LOG_API const oriel_log_table* oriel_log_table_at(const oriel_log_tables* tables, size_t index);
ORIEL_LOG_API const oriel_log_table* oriel_log_table_named(const oriel_log_tables* tables, const char* name);
ORIEL_LOG_API const char* oriel_log_table_name(const oriel_log_table* table);
/* What a row is. */
ORIEL_LOG_API const char* oriel_log_table_doc(const oriel_log_table* table);

ORIEL_LOG_API size_t oriel_log_table_rows(const oriel_log_table* table);
/* NULL behind the last one. Valid as long as the tables. */
ORIEL_LOG_API const oriel_log_column* oriel_log_table_column(const oriel_log_table* table, size_t index);
/* The index of a column, -1 if there is none of that name. */
ORIEL_LOG_API int oriel_log_column_index(const oriel_log_table* table, const char* name);

/* What stands in a row, both from 0. Null if there is no such row or column. */
ORIEL_LOG_API void oriel_log_table_cell(const oriel_log_table* table, size_t row, size_t column, oriel_log_cell* cell);
/* The same: 0 or "" for null and for other types. */
ORIEL_LOG_API int64_t oriel_log_table_integer(const oriel_log_table* table, size_t row, size_t column);
ORIEL_LOG_API const char* oriel_log_table_text(const oriel_log_table* table, size_t row, size_t column);

#ifdef __cplusplus
}
#endif

#endif
