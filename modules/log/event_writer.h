// From the event buffers to the log: the writer's.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/redact/redact.h"
#include "event_buffer.h"
#include "heap_watch.h"
#include "log/event.h"
#include "log/writer.h"
#include "lost_by_thread.h"
#include "modules/names.h"
#include "options.h"
#include "stack_tree.h"
#include "triggers.h"

namespace oriel::log_module {

class EventWriter {
 public:
  // `logged`: of what is heard. `since`: what was before, in ticks, is another log's; 0: nothing was.
  EventWriter(NameTable& names, StackTree& stacks, log::Writer& writer, LostByThread& lost, const EventSet& logged,
              uint64_t since);

  // Changes which of the received events are logged from `when` (oriel_clock) on.
  void change(uint64_t when, const EventSet& logged);

  // Goes on where the writer of the file before ended: what it knows of the heap, of loads under way, and of changes
  // whose events may still come.
  void continue_from(EventWriter& before);

  // Shows these what is taken, from now on.
  void watch_with(Triggers* triggers) { triggers_ = triggers; }

  // Takes what the threads have left. Returns whether code was freed, as far as is known: true also where some is left.
  bool drain();
  // Whether the last drain left some.
  bool some_left() const { return some_left_; }
  // The stacks of what was taken become the log's nodes: once it is known whether code was freed.
  void find_nodes();

  // Needs the names of threads whose events were taken.
  void need_threads();
  // Write what was taken, after the names that it needs.
  void write_loads();
  // Copies into the log's tail what write() will write; it stays.
  void copy_to_tail();
  void write();
  // How much that is.
  size_t bytes() const;

  // Whether the heap grows from collection to collection.
  bool heap_grows() const { return heap_.grows(); }
  uint64_t heap_bytes() const { return heap_.bytes(); }

 private:
  struct ThreadEvents {
    std::vector<log::RawEvent> events;  // `fields` are set when they are written: `bytes` may move until then
    std::vector<std::pair<size_t, size_t>> fields;  // offset and size in `bytes`
    std::vector<uint8_t> bytes;
  };
  // The stack of an event in events_.
  struct EventStack {
    uint32_t thread = 0;
    size_t event = 0;
    uint64_t counter = 0;
    bool truncated = false;
    std::vector<uintptr_t> frames;
  };
  struct OpenLoad {
    uint64_t counter = 0;
    uint64_t thread = 0;
  };

  const EventSet& logged_at(uint64_t counter) const;
  void take_event(uint32_t thread, const EventHeader& header, const uint8_t* fields);
  bool take_load(uint32_t thread, const EventHeader& header, uint64_t id);
  void show_triggers(const EventHeader& header, const uint64_t (&values)[log::kMaxFields], const uint8_t* text,
                     const uint8_t* end);
  void watch_heap(uint32_t event, const uint64_t (&values)[log::kMaxFields]);

  NameTable& names_;
  StackTree& stacks_;
  log::Writer& writer_;
  LostByThread& lost_;
  const uint64_t since_;
  Triggers* triggers_ = nullptr;
  const bool redacts_ = redacts();
  // The received events that are logged now, and earlier sets with their ends, kept while such events may still come.
  EventSet logged_;
  std::vector<std::pair<uint64_t, EventSet>> logged_until_;  // in order
  std::map<uint64_t, ThreadEvents> events_;                  // by thread
  std::vector<EventStack> event_stacks_;                     // whose nodes are not known yet
  std::vector<log::Load> loads_;
  std::map<std::pair<uint32_t, uint64_t>, OpenLoad> open_loads_;  // by the event that opened it and id
  HeapWatch heap_;
  std::pair<uint64_t, uint64_t> heap_after_ = {};  // a collection's number, and the bytes that it leaves
  bool some_left_ = false;
};

}  // namespace oriel::log_module
