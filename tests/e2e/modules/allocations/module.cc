// The module of the same library: counts what Oriel's probes report into the rows that the classic profiler counts in,
// so that one run of one program tells both. Argument: a prefix of the methods whose allocations are asked for.
#include <oriel/oriel.h>

#include <cstring>
#include <string>

#include "profiler.h"
#include "tally.h"

namespace {

std::string prefix;

bool filter(oriel_profiler*, oriel_method* method) {
  return prefix.empty() || std::strncmp(oriel_method_name(method), prefix.c_str(), prefix.size()) == 0;
}

void on_object(oriel_profiler*, oriel_class*, uint64_t size, oriel_object* object, oriel_method* site) {
  constexpr uintptr_t kCollectorBits = 7;
  const uintptr_t class_id = *reinterpret_cast<const uintptr_t*>(object) & ~kCollectorBits;
  peer::Row& row = peer::row_of(class_id);
  row.probes.add(size);
  if (peer::with_places && row.places == peer::Places::kYes) {
    peer::add_place(class_id, "probes " + std::to_string(oriel_method_id(site)));
  }
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_allocations(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_allocations(const char* args) {
  prefix = args;
  const oriel_profiler_handle handle = oriel_profiler_create(nullptr);
  oriel_profiler_set_gc_allocation_callback(handle, on_object);
  oriel_profiler_set_allocation_filter_callback(handle, filter);
  return 0;
}
