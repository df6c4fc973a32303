// How far two words are apart, to find what was meant by a misspelt one.
#pragma once

#include <cstddef>
#include <string_view>

namespace oriel {

// How many letters to add, leave out or exchange to make one word of the other (Levenshtein 1965). Takes time in
// proportion to the product of their lengths. Any thread; allocates.
size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace oriel
