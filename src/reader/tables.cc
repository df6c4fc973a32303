// A log's tables.
#include <memory>
#include <new>
#include <string_view>

#include "profile/told_log.h"
#include "reader/columns.h"
#include "reader/guard.h"
#include "reader/sinks.h"

using oriel::Result;
using oriel::profile::Profile;
using oriel::reader::Cell;
using oriel::reader::Column;
using oriel::reader::FromCaller;
using oriel::reader::guarded;
using oriel::reader::lacks;
using oriel::reader::MessageRoom;
using oriel::reader::Source;

struct oriel_log_table {
  const Source* source;
  std::vector<oriel_log_column> columns;
  const oriel_log_tables* owner;
};

struct oriel_log_tables {
  // While a log is told.
  struct Filling {
    explicit Filling(uint64_t bytes) : from(builder, most_nodes(bytes)) {
      builder.expect(bytes);
      builder.on_unpacked(most_nodes(bytes));
    }
    // A node takes some bytes of a log, which may be compressed; other records as well.
    static uint64_t most_nodes(uint64_t bytes) { return bytes > UINT32_MAX / 64 ? UINT32_MAX : bytes * 64 + 64; }

    oriel::profile::Builder builder;
    FromCaller from;
  };

  std::unique_ptr<Filling> filling;
  Profile profile;
  std::vector<oriel_log_table> tables;
  mutable Cell cell;
};

namespace {

std::unique_ptr<oriel_log_tables> empty_tables() {
  auto made = std::make_unique<oriel_log_tables>();
  for (const Source& source : oriel::reader::sources()) {
    oriel_log_table table{&source, {}, made.get()};
    for (const Column& column : source.columns)
      table.columns.push_back({column.name.c_str(), column.is, column.doc, column.type});
    made->tables.push_back(std::move(table));
  }
  return made;
}

// Null cells if it is not there.
const Cell& cell_of(const oriel_log_table& table, size_t row, size_t column) {
  Cell& cell = table.owner->cell;
  cell.set_null();
  if (column < table.columns.size() && row < oriel_log_table_rows(&table))
    guarded<int>({}, 0, [&] {
      table.source->columns[column].show(table.owner->profile, row, cell);
      return 0;
    });
  return cell;
}

}  // namespace

oriel_log_tables* oriel_log_tables_load(const char* path, char* message, size_t size) {
  const MessageRoom room{message, size};
  if (lacks({{path, "path"}}, room)) return nullptr;
  return guarded<oriel_log_tables*>(room, nullptr, [&]() -> oriel_log_tables* {
    auto made = empty_tables();
    Result<Profile> profile = oriel::profile::load(path);
    if (!profile) return room.say(profile.message()), nullptr;
    made->profile = std::move(*profile);
    return made.release();
  });
}

oriel_log_tables* oriel_log_tables_create(uint64_t bytes, char* message, size_t size) {
  return guarded<oriel_log_tables*>({message, size}, nullptr, [&] {
    auto made = empty_tables();
    made->filling = std::make_unique<oriel_log_tables::Filling>(bytes);
    return made.release();
  });
}

const oriel_log_sink* oriel_log_tables_sink(oriel_log_tables* tables) {
  return tables != nullptr && tables->filling != nullptr ? &tables->filling->from.functions() : nullptr;
}

int oriel_log_tables_finish(oriel_log_tables* tables, char* message, size_t size) {
  const MessageRoom room{message, size};
  if (lacks({{tables, "tables"}}, room)) return 1;
  return guarded<int>(room, 1, [&] {
    const std::unique_ptr<oriel_log_tables::Filling> filling = std::move(tables->filling);
    if (filling == nullptr) return 0;
    if (filling->from.has_failed()) throw std::bad_alloc();
    oriel::log::DecodeOutcome outcome;
    outcome.ended = filling->from.ended();
    tables->profile = oriel::profile::profile_of(filling->builder, outcome, "");
    return 0;
  });
}

void oriel_log_tables_destroy(oriel_log_tables* tables) { delete tables; }

const char* oriel_log_tables_problem(const oriel_log_tables* tables, size_t index) {
  return tables != nullptr && index < tables->profile.problems.size() ? tables->profile.problems[index].c_str()
                                                                      : nullptr;
}

const oriel_log_table* oriel_log_table_at(const oriel_log_tables* tables, size_t index) {
  return tables != nullptr && index < tables->tables.size() ? &tables->tables[index] : nullptr;
}

const oriel_log_table* oriel_log_table_named(const oriel_log_tables* tables, const char* name) {
  if (tables == nullptr || name == nullptr) return nullptr;
  for (const oriel_log_table& table : tables->tables) {
    if (std::string_view(table.source->name) == name) return &table;
  }
  return nullptr;
}

const char* oriel_log_table_name(const oriel_log_table* table) { return table != nullptr ? table->source->name : ""; }

const char* oriel_log_table_doc(const oriel_log_table* table) { return table != nullptr ? table->source->doc : ""; }

size_t oriel_log_table_rows(const oriel_log_table* table) {
  return table != nullptr ? table->source->rows(table->owner->profile) : 0;
}

const oriel_log_column* oriel_log_table_column(const oriel_log_table* table, size_t index) {
  return table != nullptr && index < table->columns.size() ? &table->columns[index] : nullptr;
}

int oriel_log_column_index(const oriel_log_table* table, const char* name) {
  if (table == nullptr || name == nullptr) return -1;
  for (size_t i = 0; i < table->columns.size(); ++i) {
    if (std::string_view(table->columns[i].name) == name) return static_cast<int>(i);
  }
  return -1;
}

void oriel_log_table_cell(const oriel_log_table* table, size_t row, size_t column, oriel_log_cell* to) {
  if (to == nullptr) return;
  *to = {oriel_log_type_null, 0, "", 0};
  if (table == nullptr) return;
  const Cell& cell = cell_of(*table, row, column);
  *to = {cell.type, 0, "", 0};
  if (cell.type == oriel_log_type_integer) to->integer = cell.integer;
  if (cell.type == oriel_log_type_text) to->text = cell.text->c_str(), to->length = cell.text->size();
}

int64_t oriel_log_table_integer(const oriel_log_table* table, size_t row, size_t column) {
  if (table == nullptr) return 0;
  const Cell& cell = cell_of(*table, row, column);
  return cell.type == oriel_log_type_integer ? cell.integer : 0;
}

const char* oriel_log_table_text(const oriel_log_table* table, size_t row, size_t column) {
  if (table == nullptr) return "";
  const Cell& cell = cell_of(*table, row, column);
  return cell.type == oriel_log_type_text ? cell.text->c_str() : "";
}
