/* Oriel's public C API for snapshots of the heap: every object with its type, size and references, and what keeps it
 * alive. Include it beside oriel.h.
 *
 * The program is stopped only until its process has been copied (fork): tens of milliseconds for each gigabyte. The
 * walk happens in the copy, while the program goes on. Where no copy can be made, the walk happens in the process, and
 * the program is stopped until its end: a second or two for each gigabyte, at most 10 s. No collection is made, on Mono
 * one of the nursery: what the next one would free is in the snapshot, and nothing keeps it alive. */
#ifndef ORIEL_HEAP_H
#define ORIEL_HEAP_H

#include "oriel/oriel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Objects are numbered from 0 by rising address. */
typedef struct oriel_heap_object {
  uint64_t address;
  uint64_t bytes;  /* with what the heap adds to align it */
  uint64_t length; /* elements of an array or a string, 0 for others */
  uint32_t type;   /* index in oriel_heap.types */
  bool has_length;
} oriel_heap_object;

/* What visits the objects: object(0), its values, its references, object(1), …, done. It runs in the copy of the
 * process, whose only thread it is: another thread may have held any lock when the copy was made, so it must not lock,
 * allocate, or call anything that does; memory is to be made ready before. What it writes to memory is lost with the
 * copy, unless it is shared (mmap with MAP_SHARED). Where no copy can be made, it runs on the calling thread while the
 * program is stopped, and the same holds: a stopped thread may hold any lock. */
typedef struct oriel_heap_visitor {
  void* context;
  int file; /* a descriptor of the calling thread that stays open in the copy, and no other does; -1: none */
  void (*object)(void* context, const oriel_heap_object* object);
  /* The next slot of the object `from`: a place for a reference, by the order of slots in its type and of its elements.
   * `target` is the number of the object that it refers to, + 1, or 0. */
  void (*slot)(void* context, uint64_t from, uint64_t target);
  /* After the last one. Returns 0, or an errno with which the snapshot fails. */
  int (*done)(void* context);
  /* The next value of the last object, by the order of its type's `values`. NULL: not wanted. */
  void (*value)(void* context, int64_t value);
} oriel_heap_visitor;

/* What else is read of objects, by their type. */
typedef enum oriel_heap_value {
  /* Of strings and of arrays without references: 1 if it has nothing but zeros, or no elements; else 0 if no other
   * object is equal to it, or a number that it has in common with those of its type that are: 34 bits of a hash. */
  ORIEL_HEAP_CONTENTS = 1,
  ORIEL_HEAP_COUNT,      /* of a collection: how many of its places were filled */
  ORIEL_HEAP_FREE,       /* of a collection: how many of these are free again */
  ORIEL_HEAP_DUE,        /* of a timer: milliseconds from when it was set until it is due; -1: it is not set */
  ORIEL_HEAP_PERIOD,     /* of a timer: milliseconds, -1: it is due once */
  ORIEL_HEAP_TASK_FLAGS, /* of an async method: its task's flags; one of 0x1600000 is set once it has ended */
  ORIEL_HEAP_AWAIT,      /* of an async method: at which await it waits, from 0; less than 0: it runs, or has ended */
  ORIEL_HEAP_FINALIZED   /* of types with finalizers: not 0 if it has run, or is suppressed */
} oriel_heap_value;

/* What a type is, where that is asked for. */
typedef enum oriel_heap_type_kind {
  ORIEL_HEAP_OTHER,
  ORIEL_HEAP_BOX, /* a value type */
  ORIEL_HEAP_DELEGATE,
  ORIEL_HEAP_CLOSURE, /* of lambdas, with the variables that they share with their method */
  ORIEL_HEAP_ASYNC    /* an async method that waits, or has ended */
} oriel_heap_type_kind;

typedef struct oriel_heap_slot {
  uint32_t offset;   /* from the object's start, or from the element's */
  const char* field; /* name of the field, "" if not known */
} oriel_heap_slot;

