// Selection of methods by patterns: 'MyApp.*,!*.ToString'.
//
// A list of patterns joined by ',' or '|'. Each is '[ASSEMBLY]NAME', and either part is optional: ASSEMBLY is compared
// with an assembly's simple name, NAME with Namespace.Type.Method, without generic arguments and parameters, nested
// types after a dot; "string.Join" is also "System.String.Join". '*' is any text, '?' any character. A NAME also
// selects everything inside it: 'MyApp' the types of a namespace, 'MyApp.Cart' the methods of a type. '!' before a
// pattern excludes; the last pattern that matches decides. A method that matches none is excluded; if the list is
// empty, or begins with '!', user code is included. ';' is not allowed: descriptions of modules end there.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel {

class MethodPatterns {
 public:
  enum class Choice : uint8_t { kNo, kYes, kByName };

  // An empty list.
  MethodPatterns() = default;
  // The message names the pattern and the error.
  static Result<MethodPatterns> parse(std::string_view list);

  // The choice for an assembly, as far as it holds for all its methods, whatever their names. `has_names` says whether
  // any method's name can begin with a prefix (true if unknown). Any thread; no lock.
  using HasNames = std::function<bool(const std::string& prefix)>;
  Choice of_assembly(std::string_view assembly, bool user_code, const HasNames& has_names) const;
  // Whether a method is selected. `name` may have generic arguments and parameters. Any thread; no lock.
  bool of_method(std::string_view assembly, bool user_code, std::string_view name) const;

  // Whether a selected method is selected by its own name: the last pattern that matches has no '*' or '?' and names
  // only this method. Any thread; no lock.
  bool names(std::string_view assembly, std::string_view name) const;

  // Whether user code is included unless excluded: there are no patterns, or the first one excludes.
  bool includes_user_code() const { return patterns_.empty() || patterns_.front().is_exclusion; }

  bool empty() const { return patterns_.empty(); }
  // Puts these behind its own. Not while another thread asks.
  void add(MethodPatterns&& more);
  // The same, each of them taking away: for a list of what is to be left out.
  void take_away(MethodPatterns&& what);

  // As parse() takes it, without a comma: joined by '|', generic arguments left out.
  std::string text() const;

  // Patterns without '!' that have matched nothing so far, as written.
  std::vector<std::string> unmatched() const;

 private:
  struct Pattern {
    std::string text;
    bool is_exclusion = false;
    std::string assembly;  // "": any
    std::string name;      // "": any
    std::string inside;    // for what is inside: the name and ".*"
    std::string prefix;    // common prefix of all matching names
  };

  static Result<Pattern> parse_one(std::string_view text);
  static bool matches_assembly(const Pattern& pattern, std::string_view assembly);
  static bool matches_name(const Pattern& pattern, const std::string& plain, const std::string& full);
  bool without_match(bool user_code) const { return user_code && includes_user_code(); }

  std::vector<Pattern> patterns_;
  std::unique_ptr<std::atomic<bool>[]> matched_;  // by pattern
};

// A pattern in quotes for a message; a long one is truncated.
std::string quoted_pattern(std::string_view text);

// Whether `text` matches `pattern`, in which '*' is any text and '?' any character.
bool matches_glob(std::string_view pattern, std::string_view text);

// Shop.Box.Add for Shop.Box<T>.Add<U>(T, U).
std::string plain_method_name(std::string_view name);

}  // namespace oriel
