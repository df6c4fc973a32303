// Writes to a log's file, all or an error, whatever the process's limits and signals are.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel::log {

// Writes everything at the file's position, or at `offset`, which leaves the position as it is. Returns 0, or the error
// as in errno: EAGAIN if a pipe or socket that does not block took nothing for five seconds. No signal is raised at a
// limit of the file's size (SIGXFSZ), nor where nobody reads (SIGPIPE).
int write_all(int file, const uint8_t* data, size_t size);
int write_all_at(int file, uint64_t offset, const uint8_t* data, size_t size);

}  // namespace oriel::log
