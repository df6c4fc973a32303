// Function names shortened to fit: class and method stay, the least significant parts go first.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "profile/profile.h"

namespace oriel::report {

// A managed name in at most `width` columns. In this order: short type names in parameters, "(…)" for parameters, no
// outer namespaces, "<…>" for generic arguments, and last "…" in the middle.
std::string fit_name(std::string_view name, size_t width);

// A function's name in at most `width` columns; a native one with its library in brackets, if that fits. Native names
// are not cut at dots: "clone.part.0" is one symbol.
std::string fit_function(const profile::Function& function, size_t width);

// A function with a place in it, "Cart.cs:42", which is never shortened; "" if not known.
std::string fit_at_line(const profile::Function& function, const std::string& line, size_t width);

// Class and method only, for several on one line: "Cart." and "Add".
struct BriefName {
  std::string owner;  // ends with the separator; "" if there is none
  std::string method;
};
BriefName brief_name(const profile::Function& function);

// A thread's name, or its OS id if it has none.
std::string thread_label(const profile::Thread& thread);

}  // namespace oriel::report
