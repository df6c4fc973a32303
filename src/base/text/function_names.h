// Readable names of functions.
#pragma once

#include <string_view>

namespace oriel {

// A function's name without its parameter list: "Shop.Cart.Add" for "Shop.Cart.Add(int)".
inline std::string_view without_parameters(std::string_view name) {
  // "(anonymous namespace)::f(int)" and "operator()" contain other parentheses: the list is the last pair, at the end.
  if (name.empty() || name.back() != ')') return name;
  size_t depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0) return i == 0 ? name : name.substr(0, i);
  }
  return name;
}

}  // namespace oriel
