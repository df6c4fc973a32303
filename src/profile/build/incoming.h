// An event on its way to the processors that take it.
//
// A processor lists in kTakes which events it takes, and with which function. Builder (builder.h) makes one table of
// all these lists, by event.
#pragma once

#include <cstdint>

#include "log/event.h"

namespace oriel::profile {

class MemoryLimit;
class Threads;

struct Incoming {
  const log::Event& event;
  uint32_t thread;  // index into the profile's threads
  uint32_t stack;   // index into its nodes; 0: not known
  Threads& threads;
  MemoryLimit& room;
};

template <typename Processor>
struct Taking {
  uint32_t event;  // log::Event::number
  void (Processor::*take)(const Incoming&);
};

}  // namespace oriel::profile
