// The frame of code from which no way leads to a return, as of a method that only throws: found by who called it.
#pragma once

#include "sampling/walk/frame_rule.h"
#include "sampling/walk/registers.h"
#include "sampling/walk/stack_memory.h"

namespace oriel::sampling {

// Looks up the stack for the return address of a call to a function whose prologue makes just the frame that lies below
// it, and that is not far before the code at hand. The rule for that frame; kNone if there is no such address or, as
// calls that are over leave theirs, more than one. Async-safe.
FrameRule find_called_frame(StackMemory& memory, const Registers& registers);

}  // namespace oriel::sampling
