// Waits for locks: what the runtime's event source tells of System.Threading.Monitor and System.Threading.Lock.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace oriel::coreclr {

struct ContentionStart {
  uint64_t lock = 0;     // the runtime's number for it
  uintptr_t object = 0;  // what is locked
  uint64_t owner = 0;    // the system's id of the thread that has it; 0: not known
};
std::optional<ContentionStart> read_contention_start(std::span<const uint8_t> fields);
// Nanoseconds.
std::optional<uint64_t> read_contention_stop(std::span<const uint8_t> fields);

// Whether the object of a wait that begins is locked by Monitor, whose waits begin in the runtime, where it cannot
// move: its number is an address there. Those of a System.Threading.Lock begin in managed code, and are told beside
// collections: its object is not looked at, as it may be elsewhere by now. Its number is that of an event, from 1 on.
bool is_monitor(const ContentionStart& start);

// On the thread that waits: raise the events.
void contention_started(std::span<const uint8_t> fields);
void contention_stopped(std::span<const uint8_t> fields);

}  // namespace oriel::coreclr
