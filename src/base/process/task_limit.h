// How many more tasks (threads and processes) the system allows this process.
#pragma once

#include <cstdint>
#include <optional>

namespace oriel {

struct TaskRoom {
  uint64_t free = 0;     // number that may still be created, by the narrowest limit
  uint64_t threads = 0;  // number of this process's threads
};

// Considers the limit on the user's tasks (RLIMIT_NPROC, ulimit -u) and those of the process's control groups; nullopt
// if no limit could matter. Tasks of the same user in other containers are not seen. Opens files for a moment; not
// async-safe. If the user's limit is small it reads all processes.
std::optional<TaskRoom> task_room();

// How many tasks are missing for a minimal program, the engine's own threads, and a pool's threads on so many
// processors; nullopt: there are enough.
std::optional<uint64_t> tasks_missing(const TaskRoom& room, uint64_t processors);

// The number after a name at the start of a line, "Threads: 17"; UINT64_MAX if there is none.
uint64_t number_behind(const char* text, const char* name);

}  // namespace oriel
