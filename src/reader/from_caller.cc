#include <algorithm>
#include <string_view>
#include <type_traits>

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
    if (shown.values == nullptr) return;
    Record record{};
    fill(shown.values, record);
    if (is_valid(record, to.most_nodes_)) (to.sink_.*hear)(record);
  }

  static void record_of(FromCaller& to, const oriel_log_record* shown) {
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

  static void event_of(FromCaller& to, const oriel_log_event* shown) {
    const log::EventDescription* const known = log::describe_event(shown->number);
    if (known == nullptr || (shown->values == nullptr && shown->count != 0)) return;
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

  static void calls_of(FromCaller& to, uint64_t thread, const oriel_log_call* shown, size_t count) {
    to.calls_.clear();
    for (size_t i = 0; i < count; ++i) {
      if (is_call(shown[i].number)) to.calls_.push_back({shown[i].counter, shown[i].number, shown[i].method});
    }
    if (!to.calls_.empty()) to.sink_.on_calls(thread, to.calls_);
  }

  static void stack_node_of(FromCaller& to, const oriel_log_stack_node* shown) {
    if (shown->id == 0 || shown->id > to.most_nodes_ || shown->parent >= shown->id) return;
    log::StackNode node;
    node.id = shown->id;
    node.parent = shown->parent;
    node.kind = shown->native != 0 ? log::FrameKind::kNative : log::FrameKind::kManaged;
    node.frame = shown->frame;
    node.truncated = shown->truncated != 0;
    to.sink_.on_stack_node(node);
  }

  static void node_il_of(FromCaller& to, uint64_t node, uint32_t il) {
    if (node != 0 && node <= to.most_nodes_ && il != log::kNoIl) to.sink_.on_node_il(node, il);
  }

  static void sample_of(FromCaller& to, const oriel_log_sample* shown) {
    to.sink_.on_sample(shown->thread, {shown->counter, shown->node, shown->periods});
  }

  static void compiling_of(FromCaller& to, const oriel_log_compiling* shown) {
    to.sink_.on_compiling(shown->thread, {shown->counter, shown->method, shown->again != 0, shown->periods});
  }

  static void clock_of(FromCaller& to, uint64_t counter, uint64_t unix_us) { to.sink_.on_clock({counter, unix_us}); }

  static void problem_of(FromCaller& to, uint64_t offset, const char* message) { to.sink_.on_problem(offset, message); }

  template <typename Argument>
  static bool is_null(Argument argument) {
    if constexpr (std::is_pointer_v<Argument>) return argument == nullptr;
    return false;
  }

  // What a sink has: the function, without exceptions, and without what is not there.
  template <auto Run, typename... Args>
  static void guarded(void* context, Args... args) noexcept {
    if (context == nullptr || (is_null(args) || ...)) return;
    FromCaller& to = self(context);
    try {
      Run(to, args...);
    } catch (...) {
      to.has_failed_ = true;
    }
  }
};

FromCaller::FromCaller(log::EventSink& sink, uint64_t most_nodes) : sink_(sink), most_nodes_(most_nodes) {
  functions_.size = sizeof functions_;
  functions_.context = this;
  functions_.record = Functions::guarded<Functions::record_of>;
  functions_.event = Functions::guarded<Functions::event_of>;
  functions_.calls = Functions::guarded<Functions::calls_of>;
  functions_.stack_node = Functions::guarded<Functions::stack_node_of>;
  functions_.node_il = Functions::guarded<Functions::node_il_of>;
  functions_.sample = Functions::guarded<Functions::sample_of>;
  functions_.compiling = Functions::guarded<Functions::compiling_of>;
  functions_.clock = Functions::guarded<Functions::clock_of>;
  functions_.problem = Functions::guarded<Functions::problem_of>;
}

}  // namespace oriel::reader
