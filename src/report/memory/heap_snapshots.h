// The parts of the heap report that are about snapshots.
#pragma once

#include <ostream>

#include "report/memory/heap_data.h"
#include "report/words/json.h"

namespace oriel::report {

// What holds the most, or what grows: sentences, then types, then what the roots retain.
void write_heap_types(const HeapData& data, const profile::Profile& profile, const HeapOptions& options,
                      std::ostream& out);
// Types that grew, that are new and that are gone; objects that are still there (heap_diff.cc).
void write_heap_diff(const HeapData& data, const profile::Profile& profile, const HeapOptions& options,
                     std::ostream& out);
// The tree of dominators as far as it holds much.
void write_heap_dominators(const HeapData& data, const profile::Profile& profile, const HeapOptions& options,
                           std::ostream& out);
// One type: its largest objects, what refers to them, and the paths to roots.
void write_heap_type(const HeapData& data, const TypeOverTime& type, const profile::Profile& profile,
                     const HeapOptions& options, std::ostream& out);

// The type of that name, or else the only one whose name has it as a part.
Result<size_t> find_heap_type(const HeapData& data, const std::string& name);

// " static Shop.Cache.Orders → Dictionary<int, Order>._entries holds 98 % of them, and retains 20.0 MB."
std::string holder_sentence(const HolderText& holder);

// What the report says first: the type that grows, or of one snapshot the one that retains most, with its holder. "" if
// there is nothing to say of one snapshot.
std::string heap_sentence(const HeapData& data, const profile::Profile& profile);

// The same as the texts above.
Json heap_diff_json(const HeapData& data, const profile::Profile& profile, const HeapOptions& options);
Json heap_dominators_json(const HeapData& data, const profile::Profile& profile, const HeapOptions& options);
Json heap_type_json(const HeapData& data, const TypeOverTime& type, const profile::Profile& profile,
                    const HeapOptions& options);
Json heap_snapshots_json(const HeapData& data, const profile::Profile& profile, const HeapOptions& options);

}  // namespace oriel::report
