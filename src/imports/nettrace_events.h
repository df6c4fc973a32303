// Second pass over a .nettrace file: the samples and events of one process into a log. Those between two points of the
// file are put in order of time before, as the file has them thread by thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "imports/log_maker.h"
#include "imports/nettrace_blocks.h"
#include "imports/nettrace_kinds.h"
#include "imports/nettrace_names.h"
#include "imports/nettrace_stacks.h"
#include "imports/trace_cursor.h"

namespace oriel::imports {

class TraceEvents : public TraceSink {
 public:
  TraceEvents(TraceNames& names, const TraceHead& head, LogMaker& maker);

  void on_kind(uint32_t number, const TraceKind& kind) override { kinds_.add(number, kind); }
  void on_event(const TraceEvent& event) override;
  void on_point() override;
  // After the last event.
  void finish();

 private:
  struct Kept {
    uint64_t time = 0;
    uint64_t thread = 0;
    uint32_t version = 0;
    uint32_t stack_number = 0;
    TraceWhat what = TraceWhat::kOther;
    size_t payload_at = 0, payload_size = 0;
  };
  struct StackBytes {
    size_t at = 0, size = 0;
  };
  // One event, as it is told.
  struct Told {
    const Kept& kept;
    uint64_t ns = 0;
    uint64_t thread = 0;  // the log's
    TraceCursor in;
  };
  // A collection whose end is not told yet: the sizes of the heap, which come first in a log, may follow.
  struct EndedGc {
    bool open = false;
    uint64_t thread = 0, ns = 0, number = 0, generation = 0;
  };
  struct Suspension {
    bool open = false;
    bool collects = false;  // for a collection
    uint64_t begun_ns = 0;
  };
  struct OfThread {
    uint64_t id = 0;  // the log's
    Suspension suspending, resuming;
    std::string thrown;
    uint64_t compiling_ns = 0, compiling = 0;
    uint64_t lock = 0, owner = 0, lock_stack = 0, lock_debt_ns = 0;
  };

  void tell(const Kept& kept);
  void tell_sample(Told& told);
  void tell_cpu_sample(Told& told);
  void tell_code(Told& told);
  void tell_module(Told& told);
  void tell_gc_start(Told& told);
  void tell_gc_end(Told& told);
  void tell_heap(Told& told);
  void tell_pause(Told& told);
  void tell_allocation(Told& told, bool is_tick);
  void tell_exception(Told& told);
  void tell_lock(Told& told);
  void tell_pool(Told& told);
  void end_gc();
  Suspension resumed_by(uint64_t os_id);
  void tell_kept();

  OfThread& of(uint64_t os_id, bool managed = true);
  uint64_t ns_of(uint64_t time) const;
  TraceStacks::Leaf leaf_of(const Told& told, ThreadWas was = ThreadWas::kInManaged);
  uint64_t stack_of(const Told& told) { return leaf_of(told).node; }
  uint64_t type(const std::string& name) { return maker_.klass(managed_type_name(name), 0); }
  void recorded(const char* group) { groups_.insert(group); }

  TraceNames& names_;
  TraceProcess& process_;
  const TraceHead& head_;
  LogMaker& maker_;
  TraceStacks stacks_;
  TraceKinds kinds_;
  std::vector<Kept> kept_;
  std::vector<uint8_t> payloads_, stack_bytes_;
  std::unordered_map<uint32_t, StackBytes> stack_places_;
  std::map<uint64_t, OfThread> threads_;
  std::unordered_map<uint64_t, std::string> thread_names_;  // where the file has them
  EndedGc ended_;
  std::set<uint64_t> sampled_;  // threads that the current look has
  std::vector<uint32_t> periods_;
  size_t look_ = 0;
  Suspension stopped_;       // while all threads are stopped
  uint64_t stopped_by_ = 0;  // which thread did
  bool has_sampled_allocations_ = false;
  uint64_t unknown_events_ = 0, unknown_kinds_ = 0, failed_samples_ = 0, unreadable_ = 0;
  std::set<std::string> groups_;
};

}  // namespace oriel::imports
