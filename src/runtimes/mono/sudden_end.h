// Programs that Mono ends without shutting down: after an exception that nobody catches by exit(), for
// Environment.FailFast and for errors of its own by abort().
#pragma once

namespace oriel::mono {

// From now on the engine is told of such an end (engine_before_abort). `address` is one in Mono. Does nothing if Mono
// does not call these functions by its import table.
void hear_of_sudden_end(const void* address);

// Mono shuts down, or exits because of what its command line says: exit() is no sudden end.
void end_is_announced();

}  // namespace oriel::mono
