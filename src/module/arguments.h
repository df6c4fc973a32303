// What a module can be asked for: a table, and one reader of it for the module's text and for the options of `oriel
// run`.
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
  kPatterns,  // of methods (base/text/patterns.h); none: user code. Given again, they are added
  kNames,     // with commas between them, in a module's text '|'; none: `if_bare`. Given again, they are added
  kText,      // what the module takes apart itself
  kFile,      // a file's name, in which %p and %n may stand. It takes the rest of a module's text, commas and all
};

struct Argument {
  const char* name;  // as in a module's text: "alloc-in" of "log:alloc-in=Shop"
  ArgumentKind kind;
  const char* words = "";         // of a choice: "exact|sampled"
  const char* if_bare = nullptr;  // what a choice, or names, are without a value; nullptr: it needs one
  unsigned least = 0, most = 0;   // of a number
  const char* note = "";          // for who gave a value that cannot be: "a rate is a whole number of …"

  bool needs_value() const { return kind == ArgumentKind::kChoice && if_bare == nullptr; }
};

// The argument of that name; nullptr if there is none.
const Argument* find_argument(std::span<const Argument> table, std::string_view name);

// An option of `oriel run`, as what it gives a module.
struct Option {
  const char* name;         // "--sample"
  const char* takes = "";   // the argument that it stands for, and whose value it has; "": none
  const char* sets = "";    // what it gives besides: "sample=real"
  const char* values = "";  // its value, as help calls it: "HZ"
  const char* help = "";
  bool is_instrumentation = false;  // stands among "Calls and allocations" in the help
};

// What was given of a table's arguments, each checked by itself as it comes.
class Arguments {
 public:
  // Of a module's text; with `options`, of a command line too, whose options messages then name where there is one.
  // Both tables stay the caller's.
  Arguments(const char* module, std::span<const Argument> table, std::span<const Option> options = {})
      : module_(module), table_(table), options_(options), values_(table.size()) {}

  // Takes a module's text, "hz=250,calls=A|B,alloc,out=PATH". Messages say "log: hz=0: …".
  Status parse(std::string_view text);
  // Takes an option as it was typed; without a value: nullopt. Messages say "--sample=0: …".
  Status give(const Option& option, std::optional<std::string_view> value);
  // Instead of the file that was given, if one was.
  void set_file(const std::string& path) { values_[file_row()] = {true, false, path, path}; }
  // Whether it is about a command line too.
  bool has_options() const { return !options_.empty(); }

  // By row of the table.
  bool given(size_t row) const { return values_[row].given; }
  // What was given; "" if nothing. Patterns are joined by '|'.
  const std::string& value(size_t row) const { return values_[row].text; }
  // The row of a name; none that is not in the table may be asked for.
  size_t row_of(std::string_view name) const;
  bool has(std::string_view name) const { return find_argument(table_, name) != nullptr; }
  const Argument& argument(size_t row) const { return table_[row]; }
  // The file's; every table has one.
  size_t file_row() const;

  // The argument's name for a message: "alloc-in", or "--alloc-in" where options are known.
  std::string name(size_t row) const;
  // The same where a message begins with it: "log: alloc-in", "--alloc-in".
  std::string said(size_t row) const;

  // All of it as a module's text.
  std::string text() const;

 private:
  struct Value {
    bool given = false;
    bool bare = false;  // of patterns: given without any
    std::string text;
    std::string typed;  // as it was given first
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
