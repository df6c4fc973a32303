// Where the sampled threads' stacks lie, from /proc/self/maps: a handler cannot find that out.
#pragma once

namespace oriel::sampling {

// Sets the bounds of all slots that want them. Only on the manager thread.
void find_stack_bounds();

}  // namespace oriel::sampling
