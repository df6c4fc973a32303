// Maps positions in methods to source lines, with the symbols on this machine. These are read on first use.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pdb/symbols.h"
#include "profile/profile.h"

namespace oriel::lines {

struct Line {
  uint32_t file = 0;  // for Lines::file; 0 if not known
  uint32_t line = 0;  // from 1
  bool operator==(const Line&) const = default;
};

// The lines of a method that are in one file.
struct Extent {
  uint32_t file = 0;  // 0 if not known
  uint32_t first = 0;
  uint32_t last = 0;
};

class Lines {
 public:
  // Keeps a reference to the profile. `folders` with symbols, as from pdb::symbol_folders.
  Lines(const profile::Profile& profile, std::vector<std::string> folders);

  // `position` is an index into Places::positions.
  Line of(uint32_t position) { return of(profile_.places.positions[position]); }
  // Of any position in an image of the profile.
  Line of(const profile::Position& at);
  // Whether the symbols of the position's image were found; if so, a position without a line has none.
  bool has_symbols(uint32_t position) { return symbols_of(profile_.places.positions[position].image).has_value(); }
  // The method that contains the position.
  Extent method_of(uint32_t position);

  // `number` is a known line's `file`.
  const pdb::Document& file(uint32_t number) const { return files_[number]; }
  // "Cart.cs:42"; "" if not known.
  std::string short_text(const Line& line) const;

 private:
  struct Method {
    std::vector<pdb::SequencePoint> points;  // only those with lines; documents are numbers of files_
  };
  const Method& method(const profile::Position& position);
  const std::optional<pdb::Symbols>& symbols_of(uint32_t image);
  uint32_t file_of(uint32_t image, uint32_t document);

  const profile::Profile& profile_;
  const std::vector<std::string> folders_;
  std::vector<std::optional<std::optional<pdb::Symbols>>> symbols_;  // by image; outer nullopt: not searched for yet
  std::map<std::pair<uint32_t, uint32_t>, Method> methods_;          // by image and row
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> file_numbers_;
  std::map<std::string, uint32_t> by_path_;
  std::vector<pdb::Document> files_ = {{}};
};

}  // namespace oriel::lines
