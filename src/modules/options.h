// A module's options: one typed struct, and one table that says of each field its name, what it may be, when it may
// change, and which option of `oriel run` it is. What reads text, prints text and builds the command line goes by the
// table.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/status.h"
#include "base/text/patterns.h"

namespace oriel::modules {

enum class OptionKind : uint8_t {
  kNone,      // no value of its own: an option of `oriel run` that sets others
  kFlag,      // bool; has no value
  kChoice,    // one of several words: an enumeration of one byte, or a bool, that numbers them
  kNumber,    // uint32_t
  kPatterns,  // of methods (base/text/patterns.h): MethodPatterns, or optional ones. Given again, they are added
  kNames,     // std::string, with commas between them; in a module's text '|'. Given again, they are added
  kText,      // std::string, which the module takes apart itself
  kFile,      // std::string, a file's name, in which %p and %n may stand. Takes the rest of a module's text
};

enum class Change : uint8_t { kAtStart, kWhileRunning };  // patterns always may

inline constexpr size_t kMostOptions = 64;

// What each module's struct of options begins with. Values that were not given are the struct's own initial ones.
struct GivenOptions {
  std::bitset<kMostOptions> given;  // by row of the table
};

struct OptionValue {
  OptionKind kind = OptionKind::kNone;
  void* (*field)(GivenOptions& options) = nullptr;  // the value, of the type that the kind names
};

struct Option {
  const char* name = "";  // in a module's text: "alloc-in" of "log:alloc-in=Shop"; "": it has none
  OptionValue value = {};
  Change change = Change::kAtStart;
  const char* words = "";         // of a choice: "exact|sampled"
  const char* if_bare = nullptr;  // what a choice, or names, are without a value; nullptr: it needs one
  uint32_t least = 0, most = 0;   // of a number
  const char* note = "";          // for who gave a value that cannot be: "a rate is a whole number of …"

  const char* option = "";  // of `oriel run`: "--sample"; "": none
  const char* takes = "";   // the name of another row, whose value it has
  const char* sets = "";    // what it gives besides: "sample=real"
  const char* values = "";  // its value, as help calls it: "HZ"
  const char* help = "";
  bool always_valued = false;       // the option of `oriel run` has a value, also behind a space
  bool is_instrumentation = false;  // stands among "Calls and allocations" in the help

  bool needs_value() const { return always_valued || (value.kind == OptionKind::kChoice && if_bare == nullptr); }
};

struct OptionTable {
  const char* module;  // "log"
  std::span<const Option> rows;

  // The row of that name; nullptr if there is none.
  const Option* find(std::string_view name) const;
  // The row that an option of `oriel run` has its value in; nullptr if it has none.
  const Option* value_of(const Option& option) const;
  // The file's; each table has one.
  const Option& file() const;
  size_t index_of(const Option& row) const { return static_cast<size_t>(&row - rows.data()); }
};

// The options that were given as a module's text: "hz=250,calls=A|B,alloc,out=PATH"; with `file` instead of theirs,
// unless that is nullptr.
std::string text_of(const OptionTable& table, GivenOptions& options, const std::string* file = nullptr);

// A value as a module's text has it; "" if it was not given, or where its name alone says it.
std::string value_text(const OptionTable& table, const Option& row, GivenOptions& options);

// A module's text, changed: what `set` gives (a text) is as it says, and the options in `dropped` (names with commas
// between them) are no longer given.
std::string changed_text(const OptionTable& table, std::string_view text, std::string_view set,
                         std::string_view dropped);

// Of what may not change while a module runs, `wanted` gets what it does not say from the options that the module runs
// with. Returns the names of what it says otherwise, with ", " between them.
std::string keep_fixed(const OptionTable& table, GivenOptions& running, GivenOptions& wanted);

// Reads options into a module's struct, each checked as it comes. The table and the struct stay the caller's.
class OptionReader {
 public:
  // With `of_command_line` messages name the options of `oriel run`, where there is one.
  OptionReader(const OptionTable& table, GivenOptions& options, bool of_command_line = false)
      : table_(table), options_(options), of_command_line_(of_command_line), rows_(table.rows.size()) {}

  // Takes a module's text. Messages say "log: hz=0: …".
  Status read(std::string_view text);
  // Takes an option of `oriel run` as it was typed; without a value: nullopt. Messages say "--sample=0: …".
  Status give(const Option& option, std::optional<std::string_view> value);

  bool is_given(const char* name) const { return options_.given[table_.index_of(*table_.find(name))]; }
  bool of_command_line() const { return of_command_line_; }
  // An option's name for a message: "alloc-in", or "--alloc-in" where there are options of `oriel run`.
  std::string name(const char* name) const;
  // The same where a message begins with it: "log: alloc-in", "--alloc-in".
  std::string said(const char* name) const;

 private:
  struct RowState {
    bool bare = false;  // of patterns: given without any
    std::string typed;  // as it was given first
  };

  std::string known() const;
  Status set(const Option& row, std::optional<std::string_view> value, const std::string& said,
             const std::string& typed);
  Status add_patterns(const Option& row, std::optional<std::string_view> value, const std::string& said);

  const OptionTable& table_;
  GivenOptions& options_;
  const bool of_command_line_;
  std::vector<RowState> rows_;
};

namespace internal {

template <typename Struct, typename Field>
Struct struct_of(Field Struct::*);
template <typename Struct, typename Field>
Field field_of(Field Struct::*);

template <OptionKind kind, typename Field>
constexpr bool has_type() {
  switch (kind) {
    case OptionKind::kFlag:
      return std::is_same_v<Field, bool>;
    case OptionKind::kChoice:
      return sizeof(Field) == 1 && (std::is_enum_v<Field> || std::is_same_v<Field, bool>);
    case OptionKind::kNumber:
      return std::is_same_v<Field, uint32_t>;
    case OptionKind::kPatterns:
      return std::is_same_v<Field, MethodPatterns> || std::is_same_v<Field, std::optional<MethodPatterns>>;
    case OptionKind::kNames:
    case OptionKind::kText:
    case OptionKind::kFile:
      return std::is_same_v<Field, std::string>;
    case OptionKind::kNone:
      break;
  }
  return false;
}

// Optional patterns are there once somebody asks for the field.
template <auto member>
void* field_in(GivenOptions& options) {
  auto& field = static_cast<decltype(struct_of(member))&>(options).*member;
  if constexpr (std::is_same_v<decltype(field_of(member)), std::optional<MethodPatterns>>) {
    return field ? &*field : &field.emplace();
  } else {
    return &field;
  }
}

}  // namespace internal

// Of a row of a table: its kind, and the field that has its value.
template <OptionKind kind, auto member>
constexpr OptionValue in() {
  static_assert(internal::has_type<kind, decltype(internal::field_of(member))>(), "the field is not of this kind");
  return {kind, internal::field_in<member>};
}

}  // namespace oriel::modules
