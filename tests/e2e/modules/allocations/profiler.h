#pragma once

namespace peer {

// Whether places are counted too (ORIEL_PEER=places). Constant once the profiler was initialized.
extern bool with_places;

}  // namespace peer
