// The threads of this process, as the system lists them.
#pragma once

#include <cstdint>

namespace oriel::sampling {

// Whether the process has a thread of this id.
bool is_alive(uint32_t tid);

// For a thread that has files of its own (base/own_files.h). Opens the list and reads it entry by entry. A thread that
// starts or ends meanwhile may be missing.
class TaskList {
 public:
  TaskList();
  ~TaskList();
  TaskList(const TaskList&) = delete;
  TaskList& operator=(const TaskList&) = delete;

  bool is_open() const { return directory_ >= 0; }
  // The next thread's id, 0 at the end.
  uint32_t next();

 private:
  int directory_;
  long filled_ = 0;
  long at_ = 0;
  alignas(8) char buffer_[8192];
};

}  // namespace oriel::sampling
