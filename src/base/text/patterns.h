// Which methods a person means: 'MyApp.*,!*.ToString'.
//
// A list of patterns joined by ',' or '|'. Each is '[ASSEMBLY]NAME', where either part may be missing: ASSEMBLY is
// compared with an assembly's simple name, NAME with Namespace.Type.Method, without generic arguments and parameters,
// nested types behind a dot; "string.Join" is "System.String.Join" too. '*' stands for any text, '?' for one character.
// A NAME also stands for all that is in it: 'MyApp' for the types of a namespace, 'MyApp.Cart' for the methods of a
// type. '!' before a pattern takes away; of several that match, the last decides. What none matches is out; if the list
// is empty, or begins with '!', it is in where it is user code. There is no ';': descriptions of modules end there.
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
  // The message names the pattern and what is wrong with it.
  static Result<MethodPatterns> parse(std::string_view list);

  // What holds for all methods of an assembly, as far as their names do not matter. `has_names` tells whether any of
  // them can begin so (always: where nobody knows). Any thread; no lock.
  using HasNames = std::function<bool(const std::string& prefix)>;
  Choice of_assembly(std::string_view assembly, bool user_code, const HasNames& has_names) const;
  // Whether a method is meant. `name` may have generic arguments and parameters. Any thread; no lock.
  bool of_method(std::string_view assembly, bool user_code, std::string_view name) const;

  // Whether a method that is meant is meant by its own name: the last pattern that matches has no '*' or '?' in it and
  // names no more than the method. Any thread; no lock.
  bool names(std::string_view assembly, std::string_view name) const;

  // Whether user code is in as far as no pattern takes it away: where there are none, or the first takes away.
  bool begin_with_user_code() const { return patterns_.empty() || patterns_.front().takes_away; }

  // As parse() takes it, without a comma: joined by '|', generic arguments left out.
  std::string text() const;

  // Those without '!' that have matched nothing of what was asked so far, as they were written.
  std::vector<std::string> unmatched() const;

 private:
  struct Pattern {
    std::string text;
    bool takes_away = false;
    std::string assembly;  // "": any
    std::string name;      // "": any
    std::string inside;    // what is in it: the name and ".*"
    std::string prefix;    // what all names that match begin with
  };

  static Result<Pattern> parse_one(std::string_view text);
  static bool matches_assembly(const Pattern& pattern, std::string_view assembly);
  static bool matches_name(const Pattern& pattern, const std::string& plain, const std::string& full);
  bool without_match(bool user_code) const { return user_code && begin_with_user_code(); }

  std::vector<Pattern> patterns_;
  std::unique_ptr<std::atomic<bool>[]> matched_;  // by pattern
};

// A pattern for a message: what is long is cut.
std::string quoted_pattern(std::string_view text);

// Whether `text` is what `pattern` says, '*' being any text and '?' any character.
bool matches_glob(std::string_view pattern, std::string_view text);

// Shop.Box.Add of Shop.Box<T>.Add<U>(T, U).
std::string plain_method_name(std::string_view name);

}  // namespace oriel
