// Copies the loaded libraries' call-frame information for the handlers (frame_tables.h).
#pragma once

namespace oriel::sampling {

// Makes new copies if libraries were loaded or unloaded since the last call. Only on the manager thread.
void refresh_frame_tables();

}  // namespace oriel::sampling
