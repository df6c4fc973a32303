#include "sampling/walk/stack_walk.h"

#include "sampling/walk/stack_memory.h"
#include "sampling/walk/step.h"

namespace oriel::sampling {

Walk walk_stack(Walker& walker, const Registers& interrupted) {
  StackMemory memory(walker, interrupted.sp);
  Frame frame = innermost_frame(interrupted);
  size_t depth = 0;
  walker.frames[depth++] = frame.registers.ip;
  for (;;) {
    const Step step = step_to_caller(memory, frame);
    if (step == Step::kThreadStart) return {depth, WalkEnd::kThreadStart};
    if (step == Step::kBroken) return {depth, WalkEnd::kBroken};
    if (depth == ORIEL_MAX_FRAMES) return {depth, WalkEnd::kTooDeep};
    walker.frames[depth++] = frame.registers.ip;
  }
}

}  // namespace oriel::sampling
