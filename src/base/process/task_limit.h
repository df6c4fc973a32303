// How many more tasks, threads and processes, the system lets this process have.
#pragma once

#include <cstdint>
#include <optional>

namespace oriel {

struct TaskRoom {
  uint64_t free = 0;     // that may be made, by the narrowest limit
  uint64_t threads = 0;  // that this process has
};

// By the limit on the user's tasks (RLIMIT_NPROC, ulimit -u) and those of the control groups that the process is in;
// none where there is no limit that could matter. What other containers' processes of the same user take is not seen.
// Opens files for a moment; not async-safe. Where the user's limit is small it looks at each process there is.
std::optional<TaskRoom> task_room();

// How many more there would have to be for a program as small as can be, the engine's own threads, and a pool's threads
// on so many processors; none: there is room enough.
std::optional<uint64_t> tasks_missing(const TaskRoom& room, uint64_t processors);

// The number behind a name that begins a line, "Threads: 17"; UINT64_MAX: there is none.
uint64_t number_behind(const char* text, const char* name);

}  // namespace oriel
