#include "reader/descriptions.h"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "log/records.h"

namespace oriel::reader {
namespace {

using log::FieldKind;

const char* kind_name(FieldKind kind) {
  switch (kind) {
    case FieldKind::kDomain:
      return "domain";
    case FieldKind::kAssembly:
      return "assembly";
    case FieldKind::kImage:
      return "image";
    case FieldKind::kClass:
      return "class";
    case FieldKind::kMethod:
      return "method";
    case FieldKind::kThread:
      return "thread";
    case FieldKind::kObject:
      return "class";
    case FieldKind::kFlag:
      return "flag";
    case FieldKind::kBytes:
      return "bytes";
    case FieldKind::kNanoseconds:
      return "nanoseconds";
    case FieldKind::kNumber:
      return "double";
    case FieldKind::kAddress:
      return "address";
    case FieldKind::kText:
    case FieldKind::kRawName:
      return "text";
    case FieldKind::kLibrary:
      return "library";
    case FieldKind::kNative:
      return "native";
    case FieldKind::kNode:
      return "node";
    case FieldKind::kCounter:
    case FieldKind::kEnd:
      return "counter";
    case FieldKind::kTicks:
      return "ticks";
    case FieldKind::kGcEvent:
    case FieldKind::kGcReason:
    case FieldKind::kGcTrigger:
    case FieldKind::kPoolReason:
    case FieldKind::kGcRoots:
    case FieldKind::kSuspendReason:
    case FieldKind::kClauseKind:
      return "enumerator";
    default:
      return "number";
  }
}

// Descriptions and their texts, which live as long as the process.
struct Description {
  std::deque<std::string> names;
  std::vector<oriel_log_field> fields;
  oriel_log_description shown{};

  void add(std::string name, const char* kind, const char* doc, const oriel_log_description* items = nullptr) {
    fields.push_back({names.emplace_back(std::move(name)).c_str(), kind, doc, items});
  }
  void finish(const char* name, uint32_t number) {
    shown = {name, number, static_cast<uint32_t>(fields.size()), fields.data()};
  }
};

template <typename Item>
const oriel_log_description* items_of();

// Sees each field that a record may have.
class Describer : public log::FieldVisitor {
 public:
  explicit Describer(Description& to) : to_(to) {}

  void byte(const char* name, uint8_t, const char* doc, FieldKind kind = FieldKind::kPlain) { add(name, kind, doc); }
  void integer(const char* name, uint64_t, const char* doc, FieldKind kind = FieldKind::kPlain) {
    add(name, kind, doc);
  }
  void string(const char* name, const std::string&, const char* doc, FieldKind = FieldKind::kPlain) {
    add(name, FieldKind::kText, doc);
  }
  template <typename Record>
  void record(const char* name, const Record& value, const char*) {
    const std::string outer = prefix_;
    prefix_ += std::string(name) + "_";
    fields(*this, value);
    prefix_ = outer;
  }
  template <typename List>
  void list(const char* name, const List&, log::Ending, const char* doc, FieldKind = FieldKind::kPlain) {
    to_.add(prefix_ + name, "list", doc, items_of<typename List::value_type>());
  }
  template <typename Visit>
  void when(bool, const char*, Visit visit) {
    visit();
  }

 private:
  void add(const char* name, FieldKind kind, const char* doc) { to_.add(prefix_ + name, kind_name(kind), doc); }

  Description& to_;
  std::string prefix_;
};

template <typename Record>
void describe(Description& to) {
  const Record record{};
  Describer describer(to);
  fields(describer, record);
  if constexpr (requires { record.unload; }) to.add("unload", "flag", "1 if it was unloaded");
  if constexpr (requires { record.frame; }) to.add("frame", "bytes", "the zstd frame");
}

template <typename Item>
const oriel_log_description* items_of() {
  static const Description* const kMade = [] {
    auto* made = new Description;
    describe<Item>(*made);
    made->finish("item", 0);
    return made;
  }();
  return &kMade->shown;
}

struct All {
  std::deque<Description> records, events;
};

template <typename Record>
void add_record(const char* name, All& to) {
  describe<Record>(to.records.emplace_back());
  to.records.back().finish(name, 0);
}

void add_event(const log::EventDescription& event, All& to) {
  Description& made = to.events.emplace_back();
  for (const log::FieldDescription& field : event.fields) made.add(field.name, kind_name(field.kind), "");
  made.finish(event.name, event.number);
}

// Never destroyed: callers keep pointers.
const All& all() {
  static const All* const kAll = [] {
    auto* made = new All;
#define ORIEL_BLOCK(code, symbol, name, since, Record, doc)
#define ORIEL_PLAIN_BLOCK(code, symbol, name, since, Record, doc) add_record<log::Record>(#name, *made);
#include "log/blocks.def"
#define ORIEL_RECORD(function, name, Record) add_record<log::Record>(#name, *made);
#include "log/records.def"
    add_record<log::Coverage>("coverage", *made);
    for (const log::EventDescription& event : log::all_events()) add_event(event, *made);
#define ORIEL_PACKED_EVENT(number, symbol, name, fields) add_event(*log::describe_event(number), *made);
#include "log/packed_events.def"
    return made;
  }();
  return *kAll;
}

int index_in(const oriel_log_record* record, const char* field) {
  if (record == nullptr || record->values == nullptr) return -1;
  return oriel_log_field_index(record->description, field);
}

const oriel_log_description* named(const std::deque<Description>& among, std::string_view name) {
  for (const Description& one : among) {
    if (one.shown.name == name) return &one.shown;
  }
  return nullptr;
}

}  // namespace

const oriel_log_description* description_of(RecordIndex record) {
  return &all().records[static_cast<size_t>(record)].shown;
}

}  // namespace oriel::reader

using oriel::reader::all;
using oriel::reader::index_in;

const oriel_log_description* oriel_log_describe_event(uint32_t number) {
  for (const auto& event : all().events) {
    if (event.shown.number == number) return &event.shown;
  }
  return nullptr;
}

const oriel_log_description* oriel_log_describe_event_named(const char* name) {
  return name != nullptr ? oriel::reader::named(all().events, name) : nullptr;
}

const oriel_log_description* oriel_log_describe_record(const char* name) {
  return name != nullptr ? oriel::reader::named(all().records, name) : nullptr;
}

const oriel_log_description* oriel_log_description_at(size_t index) {
  const size_t records = all().records.size();
  if (index < records) return &all().records[index].shown;
  return index - records < all().events.size() ? &all().events[index - records].shown : nullptr;
}

int oriel_log_field_index(const oriel_log_description* description, const char* name) {
  if (description == nullptr || name == nullptr) return -1;
  for (uint32_t i = 0; i < description->count; ++i) {
    if (std::string_view(description->fields[i].name) == name) return static_cast<int>(i);
  }
  return -1;
}

uint64_t oriel_log_number(const oriel_log_record* record, const char* field) {
  const int index = index_in(record, field);
  return index < 0 ? 0 : record->values[index].number;
}

const char* oriel_log_text(const oriel_log_record* record, const char* field) {
  const int index = index_in(record, field);
  return index < 0 || record->values[index].text == nullptr ? "" : record->values[index].text;
}
