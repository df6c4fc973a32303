// Moves calls and allocations from the threads' buffers into the log. For the writer's thread.
#pragma once

#include <cstdint>
#include <vector>

#include "call_buffer.h"
#include "log/writer.h"
#include "lost_by_thread.h"
#include "modules/names.h"
#include "options.h"
#include "own_processor.h"
#include "recorder.h"
#include "stack_tree.h"

namespace oriel::log_module {

// Calls fill the log fast: as soon as so many bytes are pending, they are written to the file. While there are more, no
// blocks are added that threads made.
inline constexpr uint64_t kMostPending = 8u << 20;

class CallWriter {
 public:
  // Records from before `since`, in ticks, belong to an earlier log; 0: there was none.
  CallWriter(modules::NameTable& names, StackTree& stacks, log::Writer& writer, LostByThread& lost,
             const Recorder& recorder, uint64_t since, Compress compress)
      : names_(names),
        stacks_(stacks),
        writer_(writer),
        lost_(lost),
        recorder_(recorder),
        since_(since),
        checks_from_(since != 0 ? since : UINT64_MAX),
        compress_(compress) {
    let_threads_encode(false);  // until the first drain
  }

  // Leaves out records from `when` (ticks) on whose method is not chosen: a thread may have been about to log one when
  // the choice changed.
  void check_methods(uint64_t when) {
    let_threads_encode(false);
    checks_from_ = when;
  }

  // Writes the threads' records, preceded by the names that they need; not all of them if there are very many. Returns
  // how full the fullest buffer was, in percent of what is written at once: at 100 there may be more.
  unsigned drain();
  // Takes little more than so many bytes of blocks at once, at least one chunk of each thread.
  void pause_at(uint64_t bytes) { most_pending_ = bytes; }
  // A method of which a call was written, and a class of which an object was written; 0: none.
  uint32_t method() const { return method_; }
  uint32_t klass() const { return class_; }

 private:
  unsigned write_all();
  bool may_threads_encode() const;
  bool write_all_of(CallBuffer& buffer, int& most);
  bool write_encoded(CallBuffer& buffer);
  void write_names(uint32_t thread);
  bool compresses() const;
  void leave_out_others(CallBuffer& buffer, uint64_t base);
  bool is_chosen(const log::CallRecord& record, uint32_t site) const;
  void find_nodes(const TakenStacks& taken);
  void tell_lost(CallBuffer& buffer);
  void need_names(const std::vector<log::CallRecord>& records);

  modules::NameTable& names_;
  StackTree& stacks_;
  log::Writer& writer_;
  LostByThread& lost_;
  uint64_t most_pending_ = UINT64_MAX;
  const Recorder& recorder_;
  OwnProcessor processor_;
  const uint64_t since_;
  uint64_t checks_from_;
  const Compress compress_;
  std::vector<log::CallRecord> records_;  // reused, like frames_
  std::vector<uintptr_t> frames_;
  uint32_t method_ = 0, class_ = 0;
  std::vector<bool> methods_, classes_;  // by id: the name was requested
};

}  // namespace oriel::log_module
