#include "sampling/stack_walk.h"

#include "sampling/stack_memory.h"
#include "sampling/step.h"

namespace oriel::sampling {

Walk walk_stack(Walker& walker, const Registers& interrupted) {
  StackMemory memory(walker, interrupted.sp);
  Registers registers = interrupted;
  bool exact = true;
  size_t depth = 0;
  walker.frames[depth++] = registers.ip;
  for (;;) {
    const Step step = step_to_caller(walker, memory, registers, exact);
    if (step == Step::kThreadStart) return {depth, WalkEnd::kThreadStart};
    if (step == Step::kBroken) return {depth, WalkEnd::kBroken};
    if (depth == kMaxFrames) return {depth, WalkEnd::kTooDeep};
    exact = step == Step::kInterrupted;
    walker.frames[depth++] = registers.ip;
  }
}

}  // namespace oriel::sampling
