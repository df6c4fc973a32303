// The tables of a log and their columns, by the descriptions of rows (profile/table/field.h) and of what rows refer to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "oriel/log.h"
#include "profile/profile.h"

namespace oriel::reader {

// What stands in a cell. Texts are views of the profile, or of `made`.
struct Cell {
  oriel_log_type type = oriel_log_type_null;
  int64_t integer = 0;
  const std::string* text = nullptr;
  std::string made;

  void set_null() { type = oriel_log_type_null; }
  void set_integer(int64_t value) { type = oriel_log_type_integer, integer = value; }
  void set_count(uint64_t value);                                        // the largest number, if it is more than that
  void set_os_id(uint64_t id) { id == 0 ? set_null() : set_count(id); }  // of a thread; 0: not known
  void set_view(const std::string& value) { type = oriel_log_type_text, text = &value; }
  void set_text(std::string value) { made = std::move(value), set_view(made); }
};

struct Column {
  std::string name;
  const char* is;
  const char* doc;
  oriel_log_type type;
  void (*show)(const profile::Profile& profile, size_t row, Cell& to);
};

struct Source {
  const char* name;
  const char* doc;  // what a row is
  size_t (*rows)(const profile::Profile& profile);
  std::vector<Column> columns = {};
};

// All of docs/TABLES.md, and stacks, threads, functions and processes.
const std::vector<Source>& sources();

// The last of these.
void add_dictionaries(std::vector<Source>& to);

// The number of a stack in the table of stacks, from 1: sampled ones first, then ways of calls. 0: none.
inline uint32_t number_of_call_stack(const profile::Profile& profile, uint32_t call_node) {
  return call_node == 0 ? 0 : static_cast<uint32_t>(profile.nodes.size() - 1 + call_node);
}
void show_function(const profile::Profile& profile, uint32_t function, Cell& to);
void show_stack(uint32_t number, Cell& to);

}  // namespace oriel::reader
