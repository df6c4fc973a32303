// Types as Mono writes them, in Oriel's styles. Pure functions; any text is allowed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "metadata/type_text.h"

namespace oriel::mono {

// "Shop.Outer`1/Inner`1<int, System.String[]>&", as by mono_type_full_name: keywords of Mono's own, '/' before nested
// types, all generic arguments at the end. What cannot be read stays as it is.
// `own` are the names of the type's generic parameters, where code that all references share may be: Mono then writes
// "T_REF" as the argument for T, which is read as "T".
std::string readable_type(std::string_view written, metadata::Style style, const std::vector<std::string>& own = {});

// The generic arguments of such a type, "int" and "System.String[]" above; none if it has none.
std::vector<std::string> readable_arguments(std::string_view written, metadata::Style style,
                                            const std::vector<std::string>& own = {});

// The generic arguments of a method in "Class`1<A>:Name<B, C>", as by mono_method_full_name: "B" and "C".
std::vector<std::string> readable_method_arguments(std::string_view full_name, std::string_view name,
                                                   metadata::Style style, const std::vector<std::string>& own = {});

// Whether such a text may have an argument that stands for all references.
bool may_be_shared(std::string_view written);

}  // namespace oriel::mono
