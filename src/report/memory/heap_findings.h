// The part of the heap report about what could be saved, and what is kept unseen (heap/findings.h).
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "report/memory/heap_data.h"
#include "report/words/json.h"

namespace oriel::report {

// Of the last snapshot, sentences about what wastes so much that everybody should know; none of a healthy program.
std::vector<std::string> waste_sentences(const HeapData& data, const profile::Profile& profile);

// All answers, with the largest parts of each.
void write_heap_findings(const HeapData& data, const profile::Profile& profile, const HeapOptions& options,
                         std::ostream& out);
Json heap_findings_json(const HeapData& data, const profile::Profile& profile, const HeapOptions& options);

}  // namespace oriel::report
