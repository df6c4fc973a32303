// First pass over a .nettrace file: what its code is called, and when samples were taken. Names of methods come last,
// as recording ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "imports/log_maker.h"
#include "imports/managed_name.h"
#include "imports/nettrace_blocks.h"
#include "imports/nettrace_code.h"
#include "imports/nettrace_kinds.h"

namespace oriel::imports {

struct TraceMethod {
  uint64_t module = 0;
  std::string type, name, signature;
  uint64_t id = 0;  // in the log; 0 while nothing asked for it
  bool only_waits = false, stops_for_samples = false;
};

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
  void on_kind(uint32_t number, const TraceKind& kind) override { kinds_[number] = {what_is(kind), kind.version}; }
  void on_event(const TraceEvent& event) override;

  CodeHistory& code() { return code_; }
  const Looks& looks() const { return looks_; }
  TraceMethod& method(uint32_t number, LogMaker& maker);
  std::string module_path(uint64_t module) const;
  // By the runtime's own id; 0 if its name is not told.
  uint64_t method_id(uint64_t runtime_id, LogMaker& maker);

  std::string command, runtime;

 private:
  struct Kind {
    TraceWhat what = TraceWhat::kOther;
    uint32_t version = 0;
  };
  void take_method(const TraceEvent& event, CodeEvent::What what);
  void take_module(const TraceEvent& event);
  void take_runtime(const TraceEvent& event);

  std::unordered_map<uint32_t, Kind> kinds_;
  CodeHistory code_;
  Looks looks_;
  std::vector<TraceMethod> methods_;
  std::unordered_map<uint64_t, uint32_t> last_of_id_;  // by the runtime's id
  std::unordered_map<uint64_t, std::string> modules_;
};

}  // namespace oriel::imports
