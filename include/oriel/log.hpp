// A thin C++17 wrapper of log.h, which reads Oriel's logs: objects that close themselves, errors as exceptions, and an
// event sink with a member function for each event, made from events.def.
//
//   struct Collections : oriel::reader::Sink {
//     void on_gc_begin(const oriel_log_event&, const oriel::reader::events::gc_begin& gc) override {
//       ++of_generation[gc.generation];
//     }
//     std::map<uint64_t, int> of_generation;
//   };
//   Collections collections;
//   oriel::reader::decode_file("run.oriel", collections);
//
// What a sink's function throws ends the decoding, and comes out of decode, decode_file or next.
#pragma once

#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "oriel/log.h"

namespace oriel::reader {

// A sentence that says what is wrong and what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The fields of each event as a struct: events::gc_begin has number, generation and reason. Ids and enumerators are
// numbers. Fields that an older log does not have are 0.
namespace events {

#define ORIEL_LOG_SEQ_END_(...) __VA_ARGS__##_END
#define ORIEL_LOG_SEQ_END(...) ORIEL_LOG_SEQ_END_(__VA_ARGS__)
#define ORIEL_LOG_SEQ(M, seq) ORIEL_LOG_SEQ_END(M##_A seq)

#define ORIEL_LOG_TYPE_domain uint64_t
#define ORIEL_LOG_TYPE_assembly uint64_t
#define ORIEL_LOG_TYPE_image uint64_t
#define ORIEL_LOG_TYPE_class uint64_t
#define ORIEL_LOG_TYPE_method uint64_t
#define ORIEL_LOG_TYPE_thread uint64_t
#define ORIEL_LOG_TYPE_object uint64_t
#define ORIEL_LOG_TYPE_u32 uint64_t
#define ORIEL_LOG_TYPE_flag bool
#define ORIEL_LOG_TYPE_bytes uint64_t
#define ORIEL_LOG_TYPE_nanoseconds uint64_t
#define ORIEL_LOG_TYPE_number double
#define ORIEL_LOG_TYPE_address uint64_t
#define ORIEL_LOG_TYPE_text std::string_view
#define ORIEL_LOG_TYPE_gc_event uint64_t
#define ORIEL_LOG_TYPE_gc_reason uint64_t
#define ORIEL_LOG_TYPE_gc_trigger uint64_t
#define ORIEL_LOG_TYPE_pool_reason uint64_t
#define ORIEL_LOG_TYPE_gc_roots uint64_t
#define ORIEL_LOG_TYPE_suspend_reason uint64_t
#define ORIEL_LOG_TYPE_clause_kind uint64_t
#define ORIEL_LOG_TYPE_clause_index uint64_t
#define ORIEL_LOG_TYPE_context uint64_t

#define ORIEL_LOG_MEMBER_A(kind, name) \
  ORIEL_LOG_TYPE_##kind name{};        \
  ORIEL_LOG_MEMBER_B
#define ORIEL_LOG_MEMBER_B(kind, name) \
  ORIEL_LOG_TYPE_##kind name{};        \
  ORIEL_LOG_MEMBER_A
#define ORIEL_LOG_MEMBER_A_END
#define ORIEL_LOG_MEMBER_B_END
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  struct name {                                                              \
    ORIEL_LOG_SEQ(ORIEL_LOG_MEMBER, fields)                                  \
  };
#include "oriel/events.def"
#undef ORIEL_EVENT

}  // namespace events

namespace detail {

// An event's values, one after another.
class Values {
 public:
  explicit Values(const oriel_log_event& event) : event_(event) {}

  template <typename Value>
  void next(Value& to) {
    const uint64_t value = at_ < event_.count ? event_.values[at_] : 0;
    ++at_;
    if constexpr (std::is_same_v<Value, double>)
      std::memcpy(&to, &value, sizeof to);
    else if constexpr (std::is_same_v<Value, std::string_view>)
      to = event_.text != nullptr ? std::string_view(event_.text, value) : std::string_view();
    else
      to = static_cast<Value>(value);
  }

 private:
  const oriel_log_event& event_;
  uint32_t at_ = 0;
};

// Room for a message of the library's.
struct Message {
  char text[1024] = "";
};

}  // namespace detail

// What a decoder tells, in the log's order. Override the calls of interest.
class Sink {
 public:
  virtual ~Sink() = default;

