// Names of functions made to fit: the class and the method stay, what tells least goes first.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "profile/profile.h"

namespace oriel::report {

// A managed name in at most `width` columns. In this order: short type names in parameters, "(…)" for parameters, outer
// namespaces gone,
// "<…>" for generic arguments, and at last "…" in the middle.
std::string fit_name(std::string_view name, size_t width);

// The same of a function; a native one with its library in brackets, where there is room. Its name is cut at no dot:
// "clone.part.0" is one symbol.
std::string fit_function(const profile::Function& function, size_t width);

// A function and the place in it that matters, "Cart.cs:42", which stays whole; "" if none is known.
std::string fit_at_line(const profile::Function& function, const std::string& line, size_t width);

// Class and method alone, for where many have to share a line: "Cart." and "Add".
struct BriefName {
  std::string owner;  // with the separator at its end; "" if there is none
  std::string method;
};
BriefName brief_name(const profile::Function& function);

// A thread as a person knows it: its name, or else its OS id.
std::string thread_label(const profile::Thread& thread);

}  // namespace oriel::report
