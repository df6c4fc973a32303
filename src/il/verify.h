// Our own check of a body before a runtime sees it.
#pragma once

#include "base/status.h"
#include "il/body.h"
#include "il/stack.h"

namespace oriel::il {

// Is the body of now well formed? Checked: links, nesting of regions, branches and runs in and out of regions, what
// ends a handler, prefixes, tail calls, indexes of locals and arguments (with `facts`), depth of the stack where it can
// be known. Types are not. The first fault found is told with its place. Numbers the body; changes nothing else.
Status verify(Body& body, const MethodFacts& facts = {});

}  // namespace oriel::il