  // Names of ids, and everything else that has no function of its own.
  virtual void on_record(const oriel_log_record&) {}
  // on_NAME(event, fields) for each event of events.def: on_gc_begin, on_exception_throw, ….
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  virtual void on_##name(const oriel_log_event&, const events::name&) {}
#include "oriel/events.def"
#undef ORIEL_EVENT
  // Any event. By default it goes to its own function; events that have none, as those of version 1, are left out.
  virtual void on_event(const oriel_log_event& event) { dispatch(event); }
  // Some calls of a thread, in order. By default each is an event.
  virtual void on_calls(uint64_t thread, const oriel_log_call* calls, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      const uint64_t method = calls[i].method;
      on_event({calls[i].number, 1, thread, calls[i].counter, &method, 0, nullptr});
    }
  }
  virtual void on_stack_node(const oriel_log_stack_node&) {}
  virtual void on_node_il(uint64_t /*node*/, uint32_t /*il*/) {}
  virtual void on_sample(const oriel_log_sample&) {}
  virtual void on_compiling(const oriel_log_compiling&) {}
  virtual void on_clock(uint64_t /*counter*/, uint64_t /*unix_us*/) {}
  virtual void on_problem(uint64_t /*offset*/, const char* /*message*/) {}

  // As the C interface has it. Valid as long as this object.
  const oriel_log_sink* functions() {
    functions_ = {sizeof functions_, this,          &Sink::record,    &Sink::event, &Sink::calls,  &Sink::stack_node,
                  &Sink::node_il,    &Sink::sample, &Sink::compiling, &Sink::clock, &Sink::problem};
    return &functions_;
  }
  // Throws what a function threw since the last time.
  void rethrow() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }
  bool has_thrown() const { return thrown_ != nullptr; }

 protected:
  void dispatch(const oriel_log_event& event) {
    switch (event.number) {
#define ORIEL_LOG_TAKE_A(kind, name) \
  values.next(fields_of_it.name);    \
  ORIEL_LOG_TAKE_B
#define ORIEL_LOG_TAKE_B(kind, name) \
  values.next(fields_of_it.name);    \
  ORIEL_LOG_TAKE_A
#define ORIEL_LOG_TAKE_A_END
#define ORIEL_LOG_TAKE_B_END
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  case number: {                                                             \
    [[maybe_unused]] detail::Values values(event);                           \
    events::name fields_of_it;                                               \
    ORIEL_LOG_SEQ(ORIEL_LOG_TAKE, fields)                                    \
    return on_##name(event, fields_of_it);                                   \
  }
#include "oriel/events.def"
#undef ORIEL_EVENT
      default:
        return;
    }
  }

 private:
  // After something was thrown nothing more is told.
  template <typename Tell>
  static void guarded(void* context, Tell tell) {
    Sink& self = *static_cast<Sink*>(context);
    if (self.thrown_) return;
    try {
      tell(self);
    } catch (...) {
      self.thrown_ = std::current_exception();
    }
  }
  static void record(void* to, const oriel_log_record* it) {
    guarded(to, [&](Sink& self) { self.on_record(*it); });
  }
  static void event(void* to, const oriel_log_event* it) {
    guarded(to, [&](Sink& self) { self.on_event(*it); });
  }
  static void calls(void* to, uint64_t thread, const oriel_log_call* all, size_t count) {
    guarded(to, [&](Sink& self) { self.on_calls(thread, all, count); });
  }
  static void stack_node(void* to, const oriel_log_stack_node* it) {
    guarded(to, [&](Sink& self) { self.on_stack_node(*it); });
  }
  static void node_il(void* to, uint64_t node, uint32_t il) {
    guarded(to, [&](Sink& self) { self.on_node_il(node, il); });
  }
  static void sample(void* to, const oriel_log_sample* it) {
    guarded(to, [&](Sink& self) { self.on_sample(*it); });
  }
  static void compiling(void* to, const oriel_log_compiling* it) {
    guarded(to, [&](Sink& self) { self.on_compiling(*it); });
  }
  static void clock(void* to, uint64_t counter, uint64_t unix_us) {
    guarded(to, [&](Sink& self) { self.on_clock(counter, unix_us); });
  }
  static void problem(void* to, uint64_t offset, const char* message) {
    guarded(to, [&](Sink& self) { self.on_problem(offset, message); });
  }

  oriel_log_sink functions_{};
  std::exception_ptr thrown_;
};

// The blocks of a log, one after another.
class Blocks {
 public:
  explicit Blocks(const std::string& path)
      : Blocks(
            [&](detail::Message& said) { return oriel_log_blocks_open(path.c_str(), said.text, sizeof said.text); }) {}
  // Bytes that outlive this object.
  Blocks(const void* bytes, size_t length)
      : Blocks([&](detail::Message& said) { return oriel_log_blocks_in(bytes, length, said.text, sizeof said.text); }) {
  }

  // Null behind the last one. Damage is told to the sink, as a problem.
  const oriel_log_block* next() { return oriel_log_blocks_next(blocks_.get(), nullptr); }
  const oriel_log_block* next(Sink& sink) {
    const oriel_log_block* const block = oriel_log_blocks_next(blocks_.get(), sink.functions());
    sink.rethrow();
    return block;
  }
  uint32_t version() const { return oriel_log_blocks_version(blocks_.get()); }
  int64_t ns(uint64_t counter) { return oriel_log_blocks_ns(blocks_.get(), counter); }
  int64_t duration_ns(uint64_t counts) { return oriel_log_blocks_duration_ns(blocks_.get(), counts); }

