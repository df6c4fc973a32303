// The distance of two words, to suggest corrections of misspelt ones.
#pragma once

#include <cstddef>
#include <string_view>

namespace oriel {

// The number of letters to insert, delete or substitute (Levenshtein 1965). Time is proportional to the product of the
// lengths. Any thread; allocates.
size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace oriel
