// What a run showed of the contract, and the file that says so.
//
//   runtime CoreCLR 10.0.12
//   event image_loaded 12          how often each event came; those that did not are left out
//   violation jit_done without jit_begin (3): Foo.Bar()
//   verdict pass                   or fail; always the last line
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace contract {

class Verdict {
 public:
  // Any thread.
  void count(uint32_t event_number) { counts_[event_number].fetch_add(1, std::memory_order_relaxed); }
  uint64_t counted(uint32_t event_number) const { return counts_[event_number].load(); }
  void violation(const std::string& rule, const std::string& example);
  // Says which of the required events never came; writes the file.
  void write(const std::string& path, const std::vector<std::string>& required);

 private:
  struct Broken {
    uint64_t times = 0;
    std::string example;
  };

  std::atomic<uint64_t> counts_[256] = {};
  std::mutex lock_;
  std::map<std::string, Broken> broken_;
};

}  // namespace contract
