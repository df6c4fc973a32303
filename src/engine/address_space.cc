#include "engine/address_space.h"

#include <malloc.h>
#include <sys/resource.h>

#include <cstdlib>
#include <cstring>

namespace oriel {
namespace {

bool arenas_are_told() {
  const char* const tunables = std::getenv("GLIBC_TUNABLES");
  return std::getenv("MALLOC_ARENA_MAX") != nullptr || (tunables && std::strstr(tunables, "arena_max"));
}

}  // namespace

void save_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || arenas_are_told()) return;
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, 1);
#endif
}

}  // namespace oriel