 private:
  struct Close {
    void operator()(oriel_log_blocks* blocks) const { oriel_log_blocks_close(blocks); }
  };
  template <typename Open, typename = decltype(std::declval<Open>()(std::declval<detail::Message&>()))>
  explicit Blocks(Open open) {
    detail::Message said;
    blocks_.reset(open(said));
    if (blocks_ == nullptr) throw Error(said.text);
  }

  std::unique_ptr<oriel_log_blocks, Close> blocks_;
};

// Decodes blocks, from wherever they come. The sink outlives it.
class Decoder {
 public:
  explicit Decoder(Sink& sink) : sink_(&sink) { make(sink.functions()); }
  // Into a sink of the C interface, as that of Tables.
  explicit Decoder(const oriel_log_sink* sink) { make(sink); }

  void decode(const oriel_log_block& block) {
    detail::Message said;
    const int failed = oriel_log_decoder_decode(decoder_.get(), &block, said.text, sizeof said.text);
    if (sink_ != nullptr) sink_->rethrow();
    if (failed != 0) throw Error(said.text);
  }
  oriel_log_outcome outcome() const {
    oriel_log_outcome outcome{};
    outcome.size = sizeof outcome;
    oriel_log_decoder_outcome(decoder_.get(), &outcome);
    return outcome;
  }

 private:
  struct Destroy {
    void operator()(oriel_log_decoder* decoder) const { oriel_log_decoder_destroy(decoder); }
  };
  void make(const oriel_log_sink* sink) {
    detail::Message said;
    decoder_.reset(oriel_log_decoder_create(sink, said.text, sizeof said.text));
    if (decoder_ == nullptr) throw Error(said.text);
  }

  Sink* sink_ = nullptr;
  std::unique_ptr<oriel_log_decoder, Destroy> decoder_;
};

// A log's blocks, through a decoder, to the sink.
inline oriel_log_outcome decode_file(const std::string& path, Sink& sink) {
  oriel_log_outcome outcome{};
  outcome.size = sizeof outcome;
  detail::Message said;
  const int failed = oriel_log_decode_file(path.c_str(), sink.functions(), &outcome, said.text, sizeof said.text);
  sink.rethrow();
  if (failed != 0) throw Error(said.text);
  return outcome;
}

// A table of a log. Valid as long as its Tables.
class Table {
 public:
  explicit Table(const oriel_log_table* table) : table_(table) {}

  std::string_view name() const { return oriel_log_table_name(table_); }
  size_t rows() const { return oriel_log_table_rows(table_); }
  // Throws std::out_of_range if there is none of that name.
  size_t column(const char* name) const {
    const int index = oriel_log_column_index(table_, name);
    if (index < 0) throw std::out_of_range(std::string(this->name()) + " has no column " + name);
    return static_cast<size_t>(index);
  }
  // Nothing if it is not known.
  std::optional<int64_t> integer(size_t row, size_t column) const {
    oriel_log_cell cell{};
    oriel_log_table_cell(table_, row, column, &cell);
    return cell.type == oriel_log_type_integer ? std::optional(cell.integer) : std::nullopt;
  }
  // "" if it is not known. Valid until the next cell is asked for.
  std::string_view text(size_t row, size_t column) const { return oriel_log_table_text(table_, row, column); }
  const oriel_log_table* get() const { return table_; }

 private:
  const oriel_log_table* table_;
};

// A log as tables (docs/TABLES.md).
class Tables {
 public:
  explicit Tables(const std::string& path) {
    detail::Message said;
    tables_.reset(oriel_log_tables_load(path.c_str(), said.text, sizeof said.text));
    if (tables_ == nullptr) throw Error(said.text);
  }
  // To be filled through sink(), of a log of so many bytes.
  explicit Tables(uint64_t bytes) {
    detail::Message said;
    tables_.reset(oriel_log_tables_create(bytes, said.text, sizeof said.text));
    if (tables_ == nullptr) throw Error(said.text);
  }
  const oriel_log_sink* sink() { return oriel_log_tables_sink(tables_.get()); }
  void finish() {
    detail::Message said;
    if (oriel_log_tables_finish(tables_.get(), said.text, sizeof said.text) != 0) throw Error(said.text);
  }

  // Throws std::out_of_range if there is none of that name.
  Table operator[](const char* name) const {
    const oriel_log_table* const table = oriel_log_table_named(tables_.get(), name);
    if (table == nullptr) throw std::out_of_range(std::string("there is no table ") + name);
    return Table(table);
  }

 private:
  struct Destroy {
    void operator()(oriel_log_tables* tables) const { oriel_log_tables_destroy(tables); }
  };
  std::unique_ptr<oriel_log_tables, Destroy> tables_;
};

}  // namespace oriel::reader
