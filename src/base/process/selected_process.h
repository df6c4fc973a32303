// Which processes `oriel run` profiles.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace oriel {

// ORIEL_PID names the process to profile. Its children inherit the environment, but are profiled only if ORIEL_CHILDREN
// is 1.
inline bool is_selected_process() {
  const char* const pid = std::getenv("ORIEL_PID");
  const char* const children = std::getenv("ORIEL_CHILDREN");
  if (pid == nullptr || *pid == '\0') return true;
  return (children != nullptr && std::strcmp(children, "1") == 0) || std::to_string(getpid()) == pid;
}

}  // namespace oriel