typedef struct oriel_heap_type {
  oriel_class* klass; /* NULL if it is not known */
  uint64_t objects, bytes;
  uint32_t base_size, element_size; /* bytes of an object without elements, and of an element; 0: it has none */
  const oriel_heap_slot* slots;     /* of the object, by rising offset */
  size_t slot_count;
  const oriel_heap_slot* element_slots; /* of each element, by rising offset */
  size_t element_slot_count;
  oriel_heap_type_kind kind;
  const oriel_heap_value* values; /* what the visitor gets of each object */
  size_t value_count;
  uint32_t storage;    /* of a collection: offset of the reference to the array with its elements; 0: no collection */
  const char* made_of; /* of a closure its lambdas, of an async method itself, as in the source; "" if not known */
} oriel_heap_type;

/* A string of which there are many equal ones: one of those that take the most. */
typedef struct oriel_heap_text {
  uint64_t object;
  const char* text; /* how it begins: at most 240 characters, in UTF-8 */
} oriel_heap_text;

/* What keeps an object alive. */
typedef enum oriel_heap_root_kind {
  ORIEL_HEAP_STATIC = 1,    /* a static field, `name`; or another place of the runtime's for the whole run, "" */
  ORIEL_HEAP_THREAD_STATIC, /* likewise, of `thread`; `name` may be the class alone */
  ORIEL_HEAP_STACK,         /* a word on a thread's stack: a local variable or argument, most likely of `method` */
  ORIEL_HEAP_STRONG_HANDLE,
  ORIEL_HEAP_PINNED_HANDLE,
  ORIEL_HEAP_COUNTED_HANDLE,
  ORIEL_HEAP_DEPENDENT,  /* the object lives as long as the object `holder` - 1 */
  ORIEL_HEAP_FINALIZER,  /* its finalizer is to run, as nothing else refers to it */
  ORIEL_HEAP_NATIVE,     /* a word in memory of the runtime, which is `name`, or of a library looks like a reference */
  ORIEL_HEAP_WEAK_HANDLE /* keeps nothing alive */
} oriel_heap_root_kind;

typedef struct oriel_heap_root {
  oriel_heap_root_kind kind;
  uint64_t object;
  uint64_t holder;      /* number + 1, for ORIEL_HEAP_DEPENDENT */
  oriel_thread* thread; /* for a stack or a thread-static field; NULL if not known */
  oriel_method* method; /* for a stack; NULL if not known */
  const char* name;     /* "Shop.Cache.Entries" */
} oriel_heap_root;

/* A piece of the heap. Generations 0 to 2; 3: large objects, 4: pinned, 5: frozen. */
typedef struct oriel_heap_space {
  uint32_t generation;
  uint64_t start, bytes;
} oriel_heap_space;

typedef struct oriel_heap {
  uint64_t counter;   /* when the program was stopped (oriel_clock) */
  uint64_t frozen_ns; /* for how long */
  uint64_t walked_ns; /* how long the walk over the objects took */
  uint64_t objects, bytes, slots;
  const char* missing; /* what is not in it, and why, as a sentence; "" if it is complete */
  const oriel_heap_type* types;
  size_t type_count;
  const oriel_heap_root* roots;
  size_t root_count;
  const oriel_heap_space* spaces;
  size_t space_count;
  const oriel_heap_text* texts;
  size_t text_count;
  const char* not_copied; /* why there was no copy, so that the program was stopped for the whole walk; "" otherwise */
} oriel_heap;

/* Takes a snapshot, and returns when the objects have been walked and the copy has ended. One at a time in a process:
 * others wait. NULL if it failed; `message` (may be NULL) gets the reason, cut to `size` bytes. To be freed by
 * oriel_heap_free. On a thread of a module that runs no managed code; not in callbacks, not async-safe. */
ORIEL_API const oriel_heap* oriel_heap_snapshot(const oriel_heap_visitor* visitor, char* message, size_t size);
/* NULL is allowed. Any thread. */
ORIEL_API void oriel_heap_free(const oriel_heap* heap);

/* Follows an object until it is collected, as samples of allocations are: gc_followed_gone then tells of its number,
 * which is returned and counts from 1. In a gc_allocation_full callback, for its object and size, while somebody
 * listens to gc_followed_gone. 0: it is not followed, because there are too many (gc_followed_part), there is no
 * memory, or the runtime cannot. It takes some 10 us, and a full collection some 50 ns longer for each object. May
 * lock; not async-safe. */
ORIEL_API uint32_t oriel_object_follow(oriel_object* object, uint64_t size);

#ifdef __cplusplus
}
#endif

#endif
