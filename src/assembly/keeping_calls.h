// Objects that keep what code passes to them: the collection, token or delegate that a call is made on.
#pragma once

#include <functional>
#include <string>

#include "assembly/code_place.h"

namespace oriel::assembly {

// "Shop.Carts._open" if a method calls `_open.Add(cart)`: the first operand of the first call from that place on for
// which `is_it` holds; if there is none, of the only such call before. For a token it is its source; "" if unknown.
std::string kept_in(const Assembly& assembly, CodePlace place, const std::function<bool(const CodeMember&)>& is_it);

}  // namespace oriel::assembly
