// Records as the C interface has them, and back: both ways by the log's own descriptions of their fields.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "base/text/utf8.h"
#include "log/records.h"
#include "oriel/log.h"

namespace oriel::reader {

// Memory of the values of one record and of the lists in it.
struct ValueStore {
  std::vector<oriel_log_value> values;
  std::deque<std::vector<oriel_log_value>> item_values;
  std::deque<std::vector<oriel_log_record>> lists;

  void clear() { values.clear(), item_values.clear(), lists.clear(); }
};

// Appends a record's fields to `to`, in the order of its description. Views of the record.
class Collector : public log::FieldVisitor {
 public:
  using Kind = log::FieldKind;

  Collector(const oriel_log_description* description, ValueStore& store, std::vector<oriel_log_value>& to)
      : description_(description), store_(store), to_(to) {}

  void byte(const char*, uint8_t value, const char*, Kind = Kind::kPlain) { to_.push_back({value, nullptr, nullptr}); }
  void integer(const char*, uint64_t value, const char*, Kind = Kind::kPlain) {
    to_.push_back({value, nullptr, nullptr});
  }
  void string(const char*, const std::string& value, const char*, Kind = Kind::kPlain) {
    to_.push_back({value.size(), value.c_str(), nullptr});
  }
  template <typename Record>
  void record(const char*, const Record& value, const char*) {
    fields(*this, value);
  }
  template <typename List>
  void list(const char*, const List& items, log::Ending, const char*, Kind = Kind::kPlain) {
    const oriel_log_description* const of_items = description_->fields[to_.size()].items;
    std::vector<oriel_log_record>& records = store_.lists.emplace_back();
    records.reserve(items.size());
    for (const auto& item : items) {
      std::vector<oriel_log_value>& values = store_.item_values.emplace_back();
      Collector collector(of_items, store_, values);
      fields(collector, item);
      records.push_back({of_items, values.data()});
    }
    to_.push_back({items.size(), nullptr, records.data()});
  }
  template <typename Visit>
  void when(bool, const char*, Visit visit) {
    visit();
  }

 private:
  const oriel_log_description* description_;
  ValueStore& store_;
  std::vector<oriel_log_value>& to_;
};

// The result is a view of the record and of the store.
template <typename Record>
oriel_log_record show(const Record& record, const oriel_log_description* description, ValueStore& store) {
  store.clear();
  Collector collector(description, store, store.values);
  fields(collector, record);
  if constexpr (requires { record.unload; }) store.values.push_back({record.unload ? 1u : 0u, nullptr, nullptr});
  if constexpr (requires { record.frame; })
    store.values.push_back({record.frame.size(), reinterpret_cast<const char*>(record.frame.data()), nullptr});
  return {description, store.values.data()};
}

// The codec that reads fields from such values.
class Filler {
 public:
  using Kind = log::FieldKind;

  explicit Filler(const oriel_log_value* at) : at_(at) {}

  void byte(const char*, uint8_t& value, const char*, Kind = Kind::kPlain) {
    value = static_cast<uint8_t>(at_++->number);
  }
  void integer(const char*, uint64_t& value, const char*, Kind = Kind::kPlain) { value = at_++->number; }
  void string(const char*, std::string& value, const char*, Kind = Kind::kPlain) {
    value = at_->text != nullptr ? at_->text : "";
    make_valid_utf8(value);
    ++at_;
  }
  template <typename Record>
  void record(const char*, Record& value, const char*) {
    using log::fields;
    fields(*this, value);
  }
  template <typename Visit>
  void since(uint64_t, Visit visit) {
    visit();
  }
  template <typename Visit>
  void when(bool, const char*, Visit visit) {
    visit();
  }
  template <typename Visit>
  void added(Visit visit) {
    visit();
  }
  template <typename List>
  void list(const char*, List& items, log::Ending, const char*, Kind = Kind::kPlain) {
    const oriel_log_value list = *at_++;
    for (uint64_t i = 0; list.items != nullptr && i < list.number; ++i) {
      Filler filler(list.items[i].values);
      using log::fields;
      typename List::value_type item{};
      fields(filler, item);
      items.push_back(std::move(item));
    }
  }

  const oriel_log_value* at() const { return at_; }

 private:
  const oriel_log_value* at_;
};

template <typename Record>
void fill(const oriel_log_value* values, Record& record) {
  using log::fields;
  Filler filler(values);
  fields(filler, record);
  if constexpr (requires { record.unload; }) record.unload = filler.at()->number != 0;
  if constexpr (requires { record.frame; })
    record.frame = {reinterpret_cast<const uint8_t*>(filler.at()->text), filler.at()->number};
}

// Sinks hear nodes with other fields than files have (log/records.h).
inline void fill(const oriel_log_value* values, log::CallNode& node) {
  node.id = values[0].number;
  node.parent = values[1].number;
  node.method = values[2].number;
  node.running = values[3].number != 0;
  node.calls = values[4].number;
  node.ticks = values[5].number;
  node.exceptions = values[6].number;
  node.folded = values[7].number;
  Filler(values + 8).list("", node.allocations, log::Ending::kInt0, "");
}

}  // namespace oriel::reader
