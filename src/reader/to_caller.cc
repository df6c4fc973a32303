#include "reader/descriptions.h"
#include "reader/sinks.h"

namespace oriel::reader {

static_assert(sizeof(oriel_log_call) == sizeof(log::Call) &&
              offsetof(oriel_log_call, counter) == offsetof(log::Call, counter) &&
              offsetof(oriel_log_call, number) == offsetof(log::Call, number) &&
              offsetof(oriel_log_call, method) == offsetof(log::Call, method));

// One for each record, of the same form.
#define ORIEL_TELL_RECORD(function, name, Record)                                               \
  void ToCaller::on_##function(const log::Record& record) {                                     \
    if (sink_.record == nullptr) return;                                                        \
    const oriel_log_record shown = show(record, description_of(RecordIndex::k_##name), store_); \
    sink_.record(sink_.context, &shown);                                                        \
  }
#define ORIEL_BLOCK(code, symbol, name, since, Record, doc)
#define ORIEL_PLAIN_BLOCK(code, symbol, name, since, Record, doc) ORIEL_TELL_RECORD(name, name, Record)
#include "log/blocks.def"
#define ORIEL_RECORD ORIEL_TELL_RECORD
#include "log/records.def"
ORIEL_TELL_RECORD(coverage, coverage, Coverage)
#undef ORIEL_TELL_RECORD

void ToCaller::on_clock(const ClockPair& pair) {
  if (sink_.clock != nullptr) sink_.clock(sink_.context, pair.counter, pair.unix_us);
}

void ToCaller::on_event(const log::Event& event) {
  if (sink_.event == nullptr) return;
  oriel_log_event shown{event.number, event.value_count, event.thread, event.counter,
                        event.values, event.stack,       nullptr};
  if (event.text.data() != nullptr) shown.text = text_.assign(event.text).c_str();
  sink_.event(sink_.context, &shown);
}

void ToCaller::on_calls(uint64_t thread, std::span<const log::Call> calls) {
  if (sink_.calls == nullptr) return log::EventSink::on_calls(thread, calls);
  sink_.calls(sink_.context, thread, reinterpret_cast<const oriel_log_call*>(calls.data()), calls.size());
}

void ToCaller::on_stack_node(const log::StackNode& node) {
  if (sink_.stack_node == nullptr) return;
  const oriel_log_stack_node shown{node.id, node.parent, node.frame, node.kind == log::FrameKind::kNative ? 1u : 0u,
                                   node.truncated ? 1u : 0u};
  sink_.stack_node(sink_.context, &shown);
}

void ToCaller::on_node_il(uint64_t node, uint32_t il) {
  if (sink_.node_il != nullptr) sink_.node_il(sink_.context, node, il);
}

void ToCaller::on_sample(uint64_t thread, const log::Sample& sample) {
  if (sink_.sample == nullptr) return;
  const oriel_log_sample shown{thread, sample.counter, sample.node, sample.periods};
  sink_.sample(sink_.context, &shown);
}

void ToCaller::on_compiling(uint64_t thread, const log::Compiling& compiling) {
  if (sink_.compiling == nullptr) return;
  const oriel_log_compiling shown{thread, compiling.counter, compiling.method, compiling.periods,
                                  compiling.again ? 1u : 0u};
  sink_.compiling(sink_.context, &shown);
}

void ToCaller::on_problem(uint64_t offset, const std::string& message) {
  if (sink_.problem != nullptr) sink_.problem(sink_.context, offset, message.c_str());
}

}  // namespace oriel::reader
