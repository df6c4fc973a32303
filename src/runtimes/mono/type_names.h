// Types as Mono writes them, in Oriel's styles. Pure functions; any text is allowed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "metadata/type_text.h"

namespace oriel::mono {

// "Shop.Outer`1/Inner`1<int, System.String[]>&", as by mono_type_full_name: keywords of Mono's own, '/' before nested
// types, all generic arguments at the end. What cannot be read stays as it is.
std::string readable_type(std::string_view written, metadata::Style style);

// The generic arguments of such a type, "int" and "System.String[]" above; none if it has none.
std::vector<std::string> readable_arguments(std::string_view written, metadata::Style style);

// The generic arguments of a method in "Class`1<A>:Name<B, C>", as by mono_method_full_name: "B" and "C".
std::vector<std::string> readable_method_arguments(std::string_view full_name, std::string_view name,
                                                   metadata::Style style);

}  // namespace oriel::mono
