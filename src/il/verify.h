// Oriel's own validation of a body before a runtime sees it.
#pragma once

#include "base/status.h"
#include "il/body.h"
#include "il/stack.h"

namespace oriel::il {

// Whether the current body is well formed: links, nesting of regions, control flow into and out of regions, ends of
// handlers, prefixes, tail calls, indexes of locals and arguments (with `facts`), and the stack depth where it can be
// known. Types are not checked. Returns the first fault with its place. Numbers the body; changes nothing else.
Status verify(Body& body, const MethodFacts& facts = {});

}  // namespace oriel::il
