// Programs that Mono ends without shutting down: after an exception that nobody catches by exit(), for
// Environment.FailFast and for errors of its own by abort().
#pragma once

namespace oriel::mono {

// From now on the engine is told of such an end (engine_before_abort). `address` is one in Mono. Does nothing if Mono
// does not call these functions by its import table.
void hear_of_sudden_end(const void* address);

// Whether exit() with an error would be such an end: not before the program runs, and not while Mono shuts down.
void end_is_sudden(bool is);

}  // namespace oriel::mono
