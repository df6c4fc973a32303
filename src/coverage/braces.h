// Where blocks of a C# source begin and end: what a PDB does not tell of optimized code, which has no places for
// braces.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace oriel::coverage {

// Of a text, from 1.
struct Place {
  uint32_t line = 0;
  uint32_t column = 0;
  auto operator<=>(const Place&) const = default;
};

// From a first place to a last one, both in it.
struct Extent {
  Place first, last;
  bool has(const Place& place) const { return first <= place && place <= last; }
};

class Braces {
 public:
  // These must live as long.
  explicit Braces(std::span<const std::string_view> lines);

  // The block of the function whose code is there: around it, and around blocks in it that need no code of their own,
  // as those of 'try'. Nothing if the function has an expression and no block, or none is around it.
  std::optional<Extent> function_around(const Extent& code) const;

 private:
  std::string_view before(const Place& place) const;

  const std::span<const std::string_view> lines_;
  std::vector<Extent> blocks_;  // inner ones first
};

}  // namespace oriel::coverage
