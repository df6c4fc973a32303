// From the call buffers to the log: the writer's.
#pragma once

#include <cstdint>
#include <vector>

#include "call_buffer.h"
#include "log/writer.h"
#include "modules/names.h"
#include "recorder.h"
#include "stack_tree.h"

namespace oriel::log_module {

class CallWriter {
 public:
  // `since`: what was before, in ticks, is another log's; 0: nothing was.
  CallWriter(modules::NameTable& names, StackTree& stacks, log::Writer& writer, const Recorder& recorder,
             uint64_t since)
      : names_(names),
        stacks_(stacks),
        writer_(writer),
        recorder_(recorder),
        since_(since),
        checks_from_(since != 0 ? since : UINT64_MAX) {}

  // Of what was logged from `when` (ticks) on, records of methods that are not chosen are left out: a thread may have
  // been about to log one when the choice was changed.
  void check_methods(uint64_t when) { checks_from_ = when; }

  // Writes what the threads have left, with the names that it needs before it; not all of it where there is very much.
  // Returns how much the thread with the most had, in percent of what is written at once: at 100 there may be more.
  unsigned drain();
  // A method whose call was written, and a class of which an object was; 0 if none was.
  uint32_t method() const { return method_; }
  uint32_t klass() const { return class_; }

 private:
  void leave_out_others(CallBuffer& buffer, uint64_t base);
  bool is_chosen(const log::CallRecord& record, uint32_t site) const;
  void find_nodes(const TakenStacks& taken);
  void need_names(const std::vector<log::CallRecord>& records);

  modules::NameTable& names_;
  StackTree& stacks_;
  log::Writer& writer_;
  const Recorder& recorder_;
  const uint64_t since_;
  uint64_t checks_from_;
  std::vector<log::CallRecord> records_;  // kept for its memory, as is
  std::vector<uintptr_t> frames_;
  uint32_t method_ = 0, class_ = 0;
  std::vector<bool> methods_, classes_;  // by id: asked for already
};

}  // namespace oriel::log_module
