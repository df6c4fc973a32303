// Strings that are passed to plug-ins and received from them.
#pragma once

#include <string>
#include <string_view>

#include "oriel/plugins/com.h"

namespace oriel::plugins {

// From UTF-8; the caller frees it. Null if there is no memory.
Bstr make_bstr(std::string_view text);
void free_bstr(Bstr text);

// To UTF-8; "" for null.
std::string text_of(const char16_t* text);

// "{324F817A-7420-4E6D-B3C1-143FBED6D855}".
std::string guid_text(const Guid& id);
// The same without braces.
std::string bare_guid_text(const Guid& id);

}  // namespace oriel::plugins
