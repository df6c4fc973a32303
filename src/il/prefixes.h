// Which prefixes may stand before which instructions.
#pragma once

#include "base/status.h"
#include "il/body.h"

namespace oriel::il {

// Of a prefix: is there an instruction behind it that it applies to? Of tail., also: is a ret behind that call?
// Anything else is fine.
Status check_prefix(const Instruction& instruction);

}  // namespace oriel::il
