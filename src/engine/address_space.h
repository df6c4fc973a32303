// A program may have little address space (ulimit -v).
#pragma once

namespace oriel {

// Where the process has a limit of address space, has the C library make no further arenas for its heap: each thread
// that allocates would get one, of 64 MB, and the engine's threads do. They share those that there are instead. Where
// the environment says how many there may be, that holds. To be called before the engine has threads.
void save_address_space();

}  // namespace oriel
