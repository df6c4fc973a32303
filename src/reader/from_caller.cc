#include <algorithm>
#include <string_view>

#include "reader/descriptions.h"
#include "reader/sinks.h"

namespace oriel::reader {
namespace {

// Adds a text to its event, and says how long it is.
void add_text(const log::EventDescription& description, const char* text, std::string& valid, log::Event& to) {
  valid = text != nullptr ? text : "";
  make_valid_utf8(valid);
  to.text = valid;
  for (uint32_t i = 0; i < to.value_count; ++i) {
    if (description.fields[i].kind == log::FieldKind::kText) to.values[i] = valid.size();
  }
}

bool is_valid(const log::CallNode& node, uint64_t most) {
  return node.id != 0 && node.id <= most && node.parent < node.id;
}
template <typename Record>
bool is_valid(const Record&, uint64_t) {
  return true;
}

bool is_call(uint32_t number) {
  return number == oriel_log_method_enter || number == oriel_log_method_leave ||
         number == oriel_log_method_exception_leave || number == oriel_log_method_tail_call;
}

}  // namespace

struct FromCaller::Functions {
  static FromCaller& self(void* context) { return *static_cast<FromCaller*>(context); }

  template <typename Record>
  static void tell(FromCaller& to, const oriel_log_record& shown, void (log::EventSink::*hear)(const Record&)) {
    Record record{};
    fill(shown.values, record);
    if (is_valid(record, to.most_nodes_)) (to.sink_.*hear)(record);
  }

  static void record(void* context, const oriel_log_record* shown) {
    FromCaller& to = self(context);
    to.ended_ = to.ended_ || shown->description == description_of(RecordIndex::k_end);
#define ORIEL_HEAR_RECORD(function, name, Record)                  \
  if (shown->description == description_of(RecordIndex::k_##name)) \
    return tell<log::Record>(to, *shown, &log::EventSink::on_##function);
#define ORIEL_BLOCK(code, symbol, name, since, Record, doc)
#define ORIEL_PLAIN_BLOCK(code, symbol, name, since, Record, doc) ORIEL_HEAR_RECORD(name, name, Record)
#include "log/blocks.def"
#define ORIEL_RECORD ORIEL_HEAR_RECORD
#include "log/records.def"
    ORIEL_HEAR_RECORD(coverage, coverage, Coverage)
#undef ORIEL_HEAR_RECORD
  }

  static void event(void* context, const oriel_log_event* shown) {
    FromCaller& to = self(context);
    const log::EventDescription* const known = log::describe_event(shown->number);
    if (known == nullptr) return;
    log::Event event;
    event.number = shown->number;
    event.thread = shown->thread;
    event.counter = shown->counter;
    event.stack = shown->stack;
    event.value_count = std::min(shown->count, static_cast<uint32_t>(known->fields.size()));
    std::copy_n(shown->values, event.value_count, event.values);
    add_text(*known, shown->text, to.text_, event);
    to.sink_.on_event(event);
  }

  static void calls(void* context, uint64_t thread, const oriel_log_call* shown, size_t count) {
    FromCaller& to = self(context);
    to.calls_.clear();
    for (size_t i = 0; i < count; ++i) {
      if (is_call(shown[i].number)) to.calls_.push_back({shown[i].counter, shown[i].number, shown[i].method});
    }
    if (!to.calls_.empty()) to.sink_.on_calls(thread, to.calls_);
  }

  static void stack_node(void* context, const oriel_log_stack_node* shown) {
    FromCaller& to = self(context);
    if (shown->id == 0 || shown->id > to.most_nodes_ || shown->parent >= shown->id) return;
    log::StackNode node;
    node.id = shown->id;
    node.parent = shown->parent;
    node.kind = shown->native != 0 ? log::FrameKind::kNative : log::FrameKind::kManaged;
    node.frame = shown->frame;
    node.truncated = shown->truncated != 0;
    to.sink_.on_stack_node(node);
  }

  static void node_il(void* context, uint64_t node, uint32_t il) {
    FromCaller& to = self(context);
    if (node != 0 && node <= to.most_nodes_ && il != log::kNoIl) to.sink_.on_node_il(node, il);
  }

  static void sample(void* context, const oriel_log_sample* shown) {
    self(context).sink_.on_sample(shown->thread, {shown->counter, shown->node, shown->periods});
  }

  static void compiling(void* context, const oriel_log_compiling* shown) {
    self(context).sink_.on_compiling(shown->thread, {shown->counter, shown->method, shown->again != 0, shown->periods});
  }

  static void clock(void* context, uint64_t counter, uint64_t unix_us) {
    self(context).sink_.on_clock({counter, unix_us});
  }

  static void problem(void* context, uint64_t offset, const char* message) {
    self(context).sink_.on_problem(offset, message);
  }
};

FromCaller::FromCaller(log::EventSink& sink, uint64_t most_nodes) : sink_(sink), most_nodes_(most_nodes) {
  functions_ = {sizeof functions_,    this,
                Functions::record,    Functions::event,
                Functions::calls,     Functions::stack_node,
                Functions::node_il,   Functions::sample,
                Functions::compiling, Functions::clock,
                Functions::problem};
}

}  // namespace oriel::reader
