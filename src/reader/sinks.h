// From what a decoder tells to the caller's functions, and from a caller to whoever hears what a decoder tells.
#pragma once

#include <string>
#include <vector>

#include "log/sink.h"
#include "oriel/log.h"
#include "reader/values.h"

namespace oriel::reader {

// Tells the caller's functions.
class ToCaller : public log::EventSink {
 public:
  explicit ToCaller(const oriel_log_sink& sink) : sink_(sink) {}

#define ORIEL_BLOCK(code, symbol, name, since, Record, doc)
#define ORIEL_PLAIN_BLOCK(code, symbol, name, since, Record, doc) void on_##name(const log::Record& record) override;
#include "log/blocks.def"
#define ORIEL_RECORD(function, name, Record) void on_##function(const log::Record& record) override;
#include "log/records.def"
  void on_coverage(const log::Coverage& coverage) override;
  void on_clock(const ClockPair& pair) override;
  void on_event(const log::Event& event) override;
  void on_calls(uint64_t thread, std::span<const log::Call> calls) override;
  void on_stack_node(const log::StackNode& node) override;
  void on_node_il(uint64_t node, uint32_t il) override;
  void on_sample(uint64_t thread, const log::Sample& sample) override;
  void on_compiling(uint64_t thread, const log::Compiling& compiling) override;
  void on_problem(uint64_t offset, const std::string& message) override;

 private:
  oriel_log_sink sink_;
  ValueStore store_;
  std::string text_;
};

// What such functions are told, told to a sink. What a sink may rely on (log/sink.h) is checked: whoever calls these
// may be no decoder. Nodes' ids are at most `most_nodes`.
class FromCaller {
 public:
  FromCaller(log::EventSink& sink, uint64_t most_nodes);

  const oriel_log_sink& functions() const { return functions_; }
  bool ended() const { return ended_; }
  // Whether something was not taken for want of memory.
  bool has_failed() const { return has_failed_; }

 private:
  struct Functions;

  log::EventSink& sink_;
  uint64_t most_nodes_;
  oriel_log_sink functions_{};
  bool ended_ = false, has_failed_ = false;
  std::string text_;
  std::vector<log::Call> calls_;
};

}  // namespace oriel::reader
