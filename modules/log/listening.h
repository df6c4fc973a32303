// The events that a log receives: those of its options, and those that the writer adds while they are worth their cost.
#pragma once

#include <atomic>
#include <mutex>

#include "options.h"

namespace oriel::log_module {

class LogFile;

class Listening {
 public:
  // Receives what these options ask for, until close(); of the added events, those that these options may have stay.
  // Any thread.
  void want(const Options& options);
  // Adds what the file has shown to be of interest, and removes it again. For the log's writer.
  void add_on_demand(const LogFile& file);
  // Any thread.
  void close();

 private:
  void set(const EventSet& events, const EventSet& may_be, bool stacks);
  void add(const EventSet& events, bool on);
  EventSet heard() const { return wanted_ | added_; }
  void update(const EventSet& before);

  std::mutex lock_;
  EventSet wanted_, added_;
  bool stacks_ = false;
  bool is_open_ = false;
  std::atomic<bool> awaits_locks_{false}, awaits_pauses_{false}, awaits_growth_{false};
  bool hears_allocations_ = false;  // the writer's
};

}  // namespace oriel::log_module
