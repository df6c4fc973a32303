// Lock contention: the events of the runtime's source about System.Threading.Monitor and System.Threading.Lock.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace oriel::coreclr {

struct ContentionStart {
  uint64_t lock = 0;     // the runtime's number for it
  uintptr_t object = 0;  // the locked object
  uint64_t owner = 0;    // the OS thread id of the owner; 0: not known
};
std::optional<ContentionStart> read_contention_start(std::span<const uint8_t> fields);
// The length of the wait in nanoseconds.
std::optional<uint64_t> read_contention_stop(std::span<const uint8_t> fields);

// Whether the object of a wait that begins is locked by Monitor. Such a wait begins in the runtime, where the object
// cannot move, and the lock's number is an address. A wait for a System.Threading.Lock begins in managed code and is
// reported while collections may run: its object must not be read, because it may have moved. Its lock's number is that
// of the lock's event, counted from 1.
bool is_monitor(const ContentionStart& start);

// Raise the events, on the thread that waits.
void contention_started(std::span<const uint8_t> fields);
void contention_stopped(std::span<const uint8_t> fields);

}  // namespace oriel::coreclr
