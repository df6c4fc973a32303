// A module's arguments: a table, and one parser for the module's text and for the options of `oriel run`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel::modules {

enum class ArgumentKind : uint8_t {
  kFlag,      // has no value
  kChoice,    // one of several words
  kNumber,    // a whole number
  kPatterns,  // of methods (base/text/patterns.h); without a value: user code. Repeated values accumulate
  kNames,     // separated by commas, in a module's text by '|'; without a value: `if_bare`. Repeated values accumulate
  kText,      // parsed by the module itself
  kFile,      // a file name that may contain %p and %n. It takes the rest of a module's text, including commas
};

struct Argument {
  const char* name;  // as in a module's text: "alloc-in" in "log:alloc-in=Shop"
  ArgumentKind kind;
  const char* words = "";         // for a choice: "exact|sampled"
  const char* if_bare = nullptr;  // the value of a choice, or of names, if none is given; nullptr: one is required
  unsigned least = 0, most = 0;   // for a number
  const char* note = "";          // added to the message about an invalid value: "a rate is a whole number of …"

  bool needs_value() const { return kind == ArgumentKind::kChoice && if_bare == nullptr; }
};

// The argument with that name; nullptr if there is none.
const Argument* find_argument(std::span<const Argument> table, std::string_view name);

// An option of `oriel run`, and the argument that it becomes.
struct Option {
  const char* name;         // "--sample"
  const char* takes = "";   // the argument that gets its value; "": none
  const char* sets = "";    // a further argument that it sets: "sample=real"
  const char* values = "";  // its value in the help: "HZ"
  const char* help = "";
  bool is_instrumentation = false;  // listed under "Calls and allocations" in the help
};

// The given values of a table's arguments; each is checked when it is added.
class Arguments {
 public:
  // For a module's text; with `options`, also for a command line, and messages then name options. The caller keeps both
  // tables alive.
  Arguments(const char* module, std::span<const Argument> table, std::span<const Option> options = {})
      : module_(module), table_(table), options_(options), values_(table.size()) {}

  // Parses a module's text, "hz=250,calls=A|B,alloc,out=PATH". Messages say "log: hz=0: …".
  Status parse(std::string_view text);
  // Adds an option as typed; without a value: nullopt. Messages say "--sample=0: …".
  Status give(const Option& option, std::optional<std::string_view> value);
  // Replaces the file's path.
  void set_file(const std::string& path) { values_[file_row()] = {true, false, path, path}; }
  // Whether there are command-line options too.
  bool has_options() const { return !options_.empty(); }

  // By row of the table.
  bool given(size_t row) const { return values_[row].given; }
  // The given value; "" if none. Patterns are joined by '|'.
  const std::string& value(size_t row) const { return values_[row].text; }
  // The row of a name, which must be in the table.
  size_t row_of(std::string_view name) const;
  bool has(std::string_view name) const { return find_argument(table_, name) != nullptr; }
  const Argument& argument(size_t row) const { return table_[row]; }
  // The row of the file; every table has one.
  size_t file_row() const;

  // The argument's name in a message: "alloc-in", or "--alloc-in" if options are known.
  std::string name(size_t row) const;
  // Likewise at the start of a message: "log: alloc-in", "--alloc-in".
  std::string said(size_t row) const;

  // All arguments as a module's text.
  std::string text() const;

 private:
  struct Value {
    bool given = false;
    bool bare = false;  // for patterns: given without a value
    std::string text;
    std::string typed;  // as first given
  };

  std::string known() const;
  Status set(size_t row, std::optional<std::string_view> value, const std::string& said, const std::string& typed);
  Status add_patterns(Value& to, std::optional<std::string_view> value, const std::string& said);
  Result<std::string> checked(const Argument& argument, std::optional<std::string_view> value,
                              const std::string& said) const;

  const char* module_;
  std::span<const Argument> table_;
  std::span<const Option> options_;
  std::vector<Value> values_;  // by row
};

}  // namespace oriel::modules
