// A snapshot of the heap as a log has it: ids instead of pointers.
#pragma once

#include <cstdint>
#include <string>

#include "log/heap_records.h"
#include "modules/names.h"
#include "oriel/heap.h"

namespace oriel::log_module {

// `names` gets what it refers to.
log::HeapSnapshot snapshot_of(const oriel_heap& heap, uint64_t number, const std::string& cause,
                              modules::NameTable& names);

// What else is known of its types. Texts are redacted, unless the process does not redact.
log::HeapDetails details_of(const oriel_heap& heap, uint64_t number);

}  // namespace oriel::log_module
