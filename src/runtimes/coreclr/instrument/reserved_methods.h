// Code of the runtime's own, written in C# in the core library, that must stay as it is.
#pragma once

#include <string_view>

namespace oriel::coreclr {

// `type` is the full name of a top-level type of the core library, or of the one around a nested type.
bool is_reserved_type(std::u16string_view type);

}  // namespace oriel::coreclr
