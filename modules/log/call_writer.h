// From the call buffers to the log: the writer's.
#pragma once

#include <cstdint>
#include <vector>

#include "call_buffer.h"
#include "log/writer.h"
#include "module/names.h"
#include "stack_tree.h"

namespace oriel::logging {

class CallWriter {
 public:
  CallWriter(modules::NameTable& names, StackTree& stacks, log::Writer& writer)
      : names_(names), stacks_(stacks), writer_(writer) {}

  // Writes what the threads have left, with the names that it needs before it; not all of it where there is very much.
  // Returns how much the thread with the most had, in percent of what is written at once: at 100 there may be more.
  unsigned drain();
  // A method whose call was written, and a class of which an object was; 0 if none was.
  uint32_t method() const { return method_; }
  uint32_t klass() const { return class_; }

 private:
  void find_nodes(const TakenStacks& taken);
  void need_names(const std::vector<log::CallRecord>& records);

  modules::NameTable& names_;
  StackTree& stacks_;
  log::Writer& writer_;
  std::vector<log::CallRecord> records_;  // kept for its memory, as is
  std::vector<uintptr_t> frames_;
  uint32_t method_ = 0, class_ = 0;
  std::vector<bool> methods_, classes_;  // by id: asked for already
};

}  // namespace oriel::logging
