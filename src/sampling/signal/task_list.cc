#include "sampling/signal/task_list.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace oriel::sampling {

bool is_alive(uint32_t tid) { return syscall(SYS_tgkill, getpid(), tid, 0) == 0; }

TaskList::TaskList() : directory_(open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

TaskList::~TaskList() {
  if (directory_ >= 0) close(directory_);
}

uint32_t TaskList::next() {
  for (;;) {
    if (at_ >= filled_) {
      filled_ = syscall(SYS_getdents64, directory_, buffer_, sizeof(buffer_));
      at_ = 0;
      if (filled_ <= 0) return 0;
    }
    const auto* entry = reinterpret_cast<const dirent64*>(buffer_ + at_);
    at_ += entry->d_reclen;
    uint32_t tid = 0;
    for (const char* c = entry->d_name; *c >= '0' && *c <= '9'; c++) tid = tid * 10 + static_cast<uint32_t>(*c - '0');
    if (tid != 0) return tid;
  }
}

}  // namespace oriel::sampling
