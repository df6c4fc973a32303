// What code gives an object to that keeps it: the collection, the token, the delegate that a call is made on.
#pragma once

#include <functional>
#include <string>

#include "assembly/code_place.h"

namespace oriel::assembly {

// "Shop.Carts._open" where a method calls `_open.Add(cart)`: what the first call from that place on takes first of
// those for which `is_it` holds; without any there, of the only one before. Of a token, whose source it is; "" if
// nothing tells.
std::string kept_in(const Assembly& assembly, CodePlace place, const std::function<bool(const CodeMember&)>& is_it);

}  // namespace oriel::assembly
