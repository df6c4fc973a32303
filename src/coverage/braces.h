// Finds blocks in C# source: PDBs of optimized code have no sequence points for braces.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace oriel::coverage {

// A position in a text, from 1.
struct Place {
  uint32_t line = 0;
  uint32_t column = 0;
  auto operator<=>(const Place&) const = default;
};

// A range of text; both ends are inclusive.
struct Extent {
  Place first, last;
  bool has(const Place& place) const { return first <= place && place <= last; }
};

class Braces {
 public:
  // Keeps a reference to the lines.
  explicit Braces(std::span<const std::string_view> lines);

  // The body of the function that contains `code`: the enclosing block, beyond nested ones such as those of 'try'.
  // nullopt if the function has an expression body, or no block encloses the code.
  std::optional<Extent> function_around(const Extent& code) const;

 private:
  std::string_view before(const Place& place) const;

  const std::span<const std::string_view> lines_;
  std::vector<Extent> blocks_;  // inner ones first
};

}  // namespace oriel::coverage
