// The distance of two words, to suggest corrections of misspelt ones.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The number of letters to insert, delete or substitute (Levenshtein 1965). Time is proportional to the product of the
// lengths. Any thread; allocates.
size_t edit_distance(std::string_view a, std::string_view b);

// The word that may have been meant: the nearest one, if it is near; else "". Likewise.
std::string nearest_word(std::string_view word, const std::vector<std::string>& words);

}  // namespace oriel
