// Copies the loaded libraries' call-frame information for the handlers (frame_tables.h).
#pragma once

namespace oriel::sampling {

// Makes new copies if libraries were loaded or unloaded since the last call. Not in a
// handler; a second thread that calls it meanwhile does nothing.
void refresh_frame_tables();

}  // namespace oriel::sampling
