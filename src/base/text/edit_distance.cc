#include "base/text/edit_distance.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace oriel {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t before = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t exchanged = before + (a[i] != b[j]);
      before = row[j + 1];
      row[j + 1] = std::min({exchanged, row[j] + 1, before + 1});
    }
  }
  return row.back();
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& words) {
  const auto nearest = std::ranges::min_element(words, {}, [&](const auto& it) { return edit_distance(word, it); });
  const size_t most = word.size() > 4 ? 2 : 1;
  return nearest == words.end() || edit_distance(word, *nearest) > most ? "" : *nearest;
}

}  // namespace oriel
