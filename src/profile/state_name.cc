#include "profile/state_name.h"

namespace oriel::profile {

const char* state_name(LogState state) {
  switch (state) {
    case LogState::kComplete:
      return "complete";
    case LogState::kRunning:
      return "running";
    case LogState::kStopped:
      return "stopped";
    case LogState::kUnknown:
      break;
  }
  return "unknown";
}

}  // namespace oriel::profile
