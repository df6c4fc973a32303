// Options that rows of a list take, such as reports, beside those of all rows: a row describes its own in a table, and
// its functions get them in a struct of their own, which derives from that of all rows.
//
//   struct CoverageOptions : Options {
//     std::string by;
//     bool uncovered = false;
//   };
//   constexpr OwnOption<Options> kCoverageOptions[] = {
//       own_option<Options, &CoverageOptions::by>("--by", "GROUP", "Sums by file (default) or type", group_names),
//       own_flag<Options, &CoverageOptions::uncovered>("--uncovered", "The lines that did not run"),
//   };
//
// The options of a row are made by own_options<CoverageOptions>, set by their names (set_own_option), and given to the
// row's functions by ByOwn<…>::call, whose type is the same for all rows.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel {

template <typename Options>
struct OwnOption {
  const char* name = nullptr;   // "--by"
  const char* value = nullptr;  // what help calls its value: "GROUP"; of a flag nullptr
  const char* help = nullptr;   // one line
  // All that the value may be; nullptr: any text.
  std::vector<std::string> (*words)() = nullptr;
  // Where the value goes; of a flag it is not looked at. `options` are those that own_options made for the row.
  void (*set)(Options& options, const std::string& value) = nullptr;
};

template <typename Own, typename Value>
Own owner_of(Value Own::*);

template <typename Options, auto kMember>
constexpr OwnOption<Options> own_flag(const char* name, const char* help) {
  using Own = decltype(owner_of(kMember));
  return {name, nullptr, help, nullptr,
          [](Options& options, const std::string&) { dynamic_cast<Own&>(options).*kMember = true; }};
}

template <typename Options, auto kMember>
constexpr OwnOption<Options> own_option(const char* name, const char* value, const char* help,
                                        std::vector<std::string> (*words)() = nullptr) {
  using Own = decltype(owner_of(kMember));
  return {name, value, help, words,
          [](Options& options, const std::string& text) { dynamic_cast<Own&>(options).*kMember = text; }};
}

// A copy of `given` as a row's own options. Those are what they are by default if `given` has none of them.
template <typename Own, typename Options>
std::unique_ptr<Options> own_options(const Options& given) {
  if (const auto* own = dynamic_cast<const Own*>(&given)) return std::make_unique<Own>(*own);
  auto own = std::make_unique<Own>();
  static_cast<Options&>(*own) = given;
  return own;
}

// A function that takes its own options, as one that takes those of all rows: these must have been made for it.
template <typename Options, auto kFunction, typename = decltype(kFunction)>
struct ByOwn;
template <typename Options, auto kFunction, typename R, typename Subject, typename Own>
struct ByOwn<Options, kFunction, R (*)(Subject, const Own&)> {
  static R call(Subject subject, const Options& options) {
    return kFunction(subject, dynamic_cast<const Own&>(options));
  }
};
template <typename Options, auto kFunction, typename R, typename Subject, typename Own, typename To>
struct ByOwn<Options, kFunction, R (*)(Subject, const Own&, To)> {
  static R call(Subject subject, const Options& options, To to) {
    return kFunction(subject, dynamic_cast<const Own&>(options), to);
  }
};

// nullptr if the row takes none of that name.
template <typename Row>
auto find_own_option(const Row& row, std::string_view name) {
  const auto found =
      std::ranges::find(row.options, name, [](const auto& option) { return std::string_view(option.name); });
  return found == row.options.end() ? nullptr : &*found;
}

// "calls, alloc and callgraph", with " and ".
std::string joined(const std::vector<std::string>& words, std::string_view before_last);

// "report gc takes no --tree; it goes with calls, alloc and callgraph"
Status takes_no_option(std::string_view row, std::string_view option, const std::vector<std::string>& takers);

// Sets an option of those that the row made. `value` is "" of a flag; `kind` is what rows are: "report". An error if
// the row takes no such option, or the value is none of its words.
template <typename Row, typename Options>
Status set_own_option(std::string_view kind, std::span<const Row* const> rows, const Row& row, Options& options,
                      std::string_view name, const std::string& value) {
  const auto* option = find_own_option(row, name);
  if (!option) {
    std::vector<std::string> takers;
    for (const Row* other : rows)
      if (find_own_option(*other, name)) takers.emplace_back(other->name);
    return takes_no_option(std::string(kind) + " " + row.name, name, takers);
  }
  if (option->words) {
    const std::vector<std::string> words = option->words();
    if (std::ranges::find(words, value) == words.end())
      return Status::error(std::string(name) + " takes " + joined(words, " or ") + ", not '" + value + "'");
  }
  option->set(options, value);
  return Status::ok();
}

}  // namespace oriel
