// Records as an EventSink hears them, seen through their fields: for who shows them, or passes them on in another form,
// without naming any. layout.h has the fields of most; here are those of records that the file packs.
//
//   struct Printer : log::FieldVisitor {
//     void integer(const char* name, uint64_t value, const char* doc, FieldKind kind = FieldKind::kPlain) { … }
//     void string(…) { … }
//   };
//   Printer printer;
//   fields(printer, record);
#pragma once

#include <concepts>

#include "log/layout.h"

namespace oriel::log {

// A visitor of fields of records in memory that looks at none; who derives from it hides what it wants to see.
struct FieldVisitor {
  void byte(const char*, uint8_t, const char*, FieldKind = FieldKind::kPlain) {}
  void integer(const char*, uint64_t, const char*, FieldKind = FieldKind::kPlain) {}
  void fixed64(const char*, uint64_t, const char*) {}
  void string(const char*, const std::string&, const char*, FieldKind = FieldKind::kPlain) {}
  template <typename Record>
  void record(const char*, const Record&, const char*) {}
  template <typename List>
  void list(const char*, const List&, Ending, const char*, FieldKind = FieldKind::kPlain) {}
  // An event's own, as describe_event tells them.
  void values(const Event&) {}
  template <typename Visit>
  void since(uint64_t, Visit visit) {
    visit();
  }
  template <typename Visit>
  void when(bool present, const char*, Visit visit) {
    if (present) visit();
  }
  template <typename Visit>
  void added(Visit visit) {
    visit();
  }
};

template <typename V, Like<Event> R>
void fields(V& v, R& r) {
  v.integer("thread", r.thread, "thread id", FieldKind::kThread);
  v.integer("counter", r.counter, "when", FieldKind::kCounter);
  v.values(r);
  v.when(r.stack != 0, "if it is known",
         [&] { v.integer("stack", r.stack, "leaf node of its stack", FieldKind::kNode); });
}

template <typename V, Like<Sample> R>
void fields(V& v, R& r) {
  v.integer("counter", r.counter, "when", FieldKind::kCounter);
  v.integer("periods", r.periods, "sampling periods that it stands for", FieldKind::kPeriods);
  v.integer("stack", r.node, "leaf node, 0 if no frame could be read", FieldKind::kNode);
}

template <typename V, Like<Compiling> R>
void fields(V& v, R& r) {
  v.integer("counter", r.counter, "when the sample was taken that met it", FieldKind::kCounter);
  v.integer("method", r.method, "method id", FieldKind::kMethod);
  v.byte("again", static_cast<uint8_t>(r.again), "1 if the method had code before", FieldKind::kFlag);
  v.integer("periods", r.periods, "sampling periods that the sample stands for", FieldKind::kPeriods);
}

// In place of the fields in layout.h, which the file packs.
template <std::derived_from<FieldVisitor> V, Like<CallNode> R>
void fields(V& v, R& r) {
  v.integer("node", r.id, "its number");
  v.integer("parent", r.parent, "its caller's number, 0 for none");
  v.integer("method", r.method, "method id", FieldKind::kMethod);
  v.byte("running", static_cast<uint8_t>(r.running), "1 if a call still runs", FieldKind::kFlag);
  v.integer("calls", r.calls, "calls, including a running one");
  v.integer("ticks", r.ticks, "time in it and its callees, in counts of the counter", FieldKind::kTicks);
  v.integer("exceptions", r.exceptions, "calls that ended by an exception");
  v.integer("folded", r.folded, "calls from it without a node");
  v.when(!r.allocations.empty(), "if there are any",
         [&] { v.list("allocations", r.allocations, Ending::kInt0, "what its own code allocated, by class"); });
}

}  // namespace oriel::log
