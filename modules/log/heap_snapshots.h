// Snapshots of the heap in a log. The copy of the process writes their chunks into a file of its own, which has no
// name; the log's writer takes them from there, piece by piece, and adds what the copy has found.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "base/status.h"
#include "log_file.h"
#include "modules/heap_when.h"
#include "modules/worker.h"

namespace oriel::log_module {

class HeapSnapshots {
 public:
  // How long one may take; the engine gives up before.
  static constexpr std::chrono::milliseconds kLongest{400'000}, kLongestGivenUp{3'000};

  // Of a log: the file that it writes, beside which a copy's file is made, and what does something with it on the
  // writer's thread and waits for that.
  struct Of {
    std::function<std::string()> path;
    std::function<Status(const std::function<Status(LogFile&)>&)> with_file;
  };
  explicit HeapSnapshots(Of log) : log_(std::move(log)) {}

  // From now on they are taken then, on a thread of their own.
  Status apply(const modules::HeapWhen& when);
  // The heap's size after the last collection. Any thread.
  void note_size(uint64_t bytes) { size_.store(bytes, std::memory_order_relaxed); }
  // Takes one, which takes some seconds for each gigabyte, and returns what there is to say about it. `cause` as in
  // log::HeapSnapshot. Any thread but the writer's.
  Result<std::string> take(const std::string& cause);
  // Has the one that is being taken end soon, unfinished: the program ends. Before end(). Any thread.
  void give_up() { is_given_up_ = true; }
  // The log ends: takes the last one if there is to be one, and ends the thread. False if that comes back only later;
  // this object must then stay. Before the writer ends.
  bool end();

  // Whether one is being written: the log must not begin another file then. Any thread.
  bool is_writing() const { return is_writing_; }

 private:
  Status start_thread();
  void watch();
  std::chrono::milliseconds take_if_due();
  const char* due_cause();
  Result<std::string> take_here(const std::string& cause);

  const Of log_;
  std::mutex lock_;  // guards the next four
  modules::HeapWhen when_;
  bool has_thread_ = false, is_periodic_ = false;
  modules::Worker thread_;
  std::atomic<uint64_t> size_{0};
  std::atomic<bool> is_writing_{false}, is_given_up_{false};
  // For the thread only.
  int signal_ = 0;  // that is watched
  uint64_t taken_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  uint64_t size_then_ = 0;  // at the last one; 0: not known yet
  bool any_failed_ = false;
};

}  // namespace oriel::log_module
