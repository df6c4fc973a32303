// The layout of the blocks of a heap snapshot.
#pragma once

#include "log/codec.h"
#include "log/event.h"
#include "log/heap_records.h"

namespace oriel::log {

template <typename C, Like<HeapSlot> R>
void fields(C& c, R& r) {
  c.integer("place", r.place, "its offset in the object, or in the element, + 1");
  c.string("field", r.field, "the field's name, empty if not known or an element itself");
}

template <typename C, Like<HeapType> R>
void fields(C& c, R& r) {
  if constexpr (!std::is_const_v<R>) r = {};
  c.integer("number", r.number, "from 1, of this snapshot only");
  c.integer("class", r.klass, "class id, 0 if not known", FieldKind::kClass);
  c.integer("objects", r.objects, "how many");
  c.integer("bytes", r.bytes, "of what size together");
  c.integer("base_size", r.base_size, "bytes of an object without elements");
  c.integer("element_size", r.element_size, "bytes of an element of arrays and strings; 0: objects have no length");
  c.list("slots", r.slots, Ending::kInt0, "places for references in the object, by rising offset");
  c.list("element_slots", r.element_slots, Ending::kInt0, "places for references in each element, by rising offset");
}

template <typename C, Like<HeapSpace> R>
void fields(C& c, R& r) {
  c.integer("generation", r.generation, "1, 2, 3 generations 0, 1, 2; 4 large, 5 pinned, 6 frozen objects");
  c.integer("start", r.start, "address");
  c.integer("bytes", r.bytes, "how long it is");
}

template <typename C, Like<HeapRoot> R>
void fields(C& c, R& r) {
  if constexpr (!std::is_const_v<R>) r = {};
  c.integer("kind", r.kind,
            "1 static field, 2 thread static, 3 stack, 4 strong, 5 pinned, 6 counted, 7 dependent handle, 8 finalizer "
            "queue, 9 native memory, 10 weak handle, which keeps nothing alive");
  c.integer("object", r.object, "number of the object");
  c.integer("holder", r.holder, "of a dependent handle: number of the object on which it depends, + 1");
  c.integer("thread", r.thread, "thread id, 0 for none");
  c.integer("method", r.method, "method id, 0 if not known", FieldKind::kMethod);
  c.string("name", r.name, "of a static field, its name with its class");
}

template <typename C, Like<HeapSnapshot> R>
void fields(C& c, R& r) {
  c.integer("number", r.number, "from 1");
  c.integer("counter", r.counter, "when the program was stopped for it", FieldKind::kCounter);
  c.string("cause", r.cause, "what asked for it: request, exit, interval, growth, signal, api");
  c.integer("frozen_ns", r.frozen_ns, "how long the program was stopped");
  c.integer("walked_ns", r.walked_ns, "how long the walk over the objects took");
  c.integer("objects", r.objects, "how many objects there are");
  c.integer("bytes", r.bytes, "bytes of all objects");
  c.integer("slots", r.slots, "how many places for references they have");
  c.string("missing", r.missing, "what is not in it, and why; empty if it is complete");
  c.list("spaces", r.spaces, Ending::kInt0, "pieces of the heap");
  c.list("types", r.types, Ending::kInt0, "types by number");
  c.list("roots", r.roots, Ending::kInt0, "what keeps objects alive");
  c.string("not_copied", r.not_copied,
           "why the walk was not over a copy of the process, so that the program was stopped for all of it; empty if "
           "it was");
}

template <typename C, Like<HeapTypeDetails> R>
void fields(C& c, R& r) {
  if constexpr (!std::is_const_v<R>) r = {};
  c.integer("type", r.type, "number of the type in the heap block");
  c.integer("kind", r.kind, "1 a value type in a box, 2 a delegate, 3 a closure, 4 an async method, 0 anything else");
  c.list("values", r.values, Ending::kInt0,
         "what the values of each object are, in their order: 1 its contents, 2 places of a collection that were "
         "filled, 3 of these those that are free again, 4 milliseconds until a timer is due, from when it was set, 5 "
         "its period, 6 not 0 once an async method has ended, 7 the number of the await at which it waits, 8 not 0 if "
         "the finalizer has run or is suppressed");
  c.integer("storage", r.storage, "of a collection: the place of the reference to the array of its elements; or 0");
  c.string("made_of", r.made_of, "of a closure its lambdas, of an async method itself, as in the source");
}

template <typename C, Like<HeapText> R>
void fields(C& c, R& r) {
  c.integer("object", r.object, "number of the object, + 1");
  c.string("text", r.text, "how the string begins, without secrets");
}

template <typename C, Like<HeapDetails> R>
void fields(C& c, R& r) {
  c.integer("snapshot", r.snapshot, "number of its snapshot, whose heap block follows later");
  c.list("types", r.types, Ending::kInt0, "types that have values, or of which more is known");
  c.list("texts", r.texts, Ending::kInt0, "strings that take the most in equal copies");
}

template <typename C, Like<HeapChunk> R>
void fields(C& c, R& r) {
  c.integer("snapshot", r.snapshot, "number of its snapshot, whose heap block follows later");
  c.integer("first", r.first, "number of the first object, slot or value");
  c.integer("count", r.count, "how many");
  c.integer("raw_size", r.raw_size, "bytes of the streams; the rest of this block is one zstd frame of them");
}

}  // namespace oriel::log
