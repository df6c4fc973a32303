// First pass over a .nettrace file: what its code is called, in each process, and when samples were taken. Names of
// methods come last, as recording ends.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/status.h"
#include "imports/nettrace_blocks.h"
#include "imports/nettrace_kinds.h"
#include "imports/nettrace_process.h"

namespace oriel::imports {

// When the sampled threads were looked at: each look samples every thread once.
class Looks {
 public:
  void sampled(uint64_t thread, uint64_t time);
  bool empty() const { return times_.empty(); }
  // How often a second, at the median.
  uint32_t hz(uint64_t frequency) const;
  // For how many periods of that rate each look stands: those up to the next one, as dotnet-trace has it.
  std::vector<uint32_t> periods(uint32_t hz, uint64_t frequency) const;

 private:
  std::vector<uint64_t> times_;
  std::unordered_set<uint64_t> threads_;  // that the last look has
};

class TraceNames : public TraceSink {
 public:
  void on_kind(uint32_t number, const TraceKind& kind) override { kinds_.add(number, kind); }
  void on_event(const TraceEvent& event) override;
  // After the last event: the log is of that process, or, if that is 0, of .NET's with the most samples. `only`: the
  // file's process where it is of one; 0 if not known. Error: there is no such process.
  Status choose(uint64_t process, uint64_t only);

  // The chosen one; 0 where there is only one.
  uint64_t chosen() const { return chosen_; }
  TraceProcess& process() { return processes_[chosen_]; }
  const Looks& looks() const { return looks_; }
  // Of the others: how many have samples, and how many samples they have.
  struct Others {
    uint64_t processes = 0, samples = 0;
  };
  Others others() const;

  std::string command, runtime;

 private:
  void take_runtime(const TraceEvent& event);
  std::vector<uint64_t> most_samples_first() const;
  std::string none_of(uint64_t process, const std::vector<uint64_t>& ids) const;

  TraceKinds kinds_;
  Looks looks_;
  std::map<uint64_t, TraceProcess> processes_;
  uint64_t chosen_ = 0;
};

}  // namespace oriel::imports
